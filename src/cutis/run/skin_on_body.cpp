#include "cutis/run/skin_on_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/mappable.h"

namespace cutis {
namespace {

/// Skin may be this far from the surface, as a share of the longest edge at its place: far below what can be
/// seen of a texture on it, far above what rounding and stored maps take.
constexpr double kOnSurface = 0.01;
/// Positions may be 32-bit floats: of the body's size.
constexpr double kFloatRounding = 1e-6;
constexpr int kMostSteps = 60;
constexpr int kRingsAround = 2;

double longest_side(const Surface& surface, const Points& x, FaceId f) {
  const auto c = surface.mesh().face(f);
  return std::max({(x[c[1]] - x[c[0]]).norm(), (x[c[2]] - x[c[1]]).norm(), (x[c[0]] - x[c[2]]).norm()});
}

struct Found {
  SurfacePoint point;
  double off = INFINITY;  ///< [m]
};

/// Goes over the surface until vertex v is slid by `slide` from where the body has it, by Newton's method in
/// the tangent plane.
Found follow(const SlideSurface& surface, VertexId v, const SurfacePoint& start, const Vec3& slide,
             double tolerance) {
  Found best;
  SurfacePoint p = start;
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec3 left = slide - surface.slide(v, p);
    if (left.norm() < best.off) best = {p, left.norm()};
    if (best.off <= tolerance) break;
    const SurfaceJet jet = surface.evaluate(p);
    // Near an edge of a polygon a full step may lead to and fro.
    const Vec2 step = jet.tangent.transpose() * left * (i < kMostSteps / 2 ? 1 : 0.5);
    if (!(step.norm() > 0)) break;
    p = surface.retract(p, jet, step);
  }
  return best;
}

/// The faces that share a vertex with one of these, and these.
std::vector<FaceId> with_neighbours(const Topology& t, const std::vector<FaceId>& faces) {
  std::vector<FaceId> all = faces;
  for (FaceId f : faces) {
    HalfedgeId corner = t.halfedge(f);
    for (int k = 0; k < 3; ++k, corner = t.next(corner)) {
      const HalfedgeId first = t.halfedge(t.from(corner));
      HalfedgeId h = first;
      do {
        all.push_back(t.face(h));
        h = t.rotate(h);
      } while (h != first && !t.is_border(h));
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// follow() from the middles of the faces around `found`, where that has not arrived: on a sharply bent
/// surface it may end beside the place.
Found follow_around(const SlideSurface& surface, VertexId v, Found found, const Vec3& slide,
                    double tolerance) {
  const Topology& t = surface.rest().topology();
  std::vector<FaceId> faces = {found.point.face};
  for (int ring = 0; ring < kRingsAround; ++ring) faces = with_neighbours(t, faces);
  for (FaceId f : faces) {
    if (found.off <= tolerance) break;
    const Found again = follow(surface, v, {f, Vec3::Constant(1.0 / 3)}, slide, tolerance);
    if (again.off < found.off) found = again;
  }
  return found;
}

}  // namespace

SkinOnBody::SkinOnBody(const ResultReader& result, const std::filesystem::path& folder,
                       const BodyOpener& open, const char* why)
    : folder_(folder.string()),
      body_(recorded_body(result.summary(), result.mesh(), folder.string(), open, why)),
      surface_(*body_, result.summary().slides_on) {
  if (const auto v = unmappable_vertex(*body_->surface()))
    throw InputError(fmt::format(
        "{}: vertex {} has no face, so there is no map of the skin on the body; remove it and run again",
        folder_, body_->weld().representative[*v].value));
}

SkinPoints SkinOnBody::stored(const FrameMap& map) const {
  SkinPoints points = expanded(map.points);
  // Copies of vertices that mending made stay where they are.
  for (std::size_t v = points.size(); v < body_->mesh().vertex_count(); ++v)
    points.push_back(surface_.home(VertexId(v)));
  return points;
}

SkinPoints SkinOnBody::found(const ResultFrame& frame, const SourcePoints& body) const {
  const Weld& weld = body_->weld();
  const Points now = weld.gather(body);
  const double rounding = kFloatRounding * bounding_diagonal(body.raw());
  SkinPoints points(now.size());
  std::vector<double> off(now.size(), 0);
  parallel_for(now.size(), [&](std::size_t i) {
    const VertexId v(i);
    const SourceVertexId source = weld.representative[v];
    const Vec3 slide = frame.positions[source] - body[source];
    points[v] = surface_.home(v);
    if (weld.first(v) != v || slide.norm() <= rounding) return;
    Found found = follow(surface_, v, points[v], slide, rounding);
    if (found.off > rounding && !last_.empty()) {
      const Found again = follow(surface_, v, last_[v], slide, rounding);
      if (again.off < found.off) found = again;
    }
    found = follow_around(surface_, v, found, slide, rounding);
    points[v] = found.point;
    const double edge = longest_side(surface_.rest(), now, found.point.face);
    off[i] = found.off <= std::max(rounding, kOnSurface * edge) ? 0 : found.off;
  });
  const auto worst = std::max_element(off.begin(), off.end());
  if (worst != off.end() && *worst > 0)
    throw InputError(
        fmt::format("{}: frame {}: the skin of vertex {} is {:.3g} m off the surface of the body, so no map "
                    "says what lies "
                    "where; texture coordinates can move only with skin that slides on its body",
                    folder_, frame.number,
                    weld.representative[VertexId(std::size_t(worst - off.begin()))].value, *worst));
  return points;
}

SkinOnBody::Frame SkinOnBody::operator()(const ResultFrame& frame) {
  SourcePoints now = body_->source_positions(frame.time);
  surface_.update(body_->weld().gather(now));
  last_ = frame.map ? stored(*frame.map) : found(frame, now);
  const SurfaceMap skin_to_body(body_->surface(), body_->surface(), last_);
  SurfaceMap::Inverse inverse = skin_to_body.inverse();
  return {std::move(now), std::move(inverse.map), std::move(inverse.missed)};
}

}  // namespace cutis
