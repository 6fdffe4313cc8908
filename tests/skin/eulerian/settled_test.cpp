// Where Eulerian skin comes to rest, against other ways to find that out: a minimiser of one unknown
// function, the Lagrangian method, closed forms.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/skin/eulerian/eulerian.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kYoung = 3e4, kPoisson = 0.3, kThickness = 1.5e-3;
constexpr double kRing = 0.2, kTube = 0.08, kNet = 1.3, kUneven = 0.3;

/// Not St. Venant-Kirchhoff where skin is pressed together: it loses its ellipticity, and its least energy is
/// that of skin which has collapsed in single triangles.
EulerianOptions settled_options(MaterialModel model) {
  EulerianOptions out;
  out.material = simple_material(model, kYoung, kPoisson);
  out.integrator = Integrator::Static;
  return out;
}

template <class Slide>
void play(Slide& skin, int frames, double seconds) {
  for (int i = 0; i <= frames; ++i) {
    const StepReport report = skin.advance(seconds * i / frames);
    EXPECT_TRUE(report.converged) << i << ": " << report.reason << ", " << report.residual;
  }
}

double most_apart(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

/// A torus whose ring is stretched, unevenly, and whose tube may swell here and grow thin there.
struct Squeeze {
  double uneven = 0, swell = 0;
  Vec3 operator()(const Vec3& x, double t) const {
    const double far = std::hypot(x.x(), x.y()), angle = std::atan2(x.y(), x.x());
    const double to = angle + uneven * t * std::sin(angle), wide = 1 + swell * t * std::cos(to);
    const double r = (1 + (kNet - 1) * t) * kRing + wide * (far - kRing);
    return {r * std::cos(to), r * std::sin(to), wide * x.z()};
  }
};

double energy_per_area(const Body& body, const SkinState& state, const MembraneMaterial& material) {
  double energy = 0, area = 0;
  const Mesh& mesh = body.surface()->mesh();
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto c = mesh.face(f);
    const Points& x = mesh.positions;
    const double a = 0.5 * (x[c[1]] - x[c[0]]).cross(x[c[2]] - x[c[0]]).norm();
    energy += a * kThickness * material.energy(state.deformation[f.index()]);
    area += a;
  }
  return energy / area;
}

/// The least energy per area of skin on a torus whose ring is stretched evenly: by symmetry the skin from the
/// angle s around the tube is at one angle a(s) everywhere. Newton's method with differences, on n unknowns.
class EvenTorus {
 public:
  explicit EvenTorus(int n) : at_(n) {
    for (int i = 0; i < n; ++i) at_[i] = 2 * pi * i / n;
  }
  double least_energy(const MembraneMaterial& material) {
    const auto n = static_cast<int>(at_.size());
    for (int round = 0; round < 30; ++round) {
      Eigen::VectorXd gradient(n);
      Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(n, n);
      const double h = 1e-4;
      const auto moved = [&](int i, double a, int j, double b) {
        Eigen::VectorXd keep = at_;
        at_[i] += a;
        at_[j] += b;
        const double e = around(i, material) + (j == i ? 0 : around(j, material));
        at_ = keep;
        return e;
      };
      for (int i = 0; i < n; ++i) {
        gradient[i] = (moved(i, h, i, 0) - moved(i, -h, i, 0)) / (2 * h);
        hessian(i, i) = (moved(i, h, i, 0) - 2 * moved(i, 0, i, 0) + moved(i, -h, i, 0)) / (h * h);
        const int j = (i + 1) % n;
        hessian(i, j) = hessian(j, i) = mixed(i, h, material);
      }
      hessian.diagonal().array() += 1e-9 * hessian.norm();
      const Eigen::VectorXd step = hessian.ldlt().solve(gradient);
      at_ -= step;
      if (step.norm() < 1e-9) break;
    }
    double sum = 0, area = 0;
    for (int i = 0; i < n; ++i) {
      sum += cell(i, material);
      area += cell_area(i);
    }
    return sum / area;
  }

 private:
  Eigen::VectorXd at_;  ///< angle on the body of the skin from 2 pi i / n

  double cell_area(int i) const {
    const auto n = static_cast<double>(at_.size());
    const double s = 2 * pi * (i + 0.5) / n;
    return 2 * pi * (kRing + kTube * std::cos(s)) * kTube * 2 * pi / n;
  }
  double cell(int i, const MembraneMaterial& material) const {
    const auto n = static_cast<int>(at_.size());
    const int j = (i + 1) % n;
    const double ds = 2 * pi / n, s = ds * (i + 0.5), from = at_[i], to = at_[j] + (j == 0 ? 2 * pi : 0);
    Mat32 F = Mat32::Zero();
    F(0, 0) = (kNet * kRing + kTube * std::cos(0.5 * (from + to))) / (kRing + kTube * std::cos(s));
    F(1, 1) = (to - from) / ds;
    return cell_area(i) * kThickness * material.energy(F);
  }
  double around(int i, const MembraneMaterial& material) const {
    const auto n = static_cast<int>(at_.size());
    return cell((i + n - 1) % n, material) + cell(i, material);
  }
  /// By the ends of one cell.
  double mixed(int i, double h, const MembraneMaterial& material) {
    const auto n = static_cast<int>(at_.size());
    const auto at = [&](double a, double b) {
      const Eigen::VectorXd keep = at_;
      at_[i] += a;
      at_[(i + 1) % n] += b;
      const double e = cell(i, material);
      at_ = keep;
      return e;
    };
    return (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4 * h * h);
  }
};

