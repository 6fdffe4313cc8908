#include "cutis/skin/constraint/keyframed_transport.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/field/surface_stroke.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/log_map.h"
#include "cutis/surface/geodesic/trace.h"

namespace cutis {
namespace {

/// How much a piece is on one side of the body, by the length of its mean normal: 1 up to half a sphere or
/// half a ring, 0 when it goes round a limb, where no side of the limb speaks for the others.
double one_sided(double normal) { return std::clamp(4 * normal - 1, 0.0, 1.0); }

/// The turn that takes one normal to another, and does not spin about the axis `upright`: angle times axis.
Vec3 turn_between(const Vec3& from, const Vec3& to, const Vec3& upright) {
  const Eigen::AngleAxisd least(Quat::FromTwoVectors(from, to));
  const Vec3 turn = least.angle() * least.axis(), normal = (from + to).stableNormalized();
  // A spin about the normal itself is free: as much as takes that about `upright` away.
  const double along = normal.dot(upright);
  return along > 0.5 ? Vec3(turn - normal * (turn.dot(upright) / along)) : turn;
}

}  // namespace

KeyframedTransport::KeyframedTransport(const Surface& rest, const ClosestPointTree& body, SkinPath path)
    : rest_(&rest), edge_(mean_edge(rest)), path_(std::move(path)) {
  Waypoint start;
  start.middle = body(path_.points.front()).point;
  const Vec3 middle = rest.position(start.middle);
  for (VertexId v : path_.vertices) {
    start.places.push_back(rest.point(v));
    from_middle_.push_back(rest.positions()[v] - middle);
  }
  start.normal = mean_normal(start.places);
  waypoints_.push_back(std::move(start));
  waypoint_of_key_.push_back(0);

  const std::size_t legs = path_.points.size() - 1;
  const double most_steps = std::max(1.0, static_cast<double>(most_keys(path_.vertices.size()) / legs));
  const GeodesicMetric metric(rest.topology(), rest.positions());
  Geodesics geodesics(metric);
  // Keys may run along a bone: what is between the first one and the surface goes along. A piece that goes
  // round a limb keeps to the keys, not to the side of the limb that its middle is on.
  const Vec3 offset = middle - path_.points.front();
  const double around = 1 - one_sided(waypoints_.front().normal.norm());
  for (std::size_t k = 1; k < path_.points.size(); ++k) {
    const Vec3 key = path_.points[k] + waypoints_.back().turn * offset;
    const SurfacePoint target = body(key).point;
    if (!go_to(target, around * (key - rest.position(target)), geodesics, most_steps))
      throw InputError(fmt::format(
          "{}: no way over the body's surface leads from point {} to point {}: they are near separate parts "
          "of it; keep to one part",
          path_.name, k, k + 1));
    waypoint_of_key_.push_back(waypoints_.size() - 1);
  }
}

/// Aims anew at each step: a shortest way may bend at a vertex, which a straight one does not.
bool KeyframedTransport::go_to(const SurfacePoint& target, const Vec3& lift, Geodesics& geodesics,
                               double most_steps) {
  int left = 0;
  do {
    Waypoint& here = waypoints_.back();
    const std::optional<Vec2> way = log_point(geodesics, here.middle, target);
    if (!way) return false;
    if (left == 0) left = static_cast<int>(std::min(std::ceil(way->norm() / edge_), most_steps));
    if (left == 0) return true;
    here.way = face_frame(rest_->topology(), rest_->positions(), here.middle.face).vector(*way / left);
    const SurfacePoint next =
        left == 1 ? target : trace(rest_->topology(), rest_->positions(), here.middle, here.way).end;
    waypoints_.push_back(moved(here, next, here.lift + (lift - here.lift) / left));
  } while (--left > 0);
  return true;
}

KeyframedTransport::Waypoint KeyframedTransport::moved(const Waypoint& from, const SurfacePoint& middle,
                                                       const Vec3& lift) const {
  Waypoint to;
  to.middle = middle;
  to.lift = lift;
  to.turn = from.turn;
  const Vec3 x = rest_->position(middle) + lift;
  const Vec3 upright = (normal_at(from.middle) + normal_at(middle)).stableNormalized();
  // The turn follows from the surface below the piece, and where the piece lies from the turn; each pass
  // brings them nearer by the ratio of the piece's height to the surface's radius.
  for (int pass = 0; pass < 2; ++pass) {
    const Vec3 normal = mean_normal(laid(from.places, x, to.turn));
    const double share = one_sided(std::min(normal.norm(), from.normal.norm()));
    if (share == 0) break;
    const Vec3 turn = share * turn_between(from.normal, normal, upright);
    to.turn = Quat(Eigen::AngleAxisd(turn.norm(), turn.stableNormalized())) * from.turn;
  }
  to.turn.normalize();
  to.places = laid(from.places, x, to.turn);
  to.normal = mean_normal(to.places);
  return to;
}

std::vector<SurfacePoint> KeyframedTransport::laid(const std::vector<SurfacePoint>& near, const Vec3& middle,
                                                   const Quat& turn) const {
  std::vector<SurfacePoint> places(near.size());
  parallel_for(places.size(), [&](std::size_t i) {
    const Vec3 x = middle + turn * from_middle_[i];
    places[i] = closest_point_local(rest_->topology(), rest_->positions(), near[i], x).point;
  });
  return places;
}

Vec3 KeyframedTransport::normal_at(const SurfacePoint& p) const {
  return interpolate(rest_->mesh(), rest_->normals(), p).stableNormalized();
}

Vec3 KeyframedTransport::mean_normal(const std::vector<SurfacePoint>& places) const {
  Vec3 sum = Vec3::Zero();
  for (const SurfacePoint& p : places) sum += normal_at(p);
  return sum / std::max(1.0, static_cast<double>(places.size()));
}

void KeyframedTransport::place(double time, IdVector<VertexId, SurfacePoint>& points) const {
  const auto set = [&](const std::vector<SurfacePoint>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) points[path_.vertices[i]] = places[i];
  };
  const auto next = std::upper_bound(path_.times.begin(), path_.times.end(), time);
  if (next == path_.times.begin()) return set(waypoints_.front().places);
  if (next == path_.times.end()) return set(waypoints_.back().places);
  const auto k = static_cast<std::size_t>(next - path_.times.begin());
  const std::size_t first = waypoint_of_key_[k - 1], last = waypoint_of_key_[k];
  if (first == last) return set(waypoints_[first].places);
  const double gone =
      (time - path_.times[k - 1]) / (path_.times[k] - path_.times[k - 1]) * static_cast<double>(last - first);
  const std::size_t i = std::min(first + static_cast<std::size_t>(gone), last - 1);
  const double share = gone - static_cast<double>(i - first);
  const Waypoint &from = waypoints_[i], &to = waypoints_[i + 1];
  const SurfacePoint middle = trace(rest_->topology(), rest_->positions(), from.middle, share * from.way).end;
  const Vec3 lift = from.lift + share * (to.lift - from.lift);
  set(laid(from.places, rest_->position(middle) + lift, from.turn.slerp(share, to.turn)));
}

}  // namespace cutis
