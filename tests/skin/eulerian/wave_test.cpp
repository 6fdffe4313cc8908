// Waves in skin on a tube that holds still, against closed forms for their frequency; and their energy.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian.h"
#include "cutis/skin/slide_surface.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kYoung = 3e4, kPoisson = 0.3, kDensity = 1100;
constexpr double kRadius = 0.1, kLength = 0.5;
enum class Mode { Pressure, Shear };

/// A tube is a flat sheet that is periodic one way, and the body holds its radius.
double wave_speed(Mode mode) {
  const double modulus =
      mode == Mode::Pressure ? kYoung / (1 - kPoisson * kPoisson) : kYoung / (2 + 2 * kPoisson);
  return std::sqrt(modulus / kDensity);
}

struct Tube {
  Mesh mesh;
  std::unique_ptr<Body> body;
  SlideSurface surface;
  EulerianOptions options;

  explicit Tube(int along, int around = 24)
      : mesh(cylinder(around, along, kRadius, kLength)),
        body(moving_body(mesh, hold_still)),
        surface(*body, SlidesOn::Cage) {
    options.material = simple_material(MaterialModel::StVenantKirchhoff, kYoung, kPoisson);
    options.substeps = 1;
  }
  static Vec3 direction(const Vec3& x, Mode mode) {
    return mode == Mode::Pressure ? Vec3(Vec3::UnitZ()) : Vec3(Vec3(-x.y(), x.x(), 0).normalized());
  }
  /// Pulls the skin along by a way that is given at each place of the tube [m].
  template <class Way>
  void displace(const Way& way) {
    options.start = {};
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      SurfacePoint p = surface.home(v);
      const Vec3 home = surface.evaluate(p).position;
      Vec3 to = home + way(home);
      to.head<2>() *= home.head<2>().norm() / to.head<2>().norm();
      // One retraction leads but to first order there, and what it misses would be strain between neighbours.
      for (int i = 0; i < 8; ++i) {
        const SurfaceJet jet = surface.evaluate(p);
        p = surface.retract(p, jet, jet.tangent.transpose() * (to - jet.position));
      }
      options.start.push_back(p);
    }
  }
  void displace(Mode mode, double amplitude) {
    displace([&](const Vec3& x) -> Vec3 {
      return amplitude * std::sin(pi * x.z() / kLength) * direction(x, mode);
    });
  }
  /// How much of the lowest standing wave is there [m].
  double amplitude(const EulerianSlide& skin, Mode mode) const {
    double sum = 0, norm = 0;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      const Vec3& x = mesh.positions[v];
      const double shape = std::sin(pi * x.z() / kLength);
      sum += shape * direction(x, mode).dot(surface.evaluate(skin.skin_points()[v]).position -
                                            surface.evaluate(surface.home(v)).position);
      norm += shape * shape;
    }
    return sum / norm;
  }
};

double total(const EulerianSlide& skin) { return skin.energy().elastic + skin.energy().kinetic; }

struct Wave {
  double frequency = 0;  ///< over the closed form's
  double kept = 0;       ///< of the energy, after a period
  double most = 0;       ///< energy over that at the start
};

Wave wave(Mode mode, Integrator integrator, int along, int steps, double viscosity = 0) {
  Tube tube(along);
  tube.options.viscosity = viscosity;
  tube.displace(mode, 0.02 * kLength / pi);
  tube.options.integrator = integrator;
  EulerianSlide skin(*tube.body, tube.options);
  const double period = 2 * kLength / wave_speed(mode), h = period / steps;
  skin.advance(0);
  const double start = total(skin);
  Wave out;
  double last = tube.amplitude(skin, mode);
  std::vector<double> crossings;
  for (int i = 1; i <= 3 * steps / 2; ++i) {
    EXPECT_TRUE(skin.advance(i * h).converged);
    const double now = tube.amplitude(skin, mode);
    if (last * now < 0) crossings.push_back((i - 1 + last / (last - now)) * h);
    last = now;
    out.most = std::max(out.most, total(skin) / start);
    if (i == steps) out.kept = total(skin) / start;
  }
  EXPECT_EQ(crossings.size(), 3U);
  if (crossings.size() == 3) out.frequency = period / (crossings[2] - crossings[0]);
  return out;
}