TEST(EulerianSettled, OnAnUnevenlyStretchedTorusAtTheLeastEnergy) {
  const EulerianOptions options = settled_options(MaterialModel::StVenantKirchhoff);
  const double least = EvenTorus(128).least_energy(*options.material);
  double last = 0;
  for (const int n : {48, 96}) {
    const Mesh mesh = quad_torus(n, n / 2, kRing, kTube);
    const auto body = moving_body(mesh, Squeeze{kUneven, 0});
    EulerianSlide skin(*body, options);
    play(skin, 4, 1);
    double area = 0;
    for (FaceId f : ids<FaceId>(body->surface()->mesh().face_count())) {
      const auto c = body->surface()->mesh().face(f);
      const Points& x = mesh.positions;
      area += 0.5 * (x[c[1]] - x[c[0]]).cross(x[c[2]] - x[c[0]]).norm();
    }
    const double off = skin.energy().elastic / area / least - 1;
    std::cout << n << " cells: energy over the least one's " << 1 + off << "\n";
    if (last != 0) {
      EXPECT_LT(std::abs(off), std::abs(last));
      EXPECT_LT(std::abs(off), 0.001);
    }
    last = off;
  }
}

TEST(EulerianSettled, OnASqueezedTorusWithTheEnergyOfLagrangianSkin) {
  const Mesh mesh = quad_torus(48, 24, kRing, kTube);
  const auto body = moving_body(mesh, Squeeze{kUneven, 0.25});
  const EulerianOptions flowing = settled_options(MaterialModel::StableNeoHookean);
  LagrangianOptions sliding;
  static_cast<SkinOptions&>(sliding) = flowing;
  EulerianSlide eulerian(*body, flowing);
  LagrangianSlide lagrangian(*body, sliding);
  play(eulerian, 4, 1);
  play(lagrangian, 4, 1);
  const double by_eulerian = energy_per_area(*body, eulerian.skin(), *flowing.material),
               by_lagrangian = energy_per_area(*body, lagrangian.skin(), *flowing.material);
  std::cout << "squeezed: energy over that of Lagrangian skin " << by_eulerian / by_lagrangian << "\n";
  EXPECT_NEAR(by_eulerian / by_lagrangian, 1, 0.01);
}

TEST(EulerianSettled, DependsOnTheShapeOfTheBodyOnly) {
  const Mesh mesh = quad_torus(48, 24, kRing, kTube);
  const auto there = moving_body(mesh, Squeeze{kUneven, 0.25}),
             back = moving_body(mesh, Squeeze{-kUneven, 0.25});
  EulerianSlide one(*there, settled_options(MaterialModel::StableNeoHookean)),
      other(*back, settled_options(MaterialModel::StableNeoHookean));
  play(one, 4, 1);
  play(other, 4, 1);
  const double apart = most_apart(one.positions(), other.positions()),
               bodies = most_apart(there->source_positions(1), back->source_positions(1));
  std::cout << "vertices of the body are " << 1000 * bodies << " mm apart, the skin " << 1000 * apart
            << " mm, " << apart / bodies << " of it\n";
  EXPECT_LT(apart, 0.01 * bodies);
}

/// How much of the lowest standing wave between the ends of a tube is in what skin has slid by [m].
double lowest_wave(const Mesh& mesh, const SourcePoints& skin, const SourcePoints& body, double length) {
  double sum = 0, norm = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const SourceVertexId s(v.index());
    const double shape = std::sin(pi * mesh.positions[v].z() / length);
    sum += shape * (skin[s] - body[s]).z();
    norm += shape * shape;
  }
  return sum / norm;
}

/// A tube with held ends goes on at an even speed and stops at once: its skin goes on, swings and comes to
/// rest, each swing smaller by what damping takes in half a period, exp(-damping period / 4).
TEST(EulerianSettled, AfterASuddenStopSkinRingsAndDiesOut) {
  const double length = 0.3, c = std::sqrt(kYoung / (1 - kPoisson * kPoisson) / 1100),
               period = 2 * length / c;
  const Mesh mesh = cylinder(12, 16, 0.05, length);
  const int steps = 60, stop = 30;
  const double h = period / steps, speed = 0.05;
  const auto body = moving_body(
      mesh, [&](const Vec3& x, double t) -> Vec3 { return x + Vec3(0, 0, speed * std::min(t, stop * h)); },
      9 * period);
  for (const double damping : {4.0, 12.0}) {
    EulerianOptions options = settled_options(MaterialModel::StVenantKirchhoff);
    options.integrator = Integrator::Bdf2;
    options.stickiness.assign(mesh.vertex_count(), 0);
    options.damping = damping;
    options.substeps = 1;
    EulerianSlide skin(*body, options);
    std::vector<double> way, peaks;
    for (int i = 0; i < stop + 8 * steps; ++i) {
      skin.advance(i * h);
      if (i > stop) way.push_back(lowest_wave(mesh, skin.positions(), body->source_positions(i * h), length));
    }
    for (std::size_t i = 1; i + 1 < way.size(); ++i)
      if ((way[i] - way[i - 1]) * (way[i + 1] - way[i]) < 0) peaks.push_back(std::abs(way[i]));
    ASSERT_GE(peaks.size(), 4U);
    const double expected = std::exp(-damping * period / 4), ratio = std::cbrt(peaks[3] / peaks[0]);
    std::cout << "damping " << damping << " 1/s: swings of " << 1000 * peaks[0] << ", " << 1000 * peaks[1]
              << ", " << 1000 * peaks[2] << ", " << 1000 * peaks[3] << " mm, each " << ratio
              << " of the one before, closed form " << expected << "\n";
    EXPECT_NEAR(ratio, expected, 0.03 * expected);
    EXPECT_LT(std::abs(way.back()), 2 * std::exp(-damping * 4 * period) * peaks[0]);
  }
}

}  // namespace
}  // namespace cutis
