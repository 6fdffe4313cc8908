#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cutis/surface/mesh/surface.h"

namespace cutis {

/// Skin and body are two copies of one surface, and every sliding method computes a map between them: for
/// each vertex of one copy (`from`), a point on the other (`to`).
///
/// **Between the vertices.** The corners of a face may land in different faces, so the image of the inside
/// has to be defined. Let P_i be the images of the corners in space, N_i the smooth normals of `to` there, b
/// the barycentric coordinates: the image is where the line through sum b_i P_i along sum b_i N_i meets `to`,
/// nearest to the chord. Where all corners lie in one face this is plain linear interpolation; on an edge it
/// depends on the two ends only, so the map is continuous; and it can be solved exactly in both directions,
/// also at the vertices of `to`, where closest points and shortest paths leave gaps. It asks that the surface
/// turns by less than a right angle under one face; a face for which it turns further is treated as folded.
class SurfaceMap {
 public:
  using Points = IdVector<VertexId, SurfacePoint>;
  using SurfacePtr = std::shared_ptr<const Surface>;

  SurfaceMap(SurfacePtr from, SurfacePtr to, Points points);
  /// Every vertex where it is.
  static SurfaceMap identity(const SurfacePtr& surface);

  const SurfacePtr& from() const { return from_; }
  const SurfacePtr& to() const { return to_; }
  const Points& points() const { return points_; }
  const SurfacePoint& operator[](VertexId v) const { return points_[v]; }

  /// The image of any point of `from`, as defined above. An invalid face says that there is none: the line of
  /// a folded face misses the surface, or it leaves over a border.
  SurfacePoint operator()(const SurfacePoint& p) const;

  /// First this map, then `next`, whose `from` is this map's `to`. Throws InputError when a vertex lands
  /// where `next` has no image.
  SurfaceMap then(const SurfaceMap& next) const;

  struct Inverse;
  /// For each vertex of `to`, the point of `from` that comes to lie there. A walk starts in the face
  /// of its `guess` (from an earlier inverse, say that of the frame before) where there are any; where a walk
  /// fails the whole surface is searched.
  Inverse inverse(const Points& guess = {}) const;

  /// Faces of `from` that come out turned over, collapsed, or bent beyond a right angle.
  std::vector<FaceId> folded_faces() const;

  /// A quantity on the vertices of `to` as seen from the vertices of `from`: positions of a moving body,
  /// colours, strains. The other way goes through the inverse.
  template <class T>
  IdVector<VertexId, T> pull(const IdVector<VertexId, T>& on_to) const {
    IdVector<VertexId, T> result;
    result.reserve(points_.size());
    for (const SurfacePoint& p : points_) result.push_back(interpolate(to_->mesh(), on_to, p));
    return result;
  }
  /// Directions, such as normals: pulled and made unit again.
  IdVector<VertexId, Vec3> pull_directions(const IdVector<VertexId, Vec3>& on_to) const;
  /// Texture coordinates of `to` (one per corner) at the vertices of `from`. Each is read in the face the
  /// vertex lies in, so the corners of one face may come from different charts: see Atlas for keeping them
  /// together.
  IdVector<VertexId, Vec2> pull_uvs() const;

 private:
  /// The face of `to` that all three corners of f land in, where there is one, and their barycentrics there
  /// as columns: the image of the face is then linear.
  std::optional<std::pair<FaceId, Mat3>> within_one_face(FaceId f) const;
  std::optional<Mat3> corners_within(FaceId f, FaceId common) const;
  bool is_folded(FaceId f) const;
  /// Whether the image of p is the vertex v of `to`.
  bool arrives(const SurfacePoint& p, VertexId v) const;

  SurfacePtr from_, to_;
  Points points_;
  cutis::Points images_;                 ///< P: where the vertices land in space
  IdVector<VertexId, Vec3> directions_;  ///< N: smooth normals of `to` there
};

struct SurfaceMap::Inverse {
  SurfaceMap map;
  /// Vertices of `to` that nothing maps to (they lie beyond a border of the image, or under folded faces):
  /// they are given the nearest point.
  std::vector<VertexId> missed;
};

}  // namespace cutis
