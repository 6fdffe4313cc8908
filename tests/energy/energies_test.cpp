// Every energy, by registry: derivatives against finite differences, invariance, projection, threads.
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/core/parallel.h"
#include "cutis/energy/ligament_energy.h"
#include "cutis/energy/rest_shape.h"
#include "cutis/material/membrane/registry.h"
#include "energy/plain_neo_hookean.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Jet {
  double energy;
  VectorXd gradient;
  MatrixXd hessian;
};

template <int N>
Jet as_jet(const EnergyJet<N>& jet) {
  return {jet.energy, jet.gradient, jet.hessian};
}

/// An energy of one element, as a function of the positions of its points, in metres.
struct Registered {
  std::string name;
  VectorXd (*state)(Random&);  ///< a state to differentiate at
  std::function<double(const VectorXd&)> energy;
  std::function<Jet(const VectorXd&, double)> evaluate;
};

void PrintTo(const Registered& energy, std::ostream* out) { *out << energy.name; }

Points points_of(const VectorXd& x) {
  Points points;
  for (Eigen::Index i = 0; i < x.size(); i += 3) points.push_back(x.segment<3>(i));
  return points;
}

const std::array corners{Vec3(0.01, 0.02, 0), Vec3(0.05, 0.01, 0.01), Vec3(0.02, 0.06, 0.02)};

VectorXd triangle_state(Random& random) {
  VectorXd x(9);
  for (std::size_t k = 0; k < 3; ++k)
    x.segment<3>(3 * Eigen::Index(k)) = 1.1 * corners[k] + 0.006 * random.in_cube();
  return x;
}

/// Skin and attachment: the second is no unknown, but moves along when everything is moved.
VectorXd ligament_state(Random& random) {
  VectorXd x(6);
  x << 0.01 * random.in_cube(), 0.01 * random.in_cube();
  return x;
}

Registered membrane(const std::string& name, std::shared_ptr<const MembraneMaterial> material) {
  const MembraneElement element = membrane_element({VertexId(0), VertexId(1), VertexId(2)},
                                                   rest_triangle(corners[0], corners[1], corners[2]),
                                                   {Vec3(1, 0.3, 0), 0.875, 0.95, 1.5e-3, 1.3});
  auto sheet = std::make_shared<MembraneEnergy>(std::vector{element}, std::move(material));
  return {name, triangle_state, [sheet](const VectorXd& x) { return sheet->energy(0, points_of(x)); },
          [sheet](const VectorXd& x, double projected_share) {
            return as_jet(sheet->evaluate(0, points_of(x), projected_share));
          }};
}

Registered ligament(const std::string& name, const LigamentLaw& law, double limit) {
  auto all = std::make_shared<LigamentEnergy>(std::vector{Ligament{VertexId(0), 2e-5, limit}}, law);
  return {name, ligament_state, [all](const VectorXd& x) { return all->energy(0, x.head<3>(), x.tail<3>()); },
          [all](const VectorXd& x, double) { return as_jet(all->evaluate(0, x.head<3>(), x.tail<3>())); }};
}

std::vector<Registered> registry() {
  const LigamentLaw paper = ligament_law_from_centimetres(0, 0.0025, 7);
  LigamentLaw same_share = paper;
  same_share.reference = 0.02;
  std::vector<Registered> all{membrane("plain_neo_hookean", std::make_shared<PlainNeoHookean>(4e4, 3e4)),
                              ligament("ligament", {50, 0.0025, 7e4}, 0.01),
                              ligament("short_ligament_of_paper", paper, 0.002),
                              ligament("short_ligament_far_beyond_its_limit", same_share, 0.002)};
  for (const MaterialSample& sample : material_samples())
    all.push_back(membrane(sample.name, sample.material));
  return all;
}

class Energies : public testing::TestWithParam<Registered> {
 protected:
  /// States of this energy, the same in each test.
  std::vector<VectorXd> states() const {
    Random random(17);
    std::vector<VectorXd> all;
    for (int i = 0; i < 12; ++i) all.push_back(GetParam().state(random));
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, Energies, testing::ValuesIn(registry()),
                         [](const auto& info) { return info.param.name; });

/// Central differences over steps that shrink tenfold: the error falls a hundredfold until rounding takes
/// over. A wrong term leaves an error that stays.
TEST_P(Energies, DerivativesMeetFiniteDifferences) {
  for (const VectorXd& x : states()) {
    const Jet jet = GetParam().evaluate(x, kExact);
    EXPECT_NEAR(jet.energy, GetParam().energy(x), 1e-12 * jet.energy);
    const Eigen::Index n = jet.gradient.size();
    double least_gradient = 1, least_hessian = 1;
    for (const double h : {1e-4, 1e-5, 1e-6, 1e-7}) {
      VectorXd gradient(n);
      MatrixXd hessian(n, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        VectorXd forward = x, back = x;
        forward[i] += h;
        back[i] -= h;
        gradient[i] = (GetParam().energy(forward) - GetParam().energy(back)) / (2 * h);
        hessian.col(i) =
            (GetParam().evaluate(forward, kExact).gradient - GetParam().evaluate(back, kExact).gradient) /
            (2 * h);
      }
      least_gradient = std::min(least_gradient, (gradient - jet.gradient).norm() / jet.gradient.norm());
      least_hessian = std::min(least_hessian, (hessian - jet.hessian).norm() / jet.hessian.norm());
    }
    EXPECT_LT(least_gradient, 1e-7);
    EXPECT_LT(least_hessian, 1e-7);
    EXPECT_LT((jet.hessian - jet.hessian.transpose()).norm(), 1e-13 * jet.hessian.norm());
  }
}

TEST_P(Energies, DoNotCareWhereAndHowTheyAreTurned) {
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vec3 shift(0.3, -0.2, 0.7);
  for (const VectorXd& x : states()) {
    VectorXd moved = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3) moved.segment<3>(i) = R * x.segment<3>(i) + shift;
    const Jet jet = GetParam().evaluate(x, kExact);
    const Jet turned = GetParam().evaluate(moved, kExact);
    EXPECT_NEAR(turned.energy, jet.energy, 1e-11 * jet.energy);
    for (Eigen::Index i = 0; i < jet.gradient.size(); i += 3)
      EXPECT_LT((turned.gradient.segment<3>(i) - R * jet.gradient.segment<3>(i)).norm(),
                1e-10 * jet.gradient.norm());
  }
}

