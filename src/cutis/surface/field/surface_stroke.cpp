#include "cutis/surface/field/surface_stroke.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cutis/surface/geodesic/frames.h"

namespace cutis {
namespace {

constexpr int kMostSteps = 1 << 16;  // between two points of a polyline

/// Sum of a stroke's directions in one face, as a line: double angles in the face's frame.
void add_line(const TangentFrame& frame, const Vec3& direction, Vec2& sum) {
  const Vec2 d = frame.components(direction);
  if (d.squaredNorm() > 0) sum += Vec2(d.x() * d.x() - d.y() * d.y(), 2 * d.x() * d.y()) / d.norm();
}

}  // namespace

SurfaceStroke lay_polyline(const ClosestPointTree& surface, std::span<const Vec3> polyline, double step) {
  SurfaceStroke stroke;
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const Vec3 along = polyline[i + 1] - polyline[i];
    const int n = static_cast<int>(std::clamp(std::ceil(along.norm() / step), 1.0, double(kMostSteps)));
    for (int k = i == 0 ? 0 : 1; k <= n; ++k)
      stroke.push_back(surface(polyline[i] + (double(k) / n) * along).point);
  }
  return stroke;
}

std::vector<LineSample> line_samples(const Surface& surface, std::span<const SurfaceStroke> strokes,
                                     double largest_gap) {
  std::vector<LineSample> samples;
  const auto frame = [&](FaceId f) { return face_frame(surface.topology(), surface.positions(), f); };
  for (const SurfaceStroke& stroke : strokes) {
    std::map<FaceId, Vec2> sums;
    for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
      const Vec3 step = surface.position(stroke[i + 1]) - surface.position(stroke[i]);
      if (!(step.norm() <= largest_gap)) continue;
      for (FaceId f : {stroke[i].face, stroke[i + 1].face})
        add_line(frame(f), step, sums.try_emplace(f, Vec2::Zero()).first->second);
    }
    for (const auto& [f, sum] : sums) {
      const double angle = std::atan2(sum.y(), sum.x()) / 2;
      if (sum.norm() > 0) samples.push_back({f, frame(f).vector({std::cos(angle), std::sin(angle)})});
    }
  }
  return samples;
}

double mean_edge(const Surface& surface) {
  const Topology& t = surface.topology();
  double sum = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    sum += (surface.positions()[t.to(h)] - surface.positions()[t.from(h)]).norm();
  }
  return t.edge_count() > 0 ? sum / double(t.edge_count()) : 0;
}

}  // namespace cutis
