#include "cutis/skin/eulerian/skin_inverse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/ranges.h>
#include <Eigen/LU>

#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/eulerian/vertex_rings.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/face_walk.h"

namespace cutis {
namespace {

/// A place is found when what is left is this share of the surface's size, or after so many steps: each
/// leaves what curvature bends away.
constexpr double kFound = 1e-9;
constexpr int kSteps = 30, kHalvings = 8;
/// A triangle that surrounds a point has no corner further from it than its longest side: one of which a
/// corner is further than this many times that is of another sheet of the surface, below.
constexpr double kFurthestCorner = 2;
constexpr std::size_t kNamed = 32;  ///< vertices in a warning

std::shared_ptr<const Surface> through(const SlideSurface& smooth) {
  Mesh mesh = smooth.rest().mesh();
  mesh.positions = smooth.on_surface();
  return std::make_shared<const Surface>(std::move(mesh));
}

/// A step along one side of a triangle only.
SurfacePoint along_side(SurfacePoint p, int side, const SurfaceJet& jet, const Vec2& way) {
  Vec3 rates = Vec3::Zero();
  rates[(side + 1) % 3] = -1;
  rates[(side + 2) % 3] = 1;
  const Vec2 along = jet.to_barycentric.inverse() * Vec2(rates[1], rates[2]);
  p.barycentric = clamped_barycentric(p.barycentric + along.dot(way) / along.squaredNorm() * rates);
  return p;
}

/// Where a place that lies by `chord` from the foot of a plane is seen: in the direction of its projection,
/// as far as it is. So what is between displacements is displaced by no more than these, in space.
Vec2 azimuthal(const TangentPlane& plane, const Vec3& chord) {
  const Vec2 flat = plane.tangent.transpose() * chord;
  const double along = flat.norm();
  return along > 0 ? Vec2(flat * (chord.norm() / along)) : Vec2(Vec2::Zero());
}

bool is_vertex(const SurfacePoint& p) { return p.barycentric.maxCoeff() == 1; }

}  // namespace

SkinInverse::SkinInverse(const SlideSurface& surface) : surface_(surface), flat_(through(surface)) {
  charts_.resize(flat_->mesh().vertex_count());
  parallel_for(charts_.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!surface_.home(v).face.valid()) return;
    charts_[v] = {flat_->positions()[v], tangent_plane(flat_->normals()[v]), Vec2::Zero()};
    if (flat_->topology().is_border(v)) return;
    charts_[v].target =
        charts_[v].plane.tangent.transpose() * (surface_.rest().positions()[v] - flat_->positions()[v]);
  });
}

SkinInverse::View SkinInverse::view(const Chart& from, FaceId f, const Points& corners) const {
  const auto c = flat_->mesh().face(f);
  View out;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 chord = corners[c[k]] - from.origin;
    out.chords[k] = chord.norm();
    out.corners[k] = azimuthal(from.plane, chord) - from.target;
  }
  return out;
}

/// Nothing where the triangle has no area in the tangent plane, or is inverted there around the point.
std::optional<Vec3> SkinInverse::View::weights() const {
  const Vec3 areas(cross(corners[1], corners[2]), cross(corners[2], corners[0]),
                   cross(corners[0], corners[1]));
  const double area = areas.sum();
  if (area == 0 || !std::isfinite(area)) return std::nullopt;
  const Vec3 out = areas / area;
  if (area < 0 && is_inside_triangle(out)) return std::nullopt;
  return out;
}

std::optional<SurfacePoint> SkinInverse::walk_to(const Chart& from, FaceId start,
                                                 const Points& corners) const {
  struct Hit {
    Vec3 barycentric;
  };
  const auto found = walk_faces(flat_->topology(), start, [&](FaceId f) -> std::optional<Hit> {
    const auto weights = view(from, f, corners).weights();
    return weights ? std::optional(Hit{*weights}) : std::nullopt;
  });
  if (!found || !is_near(from, found->first, corners)) return std::nullopt;
  return SurfacePoint{found->first, clamped_barycentric(found->second.barycentric)};
}

