#include "cutis/wrinkle/contact/layer_barrier.h"

#include <algorithm>
#include <limits>

#include "cutis/core/parallel.h"
#include "cutis/energy/log_barrier.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Below this share of where the barrier begins it grows as a square: the lower layer may have come through
/// the upper one when it was moved, and the upper one must find back.
constexpr double kFloor = 0.1;
/// Sine of the angle between edges below which their crossing goes far with little motion: the heights of
/// their ends then stand for it.
constexpr double kSmallestSine = 0.1;

}  // namespace

LayerBarrier::LayerBarrier(std::shared_ptr<const Surface> upper, std::shared_ptr<const Surface> lower,
                           IdVector<VertexId, SurfacePoint> upper_on_lower,
                           IdVector<VertexId, SurfacePoint> lower_on_upper,
                           const LayerBarrierOptions& options)
    : upper_(std::move(upper)),
      lower_(std::move(lower)),
      upper_on_lower_(std::move(upper_on_lower)),
      lower_on_upper_(std::move(lower_on_upper)),
      options_(options) {
  for (const Surface* surface : {upper_.get(), lower_.get()}) {
    const IdVector<VertexId, double> areas = vertex_areas(surface->mesh());
    areas_.insert(areas_.end(), areas.begin(), areas.end());
  }
  rest_heights_.assign(areas_.size(), std::numeric_limits<double>::infinity());
  set_lower(lower_->positions());
  lower_rest_normals_ = lower_normals_;
  const Topology& topology = upper_->topology();
  for (EdgeId e : ids<EdgeId>(topology.edge_count()))
    edges_.push_back({topology.from(topology.halfedge(e)), topology.to(topology.halfedge(e))});
  const std::vector<Height> at_rest = vertex_heights(upper_->positions(), {});
  for (std::size_t i = 0; i < at_rest.size(); ++i) rest_heights_[i] = std::max(0.0, at_rest[i].height);
}

void LayerBarrier::set_lower(const Points& positions) {
  lower_positions_ = positions;
  lower_normals_ = angle_weighted_normals(lower_->mesh(), positions);
}

void LayerBarrier::begin(const Points& upper) {
  const std::vector<Height> found = vertex_heights(upper, {});
  faces_.clear();
  for (const Height& height : found) faces_.push_back(height.face);
  crossings_ = find_crossings(upper, found);
}

LayerBarrier::Height LayerBarrier::height_at(std::size_t place, const Points& upper, FaceId face) const {
  Height out;
  if (!(rest_heights_[place] > 0)) return out;
  if (place < upper_on_lower_.size()) {
    const VertexId v(place);
    if (!upper_on_lower_[v].face.valid()) return out;
    if (const auto found = face.valid() ? prism_place(lower_shape(), upper[v], face)
                                        : prism_place(lower_shape(), upper[v], upper_on_lower_[v]))
      out = {{v, v, v},
             1,
             found->height,
             {found->gradient, Vec3::Zero(), Vec3::Zero()},
             rest_heights_[place],
             areas_[place],
             found->foot.face};
    return out;
  }
  const VertexId v(place - upper_on_lower_.size());
  if (!lower_on_upper_[v].face.valid()) return out;
  const Topology& topology = upper_->topology();
  const Vec3 &q = lower_positions_[v], &n = lower_normals_[v];
  if (const auto found = face.valid() ? line_triangle_hit(topology, upper, q, n, face)
                                      : line_triangle_hit(topology, upper, q, n, lower_on_upper_[v])) {
    const auto corners = upper_->mesh().face(found->point.face);
    out = {{corners[0], corners[1], corners[2]},
           3,
           found->height,
           found->gradient,
           rest_heights_[place],
           areas_[place],
           found->point.face};
  }
  return out;
}

/// Each crossing stands for a third of what a vertex does: there are about three times as many.
LayerBarrier::Height LayerBarrier::height_of(const Crossing& crossing, const Points& upper) const {
  const auto& [u, l, normal] = crossing.edges;
  const auto place =
      crossing_place({upper[u[0]], upper[u[1]]}, {lower_positions_[l[0]], lower_positions_[l[1]]}, normal);
  if (!place) return {};
  const std::size_t first_lower = upper_on_lower_.size();
  const double area = std::min(areas_[u[0].index()] + areas_[u[1].index()],
                               areas_[first_lower + l[0].index()] + areas_[first_lower + l[1].index()]);
  return {{u[0], u[1], u[1]},
          2,
          place->height,
          {place->gradient[0], place->gradient[1], Vec3::Zero()},
          crossing.rest_height,
          area / 6,
          {}};
}

