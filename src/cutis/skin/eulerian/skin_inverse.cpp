#include "cutis/skin/eulerian/skin_inverse.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/ranges.h>
#include <Eigen/LU>

#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/eulerian/vertex_rings.h"

namespace cutis {
namespace {

/// Steps towards a place of the smooth surface: each leaves what its curvature bends away.
constexpr int kSteps = 4;
/// Skin between vertices of the body is displaced by what these are, each by its share, but for what
/// curvature bends: an answer that is further from home than this many times as far is none.
constexpr double kFurthest = 1.05;
/// The search by displacements ends this near, as a share of the surface's size, or after so many steps.
constexpr double kFound = 1e-9;
constexpr int kSearchSteps = 30, kHalvings = 8;
/// Of its slopes, likewise.
constexpr double kDifference = 1e-5;
constexpr std::size_t kNamed = 32;  ///< vertices in a warning

std::shared_ptr<const Surface> through(const SlideSurface& smooth) {
  Mesh mesh = smooth.rest().mesh();
  mesh.positions = smooth.on_surface();
  return std::make_shared<const Surface>(std::move(mesh));
}

bool is_vertex(const SurfacePoint& p) { return p.barycentric.maxCoeff() == 1; }

}  // namespace

SkinInverse::SkinInverse(const SlideSurface& surface) : surface_(surface), flat_(through(surface)) {}

SurfacePoint SkinInverse::to_flat(const SurfacePoint& p) const {
  // Without a face: the map needs a point, though no face asks for it.
  if (!p.face.valid()) return {FaceId(0), Vec3(1, 0, 0)};
  if (is_vertex(p)) return p;
  const SurfaceJet jet = surface_.evaluate(p);
  const SurfacePoint found = meet_along(*flat_, p.face, jet.position, jet.normal);
  return found.face.valid() ? found : p;
}

SurfacePoint SkinInverse::to_smooth(const SurfacePoint& p) const {
  if (is_vertex(p)) return p;
  const Vec3 place = flat_->position(p);
  SurfacePoint out = p;
  for (int i = 0; i < kSteps; ++i) {
    const SurfaceJet jet = surface_.evaluate(out);
    out = surface_.retract(out, jet, jet.tangent.transpose() * (place - jet.position));
  }
  return out;
}

double SkinInverse::near_enough() const { return kFound * flat_->size(); }

SurfacePoint SkinInverse::displaced(const SurfacePoint& p, const SkinPoints& points) const {
  SurfaceJet jet = surface_.evaluate(p);
  Vec3 way = Vec3::Zero();
  const auto face = flat_->mesh().face(p.face);
  for (int k = 0; k < 3; ++k) {
    if (!(p.barycentric[k] > 0)) continue;
    const SurfaceJet corner = surface_.evaluate(surface_.rest().point(face[k]));
    const Vec3 chord = surface_.evaluate(points[face[k]]).position - corner.position;
    const Vec3 along = corner.tangent * tangent_coordinates({corner.tangent, corner.normal}, chord);
    way += p.barycentric[k] * transported(along, corner.normal, jet.normal);
  }
  SurfacePoint place = p;
  for (int i = 0; i < kSteps; ++i) {
    place = surface_.retract(place, jet, jet.tangent.transpose() * way / kSteps);
    const SurfaceJet next = surface_.evaluate(place);
    way = transported(way, jet.normal, next.normal);
    jet = next;
  }
  return place;
}

/// From the starts that miss the vertex least on: whatever the order that faces come in, the same is found.
SkinInverse::Found SkinInverse::find_displaced(VertexId v, const SkinPoints& points,
                                               const std::vector<SurfacePoint>& starts) const {
  const Vec3 home = surface_.evaluate(surface_.rest().point(v)).position;
  std::vector<Found> ordered;
  for (const SurfacePoint& start : starts)
    ordered.push_back({start, (home - surface_.evaluate(displaced(start, points)).position).norm()});
  std::ranges::stable_sort(ordered, {}, &Found::left);
  Found found = search_displaced(v, points, ordered.front().place);
  for (std::size_t k = 1; k < ordered.size() && found.left > near_enough(); ++k)
    if (const Found other = search_displaced(v, points, ordered[k].place); other.left < found.left)
      found = other;
  return found;
}

std::vector<SurfacePoint> SkinInverse::starts(VertexId v, const SurfacePoint& answer) const {
  std::vector<SurfacePoint> starts = {surface_.rest().point(v), answer};
  const Topology& t = flat_->topology();
  const auto around = [&](VertexId w, const auto& f) {
    HalfedgeId h = t.halfedge(w);
    do {
      f(h);
      h = t.rotate(h);
    } while (!t.is_border(h) && h != t.halfedge(w));
  };
  around(v, [&](HalfedgeId spoke) {
    around(t.to(spoke), [&](HalfedgeId h) { starts.push_back({t.face(h), Vec3::Constant(1.0 / 3)}); });
  });
  return starts;
}

SkinInverse::Found SkinInverse::search_displaced(VertexId v, const SkinPoints& points,
                                                 const SurfacePoint& start) const {
  const SurfaceJet home = surface_.evaluate(surface_.rest().point(v));
  const auto left = [&](const SurfacePoint& p) -> Vec3 {
    return home.position - surface_.evaluate(displaced(p, points)).position;
  };
  const double difference = kDifference * flat_->size();
  Found found{start, left(start).norm()};
  for (int i = 0; i < kSearchSteps && found.left > near_enough(); ++i) {
    const SurfaceJet jet = surface_.evaluate(found.place);
    const auto moved = [&](const Vec2& q) { return surface_.retract(found.place, jet, q); };
    // Newton's method in the tangent planes of the two ends, with differences along the way and across it:
    // axes that hang on no corner of a triangle.
    const Vec3 way = left(found.place);
    const Vec2 ahead = (jet.tangent.transpose() * way).stableNormalized();
    Mat2 axes, slope;
    axes << ahead, Vec2(-ahead.y(), ahead.x());
    for (int k = 0; k < 2; ++k) {
      const Vec2 aside = difference * axes.col(k);
      slope.col(k) = home.tangent.transpose() * (left(moved(-aside)) - left(moved(aside))) / (2 * difference);
    }
    Vec2 step = axes * slope.fullPivLu().solve(home.tangent.transpose() * way);
    if (!step.allFinite()) step = jet.tangent.transpose() * way;
    bool nearer = false;
    for (int half = 0; half < kHalvings && !nearer; ++half, step /= 2) {
      const SurfacePoint next = moved(step);
      if (const double rest = left(next).norm(); rest < found.left) {
        found = {next, rest};
        nearer = true;
      }
    }
    if (!nearer) break;
  }
  return found;
}

SkinPoints SkinInverse::operator()(const SkinPoints& points, const SkinPoints& guess) const {
  const auto flat = [&](const SkinPoints& smooth) {
    SkinPoints out(smooth.size());
    parallel_for(out.size(), [&](std::size_t i) { out[VertexId(i)] = to_flat(smooth[VertexId(i)]); });
    return out;
  };
  const SurfaceMap::Inverse inverse = SurfaceMap(flat_, flat_, flat(points)).inverse(flat(guess));
  IdVector<VertexId, double> displacement(points.size(), 0);
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    displacement[v] = surface_.slide(v, points[v]).norm();
  });
  const auto is_too_far = [&](VertexId v, const SurfacePoint& answer) {
    const auto face = flat_->mesh().face(answer.face);
    double most = 0;
    for (int k = 0; k < 3; ++k) most += answer.barycentric[k] * displacement[face[k]];
    return surface_.slide(v, answer).norm() > kFurthest * most;
  };
  std::vector<char> missed(points.size(), 0);
  for (VertexId v : inverse.missed) missed[v.index()] = 1;
  SkinPoints out = points;
  parallel_for(out.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    out[v] = to_smooth(inverse.map[v]);
    if (!missed[i] && !is_too_far(v, out[v])) return;
    const Found found = find_displaced(v, points, starts(v, out[v]));
    out[v] = found.place;
    if (found.left <= near_enough()) missed[i] = 0;
  });
  const auto count = std::ranges::count(missed, 1);
  std::vector<std::size_t> names;
  for (std::size_t i = 0; i < missed.size() && names.size() < kNamed; ++i)
    if (missed[i]) names.push_back(i);
  if (count > 0)
    log().warn(
        "{} of {} vertices of the skin were not found on the body: {}{}; each has the place nearest to it",
        count, out.size(), fmt::join(names, ", "), count > std::ssize(names) ? " and more" : "");
  return out;
}

}  // namespace cutis
