#include "cutis/wrinkle/contact/layer_barrier.h"

#include <algorithm>
#include <limits>

#include "cutis/core/parallel.h"
#include "cutis/energy/log_barrier.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/contact/layer_height.h"

namespace cutis {
namespace {

/// Below this share of where the barrier begins it grows as a square: the lower layer may have come through
/// the upper one when it was moved, and the upper one must find back.
constexpr double kFloor = 0.1;

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
  const std::vector<Height> at_rest = heights(upper_->positions(), {});
  for (std::size_t i = 0; i < at_rest.size(); ++i) rest_heights_[i] = std::max(0.0, at_rest[i].height);
}

void LayerBarrier::set_lower(const Points& positions) {
  lower_positions_ = positions;
  lower_normals_ = angle_weighted_normals(lower_->mesh(), positions);
}

void LayerBarrier::begin(const Points& upper) {
  faces_.clear();
  for (const Height& height : heights(upper, {})) faces_.push_back(height.face);
}

LayerBarrier::Height LayerBarrier::height_at(std::size_t place, const Points& upper, FaceId face) const {
  Height out;
  if (!(rest_heights_[place] > 0)) return out;
  if (place < upper_on_lower_.size()) {
    const VertexId v(place);
    if (!upper_on_lower_[v].face.valid()) return out;
    const LayerShape lower{lower_->topology(), lower_positions_, lower_normals_};
    if (const auto found = face.valid() ? prism_place(lower, upper[v], face)
                                        : prism_place(lower, upper[v], upper_on_lower_[v]))
      out = {{v, v, v}, 1, found->height, {found->gradient, Vec3::Zero(), Vec3::Zero()}, found->foot.face};
    return out;
  }
  const VertexId v(place - upper_on_lower_.size());
  if (!lower_on_upper_[v].face.valid()) return out;
  const Topology& topology = upper_->topology();
  const Vec3 &q = lower_positions_[v], &n = lower_normals_[v];
  if (const auto found = face.valid() ? roof_place(topology, upper, q, n, face)
                                      : roof_place(topology, upper, q, n, lower_on_upper_[v])) {
    const auto corners = upper_->mesh().face(found->point.face);
    out = {{corners[0], corners[1], corners[2]}, 3, found->height, found->gradient, found->point.face};
  }
  return out;
}

std::vector<LayerBarrier::Height> LayerBarrier::heights(const Points& upper,
                                                        const std::vector<FaceId>& faces) const {
  std::vector<Height> out(rest_heights_.size());
  parallel_for(out.size(),
               [&](std::size_t i) { out[i] = height_at(i, upper, faces.empty() ? FaceId() : faces[i]); });
  return out;
}

LayerStencil LayerBarrier::stencil(std::size_t place, const Height& height) const {
  const double onset = options_.share * rest_heights_[place];
  const ScalarJet b = extended_log_barrier(height.height / onset, 1, kFloor);
  const double strength = options_.stiffness * areas_[place] * onset;
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
  const std::vector<Height> all = heights(upper, faces_);
  std::vector<LayerStencil> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].count > 0 && all[i].height < options_.share * rest_heights_[i])
      out.push_back(stencil(i, all[i]));
  return out;
}

double LayerBarrier::lowest(const Points& upper) const {
  const std::vector<Height> all = heights(upper, {});
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].count > 0) lowest = std::min(lowest, all[i].height / rest_heights_[i]);
  return lowest;
}

int LayerBarrier::unknown_heights(const Points& upper) const {
  const std::vector<Height> all = heights(upper, {});
  int unknown = 0;
  for (std::size_t i = 0; i < all.size(); ++i) unknown += rest_heights_[i] > 0 && all[i].count == 0;
  return unknown;
}

}  // namespace cutis
