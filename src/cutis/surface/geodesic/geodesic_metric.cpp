#include "cutis/surface/geodesic/geodesic_metric.h"

#include <numbers>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/intrinsic.h"

namespace cutis {
namespace {

// Flat vertices come out at a full turn give or take some units in the last place: they do not bend paths.
constexpr double angle_noise = 1e-12;

}  // namespace

GeodesicMetric::GeodesicMetric(const Topology& topology, const Points& positions)
    : topology_(&topology),
      apex_(topology.corner_count()),
      total_angle_(topology.vertex_count(), 0.0),
      bends_paths_(topology.vertex_count(), 0) {
  update(positions);
}

void GeodesicMetric::update(const Points& positions) {
  const Topology& t = *topology_;
  length_ = mollified_lengths(t, positions);
  parallel_for(t.corner_count(), [&](std::size_t i) {
    const HalfedgeId h(i);
    apex_[h] = triangle_apex(length(h), length(t.next(h)), length(t.prev(h)));
  });
  parallel_for(t.vertex_count(), [&](std::size_t i) {
    const VertexId v(i);
    const HalfedgeId start = t.halfedge(v);
    if (!start.valid()) return;
    double sum = 0;
    HalfedgeId h = start;
    do {
      sum += corner_angle(h);
      h = t.rotate(h);
    } while (h != start && !t.is_border(h));
    total_angle_[v] = sum;
    bends_paths_[v] = sum > std::numbers::pi * (t.is_border(v) ? 1 : 2) + angle_noise;
  });
}

double GeodesicMetric::polar_angle(HalfedgeId wanted) const {
  const Topology& t = *topology_;
  double angle = 0;
  for (HalfedgeId h = t.halfedge(t.from(wanted)); h != wanted; h = t.rotate(h)) angle += corner_angle(h);
  return angle;
}

}  // namespace cutis