bool SkinInverse::is_near(const Chart& from, FaceId f, const Points& corners) const {
  const auto c = flat_->mesh().face(f);
  double furthest = 0, longest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    furthest = std::max(furthest, (corners[c[k]] - from.origin).squaredNorm());
    longest = std::max(longest, (corners[c[(k + 1) % 3]] - corners[c[k]]).squaredNorm());
  }
  return furthest <= kFurthestCorner * kFurthestCorner * longest;
}

SurfacePoint SkinInverse::to_flat(const SurfacePoint& p) const {
  // Without a face: the map needs a point, though no face asks for it.
  if (!p.face.valid()) return {FaceId(0), Vec3(1, 0, 0)};
  if (is_vertex(p)) return p;
  return walk_to(chart(surface_.evaluate(p)), p.face, flat_->positions()).value_or(p);
}

/// By steps in the tangent plane, none of which may lead further away.
SurfacePoint SkinInverse::to_smooth(const SurfacePoint& p) const {
  if (is_vertex(p)) return p;
  const Vec3 place = flat_->position(p);
  const int side = border_side(p);
  SurfacePoint at = p;
  SurfaceJet jet = surface_.evaluate(at);
  for (int i = 0; i < kSteps; ++i) {
    Vec2 way = jet.tangent.transpose() * (place - jet.position);
    if (!(way.norm() > kFound * flat_->size())) break;
    const double distance = (place - jet.position).norm();
    bool nearer = false;
    for (int half = 0; half < kHalvings && !nearer; ++half, way /= 2) {
      const SurfacePoint next = side < 0 ? surface_.retract(at, jet, way) : along_side(at, side, jet, way);
      const SurfaceJet there = surface_.evaluate(next);
      if (!((place - there.position).norm() < distance)) continue;
      at = next;
      jet = there;
      nearer = true;
    }
    if (!nearer) break;
  }
  return at;
}

/// The side of its triangle, by the corner opposite to it, that a point shares with an open border; -1: none.
int SkinInverse::border_side(const SurfacePoint& p) const {
  const Topology& topology = flat_->topology();
  for (int k = 0; k < 3; ++k) {
    const HalfedgeId side(topology.halfedge(p.face).index() + static_cast<std::size_t>((k + 1) % 3));
    if (p.barycentric[k] == 0 && topology.is_border(topology.twin(side))) return k;
  }
  return -1;
}

/// Where vertex v of the skin is on the body, when its weights in a triangle are known: the point of the
/// smooth surface that has the coordinates sum b_k c_v(x_k).
SurfacePoint SkinInverse::place(VertexId v, const SurfacePoint& p) const {
  const SurfacePoint home = surface_.home(v);
  if (p == home) return home;
  if (border_side(p) >= 0) return to_smooth(p);
  const Chart& chart = charts_[v];
  const View seen = view(chart, p.face, flat_->positions());
  Vec2 goal = Vec2::Zero();
  for (std::size_t k = 0; k < 3; ++k) goal += p.barycentric[static_cast<Eigen::Index>(k)] * seen.corners[k];
  const auto stepped = [&](const SurfacePoint& from, const SurfaceJet& jet, const Vec2& way) {
    const Vec3 along = transported(chart.plane.tangent * way, chart.plane.normal, jet.normal);
    return surface_.retract(from, jet, jet.tangent.transpose() * along);
  };
  const auto left = [&](const SurfaceJet& jet) -> Vec2 {
    return goal - azimuthal(chart.plane, jet.position - chart.origin);
  };
  SurfacePoint at = stepped(home, surface_.evaluate(home), goal);
  SurfaceJet jet = surface_.evaluate(at);
  for (int i = 0; i < kSteps; ++i) {
    const Vec2 way = left(jet);
    if (!(way.norm() > kFound * flat_->size())) break;
    const SurfacePoint next = stepped(at, jet, way);
    const SurfaceJet there = surface_.evaluate(next);
    if (!(left(there).norm() < way.norm())) break;
    at = next;
    jet = there;
  }
  return at;
}

