#include "cutis/skin/constraint/skin_constraints.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/field/surface_stroke.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

void check(const char* what, const std::vector<VertexId>& vertices, std::size_t count) {
  for (VertexId v : vertices)
    if (!v.valid() || v.index() >= count)
      throw InputError(fmt::format("{}: vertex {} is not one of the body's {}", what, v.value, count));
}

Vec3 normal_of(const Surface& rest, FaceId f) {
  const auto face = rest.mesh().face(f);
  const Points& x = rest.positions();
  return (x[face[1]] - x[face[0]]).cross(x[face[2]] - x[face[0]]).normalized();
}

/// The face nearest to a place that a user gave.
FaceId nearest_face(const std::string& name, const Vec3& x, const ClosestPointTree& body, double size) {
  const ClosestPoint near = x.allFinite() ? body(x) : ClosestPoint{};
  const double distance = std::sqrt(near.distance_squared);
  if (!(distance <= size))
    throw InputError(fmt::format(
        "{}: goes through ({:g}, {:g}, {:g}) m, {:.3g} m away from the body at rest, which is {:.3g} m "
        "large; give places near it (`cutis info` says where it is)",
        name, x[0], x[1], x[2], distance, size));
  return near.point.face;
}

}  // namespace

void fix_vertices(const std::vector<VertexId>& fixed, SkinOptions& options) {
  options.fixed.insert(options.fixed.end(), fixed.begin(), fixed.end());
  for (SkinPath& path : options.paths)
    std::erase_if(path.vertices,
                  [&](VertexId v) { return std::binary_search(fixed.begin(), fixed.end(), v); });
}

SkinConstraints::SkinConstraints(const SlideSurface& at_rest, const SkinOptions& options)
    : at_rest_(at_rest), rest_(&at_rest_.rest()) {
  roles_.assign(rest_->mesh().vertex_count(), SkinRole::Free);
  curve_of_.assign(roles_.size(), -1);
  std::optional<ClosestPointTree> body;
  if (!options.curves.empty() || !options.paths.empty()) body.emplace(rest_->mesh());
  for (const SkinCurve& curve : options.curves) add_curve(curve, *body);
  set_roles(options);
  for (const SkinPath& path : options.paths) add_path(path, *body);
}

void SkinConstraints::set_roles(const SkinOptions& options) {
  const std::size_t n = roles_.size();
  for (VertexId v : ids<VertexId>(n)) {
    const bool held = !options.free.empty() && !options.free[v];
    const bool tied = !options.slide_limit.empty() && options.slide_limit[v] == 0;
    if (held || tied) roles_[v] = SkinRole::Fixed;
  }
  check("skin that is fixed", options.fixed, n);
  for (VertexId v : options.fixed) roles_[v] = SkinRole::Fixed;
  for (const SkinPath& path : options.paths) {
    check("skin moved by a path", path.vertices, n);
    for (VertexId v : path.vertices) roles_[v] = SkinRole::Prescribed;
  }
  for (VertexId v : ids<VertexId>(n))
    if (!rest_->topology().halfedge(v).valid()) roles_[v] = SkinRole::Fixed;
}

void SkinConstraints::add_curve(const SkinCurve& curve, const ClosestPointTree& body) {
  check(curve.name.c_str(), curve.vertices, roles_.size());
  std::vector<Vec3> normals;
  for (const Vec3& x : curve.points)
    normals.push_back(normal_of(*rest_, nearest_face(curve.name, x, body, rest_->size())));
  std::shared_ptr<const GuideCurve> guide;
  try {
    guide = std::make_shared<const GuideCurve>(curve.points, std::move(normals), 0.5 * mean_edge(*rest_));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", curve.name, error.what()));
  }
  std::vector<std::optional<CurveConstraint>> constraints(curve.vertices.size());
  parallel_for(constraints.size(), [&](std::size_t i) {
    const SurfacePoint home = at_rest_.home(curve.vertices[i]);
    if (home.face.valid()) constraints[i] = CurveConstraint::through(at_rest_, home, guide);
  });
  std::size_t held = 0;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const VertexId v = curve.vertices[i];
    roles_[v] = constraints[i] ? SkinRole::OnCurve : SkinRole::Fixed;
    held += !constraints[i];
    if (!constraints[i]) continue;
    curve_of_[v] = static_cast<int>(curves_.size());
    curves_.push_back(std::move(*constraints[i]));
  }
  if (held == 0) return;
  const std::string message = fmt::format(
      "{}: {} of {} vertices lie beyond its ends, or inside of a bend or fold too tight for a parallel",
      curve.name, held, constraints.size());
  if (held == constraints.size()) throw InputError(message + "; draw the curve beside its region");
  log().warn("{}, and are held; a longer, smoother curve leads them", message);
}

void SkinConstraints::add_path(const SkinPath& path, const ClosestPointTree& body) {
  if (path.points.size() < 2 || path.times.size() != path.points.size())
    throw InputError(fmt::format("{}: has {} points and {} times; give as many of both, two at least",
                                 path.name, path.points.size(), path.times.size()));
  if (!std::is_sorted(path.times.begin(), path.times.end(), std::less_equal<>()))
    throw InputError(fmt::format("{}: its times do not rise", path.name));
  const std::size_t most = KeyframedTransport::most_keys(path.vertices.size());
  if (path.points.size() > most)
    throw InputError(fmt::format("{}: {} points are too many for {} vertices; give {} at most", path.name,
                                 path.points.size(), path.vertices.size(), most));
  for (const Vec3& x : path.points) nearest_face(path.name, x, body, rest_->size());
  SkinPath moved = path;
  std::erase_if(moved.vertices, [&](VertexId v) { return roles_[v] != SkinRole::Prescribed; });
  transports_.emplace_back(*rest_, body, std::move(moved));
}

void SkinConstraints::place(double time, SkinPoints& points) const {
  for (const KeyframedTransport& transport : transports_) transport.place(time, points);
}

void SkinConstraints::release_prescribed() {
  for (VertexId v : ids<VertexId>(roles_.size())) {
    if (roles_[v] != SkinRole::Prescribed) continue;
    roles_[v] = curve_of_[v] >= 0 && rest_->topology().is_border(v) ? SkinRole::OnCurve : SkinRole::Free;
  }
}

CurveConstraint::Place SkinConstraints::on_curve(VertexId v, const SurfacePoint& p) const {
  return curves_[static_cast<std::size_t>(curve_of_[v])].beside(at_rest_, p);
}

}  // namespace cutis