TEST_P(Energies, ProjectedHessiansHaveNoNegativeCurvature) {
  for (VectorXd x : states()) {
    x *= 0.8;  // pressed together: where exact Hessians of membranes are indefinite
    const Jet projected = GetParam().evaluate(x, kProjected);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(projected.hessian);
    EXPECT_GE(eigen.eigenvalues()[0], -1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff());
    EXPECT_EQ(projected.gradient, GetParam().evaluate(x, kExact).gradient);
  }
}

TEST(MembraneEnergy, ForcesOfATriangleBalance) {
  const Registered energy = membrane("", std::make_shared<PlainNeoHookean>(4e4, 3e4));
  Random random(1);
  const VectorXd x = triangle_state(random);
  const Jet jet = energy.evaluate(x, kExact);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (int k = 0; k < 9; k += 3) {
    force += jet.gradient.segment<3>(k);
    torque += x.segment<3>(k).cross(jet.gradient.segment<3>(k));
  }
  EXPECT_LT(force.norm(), 1e-13 * jet.gradient.norm());
  EXPECT_LT(torque.norm(), 1e-14 * jet.gradient.norm());
}

TEST(MembraneEnergy, TangentHessianIsThatInSpaceAlongTheDirections) {
  const Mesh mesh = noisy(torus(12, 8, 0.1, 0.04), 0.05, 3);
  std::vector<SkinFace> faces(mesh.face_count(), {Vec3(0, 0, 1), 0.9, 1, 2e-3, 1.3});
  const MembraneEnergy sheet(membrane_elements(mesh, faces), std::make_shared<PlainNeoHookean>(4e4, 3e4));
  Random random(5);
  for (std::size_t i = 0; i < faces.size(); i += 7) {
    std::array<Mat32, 3> directions;
    MatrixXd all = MatrixXd::Zero(9, 6);
    for (int k = 0; k < 3; ++k) {
      directions[std::size_t(k)] << random.in_cube(), random.in_cube();
      all.block<3, 2>(3 * k, 2 * k) = directions[std::size_t(k)];
    }
    const EnergyJet<3> space = sheet.evaluate(i, mesh.positions, kExact);
    const TangentJet<3> along = sheet.evaluate(i, mesh.positions, directions, kExact);
    EXPECT_EQ(along.gradient, space.gradient);
    const MatrixXd expected = all.transpose() * space.hessian * all;
    EXPECT_LT((along.hessian - expected).norm(), 1e-13 * space.hessian.norm());
  }
}

TEST(MembraneEnergy, AllElementsAtOnceAreEachOne) {
  const Mesh mesh = noisy(torus(40, 20, 0.1, 0.04), 0.05, 3);
  std::vector<SkinFace> faces(mesh.face_count(), {Vec3(0, 0, 1), 0.9, 1, 2e-3});
  const MembraneEnergy sheet(membrane_elements(mesh, faces), std::make_shared<PlainNeoHookean>(4e4, 3e4));
  const Points now = noisy(mesh, 0.1, 4).positions;
  double expected = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) expected += sheet.energy(i, now);
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    EXPECT_EQ(sheet.energy(now), expected);
    std::vector<EnergyJet<3>> jets;
    sheet.evaluate(now, kProjected, jets);
    for (std::size_t i = 0; i < jets.size(); i += 97)
      EXPECT_EQ(jets[i].hessian, sheet.evaluate(i, now, kProjected).hessian);
  }
  set_threads(0);
}

TEST(MembraneEnergy, TrianglesWithoutAreaCarryNothing) {
  const MembraneElement element =
      membrane_element({VertexId(0), VertexId(1), VertexId(2)}, RestTriangle{}, {Vec3::UnitX(), 1, 1, 1e-3});
  const MembraneEnergy sheet({element}, std::make_shared<PlainNeoHookean>(4e4, 3e4));
  const Points line(std::vector<Vec3>{Vec3::Zero(), Vec3::UnitX(), 2 * Vec3::UnitX()});
  EXPECT_EQ(sheet.energy(line), 0);
  EXPECT_EQ(sheet.evaluate(0, line, kExact).hessian, (Eigen::Matrix<double, 9, 9>::Zero()));
}

}  // namespace
}  // namespace cutis::test
