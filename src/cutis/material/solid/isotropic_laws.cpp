#include "cutis/material/solid/isotropic_laws.h"

#include <cmath>

#include "cutis/material/solid/lame.h"

namespace cutis {

StableNeoHookeanLaw::StableNeoHookeanLaw(double young, double poisson) {
  // W_ii - W_ij at rest is 3/2 mu, and W_ij is lambda - 5/8 mu: those of the solid are 2 mu and lambda.
  const Lame rest = lame(young, poisson);
  mu_ = 4 * rest.mu / 3;
  lambda_ = rest.lambda + 5 * rest.mu / 6;
}

double StableNeoHookeanLaw::shape_energy(const Vec3& s) const {
  // With s = 1 + e the terms of first order cancel. What is left of them is written without: the energy
  // keeps its digits near rest.
  const Vec3 e = s.array() - 1;
  const double pairs = e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  const double x = (2 * e.sum() + e.squaredNorm()) / 4;  // (I - 3) / 4
  return mu_ / 2 * (x - std::log1p(x)) + 0.375 * mu_ * (e.squaredNorm() - 2 * (pairs + e.prod()));
}

double StableNeoHookeanLaw::shape_energy_of(const Mat3& E) const {
  // I - 3 - 2 (J - 1) in terms of second order alone, by J² = det(1 + 2 E).
  const double trace = E.trace();
  const double higher = 2 * (trace * trace - E.squaredNorm()) + 8 * E.determinant();  // J² - 1 - 2 tr E
  const double square = 2 * trace + higher;                                           // J² - 1
  const double J = std::sqrt(1 + square);
  const double beyond = 2 * (trace * square / (1 + J) - higher) / (1 + J);
  const double x = trace / 2;  // (I - 3) / 4
  return mu_ / 2 * (x - std::log1p(x)) + 0.375 * mu_ * beyond;
}

ScalarJet StableNeoHookeanLaw::volume(double J) const {
  return {lambda_ / 2 * (J - 1) * (J - 1), lambda_ * (J - 1), lambda_};
}

PrincipalJet StableNeoHookeanLaw::shape_jet(const Vec3& s) const {
  const double inverse = 1 / (s.squaredNorm() + 1);
  PrincipalJet jet;
  jet.add_function_of_squares({shape_energy(s), mu_ / 2 * (1 - inverse), mu_ / 2 * inverse * inverse}, s);
  jet.add_function_of_volume({0, -0.75 * mu_, 0}, s);
  return jet;
}

CorotatedLaw::CorotatedLaw(double young, double poisson)
    : lambda_(lame(young, poisson).lambda), mu_(lame(young, poisson).mu) {}

double CorotatedLaw::energy(const Vec3& s) const {
  const Vec3 e = s.array() - 1;
  return mu_ * e.squaredNorm() + lambda_ / 2 * e.sum() * e.sum();
}

PrincipalJet CorotatedLaw::jet(const Vec3& s) const {
  const Vec3 e = s.array() - 1;
  const double pressure = lambda_ * e.sum();
  PrincipalJet jet;
  jet.energy = energy(s);
  jet.first = (2 * mu_ * e).array() + pressure;
  jet.second.setConstant(lambda_);
  jet.second.diagonal().array() += 2 * mu_;
  jet.flip.setConstant(2 * mu_);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    jet.twist[k] = (jet.first[i] + jet.first[j]) / twist_divisor(s[i], s[j]);
  }
  return jet;
}

}  // namespace cutis