bool SkinInverse::is_still(FaceId f, const Points& skin) const {
  return std::ranges::all_of(flat_->mesh().face(f), [&](VertexId v) { return skin[v] == charts_[v].origin; });
}

/// In all triangles: where walks run in circles, or skin has come from elsewhere. Of several the nearest.
std::optional<SurfacePoint> SkinInverse::search(const Chart& from, const Points& corners) const {
  std::optional<SurfacePoint> best;
  double least = std::numeric_limits<double>::infinity();
  for (FaceId f : ids<FaceId>(flat_->mesh().face_count())) {
    if (!is_near(from, f, corners)) continue;
    const View seen = view(from, f, corners);
    const auto weights = seen.weights();
    if (!weights || !is_inside_triangle(*weights)) continue;
    double spread = 0;
    for (std::size_t k = 0; k < 3; ++k)
      spread += (*weights)[static_cast<Eigen::Index>(k)] * seen.chords[k] * seen.chords[k];
    if (spread >= least) continue;
    least = spread;
    best = SurfacePoint{f, clamped_barycentric(*weights)};
  }
  return best;
}

SkinPoints SkinInverse::operator()(const SkinPoints& points, const SkinPoints& guess) const {
  Points skin = flat_->positions();
  SkinPoints flat(points.size());
  std::vector<char> lost(points.size(), 0);
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (points[v].face.valid() && points[v] != surface_.home(v))
      skin[v] = surface_.evaluate(points[v]).position;
  });
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    // A vertex that did not move comes back exactly.
    if (skin[v] == charts_[v].origin) {
      flat[v] = surface_.home(v);
      return;
    }
    const FaceId start = guess.empty() || !guess[v].face.valid()
                             ? nearest_face_around(*flat_, v, skin, charts_[v].origin)
                             : guess[v].face;
    const auto found = walk_to(charts_[v], start, skin);
    if (!found) {
      lost[i] = 1;
      return;
    }
    flat[v] = is_still(found->face, skin) ? surface_.home(v) : *found;
  });
  find_lost(skin, lost, flat);
  SkinPoints out = points;
  parallel_for(out.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (flat[v].face.valid()) out[v] = place(v, flat[v]);
  });
  return out;
}

void SkinInverse::find_lost(const Points& skin, const std::vector<char>& lost, SkinPoints& flat) const {
  if (std::ranges::find(lost, 1) == lost.end()) return;
  const ClosestPointTree tree(flat_->mesh(), skin);
  const Topology& topology = flat_->topology();
  std::vector<char> missed(lost.size(), 0);
  parallel_for(lost.size(), [&](std::size_t i) {
    if (!lost[i]) return;
    const VertexId v(i);
    const SurfacePoint nearest = tree(charts_[v].origin).point;
    std::optional<SurfacePoint> found = walk_to(charts_[v], nearest.face, skin);
    const bool at_border = topology.is_border(v);
    if (!found && !at_border) found = search(charts_[v], skin);
    flat[v] = found.value_or(nearest);
    missed[i] = !found && !at_border;
  });
  const auto count = std::ranges::count(missed, 1);
  if (count == 0) return;
  std::vector<std::size_t> names;
  for (std::size_t i = 0; i < missed.size() && names.size() < kNamed; ++i)
    if (missed[i]) names.push_back(i);
  log().warn(
      "{} of {} vertices of the skin were not found on the body: {}{}; each has the place nearest to it",
      count, flat.size(), fmt::join(names, ", "), count > std::ssize(names) ? " and more" : "");
}

}  // namespace cutis
