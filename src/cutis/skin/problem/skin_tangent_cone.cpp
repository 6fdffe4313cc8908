#include "cutis/skin/problem/skin_tangent_cone.h"

#include <cmath>

namespace cutis {
namespace {

/// A vertex goes on along a border where its curve keeps to it by more than this cosine, that of 60 degrees.
constexpr double kMinCosineToBorder = 0.5;

/// The unit vector in the tangent plane with these changes of barycentrics; zero where there is none.
Vec2 direction_of(const SurfaceJet& jet, const Vec2& rates) {
  if (!(std::abs(jet.to_barycentric.determinant()) > 0)) return Vec2::Zero();
  const Vec2 q = jet.to_barycentric.inverse() * rates;
  return q.norm() > 0 ? Vec2(q.normalized()) : Vec2(Vec2::Zero());
}

}  // namespace

std::optional<Vec2> SkinTangentCone::active_direction(VertexId v, const SkinConfiguration& at,
                                                      const Vec2& push) const {
  const SurfacePoint& p = at.points[v];
  const SurfaceJet& jet = at.jets[v];
  if (constraints_.role(v) != SkinRole::OnCurve) return surface_.tangent_cone_direction(p, jet, push);
  const CurveConstraint::Place& place = at.curve_places[v];
  const Vec2 along = direction_of(jet, place.rates);
  const bool forwards = along.dot(push) > 0;
  if (forwards ? place.ends : place.begins) return Vec2(Vec2::Zero());
  const std::optional<Vec2> border = surface_.tangent_cone_direction(p, jet, forwards ? along : Vec2(-along));
  if (!border) return along;
  return std::abs(border->dot(along)) > kMinCosineToBorder ? *border : Vec2(Vec2::Zero());
}

}  // namespace cutis
