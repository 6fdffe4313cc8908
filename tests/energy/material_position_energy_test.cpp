#include "cutis/energy/material_position_energy.h"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/energy/membrane_energy.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/surface/mesh/deformation.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

using Corners = std::array<Vec3, 3>;

const Corners kSpace = {Vec3(0.01, 0.02, 0), Vec3(0.05, 0.01, 0.01), Vec3(0.02, 0.06, 0.02)};
const Corners kSkin = {Vec3(0.2, 0, 0.01), Vec3(0.235, 0.01, 0), Vec3(0.2, 0.045, 0.015)};

std::shared_ptr<const MembraneMaterial> law(MaterialModel model, int fibres) {
  SkinLaw skin;
  skin.model = model;
  skin.young = 3e4;
  skin.poisson = model == MaterialModel::NeoHookean ? 0.5 : 0.3;
  skin.fung_stiffness = 1e3;
  skin.fung_exponent = 5;
  skin.fibres = fibres;
  skin.fibre_stiffness = 2e3;
  skin.fibre_exponent = 4;
  return make_material(skin);
}

struct Case {
  std::string name;
  std::shared_ptr<const MembraneMaterial> material;
  bool directed;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

MaterialTriangle triangle(bool directed) {
  MaterialTriangle t;
  t.sides.col(0) = kSpace[1] - kSpace[0];
  t.sides.col(1) = kSpace[2] - kSpace[0];
  t.thickness = 1.3e-3;
  t.compression = 0.4;
  t.isotropic = !directed;
  if (directed) {
    const RestTriangle rest = rest_triangle(kSkin[0], kSkin[1], kSkin[2]);
    Mat2 G;
    G << 1.1, 0.1, 0.2, 0.95;
    t.to_rest = rest.axes * G;
  }
  return t;
}

class MaterialPositions : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Laws, MaterialPositions,
                         testing::Values(Case{"st_venant", law(MaterialModel::StVenantKirchhoff, 0), false},
                                         Case{"neo_hookean", law(MaterialModel::NeoHookean, 0), false},
                                         Case{"fung_prestretched", law(MaterialModel::Fung, 0), true},
                                         Case{"fung_with_fibres", law(MaterialModel::Fung, 1), true}),
                         [](const auto& info) { return info.param.name; });

TEST_P(MaterialPositions, DerivativesAreThoseOfTheEnergy) {
  const MaterialTriangle t = triangle(GetParam().directed);
  const MembraneMaterial& material = *GetParam().material;
  Random random(3);
  // Along the plane of the skin, where fibres have a direction; every way for a skin that has none.
  const Vec3 normal = MaterialPositionEnergy(material, t, kSkin).normal();
  std::array<Mat32, 3> ways;
  for (Mat32& way : ways) {
    way = Mat32::NullaryExpr([&] { return random(-1, 1); });
    if (GetParam().directed) way -= normal * (normal.transpose() * way).eval();
  }
  const auto at = [&](const Eigen::Matrix<double, 6, 1>& q) {
    Corners corners = kSkin;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] += ways[k] * q.segment<2>(2 * static_cast<Eigen::Index>(k));
    return MaterialPositionEnergy(material, t, corners);
  };
  const auto gradient = [&](const Eigen::Matrix<double, 6, 1>& q) {
    const auto g = at(q).evaluate(ways, kExact).gradient;
    Eigen::Matrix<double, 6, 1> out;
    for (int k = 0; k < 3; ++k)
      out.segment<2>(2 * k) = ways[static_cast<std::size_t>(k)].transpose() * g.segment<3>(3 * k);
    return out;
  };
  const Eigen::Matrix<double, 6, 1> zero = Eigen::Matrix<double, 6, 1>::Zero();
  const TangentJet<3> jet = at(zero).evaluate(ways, kExact);
  EXPECT_NEAR(jet.energy, at(zero).energy(), 1e-12 * jet.energy);
  const double h = 1e-7;
  for (int i = 0; i < 6; ++i) {
    Eigen::Matrix<double, 6, 1> step = zero;
    step[i] = h;
    EXPECT_NEAR((at(step).energy() - at(-step).energy()) / (2 * h), gradient(zero)[i],
                1e-6 * gradient(zero).norm());
    EXPECT_LT(((gradient(step) - gradient(-step)) / (2 * h) - jet.hessian.col(i)).norm(),
              1e-6 * jet.hessian.norm());
  }
}

TEST_P(MaterialPositions, EnergyIsThatOfTheMembrane) {
  const MaterialTriangle t = triangle(GetParam().directed);
  const MaterialPositionEnergy energy(*GetParam().material, t, kSkin);
  const RestTriangle rest = rest_triangle(kSkin[0], kSkin[1], kSkin[2]);
  const Mat2 G = GetParam().directed ? Mat2(rest.axes.transpose() * t.to_rest) : Mat2(Mat2::Identity());
  MembraneElement element{{VertexId(0), VertexId(1), VertexId(2)}, rest.inverse * G, 0, 1, t.compression};
  element.volume = t.thickness * rest.area / G.determinant();
  const MembraneEnergy membrane({element}, GetParam().material);
  const Points space(std::vector<Vec3>(kSpace.begin(), kSpace.end()));
  EXPECT_NEAR(energy.energy(), membrane.energy(space), 1e-12 * membrane.energy(space));
}

TEST(MaterialPositionEnergy, GrowsWithoutBoundAsSkinIsDrawnOutOfATriangle) {
  for (const auto model : {MaterialModel::StVenantKirchhoff, MaterialModel::Fung}) {
    const auto material = law(model, 0);
    const MaterialTriangle t = triangle(false);
    double last = 0;
    for (double height : {1e-1, 1e-2, 1e-3, 1e-4}) {
      Corners thin = kSkin;
      thin[2] = thin[0] + height * (thin[2] - thin[0]);
      const double energy = MaterialPositionEnergy(*material, t, thin).energy();
      EXPECT_GT(energy, 5 * last);
      last = energy;
    }
  }
}

}  // namespace
}  // namespace cutis::test
