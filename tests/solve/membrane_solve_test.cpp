// Membranes in the plane, solved by Newton's method, against closed forms.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/energy/rest_shape.h"
#include "cutis/material/membrane/registry.h"
#include "cutis/solve/sparse_cholesky.h"
#include "energy/plain_neo_hookean.h"
#include "solve/planar_membrane.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis::test {
namespace {

MembraneEnergy skin(const Mesh& mesh, std::shared_ptr<const MembraneMaterial> material,
                    const SkinFace& face = {Vec3(1, 0.5, 0), 1, 1, 1e-3}) {
  return {membrane_elements(mesh, std::vector(mesh.face_count(), face)), std::move(material)};
}

bool on_border(const Vec3& x) { return x.x() < 1e-9 || x.y() < 1e-9 || x.x() > 1 - 1e-9 || x.y() > 1 - 1e-9; }

/// The border follows an affine map; so must every vertex inside, from wherever it starts, whatever the mesh,
/// with pre-stretch and without.
TEST(MembraneSolve, PassesThePatchTest) {
  Mat2 A;
  A << 1.3, 0.2, -0.1, 0.9;
  const Mesh mesh = sheet(8, 8, 0.3, 3);
  for (const MaterialSample& sample : material_samples())
    for (const double prestretch : {1.0, 0.875}) {
      if (sample.young == 0) continue;  // a part with no stiffness at rest
      Points start = mesh.positions;
      std::vector<bool> held(mesh.vertex_count());
      for (std::size_t v = 0; v < held.size(); ++v) {
        held[v] = on_border(mesh.positions[VertexId(v)]);
        Vec2 x = mesh.positions[VertexId(v)].head<2>();
        x += 0.12 * std::sin(M_PI * x.x()) * std::sin(M_PI * x.y()) * Vec2(1, -0.7);  // nothing at the border
        start[VertexId(v)].head<2>() = A * x;
      }
      PlanarMembrane problem(skin(mesh, sample.material, {Vec3(1, 0.5, 0), prestretch, 1, 1e-3}), start,
                             held);
      SparseCholesky factor;
      const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-10});
      ASSERT_TRUE(report.converged) << sample.name << ": " << report.reason;
      for (std::size_t v = 0; v < held.size(); ++v)
        EXPECT_LT(
            (problem.positions[VertexId(v)].head<2>() - A * mesh.positions[VertexId(v)].head<2>()).norm(),
            1e-10)
            << sample.name;
      for (std::size_t i = 1; i < problem.energies.size(); ++i)
        EXPECT_LE(problem.energies[i], problem.energies[i - 1] * (1 + 1e-13));
    }
}

const bool membrane_solve_bits = same_bits("MembraneSolve", [] {
  const Mesh mesh = sheet(30, 30, 0.3, 3);
  Points start = mesh.positions;
  std::vector<bool> held(mesh.vertex_count());
  for (std::size_t v = 0; v < held.size(); ++v) {
    Vec3& x = start[VertexId(v)];
    held[v] = on_border(x);
    x += 0.1 * x.x() * Vec3(std::sin(3 * x.y()), x.x(), 0);
  }
  PlanarMembrane problem(skin(mesh, std::make_shared<PlainNeoHookean>(4e4, 3e4)), start, held);
  SparseCholesky factor;
  const NewtonReport report = minimize(problem, factor, {.tolerance = 1e-9, .lagged_iterations = 10});
  EXPECT_TRUE(report.converged) << report.reason;
  return problem.positions;
});

/// A ring from radius 1 to 2 whose inner edge is pulled out radially; the outer edge is held. rings = n.
class Annulus {
 public:
  static constexpr double inner = 1, outer = 2, mu = 4e4, lambda = 3e4;

