#include "cutis/slide/skin_constraints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/frames.h"
#include "cutis/surface/trace.h"

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

/// `v` turned into the plane, its length kept; zero when it stands on the plane.
Vec3 laid_into(const Vec3& normal, const Vec3& v) {
  const Vec3 flat = v - normal * normal.dot(v);
  return flat.norm() > 1e-9 * v.norm() ? Vec3(flat * (v.norm() / flat.norm())) : Vec3(Vec3::Zero());
}

double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::clamp(along.dot(x - a) / length, 0.0, 1.0) : 0;
  return (a + t * along - x).norm();
}

}  // namespace

SkinConstraints::SkinConstraints(std::shared_ptr<const Surface> rest, const LagrangianOptions& options)
    : rest_(std::move(rest)) {
  set_roles(options);
  for (const SkinPath& path : options.paths) add_path(path);
}

void SkinConstraints::set_roles(const LagrangianOptions& options) {
  const std::size_t n = rest_->mesh().vertex_count();
  roles_.assign(n, SkinRole::Free);
  curve_.assign(n, -1);
  for (const SkinCurve& curve : options.curves) {
    check("a curve of the skin", curve.vertices, n);
    if (curve.points.size() < 2) throw InputError("a curve of the skin needs two points at least");
    for (VertexId v : curve.vertices) {
      roles_[v] = SkinRole::Along;
      curve_[v] = static_cast<int>(curves_.size());
    }
    curves_.push_back(curve.points);
  }
  for (VertexId v : ids<VertexId>(n)) {
    const bool held = !options.free.empty() && !options.free[v];
    const bool tied = !options.slide_limit.empty() && options.slide_limit[v] == 0;
    if (held || tied) roles_[v] = SkinRole::Stuck;
  }
  check("skin that is fixed", options.fixed, n);
  for (VertexId v : options.fixed) roles_[v] = SkinRole::Stuck;
  for (const SkinPath& path : options.paths) {
    check("skin moved by a path", path.vertices, n);
    for (VertexId v : path.vertices) roles_[v] = SkinRole::Moved;
  }
  for (VertexId v : ids<VertexId>(n))
    if (!rest_->topology().halfedge(v).valid()) roles_[v] = SkinRole::Stuck;
}

void SkinConstraints::add_path(const SkinPath& path) {
  if (path.points.size() < 2 || path.times.size() != path.points.size())
    throw InputError(
        fmt::format("a path of the skin has {} points and {} times; give as many of both, two at least",
                    path.points.size(), path.times.size()));
  if (!std::is_sorted(path.times.begin(), path.times.end(), std::less_equal<>()))
    throw InputError("the times of a path of the skin do not rise");
  Path out{path.vertices, path.times, path.points, {}};
  std::erase_if(out.vertices, [&](VertexId v) { return roles_[v] != SkinRole::Moved; });
  out.keys.resize(out.vertices.size());
  parallel_for(out.vertices.size(), [&](std::size_t i) {
    std::vector<SurfacePoint>& keys = out.keys[i];
    keys.push_back(rest_->point(out.vertices[i]));
    for (std::size_t k = 1; k < path.points.size(); ++k) {
      const Vec3 leg = path.points[k] - path.points[k - 1];
      keys.push_back(k == 1 ? after(out.vertices[i], leg) : after(keys.back(), leg));
    }
  });
  paths_.push_back(std::move(out));
}

SurfacePoint SkinConstraints::after(const SurfacePoint& p, const Vec3& leg) const {
  const TraceOptions slide{AtBorder::Slide, 1 << 16, {}};
  return trace(rest_->topology(), rest_->positions(), p, laid_into(normal_of(*rest_, p.face), leg), slide)
      .end;
}

/// From a vertex: into the triangle around it that the leg, laid into the smooth tangent plane, points into
/// most squarely.
SurfacePoint SkinConstraints::after(VertexId v, const Vec3& leg) const {
  const Topology& topology = rest_->topology();
  const Points& x = rest_->positions();
  const Vec3 flat = laid_into(rest_->normals()[v], leg);
  double best = -std::numeric_limits<double>::infinity();
  SurfacePoint start = rest_->point(v);
  const HalfedgeId first = topology.halfedge(v);
  HalfedgeId h = first;
  do {
    if (!topology.is_border(h)) {
      const FaceId f = topology.face(h);
      const Vec3 middle = x[topology.to(h)] + x[topology.from(topology.prev(h))] - 2 * x[v];
      const double squarely = flat.dot(middle) / std::max(middle.norm(), 1e-300);
      if (squarely > best) {
        best = squarely;
        start.face = f;
        start.barycentric = Vec3::Unit(static_cast<int>(h.index() - topology.halfedge(f).index()));
      }
    }
    h = topology.rotate(h);
  } while (h != first);
  return after(start, flat);
}

void SkinConstraints::place(double time, SkinPoints& points) const {
  for (const Path& path : paths_) {
    const auto next = std::upper_bound(path.times.begin(), path.times.end(), time);
    const auto k = static_cast<std::size_t>(next - path.times.begin());
    parallel_for(path.vertices.size(), [&](std::size_t i) {
      const std::vector<SurfacePoint>& keys = path.keys[i];
      SurfacePoint& p = points[path.vertices[i]];
      if (k == 0 || k == path.times.size()) {
        p = k == 0 ? keys.front() : keys.back();
        return;
      }
      const double share = (time - path.times[k - 1]) / (path.times[k] - path.times[k - 1]);
      const Vec3 leg = share * (path.points[k] - path.points[k - 1]);
      p = k == 1 ? after(path.vertices[i], leg) : after(keys[k - 1], leg);
    });
  }
}

Vec2 SkinConstraints::rail(VertexId v, const SurfacePoint& p) const {
  const std::vector<Vec3>& curve = curves_[static_cast<std::size_t>(curve_[v])];
  const Vec3 x = rest_->position(p);
  std::size_t nearest = 1;
  for (std::size_t k = 2; k < curve.size(); ++k)
    if (distance_to_segment(x, curve[k - 1], curve[k]) <
        distance_to_segment(x, curve[nearest - 1], curve[nearest]))
      nearest = k;
  const Vec3 way = curve[nearest] - curve[nearest - 1];
  // Least squares: the part of the way within the plane of the triangle, in its two sides.
  const auto face = rest_->mesh().face(p.face);
  Mat32 sides;
  sides << rest_->positions()[face[1]] - rest_->positions()[face[0]],
      rest_->positions()[face[2]] - rest_->positions()[face[0]];
  const Mat2 gram = sides.transpose() * sides;
  const double determinant = gram.determinant();
  if (!(determinant > 1e-24 * gram.trace() * gram.trace())) return Vec2::Zero();
  return gram.inverse() * (sides.transpose() * way);
}

}  // namespace cutis
