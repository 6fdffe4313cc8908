#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A polygon mesh made ready for drawing, once for all frames of a film: cut into triangles that remember
/// which of their sides are polygon edges, and which vertices lie in one place (so that shading runs smoothly
/// over texture seams). Holds no positions of its own.
class DrawMesh {
 public:
  struct Triangle {
    std::array<std::int32_t, 3> vertices;
    std::array<std::int32_t, 3> corners;
    std::int32_t face;
    std::array<bool, 3> is_edge;  ///< whether the side opposite to each vertex is an edge of the polygon
  };

  explicit DrawMesh(const Mesh& mesh);
  explicit DrawMesh(const SourceMesh& mesh);
  /// From plain arrays: `face_offsets` has one entry more than faces; `uvs` has one entry a corner or none.
  /// Throws InputError when they do not fit together.
  DrawMesh(std::span<const Vec3> positions, std::span<const std::int32_t> face_offsets,
           std::span<const std::int32_t> corners, std::span<const Vec2> uvs);

  std::size_t vertex_count() const { return place_of_.size(); }
  std::size_t face_count() const { return face_count_; }
  std::size_t corner_count() const { return corner_vertices_.size(); }
  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<Vec2>& uvs() const { return uvs_; }  ///< one per corner, or empty
  const std::vector<std::int32_t>& corner_vertices() const { return corner_vertices_; }

  /// Smooth unit normals, one per vertex; zero where a vertex has no face of any size.
  std::vector<Eigen::Vector3f> normals(std::span<const Eigen::Vector3f> positions) const;

  /// The mesh laid flat: one vertex a corner, to be placed at (u, v, 0). Throws InputError unless there is
  /// one of `uvs` a corner.
  DrawMesh flattened(std::span<const Vec2> uvs) const;

 private:
  std::vector<Triangle> triangles_;
  std::vector<std::int32_t> corner_vertices_;
  std::vector<Vec2> uvs_;
  std::vector<std::int32_t> place_of_;  ///< vertex -> the first vertex that lies in the same place
  std::size_t face_count_ = 0;

  DrawMesh() = default;
  void prepare(const Mesh& mesh, const std::vector<std::int32_t>& place_of);
};

}  // namespace cutis