  Annulus(int n, double pull, bool exact = true) : pull_(pull), sectors_(6 * n) {
    Mesh mesh;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i < sectors_; ++i) {
        const double r = inner + (outer - inner) * j / n, angle = 2 * M_PI * i / sectors_;
        mesh.positions.push_back(r * Vec3(std::cos(angle), std::sin(angle), 0));
      }
    const auto at = [&](int i, int j) { return VertexId(j * sectors_ + i % sectors_); };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < sectors_; ++i) {
        mesh.add_face(std::array{at(i, j), at(i, j + 1), at(i + 1, j + 1)});
        mesh.add_face(std::array{at(i, j), at(i + 1, j + 1), at(i + 1, j)});
      }
    rest_ = mesh.positions;
    Points start = rest_;
    std::vector<bool> held(mesh.vertex_count());
    for (std::size_t v = 0; v < held.size(); ++v) {
      const double r = rest_[VertexId(v)].norm();
      held[v] = r < inner + 1e-9 || r > outer - 1e-9;
      start[VertexId(v)] *= 1 + pull * (outer - r) / (outer - inner) / r;  // evenly in between
    }
    problem_ = std::make_unique<PlanarMembrane>(
        skin(mesh, std::make_shared<PlainNeoHookean>(mu, lambda), {Vec3::Zero(), 1, 1, 1e-3}), start, held);
    problem_->exact = exact;
    SparseCholesky factor;
    report_ = minimize(*problem_, factor, {.tolerance = 1e-11});
  }

  const NewtonReport& report() const { return report_; }

  /// Greatest error of a vertex against the radius that `radius_now(R)` gives, over the pull.
  template <class Exact>
  double displacement_error(const Exact& radius_now) const {
    double worst = 0;
    for (std::size_t v = 0; v < rest_.size(); ++v) {
      const Vec3 X = rest_[VertexId(v)];
      const Vec3 expected = X.normalized() * radius_now(X.norm());
      worst = std::max(worst, (problem_->positions[VertexId(v)] - expected).norm());
    }
    return worst / pull_;
  }

  /// Error of the radial part of P in the mean square over triangles, against its greatest value.
  template <class Exact>
  double stress_error(const Exact& radial_stress) const {
    double sum = 0, area = 0;
    const MembraneEnergy& membrane = problem_->membrane();
    for (std::size_t e = 0; e < membrane.elements().size(); ++e) {
      const auto& element = membrane.elements()[e];
      const Vec3 middle =
          (rest_[element.vertices[0]] + rest_[element.vertices[1]] + rest_[element.vertices[2]]) / 3;
      // P in space: the rest frame of the element lies along its first side.
      const Vec3 side = (rest_[element.vertices[1]] - rest_[element.vertices[0]]).normalized();
      Mat32 frame;
      frame << side, Vec3::UnitZ().cross(side);
      const Mat32 F = membrane.deformation(e, problem_->positions);
      const Mat3 P = membrane.material().evaluate(F, kExact).stress * frame.transpose();
      const Vec3 radial = middle.normalized();
      const double error = radial.dot(P * radial) - radial_stress(middle.norm());
      sum += element.volume * error * error;
      area += element.volume;
    }
    return std::sqrt(sum / area) / std::abs(radial_stress(inner));
  }

 private:
  double pull_;
  int sectors_;
  Points rest_;
  std::unique_ptr<PlanarMembrane> problem_;
  NewtonReport report_;
};

double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// Lame's ring, for displacements too small for anything but the linear law: u = A R + B / R, and
/// sigma_r = 2 (mu + lambda) A - 2 mu B / R².
TEST(MembraneSolve, SmallPullOfARingConvergesToLame) {
  const double pull = 1e-7, a = Annulus::inner, b = Annulus::outer;
  const double B = pull / (1 / a - a / (b * b)), A = -B / (b * b);
  const auto radius_now = [&](double R) { return R + A * R + B / R; };
  const auto stress = [&](double R) {
    return 2 * (Annulus::mu + Annulus::lambda) * A - 2 * Annulus::mu * B / (R * R);
  };
  const Annulus coarse(8, pull), fine(16, pull);
  ASSERT_TRUE(coarse.report().converged && fine.report().converged) << fine.report().reason;
  EXPECT_GT(order(coarse.displacement_error(radius_now), fine.displacement_error(radius_now)), 1.8);
  EXPECT_GT(order(coarse.stress_error(stress), fine.stress_error(stress)), 0.9);
  EXPECT_LT(fine.displacement_error(radius_now), 2e-3);
  EXPECT_LT(fine.stress_error(stress), 0.05);
}

