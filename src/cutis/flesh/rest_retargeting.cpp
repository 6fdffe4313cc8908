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
  kept_ = static_cast<std::size_t>(std::ranges::count(kept, 1));
}

void RestRetargeting::start(const NodePoints& target) {
  set_goals(target);
  shapes_.start();
}

void RestRetargeting::advance(const NodePoints& target, double dt) {
  if (!(rate_ > 0)) return;
  set_goals(target);
  shapes_.advance(rate_, dt);
}

}  // namespace cutis
