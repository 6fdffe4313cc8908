#pragma once

#include <array>
#include <span>
#include <vector>

#include "cutis/surface/remesh/adaptive_remesh.h"
#include "cutis/surface/remesh/edit_mesh.h"
#include "cutis/surface/remesh/rest_place.h"

namespace cutis {

/// A mesh on a surface at rest that is adapted to a metric one edge at a time: each operation says whether
/// the metric wants it, and is done only where it harms the mesh neither at rest nor at its current
/// positions.
class AdaptiveMesh {
 public:
  /// The surface and the options must outlive it.
  AdaptiveMesh(const Surface& rest, const EmbeddedMesh& embedded, const IdVector<VertexId, Mat3>& metric,
               const Points& current, const AdaptiveRemeshOptions& options);

  const EditMesh& edges() const { return edges_; }
  std::size_t vertex_count() const { return alive_count_; }
  /// Squared length of an edge in the metric.
  double metric_length2(HalfedgeId h) const { return metric_length2(edges_.from(h), edges_.to(h)); }
  double metric_length2(VertexId a, VertexId b) const;

  bool wants_split(HalfedgeId h) const;
  bool try_split(HalfedgeId h);  ///< the new vertex is the last one

  /// Whether the criterion of Delaunay in the metric prefers the other diagonal.
  bool wants_flip(HalfedgeId h) const;
  /// `longest2`: the squared length in the metric above which a flip makes no edge longer.
  bool try_flip(HalfedgeId h, double longest2);

  bool wants_collapse(HalfedgeId h) const;
  /// The end that was kept; invalid when neither could be removed.
  VertexId try_collapse(HalfedgeId h);

  EmbeddedMesh embedded() const;
  VertexTransfer transfer() const;

 private:
  struct Vertex {
    RestPlace rest;
    Vec3 current;
    Mat3 metric;
    VertexStencil stencil;
    bool fixed;
  };
  using Triangle = std::array<VertexId, 3>;

  const Surface& rest_;
  const AdaptiveRemeshOptions& options_;
  EditMesh edges_;
  IdVector<VertexId, Vertex> vertices_;
  std::size_t old_count_, alive_count_;
  /// Old vertices that were removed, at the face that lies nearest to their current position.
  IdVector<FaceId, std::vector<VertexId>> removed_;

  static FaceId face(HalfedgeId h) { return FaceId(h.value / 3); }
  Triangle triangle(HalfedgeId h) const { return {edges_.from(h), edges_.to(h), edges_.opposite(h)}; }
  const Vec3& position(VertexId v) const { return vertices_[v].rest.position; }
  double rest_length(HalfedgeId h) const {
    return (position(edges_.to(h)) - position(edges_.from(h))).norm();
  }

  double opposite_cotangents(VertexId a, VertexId b, VertexId c, VertexId d) const;
  RestPlace middle(HalfedgeId h) const;
  bool splits_well(HalfedgeId h, const RestPlace& m) const;
  bool sound_change(std::span<const Triangle> before, std::span<const Triangle> after) const;
  bool may_remove(HalfedgeId h, VertexId removed) const;
  bool removable_from_line(HalfedgeId h, VertexId removed) const;
  bool too_long_without(VertexId removed, VertexId kept) const;
  bool try_collapse(HalfedgeId h, VertexId removed);

  bool bounds_deviation() const { return options_.max_deviation < std::numeric_limits<double>::infinity(); }
  double current_distance(VertexId point, const Triangle& t) const;
  bool near(std::span<const VertexId> points, std::span<const Triangle> triangles) const;
  double diagonal_gap(HalfedgeId h) const;
  std::vector<VertexId> take_removed(std::span<const FaceId> faces);
  void put_removed(std::span<const VertexId> points, std::span<const HalfedgeId> faces);
};

}  // namespace cutis
