#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/body/subdivided_surface.h"
#include "cutis/surface/limit/limit_cage.h"
#include "cutis/surface/limit/limit_surface.h"
#include "cutis/surface/map/subdivision.h"

namespace cutis {

/// A body with a finer mesh: some of its faces are subdivided, the others are as they were but for new
/// corners on the edges they share with those. Its own vertices move as they do in the body below it, and the
/// new ones with them. The source vertices of that body come first, in their order; every other vertex is a
/// source vertex of its own, with texture coordinates at the corners of faces. At level 0 it has the same
/// mesh.
class SubdividedBody final : public Body {
 public:
  /// Faces f of inner.mesh() with chosen[f] are subdivided; an empty `chosen` takes all. `inner` must outlive
  /// it. Throws InputError when its mesh has no limit surface and one is asked for.
  SubdividedBody(const Body& inner, const IdVector<FaceId, char>& chosen, int level,
                 SubdividedSurface surface = SubdividedSurface::Polygon);

  const Body& inner() const { return inner_; }
  /// Where each vertex of mesh() lies on inner.triangles(), or has been before it went to the smooth surface;
  /// no valid face for a vertex that has none.
  const IdVector<VertexId, SurfacePoint>& places() const { return places_; }
  /// Where it lies on its own triangles.
  IdVector<VertexId, SurfacePoint> own_places() const;
  /// The face of inner.mesh() that a face of mesh() was cut from.
  FaceId polygon(FaceId f) const { return polygon_[f]; }

  Interval duration() const override { return inner_.duration(); }
  double frame_rate() const override { return inner_.frame_rate(); }
  SourcePoints smooth_positions(double time) const override;
  std::optional<SourcePoints> animation(double time) const override;
  /// Between the vertices of the body below they are interpolated, as are weights and lengths of shapes.
  std::optional<VertexAttribute> attribute(const std::string& name) const override;
  std::vector<std::string> attribute_names() const override { return inner_.attribute_names(); }
  std::optional<Skeleton> skeleton() const override;
  std::vector<JointTransform> joint_transforms(double time) const override {
    return inner_.joint_transforms(time);
  }
  std::vector<IdVector<VertexId, double>> shape_lengths() const override;

 private:
  const Body& inner_;
  IdVector<VertexId, SurfacePoint> places_;
  IdVector<FaceId, FaceId> polygon_;
  std::vector<SurfacePoint> new_places_;  ///< of the source vertices that the body below has not got

  std::optional<LimitSurface> limit_;  ///< none on polygons
  std::optional<LimitCage> cage_;

  FaceGroups groups_of(const FaceGroups& inner) const;
  Points new_positions(const Points& inner) const;
  SourcePoints with_new(SourcePoints inner) const;
  SourcePoints compute_positions(double time) const override;
};

}  // namespace cutis
