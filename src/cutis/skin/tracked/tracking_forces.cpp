#include "cutis/skin/tracked/tracking_forces.h"

#include <algorithm>
#include <cmath>

#include "cutis/skin/slide_limit.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// A node that is closer to its target has no direction from it; as a share of the body's size.
constexpr double kOnTarget = 1e-14;
/// So far a node may lift off its target within a step; as a share of the body's size.
constexpr double kLift = 1e-4;

}  // namespace

TrackingForces::TrackingForces(const Surface& rest, const TrackedOptions& options)
    : rest_(rest), options_(options), highest_targeting_(options.targeting.angular_frequency()) {
  if (!options.targeting_gain.empty()) highest_targeting_ *= std::ranges::max(options.targeting_gain.raw());
}

void TrackingForces::bind(const TargetPose& target, TrackedNode& node) const {
  // No rings beyond the faces on the way: near a fold these would reach the other sheet.
  const LocalSearch on_the_way{0};
  node.binding =
      closest_point_local(rest_.topology(), target.positions, node.binding, node.position, on_the_way).point;
}

Vec3 TrackingForces::normal(const TargetPose& target, const SurfacePoint& p) const {
  return interpolate(rest_.mesh(), target.normals, p).stableNormalized();
}

Vec3 TrackingForces::triangle_normal(const TargetPose& target, const SurfacePoint& p) const {
  const auto c = rest_.mesh().face(p.face);
  const Points& x = target.positions;
  return (x[c[1]] - x[c[0]]).cross(x[c[2]] - x[c[0]]).stableNormalized();
}

bool TrackingForces::is_on_border(const SurfacePoint& p) const {
  const Topology& t = rest_.topology();
  for (int k = 0; k < 3; ++k) {
    const HalfedgeId corner(t.halfedge(p.face).value + k);
    if (p.barycentric[k] == 1) return t.is_border(t.from(corner));
    if (p.barycentric[k] == 0 && t.is_border(t.twin(t.next(corner)))) return true;
  }
  return false;
}

/// From the closest point to the node, which is normal to the target: also at its edges and vertices, and in
/// creases, where interpolated normals may lean by a right angle. Beyond a border it is not.
TrackingForces::Offset TrackingForces::offset(const TargetPose& target, const TrackedNode& node) const {
  const Vec3 away = node.position - interpolate(rest_.mesh(), target.positions, node.binding);
  const double distance = away.norm();
  if (distance > kOnTarget * rest_.size() && !is_on_border(node.binding)) return {distance, away / distance};
  const Vec3 n = normal(target, node.binding);
  return {away.dot(n), n};
}

/// Skin feels as much of the target's acceleration as its gain says, and is taken along by the rest.
void TrackingForces::fly(VertexId v, const TargetPose& from, const TargetPose& to, const Vec3& outer,
                         TrackedNode& node) const {
  const double dt = to.time - from.time;
  node.velocity += dt * outer + (1 - lag_gain(v)) * (to.velocities[v] - from.velocities[v]);
  node.position += dt * node.velocity;
}

/// Beside the node's own place on the target, whose acceleration is the same throughout the step, the node
/// moves as a damped oscillator along the target and freely across.
void TrackingForces::fly_to_target(VertexId v, const TargetPose& from, const TargetPose& to,
                                   const Vec3& outer, TrackedNode& node) const {
  const double dt = to.time - from.time;
  const SpringFlow flow = exact_flow(targeting(v), dt);
  const Vec3 felt = outer - lag_gain(v) / dt * (to.velocities[v] - from.velocities[v]);
  const Vec3 n = normal(from, node.binding);
  const Vec3 away = node.position - from.positions[v], speed = node.velocity - from.velocities[v];
  const double away_across = away.dot(n), speed_across = speed.dot(n), felt_across = felt.dot(n);
  const Vec3 away_along = away - away_across * n, speed_along = speed - speed_across * n,
             felt_along = felt - felt_across * n;
  node.position = to.positions[v] + flow.place_by_place * away_along + flow.place_by_speed * speed_along +
                  flow.place_by_force * felt_along +
                  (away_across + dt * speed_across + dt * dt / 2 * felt_across) * n;
  node.velocity = to.velocities[v] + flow.speed_by_place * away_along + flow.speed_by_speed * speed_along +
                  flow.speed_by_force * felt_along + (speed_across + dt * felt_across) * n;
}

/// Backward Euler is linear, so that it acts on the vector along the target as on its length.
void TrackingForces::pull_to_target(VertexId v, const TargetPose& target, const Vec3& velocity, double dt,
                                    TrackedNode& node) const {
  const DampedSpring spring = targeting(v);
  const Vec3 n = normal(target, node.binding);
  const auto along = [&](const Vec3& x) -> Vec3 { return x - x.dot(n) * n; };
  const Vec3 away = along(node.position - target.positions[v]), speed = along(node.velocity - velocity);
  const Vec3 kick = implicit_kick(spring, 1, 0, dt) * away + implicit_kick(spring, 0, 1, dt) * speed;
  node.velocity += kick;
  node.position += dt * kick;
}

