#include "cutis/skin/tracked/tracking_forces.h"

#include <algorithm>
#include <cmath>

#include "cutis/skin/slide_limit.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// A node that is closer to its target, as a share of the body's size, has no direction from it: beside an
/// edge or a vertex the closest point stays, so that the direction turns round within so short a way.
constexpr double kBeside = 1e-4;
/// So far from the edges, in barycentric coordinates, a triangle has a normal of its own.
constexpr double kEdge = 0.1;

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

/// At an edge that of its triangle would jump, and the same node on the same skin would go elsewhere by
/// rounding. Interpolated normals alone lean away from a triangle in a crease.
Vec3 TrackingForces::surface_normal(const TargetPose& target, const SurfacePoint& p) const {
  const auto c = rest_.mesh().face(p.face);
  const Points& x = target.positions;
  const Vec3 of_triangle = (x[c[1]] - x[c[0]]).cross(x[c[2]] - x[c[0]]).stableNormalized();
  const double inside = std::clamp(p.barycentric.minCoeff() / kEdge, 0.0, 1.0);
  return (inside * of_triangle + (1 - inside) * normal(target, p)).stableNormalized();
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

Vec3 TrackingForces::Offset::across(const Vec3& x) const {
  const double near = beside * beside;
  return (away.dot(x) * away + near * normal.dot(x) * normal) / (away.squaredNorm() + near);
}

/// From the closest point to the node, which is normal to the target: also at its edges and vertices, and in
/// creases, where interpolated normals may lean by a right angle. Beyond a border it is not.
TrackingForces::Offset TrackingForces::offset(const TargetPose& target, const TrackedNode& node) const {
  const Vec3 away = node.position - interpolate(rest_.mesh(), target.positions, node.binding);
  const double beside = kBeside * rest_.size();
  if (!is_on_border(node.binding)) return {away, surface_normal(target, node.binding), beside};
  const Vec3 n = normal(target, node.binding);
  return {away.dot(n) * n, n, beside};
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

/// In a crease stress may lift a node by centimetres within a step, from where the closest point is another.
/// Along the same direction as in press_onto_target(): between two of them speed would be lost in every step.
void TrackingForces::keep_down(VertexId v, const TargetPose& target, double dt, TrackedNode& node) const {
  if (!(sliding(v).stiffness * dt * dt > 1)) return;
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  node.velocity -= offset(target, node).across(speed);
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
  const Vec3 n = surface_normal(target, node.binding);
  const Vec3 speed = node.velocity - of_target, across = speed.dot(n) * n, along = speed - across;
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
  const Offset from_target = offset(target, node);
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  const DampedSpring spring = sliding(v);
  const Vec3 kick = implicit_kick(spring, 1, 0, dt) * from_target.away +
                    implicit_kick(spring, 0, 1, dt) * from_target.across(speed);
  node.velocity += kick;
  node.position += dt * kick;
}

void TrackingForces::push_onto_target(VertexId v, const TargetPose& target, double dt,
                                      TrackedNode& node) const {
  const DampedSpring spring = sliding(v);
  const Offset from_target = offset(target, node);
  const Vec3 speed = node.velocity - interpolate(rest_.mesh(), target.velocities, node.binding);
  node.velocity -= dt * (spring.stiffness * from_target.away + spring.damping * from_target.across(speed));
}

}  // namespace cutis
