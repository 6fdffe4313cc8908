#include "cutis/flesh/distortion_flow.h"

#include "cutis/material/solid/signed_svd.h"

namespace cutis {

void flow_in_shape(PlasticFlow<3>& plastic, std::size_t element, const Mat3& F, double dt) {
  const SignedSvd svd = signed_svd(F);
  if (!(svd.stretches[2] > PlasticFlow<3>::kCollapsed)) return;
  Vec3 strains = svd.stretches.array().log();
  strains.array() -= strains.mean();
  plastic.advance(element, strains, svd.V, dt);
}

}  // namespace cutis
