#include "cutis/material/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/material/fit/bounded_least_squares.h"
#include "cutis/material/membrane/isotropic_laws.h"
#include "cutis/material/membrane/uniaxial.h"

namespace cutis {
namespace {

using Eigen::VectorXd;

Vec2 stress_at(const MembraneMaterial& material, double direction, StretchTest::Kind kind,
               const StretchTest::Point& point) {
  if (kind == StretchTest::Kind::Uniaxial)
    return Vec2(pull(material, point.stretch.x(), point.angle).stress, 0);
  const Mat2 Q = fibre_axes(-direction);
  Mat32 F = Mat32::Zero();
  F.topRows<2>() = point.stretch.asDiagonal() * Q;
  const Mat32 P = material.stress(F).stress;
  return Vec2(P.row(0).dot(Q.row(0)), P.row(1).dot(Q.row(1)));
}

/// Six significant digits, what a shot file should have to show.
double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

/// What is fitted, as a box: stiffnesses and exponents by their logarithm, so that every size is alike.
class Unknowns {
 public:
  Unknowns(const FitOptions& options, double modulus, bool see_poisson, bool see_direction)
      : options_(options) {
    young_ = add(std::log(1e-5 * modulus), std::log(10 * modulus));
    if (see_poisson && options.model != MaterialModel::NeoHookean) poisson_ = add(0, 0.9);
    if (options.model == MaterialModel::Fung) {
      share_ = add(0, 0.9999);
      fung_exponent_ = add(std::log(0.1), std::log(60));
    }
    if (options.fibres == 0) return;
    linear_ = add(std::log(1e-6 * modulus), std::log(1e2 * modulus));
    stiffness_ = add(std::log(1e-10 * modulus), std::log(1e2 * modulus));
    fibre_exponent_ = add(std::log(0.1), std::log(60));
    if (see_direction && options.fibres == 1) direction_ = add(-std::numbers::pi, std::numbers::pi);
    // Stresses along the axes show no more of two families than their angle to the axes.
    if (options.fibres == 2) angle_ = add(0, std::numbers::pi / 2);
  }

  VectorXd low() const {
    return Eigen::Map<const VectorXd>(low_.data(), static_cast<Eigen::Index>(low_.size()));
  }
  VectorXd high() const {
    return Eigen::Map<const VectorXd>(high_.data(), static_cast<Eigen::Index>(high_.size()));
  }

  double direction(const VectorXd& x) const { return direction_ >= 0 ? x[direction_] : 0; }

  SkinLaw law(const VectorXd& x) const {
    SkinLaw law;
    law.model = options_.model;
    law.young = std::exp(x[young_]);
    law.poisson = poisson_ >= 0 ? x[poisson_] : 0.5;
    if (share_ >= 0) {
      law.fung_exponent = std::exp(x[fung_exponent_]);
      law.fung_stiffness = x[share_] * FungLaw::largest_stiffness(law.young, law.poisson, law.fung_exponent);
    }
    law.fibres = options_.fibres;
    if (law.fibres == 0) return law;
    // The lowest of a logarithmic range stands for nothing at all.
    if (x[linear_] > low_[static_cast<std::size_t>(linear_)]) law.fibre_linear = std::exp(x[linear_]);
    if (x[stiffness_] > low_[static_cast<std::size_t>(stiffness_)])
      law.fibre_stiffness = std::exp(x[stiffness_]);
    law.fibre_exponent = std::exp(x[fibre_exponent_]);
    if (angle_ >= 0) law.fibre_angle = x[angle_];
    return law;
  }

 private:
  Eigen::Index add(double low, double high) {
    low_.push_back(low);
    high_.push_back(high);
    return static_cast<Eigen::Index>(low_.size()) - 1;
  }

