#include "cutis/skin/tracked/triangle_shapes.h"

#include <cmath>
#include <utility>

#include <Eigen/LU>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

VolumeTransfer skin_volume(const Mesh& triangles, const SkinTissue& tissue) {
  std::vector<double> volumes;
  std::vector<std::size_t> nodes;
  std::vector<char> grows;
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const RestTriangle& rest = tissue.rest[f.index()];
    volumes.push_back(rest.area * tissue.thickness[f.index()]);
    grows.push_back(!rest.degenerate());
    for (VertexId v : triangles.face(f)) nodes.push_back(v.index());
  }
  return {std::move(volumes), std::move(nodes), std::move(grows)};
}

}  // namespace

TriangleShapes::TriangleShapes(const Mesh& triangles, const SkinTissue& tissue, const TrackedOptions& options)
    : retargeting_(triangles, tissue.rest, options.retarget_time > 0 ? 1 / options.retarget_time : 0),
      size_(tissue.rest.size()) {
  if (options.plastic_yield) plastic_.emplace(size_, *options.plastic_yield, options.plastic_rate);
  if (options.keep_volume) volume_.emplace(skin_volume(triangles, tissue));
}

/// Skin has no area but that of its body: what is handed on is what it would have without stress.
void TriangleShapes::advance(const Points& target,
                             const std::function<PrincipalStretches(std::size_t)>& stretched, double dt) {
  if (plastic_) parallel_for(size_, [&](std::size_t i) { flow(i, stretched(i), dt); });
  retargeting_.advance(target, dt);
  if (!volume_) return;
  std::vector<double> ratios(size_);
  for (std::size_t i = 0; i < size_; ++i) ratios[i] = area_ratio(i);
  volume_->advance(ratios, dt);
}

/// In the plane: what skin gives way there it gains or loses in thickness, so that its volume stays.
void TriangleShapes::flow(std::size_t i, const PrincipalStretches& s, double dt) {
  if (!(s.min > PlasticFlow<2>::kCollapsed)) return;
  Mat2 directions;
  directions << s.max_rest, s.min_rest;
  plastic_->advance(i, {std::log(s.max), std::log(s.min)}, directions, dt);
}

/// U⁻¹ G Q⁻¹ / sqrt(g), of the target's stretch U, plastic flow Q and growth g.
Mat2 TriangleShapes::prestretch(std::size_t i, const Mat2& G) const {
  Mat2 out = retargeting_.stretch(i).inverse() * G;
  if (plastic_) out *= (*plastic_)[i].inverse();
  if (volume_) out /= std::sqrt(volume_->growth(i));
  return out;
}

double TriangleShapes::area_ratio(std::size_t i) const {
  double out = retargeting_.stretch(i).determinant();
  if (plastic_) out *= (*plastic_)[i].determinant();
  if (volume_) out *= volume_->growth(i);
  return out;
}

void TriangleShapes::save(State& state) const {
  state.numbers["shapes"] = retargeting_.save();
  if (plastic_) state.numbers["plastic"] = plastic_->save();
  if (volume_) state.numbers["growth"] = volume_->save();
}

void TriangleShapes::restore(const State& state) {
  retargeting_.restore(state.numbers.at("shapes"));
  if (plastic_) plastic_->restore(state.numbers.at("plastic"));
  if (volume_) volume_->restore(state.numbers.at("growth"));
}

}  // namespace cutis
