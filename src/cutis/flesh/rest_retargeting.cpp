#include "cutis/flesh/rest_retargeting.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <Eigen/Cholesky>
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

RestRetargeting::RestRetargeting(const TetMesh& mesh, std::vector<TetId> elements,
                                 std::vector<std::size_t> group_ends, double rate)
    : mesh_(mesh),
      elements_(std::move(elements)),
      group_ends_(std::move(group_ends)),
      rate_(rate),
      shapes_(elements_.size()) {
  for (TetId t : elements_) inverse_edges_.push_back(tet_edges(mesh_, mesh_.positions, t).inverse());
}

void RestRetargeting::set_goals(const NodePoints& target) {
  std::vector<std::size_t> kept(group_ends_.size(), 0);
  parallel_for(group_ends_.size(), [&](std::size_t g) {
    const std::size_t begin = g == 0 ? 0 : group_ends_[g - 1], end = group_ends_[g];
    const auto deformation = [&](std::size_t e) -> Mat3 {
      return tet_edges(mesh_, target, elements_[e]) * inverse_edges_[e];
    };
    Mat3 mean = Mat3::Zero();
    for (std::size_t e = begin; e < end; ++e) mean += deformation(e);
    const SignedSvd svd = signed_svd(mean);
    for (std::size_t e = begin; e < end; ++e)
      kept[g] += !set_goal(e, deformation(e), svd.U * svd.V.transpose());
  });
  kept_ = std::accumulate(kept.begin(), kept.end(), std::size_t{0});
}

/// Whether the target has a shape for it. On its way between two shapes none is inverted: a mean of matrices
/// with positive definite symmetric parts has one, too. Where an element is turned too far against its group
/// for that, its shape is its right stretch.
bool RestRetargeting::set_goal(std::size_t e, const Mat3& F, const Mat3& turn) {
  const SignedSvd svd = signed_svd(F);
  const double flattest = svd.stretches[2];
  shapes_[e].share = std::clamp((flattest - kFlattest) / (kFlat - kFlattest), kLeastShare, 1.0);
  if (!(flattest >= kFlattest)) return false;
  const Mat3 turned_back = turn.transpose() * F;
  const Mat3 symmetric = (turned_back + turned_back.transpose()) / 2 - kFlattest / 2 * Mat3::Identity();
  const bool definite = symmetric.llt().info() == Eigen::Success;
  shapes_[e].goal = definite ? turned_back : Mat3(svd.V * svd.stretches.asDiagonal() * svd.V.transpose());
  return true;
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