TEST(EulerianWaves, HaveTheFrequencyOfTheSheet) {
  for (Mode mode : {Mode::Pressure, Mode::Shear})
    for (Integrator integrator : {Integrator::Bdf2, Integrator::ImplicitEuler}) {
      const Wave at = wave(mode, integrator, 20, 30);
      std::cout << "mode " << int(mode) << ", integrator " << int(integrator) << ": frequency "
                << at.frequency << ", kept " << at.kept << "\n";
      EXPECT_NEAR(at.frequency, 1, 0.05);
      EXPECT_LE(at.most, 1.001);
      if (integrator == Integrator::Bdf2)
        EXPECT_GE(at.kept, 0.9);
      else
        EXPECT_LT(at.kept, 0.5);  // as damped as Eq. 7 is
    }
}

TEST(EulerianWaves, FrequencyConvergesWithTheStep) {
  const double coarse = std::abs(wave(Mode::Pressure, Integrator::Bdf2, 40, 20).frequency - 1);
  const double fine = std::abs(wave(Mode::Pressure, Integrator::Bdf2, 40, 40).frequency - 1);
  std::cout << "frequency off by " << coarse << " with 20 steps a period, " << fine << " with 40\n";
  EXPECT_LT(fine, 0.4 * coarse);
}

/// Kelvin-Voigt: the energy of a wave falls by exp(-eta k² t / rho), with half of eta in shear.
TEST(EulerianWaves, ViscosityDampsThemAsTheClosedFormSays) {
  const double viscosity = 20, k = pi / kLength;
  for (Mode mode : {Mode::Pressure, Mode::Shear}) {
    const double period = 2 * kLength / wave_speed(mode);
    const double share = mode == Mode::Pressure ? 1 : 0.5;
    const double expected = std::exp(-share * viscosity * k * k * period / kDensity);
    const double kept =
        wave(mode, Integrator::Bdf2, 20, 60, viscosity).kept / wave(mode, Integrator::Bdf2, 20, 60).kept;
    std::cout << "mode " << int(mode) << ": viscosity leaves " << kept << " of the energy, closed form "
              << expected << "\n";
    EXPECT_NEAR(kept, expected, 0.05 * expected);
  }
}

struct Law {
  std::string name;
  std::shared_ptr<const MembraneMaterial> material;
};

std::vector<Law> laws() {
  SkinLaw fung;
  fung.model = MaterialModel::Fung;
  fung.young = kYoung;
  fung.poisson = kPoisson;
  fung.fung_stiffness = 1e3;
  fung.fung_exponent = 6;
  return {{"st_venant_kirchhoff", simple_material(MaterialModel::StVenantKirchhoff, kYoung, kPoisson)},
          {"neo_hookean", simple_material(MaterialModel::NeoHookean, kYoung, 0.5)},
          {"stable_neo_hookean", simple_material(MaterialModel::StableNeoHookean, kYoung, kPoisson)},
          {"fung", make_material(fung)}};
}

TEST(EulerianWaves, GainNoEnergy) {
  const bool is_long = std::getenv("CUTIS_LONG");
  for (const Law& law : laws())
    for (const double h : {1e-3, 1.0 / 24})
      for (const Integrator integrator : {Integrator::Bdf2, Integrator::ImplicitEuler}) {
        Tube tube(8, 12);
        tube.options.material = law.material;
        tube.options.integrator = integrator;
        Random random(11);
        std::vector<std::array<double, 4>> modes;
        for (int n = 2; n <= 11; ++n)
          modes.push_back({double(n), random(0, 2 * pi), random(-1, 1), random(-1, 1)});
        tube.displace([&](const Vec3& x) {
          const double angle = std::atan2(x.y(), x.x());
          Vec3 sum = Vec3::Zero();
          for (const auto& [n, phase, along, around] : modes) {
            const double shape = std::sin(n * pi * x.z() / kLength) * std::cos(angle + phase) / n;
            sum += 0.012 * shape * (along * Vec3::UnitZ() + around * Tube::direction(x, Mode::Shear));
          }
          return sum;
        });
        EulerianSlide skin(*tube.body, tube.options);
        skin.advance(0);
        const double start = total(skin);
        double most = 0;
        const int steps = is_long ? 10000 : 2000;
        for (int i = 1; i <= steps; ++i) {
          skin.advance(i * h);
          most = std::max(most, total(skin) / start);
        }
        std::cout << law.name << ", step " << h << ", integrator " << int(integrator) << ": at most " << most
                  << " of the energy at the start, " << total(skin) / start << " in the end\n";
        EXPECT_LE(most, 1.001);
      }
}

}  // namespace
}  // namespace cutis
