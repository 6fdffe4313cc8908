#include "cutis/flesh/rest_retargeting.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

#include "cutis/core/parallel.h"
#include "cutis/material/solid/signed_svd.h"

namespace cutis {
namespace {

/// A shape that is flatter than this share of its own is no shape to be without stress in...
constexpr double kFlattest = 0.1;
/// ... and from here on down an element loses its stiffness, but for a rest that keeps it solvable.
constexpr double kFlat = 0.3, kLeastShare = 0.01;

}  // namespace

RestRetargeting::RestRetargeting(const TetMesh& mesh, std::vector<TetId> elements, double rate)
    : mesh_(mesh), elements_(std::move(elements)), rate_(rate), shapes_(elements_.size()) {
  for (TetId t : elements_) inverse_edges_.push_back(tet_edges(mesh_, mesh_.positions, t).inverse());
}

void RestRetargeting::set_goals(const NodePoints& target) {
  std::vector<char> kept(shapes_.size(), 0);
  parallel_for(shapes_.size(), [&](std::size_t e) {
    const SignedSvd svd = signed_svd(tet_edges(mesh_, target, elements_[e]) * inverse_edges_[e]);
    const double flattest = svd.stretches[2];
    shapes_[e].share = std::clamp((flattest - kFlattest) / (kFlat - kFlattest), kLeastShare, 1.0);
    kept[e] = !(flattest >= kFlattest);
    if (!kept[e]) shapes_[e].goal = svd.V * svd.stretches.asDiagonal() * svd.V.transpose();
  });
  kept_ = 0;
  for (char one : kept) kept_ += one != 0;
}

void RestRetargeting::start(const NodePoints& target) {
  set_goals(target);
  for (Shape& shape : shapes_) {
    shape.stretch = {shape.goal, Mat3::Zero()};
  }
}

void RestRetargeting::advance(const NodePoints& target, double dt) {
  if (!(rate_ > 0)) return;
  set_goals(target);
  for (Shape& shape : shapes_) shape.stretch.advance(shape.goal, rate_, dt);
}

std::vector<double> RestRetargeting::save() const {
  std::vector<double> out;
  out.reserve(28 * shapes_.size());
  for (const Shape& shape : shapes_) {
    for (const Mat3* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal})
      out.insert(out.end(), m->data(), m->data() + 9);
    out.push_back(shape.share);
  }
  return out;
}

void RestRetargeting::restore(const std::vector<double>& saved) {
  const double* from = saved.data();
  for (Shape& shape : shapes_) {
    for (Mat3* m : {&shape.stretch.value, &shape.stretch.slope, &shape.goal}) {
      *m = Eigen::Map<const Mat3>(from);
      from += 9;
    }
    shape.share = *from++;
  }
}

}  // namespace cutis
