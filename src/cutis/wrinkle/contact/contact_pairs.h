#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cutis/surface/mesh/mesh.h"
#include "cutis/wrinkle/contact/box_tree.h"
#include "cutis/wrinkle/contact/contact_distance.h"

namespace cutis {

/// A vertex and a triangle, or two edges, without a vertex in common.
struct ContactPair {
  ContactKind kind = ContactKind::PointTriangle;
  std::array<VertexId, 4> vertices;
  bool operator==(const ContactPair&) const = default;
};

inline ContactPoints contact_points(const ContactPair& pair, const Points& positions) {
  return {positions[pair.vertices[0]], positions[pair.vertices[1]], positions[pair.vertices[2]],
          positions[pair.vertices[3]]};
}

/// Finds the pairs of one triangle mesh that are near each other, by trees over its triangles and edges. In a
/// fixed order, the same at any number of threads.
class ContactPairs {
 public:
  ContactPairs() = default;
  /// `rest`: triangles, manifold or not.
  explicit ContactPairs(const Mesh& rest);

  /// Which way is out of the body below each vertex, from now on. Only pairs that face the same way there,
  /// and that are within `reach` [m] of each other at rest, are kept: the folds of one piece of skin. Parts
  /// of a body that face each other (fingers, an arm and a trunk, the two sides of a crease) are brought
  /// together by the body, through each other where it does so, and skin that has to follow it could not keep
  /// apart.
  void set_outside(Points normals, double reach);

  /// All pairs whose boxes come within `margin` [m] of each other while vertices go straight from
  /// `positions` by `step`: with them all that are as near at any time of it.
  std::vector<ContactPair> find(const Points& positions, const Points& step, double margin);
  /// The same where nothing moves.
  std::vector<ContactPair> find(const Points& positions, double margin);

  const std::vector<std::array<VertexId, 2>>& edges() const { return edges_; }

 private:
  std::vector<std::array<VertexId, 3>> triangles_;
  std::vector<std::array<VertexId, 2>> edges_;
  std::vector<VertexId> vertices_;  ///< of triangles
  Points rest_;
  Points outside_;  ///< empty: all pairs are kept
  double reach_ = 0;
  BoxTree triangle_tree_, edge_tree_;

  template <class VertexBox>
  std::vector<ContactPair> find_in_boxes(const VertexBox& vertex_box, double margin);
  void add_triangles_near(VertexId point, const ContactBox& box, std::vector<ContactPair>& pairs) const;
  void add_edges_near(std::size_t place, const ContactBox& box, std::vector<ContactPair>& pairs) const;
  bool is_one_piece(const ContactPair& pair) const;
};

}  // namespace cutis
