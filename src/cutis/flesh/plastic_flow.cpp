#include "cutis/flesh/plastic_flow.h"

#include <algorithm>
#include <cmath>

#include "cutis/material/solid/signed_svd.h"

namespace cutis {
namespace {

/// A principal stretch that is less than this, or negative, is that of an element that has collapsed: it has
/// no shape to keep.
constexpr double kCollapsedStretch = 0.05;

}  // namespace

void PlasticFlow::advance(std::size_t element, const Mat3& F, double dt) {
  const SignedSvd svd = signed_svd(F);
  if (!(svd.stretches[2] > kCollapsedStretch)) return;
  Vec3 strain = svd.stretches.array().log();
  strain.array() -= strain.mean();
  const double most = strain.cwiseAbs().maxCoeff();
  if (!(most > yield_)) return;
  // Towards the strain at which it stops, exact for a step in which F stands still.
  const Vec3 flow = strain * ((most - yield_) / most * -std::expm1(-rate_ * dt));
  flow_[element] = svd.V * flow.array().exp().matrix().asDiagonal() * svd.V.transpose() * flow_[element];
}

}  // namespace cutis
