#include "cutis/surface/geodesic/geodesic_metric.h"

#include <numbers>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/intrinsic.h"

namespace cutis {
namespace {

// Flat vertices come out at a full turn give or take some units in the last place: they do not bend paths.
constexpr double angle_noise = 1e-12;

}  // namespace

GeodesicMetric::GeodesicMetric(const Topology& topology, const Points& positions) : topology_(&topology) {
  update(positions);
}

GeodesicMetric::GeodesicMetric(const Topology& topology, IdVector<EdgeId, double> lengths)
    : topology_(&topology) {
  set_lengths(mollified(topology, std::move(lengths)));
}

void GeodesicMetric::update(const Points& positions) {
  set_lengths(mollified_lengths(*topology_, positions));
}

void GeodesicMetric::set_lengths(IdVector<EdgeId, double> lengths) {
  const Topology& t = *topology_;
  length_ = std::move(lengths);
  apex_.resize(t.corner_count());
  total_angle_.assign(t.vertex_count(), 0.0);
  bends_paths_.assign(t.vertex_count(), 0);
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

double GeodesicMetric::area(FaceId f) const {
  const HalfedgeId h = topology_->halfedge(f);
  return length(h) * apex(h).y() / 2;
}

}  // namespace cutis