/// The ring of a neo-Hookean skin as an ordinary differential equation, by its principal stretches
/// p = dr/dR and q = r/R: d(Pr)/dR = (Pt - Pr) / R with Pr = mu (p - 1/p) + lambda ln(pq) / p and Pt alike.
/// Shot from the inner edge with fourth-order Runge-Kutta until the outer edge is met.
class NeoHookeanRing {
 public:
  explicit NeoHookeanRing(double pull) : start_(Annulus::inner + pull) {
    double low = 0.2, high = 1.5;  // dr/dR at the inner edge
    for (int i = 0; i < 80; ++i) {
      slope_ = (low + high) / 2;
      (shoot() > Annulus::outer ? high : low) = slope_;
    }
    shoot();
  }
  double radius_now(double R) const { return at(R).first; }
  double stress(double R) const {
    const auto [r, p] = at(R);
    return principal(p, r / R);
  }

 private:
  static constexpr int steps = 2000;
  static double principal(double p, double q) {
    return Annulus::mu * (p - 1 / p) + Annulus::lambda * std::log(p * q) / p;
  }
  /// (r', r'') from the equation: dPr/dp p' + dPr/dq q' = (Pt - Pr) / R, q' = (p - q) / R.
  static Vec2 change(double R, const Vec2& y) {
    const double p = y[1], q = y[0] / R;
    const double by_p = Annulus::mu * (1 + 1 / (p * p)) + Annulus::lambda * (1 - std::log(p * q)) / (p * p);
    const double by_q = Annulus::lambda / (p * q);
    return {p, ((principal(q, p) - principal(p, q)) - by_q * (p - q)) / (R * by_p)};
  }
  double shoot() {
    path_ = {Vec2(start_, slope_)};
    const double h = (Annulus::outer - Annulus::inner) / steps;
    for (int i = 0; i < steps; ++i) {
      const double R = Annulus::inner + h * i;
      const Vec2 y = path_.back(), k1 = change(R, y), k2 = change(R + h / 2, y + h / 2 * k1);
      const Vec2 k3 = change(R + h / 2, y + h / 2 * k2), k4 = change(R + h, y + h * k3);
      path_.push_back(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
    }
    return path_.back()[0];
  }
  std::pair<double, double> at(double R) const {
    const double place = (R - Annulus::inner) / (Annulus::outer - Annulus::inner) * steps;
    const auto i = static_cast<std::size_t>(std::clamp(place, 0.0, steps - 1.0));
    const Vec2 y = path_[i] + (place - double(i)) * (path_[i + 1] - path_[i]);
    return {y[0], y[1]};
  }

  double start_, slope_ = 1;
  std::vector<Vec2> path_;
};

TEST(MembraneSolve, LargePullOfARingConvergesToItsDifferentialEquation) {
  const double pull = 0.3;
  const NeoHookeanRing ring(pull);
  ASSERT_NEAR(ring.radius_now(Annulus::outer), Annulus::outer, 1e-12);
  const auto radius_now = [&](double R) { return ring.radius_now(R); };
  const auto stress = [&](double R) { return ring.stress(R); };
  const Annulus coarse(8, pull), fine(16, pull);
  ASSERT_TRUE(coarse.report().converged && fine.report().converged) << fine.report().reason;
  EXPECT_GT(order(coarse.displacement_error(radius_now), fine.displacement_error(radius_now)), 1.8);
  EXPECT_GT(order(coarse.stress_error(stress), fine.stress_error(stress)), 0.9);
  EXPECT_LT(fine.displacement_error(radius_now), 2e-3);
  EXPECT_LT(fine.stress_error(stress), 0.05);
}

/// Skin under compression across the pull has indefinite elements, though the ring as a whole is stable: the
/// exact Hessian needs no projection and far fewer iterations, for the same ring.
TEST(MembraneSolve, TheExactHessianConvergesQuadratically) {
  const NeoHookeanRing ring(0.3);
  const auto radius_now = [&](double R) { return ring.radius_now(R); };
  const Annulus exact(8, 0.3, true), projected(8, 0.3, false);
  ASSERT_TRUE(exact.report().converged && projected.report().converged);
  EXPECT_LE(2 * exact.report().iterations, projected.report().iterations);
  EXPECT_NEAR(exact.displacement_error(radius_now), projected.displacement_error(radius_now), 1e-8);
}

}  // namespace
}  // namespace cutis::test
