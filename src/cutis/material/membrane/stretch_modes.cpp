#include "cutis/material/membrane/stretch_modes.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

/// With more than this of b / a the cross product of the columns is orthogonal to u1 as it is, to rounding.
constexpr double kOpen = 0.1;

/// The nearest positive semi-definite [p r; r q].
Mat2 clamped_block(double p, double q, double r) {
  Mat2 block;
  block << p, r, r, q;
  const double mean = (p + q) / 2, half = (p - q) / 2;
  const double radius = std::sqrt(half * half + r * r);
  if (mean - radius >= 0) return block;
  const double top = mean + radius;
  if (top <= 0) return Mat2::Zero();
  // top w wᵀ with w the larger eigenvector: w wᵀ = (1 + [half r; r -half] / radius) / 2.
  Mat2 w;
  w << radius + half, r, r, radius - half;
  return top / (2 * radius) * w;
}

/// The Hessian is linear in its modes, so a share of negative curvature can be taken out of each.
void project(StretchJet& jet, double share) {
  const Mat2 block = clamped_block(jet.daa, jet.dbb, jet.dab);
  jet.daa += share * (block(0, 0) - jet.daa);
  jet.dbb += share * (block(1, 1) - jet.dbb);
  jet.dab += share * (block(0, 1) - jet.dab);
  for (double* mode : {&jet.twist, &jet.flip, &jet.lift_a, &jet.lift_b})
    if (*mode < 0) *mode -= share * *mode;
}

Mat32 stress_of(const StretchFrame& s, const StretchJet& jet) {
  return (jet.da * s.u1) * s.v1.transpose() + (jet.db * s.u2) * s.v2.transpose();
}

}  // namespace

StretchFrame stretch_frame(const Mat32& F) {
  StretchFrame s;
  // FᵀF = mean + [difference mixed; mixed -difference], with eigenvalues mean ± radius. Of the two equal
  // forms of the larger one's eigenvector the one that does not cancel; its square is 2 radius (radius +
  // |difference|).
  const double first = F.col(0).squaredNorm(), second = F.col(1).squaredNorm();
  const double difference = (first - second) / 2, mixed = F.col(0).dot(F.col(1));
  const double radius = std::sqrt(difference * difference + mixed * mixed);
  s.a = std::sqrt((first + second) / 2 + radius);
  const double long_part = radius + std::abs(difference);
  if (const double square = 2 * radius * long_part; square > 0) {
    s.v1 = difference >= 0 ? Vec2(long_part, mixed) : Vec2(mixed, long_part);
    s.v1 *= 1 / std::sqrt(square);
    s.v2 = Vec2(-s.v1.y(), s.v1.x());
  }
  // The area is exact to rounding where F v2 cancels, so b and n come from it.
  const Vec3 normal = F.col(0).cross(F.col(1));
  const double area = normal.norm();
  const double per_a = s.a > 0 ? 1 / s.a : 0;
  s.u1 = s.a > 0 ? Vec3((F * s.v1) * per_a) : Vec3::UnitX();
  s.b = std::min(area * per_a, s.a);
  if (s.b > kOpen * s.a) {
    s.n = normal * (1 / area);
  } else {
    const Vec3 n = normal - s.u1 * s.u1.dot(normal);
    const double height = n.norm();
    s.n = height > 0 ? Vec3(n / height) : s.u1.unitOrthogonal();
  }
  s.u2 = s.n.cross(s.u1);
  return s;
}

StretchJet& StretchJet::operator+=(const StretchJet& o) {
  energy += o.energy;
  da += o.da, db += o.db;
  daa += o.daa, dab += o.dab, dbb += o.dbb;
  twist += o.twist, flip += o.flip;
  lift_a += o.lift_a, lift_b += o.lift_b;
  return *this;
}

void set_turning_modes(double a, double b, StretchJet& jet) {
  constexpr double kEqual = 1e-6;       // stretches that differ by less than this share are taken for equal
  constexpr double kNoStretch = 1e-12;  // bounds stress over stretch where there is none left
  jet.twist = (jet.da + jet.db) / std::max(a + b, kNoStretch);
  jet.flip = a - b > kEqual * a ? (jet.da - jet.db) / (a - b) : 0.5 * (jet.daa + jet.dbb) - jet.dab;
  jet.lift_a = jet.da / std::max(a, kNoStretch);
  jet.lift_b = jet.db / std::max(b, kNoStretch);
}

void add_isotropic_stress(const StretchFrame& s, const StretchJet& jet, MembraneStress& stress) {
  stress.energy += jet.energy;
  stress.stress += stress_of(s, jet);
}

void add_isotropic_stress(const StretchFrame& s, const StretchJet& jet, StiffStress& stress) {
  stress.stress += stress_of(s, jet);
  const double half = (jet.daa - jet.dbb) / 2;
  const double stretching = (jet.daa + jet.dbb) / 2 + std::sqrt(half * half + jet.dab * jet.dab);
  stress.stiffness += std::max({0.0, stretching, jet.twist, jet.flip, jet.lift_a, jet.lift_b});
}

void add_isotropic(const StretchFrame& s, StretchJet jet, double projected_share,
                   MembraneResponse& response) {
  add_isotropic_stress(s, jet, response);
  if (projected_share > 0) project(jet, projected_share);
  // Eigen-system of an isotropic membrane: stretching couples u1 v1ᵀ and u2 v2ᵀ; u1 v2ᵀ and u2 v1ᵀ mix into
  // flip (sum) and twist (difference); n v1ᵀ and n v2ᵀ leave the plane. (Smith, de Goes, Kim 2019, "Analytic
  // eigensystems for isotropic distortion energies", and the two rows that 3x2 adds.) Gathered by pairs of
  // directions in space, block (i, j) is
  //   A_ij u1 u1ᵀ + B_ij u2 u2ᵀ + C_ij u1 u2ᵀ + C_ji u2 u1ᵀ + D_ij n nᵀ.
  const double sum = (jet.flip + jet.twist) / 2, difference = (jet.flip - jet.twist) / 2;
  const Mat2 first = s.v1 * s.v1.transpose(), second = s.v2 * s.v2.transpose(),
             mixed = s.v1 * s.v2.transpose();
  const Mat2 A = jet.daa * first + sum * second, B = sum * first + jet.dbb * second;
  const Mat2 C = jet.dab * mixed + difference * mixed.transpose();
  const Mat2 D = jet.lift_a * first + jet.lift_b * second;
  const Mat3 uu = s.u1 * s.u1.transpose(), ww = s.u2 * s.u2.transpose(), nn = s.n * s.n.transpose();
  const Mat3 uw = s.u1 * s.u2.transpose();
  const Mat3 both_ways = uw + uw.transpose();
  response.hessian.topLeftCorner<3, 3>() += A(0, 0) * uu + B(0, 0) * ww + C(0, 0) * both_ways + D(0, 0) * nn;
  response.hessian.bottomRightCorner<3, 3>() +=
      A(1, 1) * uu + B(1, 1) * ww + C(1, 1) * both_ways + D(1, 1) * nn;
  const Mat3 off = A(0, 1) * uu + B(0, 1) * ww + C(0, 1) * uw + C(1, 0) * uw.transpose() + D(0, 1) * nn;
  response.hessian.topRightCorner<3, 3>() += off;
  response.hessian.bottomLeftCorner<3, 3>() += off.transpose();
}

}  // namespace cutis
