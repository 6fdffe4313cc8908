#include "cutis/skin/problem/skin_configuration.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Vertices that are updated together: the memory of all their patches is fetched before the first is
/// evaluated.
constexpr std::size_t kBatchSize = 32;

template <class F>
void for_batches(std::size_t n, const F& f) {
  parallel_for((n + kBatchSize - 1) / kBatchSize,
               [&](std::size_t batch) { f(batch * kBatchSize, std::min(n, (batch + 1) * kBatchSize)); }, 2);
}

}  // namespace

void SkinConfiguration::copy_vertex(VertexId v, const SkinConfiguration& from) {
  points[v] = from.points[v];
  jets[v] = from.jets[v];
  positions[v] = from.positions[v];
  if (!at_rest.empty()) at_rest[v] = from.at_rest[v];
  if (!curve_places.empty()) curve_places[v] = from.curve_places[v];
}

SkinKinematics::SkinKinematics(const SlideSurface& surface, const SkinConstraints& constraints,
                               SurfaceMotion motion)
    : surface_(surface), constraints_(constraints) {
  if (motion == SurfaceMotion::Moves) at_rest_ = surface;
}

void SkinKinematics::place(SkinPoints points, SkinConfiguration& to) const {
  to.points = std::move(points);
  to.curve_places.resize(constraints_.has_curves() ? body_.size() : 0);
  to.jets.resize(body_.size());
  to.at_rest.resize(at_rest_ ? body_.size() : 0);
  to.positions.resize(body_.size());
  for_batches(body_.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<VertexId> batch;
    for (std::size_t i = begin; i < end; ++i) batch.push_back(VertexId(i));
    update_vertices(batch, to);
  });
}

void SkinKinematics::retract(VertexId v, const SkinConfiguration& from, const Vec2& q,
                             SkinConfiguration& to) const {
  to.points[v] = surface_.retract(from.points[v], from.jets[v], q);
  update_vertices({&v, 1}, to);
}

void SkinKinematics::retract(std::span<const VertexId> vertices, const SkinConfiguration& from,
                             const Eigen::VectorXd& step, double factor, SkinConfiguration& to) const {
  for_batches(vertices.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId v = vertices[i];
      to.points[v] = surface_.retract(from.points[v], from.jets[v],
                                      factor * step.segment<2>(2 * static_cast<Eigen::Index>(i)));
    }
    update_vertices(vertices.subspan(begin, end - begin), to);
  });
}

/// What follows from the points of a few vertices.
void SkinKinematics::update_vertices(std::span<const VertexId> batch, SkinConfiguration& to) const {
  std::array<PatchLocation, kBatchSize> places;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const VertexId v = batch[k];
    if (constraints_.role(v) == SkinRole::OnCurve) {
      to.curve_places[v] = constraints_.on_curve(v, to.points[v]);
      to.points[v] = to.curve_places[v].point;
    }
    if (!to.points[v].face.valid()) continue;
    places[k] = surface_.find(to.points[v]);
  }
  for (std::size_t k = 0; k < batch.size(); ++k)
    if (places[k].patch >= 0) {
      surface_.fetch(places[k]);
      if (at_rest_) at_rest_->fetch(places[k]);
    }
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const VertexId v = batch[k];
    to.positions[v] = body_[v];
    if (!to.points[v].face.valid()) continue;
    if (at_rest_)
      std::tie(to.jets[v], to.at_rest[v]) = surface_.evaluate(places[k], *at_rest_);
    else
      to.jets[v] = surface_.evaluate(places[k]);
    if (constraints_.role(v) != SkinRole::Fixed) to.positions[v] = surface_.position(v, to.jets[v]);
  }
}

}  // namespace cutis