std::vector<LayerBarrier::Height> LayerBarrier::vertex_heights(const Points& upper,
                                                               const std::vector<FaceId>& faces) const {
  std::vector<Height> out(rest_heights_.size());
  parallel_for(out.size(),
               [&](std::size_t i) { out[i] = height_at(i, upper, faces.empty() ? FaceId() : faces[i]); });
  return out;
}

/// The same two material points at rest: no more than what their ends have there.
double LayerBarrier::rest_height(const EdgeCrossing& edges, const CrossingPlace& place) const {
  const double s = std::clamp(place.on_upper, 0.0, 1.0), t = std::clamp(place.on_lower, 0.0, 1.0);
  const auto between = [](const auto& values, const std::array<VertexId, 2>& edge, double share) {
    return Vec3((1 - share) * values[edge[0]] + share * values[edge[1]]);
  };
  const Vec3 apart =
      between(upper_->positions(), edges.upper, s) - between(lower_->positions(), edges.lower, t);
  const double ends =
      (1 - s) * rest_heights_[edges.upper[0].index()] + s * rest_heights_[edges.upper[1].index()];
  return std::min(ends, apart.dot(between(lower_rest_normals_, edges.lower, t).normalized()));
}

std::vector<LayerBarrier::Crossing> LayerBarrier::find_crossings(
    const Points& upper, const std::vector<Height>& vertex_heights) const {
  std::vector<std::vector<Crossing>> lists(edges_.size());
  parallel_for(lists.size(), [&](std::size_t e) {
    const FaceId first = vertex_heights[edges_[e][0].index()].face;
    const FaceId last = vertex_heights[edges_[e][1].index()].face;
    if (!first.valid() || !last.valid()) return;
    for (const EdgeCrossing& edges : edge_crossings(lower_shape(), upper, edges_[e], first, last)) {
      const auto& [u, l, normal] = edges;
      const auto place = crossing_place({upper[u[0]], upper[u[1]]},
                                        {lower_positions_[l[0]], lower_positions_[l[1]]}, normal);
      if (!place || place->sine < kSmallestSine) continue;
      if (const double rest = rest_height(edges, *place); rest > 0) lists[e].push_back({edges, rest});
    }
  });
  std::vector<Crossing> all;
  for (const std::vector<Crossing>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<LayerBarrier::Height> LayerBarrier::heights(const Points& upper, bool searched) const {
  searched = searched || faces_.empty();
  std::vector<Height> all = vertex_heights(upper, searched ? std::vector<FaceId>() : faces_);
  std::vector<Crossing> found;
  if (searched) found = find_crossings(upper, all);
  const std::vector<Crossing>& crossings = searched ? found : crossings_;
  const std::size_t vertices = all.size();
  all.resize(vertices + crossings.size());
  parallel_for(crossings.size(), [&](std::size_t i) { all[vertices + i] = height_of(crossings[i], upper); });
  return all;
}

LayerStencil LayerBarrier::stencil(const Height& height) const {
  const double onset = options_.share * height.rest_height;
  const ScalarJet b = extended_log_barrier(height.height / onset, 1, kFloor);
  const double strength = options_.stiffness * height.area * onset;
  Eigen::Matrix<double, 9, 1> slope = Eigen::Matrix<double, 9, 1>::Zero();
  for (int k = 0; k < height.count; ++k) slope.segment<3>(3 * k) = height.gradient[at(k)] / onset;
  return {height.vertices, height.count, strength * b.value, strength * b.first * slope,
          strength * b.second * slope * slope.transpose()};
}

double LayerBarrier::energy(const Points& upper) const {
  double sum = 0;
  for (const LayerStencil& one : stencils(upper)) sum += one.energy;
  return sum;
}

std::vector<LayerStencil> LayerBarrier::stencils(const Points& upper) const {
  std::vector<LayerStencil> out;
  for (const Height& height : heights(upper, false))
    if (height.count > 0 && height.height < options_.share * height.rest_height)
      out.push_back(stencil(height));
  return out;
}

double LayerBarrier::lowest(const Points& upper) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Height& height : heights(upper, true))
    if (height.count > 0) lowest = std::min(lowest, height.height / height.rest_height);
  return lowest;
}

int LayerBarrier::unknown_heights(const Points& upper) const {
  const std::vector<Height> all = vertex_heights(upper, {});
  int unknown = 0;
  for (std::size_t i = 0; i < all.size(); ++i) unknown += rest_heights_[i] > 0 && all[i].count == 0;
  return unknown;
}

}  // namespace cutis
