#include "cutis/material/solid/principal_jet.h"

#include <algorithm>

#include "cutis/material/solid/symmetric_eigen.h"

namespace cutis {
namespace {

/// The Hessian is linear in its modes, so a share of negative curvature can be taken out of each.
void project(PrincipalJet& jet, double share) {
  jet.second += share * (positive_part(jet.second) - jet.second);
  jet.twist -= share * jet.twist.cwiseMin(0);
  jet.flip -= share * jet.flip.cwiseMin(0);
}

}  // namespace

void PrincipalJet::add_function_of_squares(const ScalarJet& f, const Vec3& s) {
  const double twice = 2 * f.first;
  energy += f.value;
  first += twice * s;
  second += 4 * f.second * s * s.transpose();
  second.diagonal().array() += twice;
  twist.array() += twice;
  flip.array() += twice;
}

void PrincipalJet::add_function_of_volume(const ScalarJet& g, const Vec3& s) {
  const Vec3 area(s[1] * s[2], s[2] * s[0], s[0] * s[1]);  // dJ/ds
  energy += g.value;
  first += g.first * area;
  second += g.second * area * area.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    second(i, j) += g.first * s[k];
    second(j, i) += g.first * s[k];
  }
  twist += g.first * s;
  flip -= g.first * s;
}

void PrincipalJet::add_ramp(const BiphasicRamp& w, const Vec3& s) {
  const ScalarJet at[3] = {w.jet(s[0]), w.jet(s[1]), w.jet(s[2])};
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    energy += at[k].value;
    first[k] += at[k].first;
    second(k, k) += at[k].second;
    twist[k] += (at[i].first + at[j].first) / twist_divisor(s[i], s[j]);
    flip[k] += w.divided_difference(s[i], s[j]);
  }
}

double twist_divisor(double s_i, double s_j) { return std::max(s_i + s_j, 1e-12); }

SolidStress isotropic_stress(const SignedSvd& svd, const PrincipalJet& jet) {
  return {jet.energy, svd.U * jet.first.asDiagonal() * svd.V.transpose()};
}

/// Eigen-system of an isotropic solid (Smith, de Goes, Kim 2019, "Analytic eigensystems for isotropic
/// distortion energies"): stretching couples the three u_k v_kᵀ; u_i v_jᵀ and u_j v_iᵀ mix into flip (sum)
/// and twist (difference).
SolidModes isotropic_modes(const SignedSvd& svd, PrincipalJet jet, double projected_share) {
  SolidModes modes{isotropic_stress(svd, jet)};
  if (projected_share > 0) project(jet, projected_share);
  modes.U = svd.U;
  modes.V = svd.V;
  modes.straight.diagonal() = jet.second.diagonal();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    modes.straight(i, j) = modes.straight(j, i) = (jet.flip[k] + jet.twist[k]) / 2;
    modes.coupled(i, j) = modes.coupled(j, i) = jet.second(i, j);
    modes.crossed(i, j) = modes.crossed(j, i) = (jet.flip[k] - jet.twist[k]) / 2;
  }
  return modes;
}

SolidResponse isotropic_response(const SignedSvd& svd, const PrincipalJet& jet, double projected_share) {
  const SolidModes modes = isotropic_modes(svd, jet, projected_share);
  SolidResponse response{static_cast<const SolidStress&>(modes)};
  for (int b = 0; b < 3; ++b)
    for (int a = 0; a < 3; ++a)
      response.hessian.block<3, 3>(3 * a, 3 * b) = modes.block(modes.V.row(a), modes.V.row(b));
  return response;
}

}  // namespace cutis
