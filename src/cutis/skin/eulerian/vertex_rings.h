#pragma once

#include <span>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A tangent plane with orthonormal columns, and its normal.
struct TangentPlane {
  Mat32 tangent = Mat32::Zero();
  Vec3 normal = Vec3::Zero();
};
TangentPlane tangent_plane(const Vec3& normal);

/// A vector of one tangent plane in another, by the shortest turn that takes normal to normal: as long as it
/// was. Where the normals are opposite it stays as it is.
Vec3 transported(const Vec3& vector, const Vec3& from_normal, const Vec3& to_normal);
/// A vector in space of skin whose normal turns: its part in the first tangent plane, less that of `common`,
/// is transported, the rest stays as it is.
Vec3 turned_with(const Vec3& from_normal, const Vec3& to_normal, const Vec3& vector, const Vec3& common);

/// Where a place that lies by `chord` from the foot of a frame is in its tangent plane: straight over the
/// surface, as long as the arc of a circle through both that is tangent to the plane. Exact on a sphere.
Vec2 tangent_coordinates(const TangentPlane& frame, const Vec3& chord);

struct RingedSurface;

/// The triangles around each vertex, and where their corners are in its tangent plane.
class VertexRings {
 public:
  /// A triangle around vertex i: its other corners, in order.
  struct Wedge {
    VertexId ahead, left;
  };
  /// The same corners in the tangent plane of i [m].
  struct WedgeCoordinates {
    Vec2 ahead, left;
  };
  /// A place in the tangent plane of a vertex: in one of its triangles, as shares of the way to its corners.
  struct Place {
    std::size_t wedge = 0;
    double ahead = 0, left = 0;
  };

  explicit VertexRings(const Mesh& triangles);

  std::size_t vertex_count() const { return begin_.size() - 1; }
  std::span<const Wedge> wedges(VertexId v) const { return span_of(wedges_, v); }
  std::size_t first_wedge(VertexId v) const { return begin_[v.index()]; }
  const Wedge& wedge(std::size_t i) const { return wedges_[i]; }
  /// The vertices that are no more than two edges away, rising, without v.
  std::span<const VertexId> near(VertexId v) const {
    return {near_.data() + near_begin_[v.index()], near_begin_[v.index() + 1] - near_begin_[v.index()]};
  }
  /// Of the first of them, counted over all vertices.
  std::size_t first_near(VertexId v) const { return near_begin_[v.index()]; }
  /// Of all vertices together.
  std::size_t near_count() const { return near_.size(); }

  /// As vertices at `positions` with these normals see it.
  RingedSurface surface(Points positions, const IdVector<VertexId, Vec3>& normals) const;
  /// Of vertices at `positions` with these frames.
  std::vector<WedgeCoordinates> coordinates(const Points& positions,
                                            const IdVector<VertexId, TangentPlane>& frames) const;

  /// The triangle around v that holds a vector of its tangent plane, the nearest where none does. The place
  /// is never beyond the triangle's far side.
  Place locate(const std::vector<WedgeCoordinates>& all, VertexId v, const Vec2& vector) const;
  /// The linear map between the tangent planes of v on two surfaces that comes closest to taking its
  /// neighbours on one to those on the other; zero where neighbours lie on a line.
  Mat2 jacobian(const std::vector<WedgeCoordinates>& from, const std::vector<WedgeCoordinates>& to,
                VertexId v) const;

 private:
  std::vector<std::size_t> begin_;  ///< vertices + 1
  std::vector<Wedge> wedges_;
  std::vector<std::size_t>
      left_is_ahead_;                    ///< of each wedge, the one that its `left` is `ahead` of; or itself
  std::vector<std::size_t> near_begin_;  ///< vertices + 1
  std::vector<VertexId> near_;

  template <class T>
  std::span<const T> span_of(const std::vector<T>& list, VertexId v) const {
    return {list.data() + begin_[v.index()], begin_[v.index() + 1] - begin_[v.index()]};
  }
};

/// A surface at a moment, as its vertices see it.
struct RingedSurface {
  Points positions;
  IdVector<VertexId, TangentPlane> frames;
  std::vector<VertexRings::WedgeCoordinates> coordinates;
};

}  // namespace cutis