void TrackingForces::hold_back(VertexId v, const TargetPose& target, TrackedNode& node) const {
  if (options_.slide_limit.empty() || !options_.use_ligaments) return;
  const auto chord = [&](const SurfacePoint& p) { return (rest_.position(p) - rest_.positions()[v]).norm(); };
  const SurfacePoint back = held_within(rest_, v, node.binding, options_.slide_limit[v], chord);
  if (back == node.binding) return;
  const Vec3 way = interpolate(rest_.mesh(), target.positions, node.binding) -
                   interpolate(rest_.mesh(), target.positions, back);
  const Vec3 outwards = way.stableNormalized();
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, back);
  node.binding = back;
  node.position -= way;
  node.velocity -= std::max(0.0, speed.dot(outwards)) * outwards;
}

void TrackingForces::keep_within_reach(const TargetPose& target, const SurfacePoint& before, double dt,
                                       TrackedNode& node) const {
  if (!std::isfinite(options_.slide_speed)) return;
  const SurfacePoint near =
      moved_within(rest_, target.positions, before, node.binding, options_.slide_speed * dt);
  if (near == node.binding) return;
  node.position += interpolate(rest_.mesh(), target.positions, near) -
                   interpolate(rest_.mesh(), target.positions, node.binding);
  node.binding = near;
}

/// In a crease stress may lift a node by centimetres within a step, from where the closest point is another.
/// Along the normal of its triangle, as press_onto_target() does there: between two directions speed would be
/// lost in every step. That normal jumps at edges, where nodes come to rest: less than kLift is left to
/// press_onto_target(), or rounding would say which way they go.
void TrackingForces::keep_down(VertexId v, const TargetPose& target, double dt, TrackedNode& node) const {
  if (!(sliding(v).stiffness * dt * dt > 1)) return;
  const Vec3 velocity = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  const double highest = kLift * rest_.size() / dt;
  if (velocity.squaredNorm() <= highest * highest) return;
  const Vec3 n = triangle_normal(target, node.binding);
  const double speed = velocity.dot(n);
  node.velocity -= (speed - std::clamp(speed, -highest, highest)) * n;
}

void TrackingForces::keep_in_plane(const TargetPose& target, TrackedNode& node) const {
  const Vec3 n = normal(target, node.binding);
  const Vec3 away = node.position - interpolate(rest_.mesh(), target.positions, node.binding);
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  node.position -= away.dot(n) * n;
  node.velocity -= speed.dot(n) * n;
}

/// Along the target, at its binding.
void TrackingForces::slow_down(const TargetPose& target, TrackedNode& node) const {
  if (!std::isfinite(options_.slide_speed)) return;
  const Vec3 of_target = interpolate(rest_.mesh(), target.velocities, node.binding);
  const Vec3 speed = node.velocity - of_target;
  if (speed.squaredNorm() <= options_.slide_speed * options_.slide_speed) return;
  const Vec3 n = triangle_normal(target, node.binding);
  const Vec3 across = speed.dot(n) * n, along = speed - across;
  const double share = options_.slide_speed / along.norm();
  if (share < 1) node.velocity = of_target + across + share * along;
}

/// The gain is one on the stiffness; the damping stays the same share of the critical one.
DampedSpring TrackingForces::sliding(VertexId v) const {
  const DampedSpring& whole = options_.sliding;
  if (options_.sliding_gain.empty()) return whole;
  const double gain = options_.sliding_gain[v];
  return {gain * whole.stiffness, std::sqrt(gain) * whole.damping};
}

/// The gain is one on the frequency; the damping stays the same share of the critical one.
DampedSpring TrackingForces::targeting(VertexId v) const {
  const DampedSpring& whole = options_.targeting;
  if (options_.targeting_gain.empty()) return whole;
  const double gain = options_.targeting_gain[v];
  return {gain * gain * whole.stiffness, gain * whole.damping};
}

void TrackingForces::press_onto_target(VertexId v, const TargetPose& target, double dt,
                                       TrackedNode& node) const {
  const auto [distance, n] = offset(target, node);
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  const Vec3 kick = implicit_kick(sliding(v), distance, speed.dot(n), dt) * n;
  node.velocity += kick;
  node.position += dt * kick;
}

void TrackingForces::push_onto_target(VertexId v, const TargetPose& target, double dt,
                                      TrackedNode& node) const {
  const DampedSpring spring = sliding(v);
  const auto [distance, n] = offset(target, node);
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  node.velocity -= dt * (spring.stiffness * distance + spring.damping * speed.dot(n)) * n;
}

}  // namespace cutis
