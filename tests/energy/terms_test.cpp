// Every term that needs no surface, by registry: derivatives along its directions against finite differences.
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "cutis/energy/load_term.h"
#include "cutis/energy/membrane_term.h"
#include "cutis/energy/rest_shape.h"
#include "cutis/energy/slide_rate_term.h"
#include "cutis/energy/spring_term.h"
#include "cutis/energy/triangle_spring_term.h"
#include "energy/plain_neo_hookean.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Points kRest(std::vector{Vec3(0.01, 0.02, 0), Vec3(0.05, 0.01, 0.01), Vec3(0.02, 0.06, 0.02)});

struct RegisteredTerm {
  std::string name;
  std::shared_ptr<const Term> term;
};

void PrintTo(const RegisteredTerm& term, std::ostream* out) { *out << term.name; }

/// A term and what it refers to.
struct Sheet {
  std::shared_ptr<const MembraneEnergy> membrane;
  MembraneTerm term;
};

std::vector<RegisteredTerm> registry() {
  const MembraneElement element =
      membrane_element({VertexId(0), VertexId(1), VertexId(2)},
                       rest_triangle(kRest[VertexId(0)], kRest[VertexId(1)], kRest[VertexId(2)]),
                       {Vec3(1, 0.3, 0), 0.875, 0.95, 1.5e-3, 1.3});
  const auto membrane = std::make_shared<const MembraneEnergy>(std::vector{element},
                                                               std::make_shared<PlainNeoHookean>(4e4, 3e4));
  auto sheet =
      std::make_shared<Sheet>(Sheet{membrane, MembraneTerm({0}, {{VertexId(0), VertexId(1), VertexId(2)}})});
  sheet->term.set_membrane(*membrane);
  // Vertices come up to 10 mm from where they were carried: into the barrier.
  auto rate = std::make_shared<SlideRateTerm>(IdVector<VertexId, double>(std::vector{2e-5, 0.0, 3e-5}), 150);
  rate->set_step(kRest, 0.04, 2e3, 0.015);
  auto spring = std::make_shared<SpringTerm>(3);
  spring->set_springs(kRest, IdVector<VertexId, double>(std::vector{3.0, 0.0, 5.0}));
  auto load = std::make_shared<LoadTerm>(3);
  load->set_forces(Points(std::vector{Vec3(1, 2, 3), Vec3(-2, 0, 1), Vec3(0, 0.5, 0)}), kRest);
  auto in_triangle = std::make_shared<TriangleSpringTerm>(
      std::vector{std::array{VertexId(0), VertexId(1), VertexId(2)}}, 40);
  Mat32 plane;
  plane << 0.6, 0, 0, 1, 0.8, 0;
  in_triangle->set_springs({{0, Vec3(0.2, 0.5, 0.3), Vec3(0.03, 0.02, 0.01), plane},
                            {0, Vec3(1, 0, 0), Vec3(0.02, 0.02, 0), Mat3::Identity().leftCols<2>()}});
  return {{"membrane", std::shared_ptr<const Term>(sheet, &sheet->term)},
          {"slide_rate", rate},
          {"spring", spring},
          {"load", load},
          {"triangle_spring", in_triangle}};
}

class Terms : public testing::TestWithParam<RegisteredTerm> {};

INSTANTIATE_TEST_SUITE_P(Registry, Terms, testing::ValuesIn(registry()),
                         [](const auto& info) { return info.param.name; });

struct Derivatives {
  VectorXd gradient;
  MatrixXd hessian;
};

/// Of one stencil, added to what is there.
Derivatives derivatives(const Term& term, std::size_t stencil, const TermState& state,
                        const std::vector<Mat32>& directions, double share) {
  const auto n = static_cast<Eigen::Index>(directions.size());
  Derivatives out{VectorXd::Ones(3 * n), MatrixXd::Ones(2 * n, 2 * n)};
  StencilJet jet{directions, share, {out.gradient.data(), 3 * n}, {out.hessian.data(), 2 * n, 2 * n}};
  term.add_derivatives(stencil, state, jet);
  out.gradient.array() -= 1;
  out.hessian.array() -= 1;
  return out;
}

TEST_P(Terms, AddTheDerivativesOfTheirEnergy) {
  const Term& term = *GetParam().term;
  Random random(4);
  TermState state{kRest};
  for (Vec3& x : state.positions) x += 0.006 * random.in_cube();
  const auto stencils = term.stencils();
  ASSERT_FALSE(stencils.empty());
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    std::vector<Mat32> directions(stencils[s].size());
    for (Mat32& d : directions) d = Mat32::NullaryExpr([&] { return random(-1, 1); });
    const Derivatives at = derivatives(term, s, state, directions, 0);
    VectorXd change(2 * static_cast<Eigen::Index>(directions.size()));
    MatrixXd bend(change.size(), change.size());
    const double h = 1e-6;
    for (Eigen::Index i = 0; i < change.size(); ++i) {
      TermState ahead = state, behind = state;
      const auto k = static_cast<std::size_t>(i / 2);
      ahead.positions[stencils[s][k]] += h * directions[k].col(i % 2);
      behind.positions[stencils[s][k]] -= h * directions[k].col(i % 2);
      change[i] = (term.energy(s, ahead) - term.energy(s, behind)) / (2 * h);
      const VectorXd turn = (derivatives(term, s, ahead, directions, 0).gradient -
                             derivatives(term, s, behind, directions, 0).gradient) /
                            (2 * h);
      for (std::size_t a = 0; a < directions.size(); ++a)
        bend.col(i).segment<2>(2 * Eigen::Index(a)) =
            directions[a].transpose() * turn.segment<3>(3 * Eigen::Index(a));
    }
    VectorXd along(change.size());
    for (std::size_t a = 0; a < directions.size(); ++a)
      along.segment<2>(2 * Eigen::Index(a)) =
          directions[a].transpose() * at.gradient.segment<3>(3 * Eigen::Index(a));
    EXPECT_LT((along - change).norm(), 1e-6 * along.norm() + 1e-12);
    EXPECT_LT((at.hessian - bend).norm(), 1e-6 * at.hessian.norm() + 1e-12);
  }
}

TEST_P(Terms, HaveNoNegativeCurvatureLeftWhenAllIsTakenOut) {
  const Term& term = *GetParam().term;
  Random random(6);
  TermState state{kRest};
  for (Vec3& x : state.positions) x = 0.7 * x + 0.01 * random.in_cube();
  for (std::size_t s = 0; s < term.stencils().size(); ++s) {
    std::vector<Mat32> directions(term.stencils()[s].size());
    for (Mat32& d : directions) d = Mat32::NullaryExpr([&] { return random(-1, 1); });
    const MatrixXd hessian = derivatives(term, s, state, directions, 1).hessian;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(hessian);
    EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-12 * hessian.norm() - 1e-13);
  }
}

}  // namespace
}  // namespace cutis::test