  FitOptions options_;
  std::vector<double> low_, high_;
  Eigen::Index young_ = -1, poisson_ = -1, share_ = -1, fung_exponent_ = -1;
  Eigen::Index linear_ = -1, stiffness_ = -1, fibre_exponent_ = -1, direction_ = -1, angle_ = -1;
};

/// All tests as one list of residuals over |measured|.
struct Pool {
  std::span<const StretchTest> tests;
  Eigen::Index size = 0;
  double norm = 0, modulus = 0;  ///< |measured|, and the steepest slope from rest to a point [Pa]
  bool biaxial = false;

  explicit Pool(std::span<const StretchTest> all) : tests(all) {
    for (const StretchTest& test : tests) {
      const bool both = test.kind == StretchTest::Kind::Biaxial;
      biaxial |= both;
      size += static_cast<Eigen::Index>(test.points.size()) * (both ? 2 : 1);
      for (const StretchTest::Point& point : test.points) {
        const Vec2 stress = both ? point.stress : Vec2(point.stress.x(), 0);
        const double strain = (point.stretch - Vec2::Ones()).cwiseAbs().maxCoeff();
        norm += stress.squaredNorm();
        if (strain > 1e-3) modulus = std::max(modulus, stress.cwiseAbs().maxCoeff() / strain);
      }
    }
    norm = std::sqrt(norm);
  }

  void residuals(const SkinLaw& law, double direction, VectorXd& r) const {
    const auto material = make_material(law);
    r.resize(size);
    Eigen::Index at = 0;
    for (const StretchTest& test : tests)
      for (const StretchTest::Point& point : test.points) {
        const Vec2 off = stress_at(*material, direction, test.kind, point) - point.stress;
        r[at++] = off.x() / norm;
        if (test.kind == StretchTest::Kind::Biaxial) r[at++] = off.y() / norm;
      }
  }
};

/// The same line, in (-pi/2, pi/2].
double as_line(double angle) {
  const double turns = std::ceil(angle / std::numbers::pi - 0.5);
  return angle - turns * std::numbers::pi;
}

}  // namespace

MaterialFit fit_material(std::span<const StretchTest> tests, const FitOptions& options) {
  const Pool pool(tests);
  if (!(pool.modulus > 0))
    throw InputError("the tests hold no stress at any stretch but rest: there is nothing to fit");
  const Unknowns unknowns(options, pool.modulus, pool.biaxial, pool.biaxial);
  LeastSquaresProblem problem;
  problem.low = unknowns.low();
  problem.high = unknowns.high();
  if (pool.size < problem.low.size())
    throw InputError(
        fmt::format("{} stresses cannot decide {} constants; measure more points, or fit fewer constants",
                    pool.size, problem.low.size()));
  problem.residuals = [&](const VectorXd& x, VectorXd& r) {
    pool.residuals(unknowns.law(x), unknowns.direction(x), r);
  };
  const VectorXd x = multi_start_least_squares(problem, options.starts).x;

  MaterialFit fit;
  fit.law = unknowns.law(x);
  for (double SkinLaw::*constant :
       {&SkinLaw::young, &SkinLaw::poisson, &SkinLaw::fung_stiffness, &SkinLaw::fung_exponent,
        &SkinLaw::fibre_angle, &SkinLaw::fibre_linear, &SkinLaw::fibre_stiffness, &SkinLaw::fibre_exponent})
    fit.law.*constant = rounded(fit.law.*constant);
  fit.direction = unknowns.direction(x);
  // Two families are mirror images about both lines between them: named after the nearer one.
  if (fit.law.fibre_angle > std::numbers::pi / 4 && pool.biaxial) {
    fit.law.fibre_angle = rounded(std::numbers::pi / 2 - fit.law.fibre_angle);
    fit.direction += std::numbers::pi / 2;
  }
  fit.direction = as_line(fit.direction);
  VectorXd r;
  pool.residuals(fit.law, fit.direction, r);
  fit.residual = r.norm();
  return fit;
}

Vec2 predicted_stress(const MaterialFit& fit, StretchTest::Kind kind, const StretchTest::Point& point) {
  return stress_at(*make_material(fit.law), fit.direction, kind, point);
}

}  // namespace cutis
