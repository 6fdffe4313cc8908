#include "cutis/energy/ligament_energy.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

double force(const LigamentEnergy& ligaments, double length) {
  return ligaments.evaluate(0, Vec3(length, 0, 0), Vec3::Zero()).gradient.x();
}

TEST(LigamentEnergy, IsThePrintedFormulaInCentimetres) {
  const LigamentEnergy ligaments({{VertexId(0), 3e-4, 0.02}}, ligament_law_from_centimetres(0.1, 0.0025, 7));
  for (const double l_cm : {0.0, 1.3, 2.0, 2.3}) {
    const double printed = 0.1 * l_cm * l_cm + 0.0025 * std::exp(7 * (l_cm * l_cm - 2 * 2));
    EXPECT_NEAR(ligaments.energy(0, Vec3(0, l_cm / 100, 1), Vec3(0, 0, 1)), 3e-4 * printed,
                1e-12 * 3e-4 * printed);
  }
}

TEST(LigamentEnergy, StiffensBeyondItsLimit) {
  const LigamentEnergy ligaments({{VertexId(0), 1, 0.02}}, ligament_law_from_centimetres(0, 0.0025, 7));
  // [N/m²]: next to nothing at three quarters, 7 Pa at the limit, tens of kPa at 15 % beyond
  EXPECT_LT(force(ligaments, 0.015), 1e-3);
  EXPECT_NEAR(force(ligaments, 0.02), 7, 1e-9);
  EXPECT_GT(force(ligaments, 0.023), 5e4);
}

TEST(LigamentEnergy, AllGiveWayByTheSameShareOfTheirLengthWithAReference) {
  LigamentLaw law = ligament_law_from_centimetres(0, 0.0025, 7);
  law.reference = 0.02;
  const LigamentEnergy ligaments({{VertexId(0), 1, 0.02}, {VertexId(1), 1, 0.002}}, law);
  for (const double share : {0.5, 1.0, 1.2, 3.0})
    EXPECT_NEAR(ligaments.energy(0, Vec3(0.02 * share, 0, 0), Vec3::Zero()),
                ligaments.energy(1, Vec3(0, 0.002 * share, 0), Vec3::Zero()),
                1e-9 * ligaments.energy(0, Vec3(0.02 * share, 0, 0), Vec3::Zero()));
}

/// Across the joint between exponential and parabola energy, force and stiffness go on without a jump, and
/// far beyond all are finite and grow.
TEST(LigamentEnergy, GoesOnSmoothlyWhereTheExponentialWouldOverflow) {
  const double m3 = 7e4, limit = 0.02, joint = std::sqrt(limit * limit + 10 / m3);
  const LigamentEnergy ligaments({{VertexId(0), 1, limit}}, {0, 0.0025, m3});
  const auto below = ligaments.evaluate(0, Vec3(joint * (1 - 1e-9), 0, 0), Vec3::Zero());
  const auto above = ligaments.evaluate(0, Vec3(joint * (1 + 1e-9), 0, 0), Vec3::Zero());
  EXPECT_NEAR(above.energy / below.energy, 1, 1e-6);
  EXPECT_NEAR(above.gradient.x() / below.gradient.x(), 1, 1e-6);
  EXPECT_NEAR(above.hessian(0, 0) / below.hessian(0, 0), 1, 1e-6);
  double last = 0;
  for (double l = joint; l < 1e6; l *= 3) {
    EXPECT_GT(force(ligaments, l), last);
    last = force(ligaments, l);
    EXPECT_TRUE(std::isfinite(last));
  }
}

TEST(LigamentEnergy, AllAtOnceAreEachOneAtAnyNumberOfThreads) {
  Random random(8);
  std::vector<Ligament> many;
  std::vector<Vec3> attachments;
  Points points;
  for (int i = 0; i < 3000; ++i) {
    points.push_back(0.01 * random.in_cube());
    attachments.push_back(0.01 * random.in_cube());
    many.push_back({VertexId(i), random(1e-5, 2e-5), random(0.005, 0.02)});
  }
  const LigamentEnergy ligaments(many, {1, 0.0025, 7e4});
  double expected = 0;
  for (std::size_t i = 0; i < many.size(); ++i)
    expected += ligaments.energy(i, points[many[i].vertex], attachments[i]);
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    EXPECT_EQ(ligaments.energy(points, attachments), expected);
    std::vector<EnergyJet<1>> jets;
    ligaments.evaluate(points, attachments, jets);
    EXPECT_EQ(jets[1234].gradient,
              ligaments.evaluate(1234, points[VertexId(1234)], attachments[1234]).gradient);
  }
  set_threads(0);
}

TEST(LigamentEnergy, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(LigamentEnergy({}, {-1, 0, 0}), InputError);
  EXPECT_THROW(LigamentEnergy({}, {0, 0, NAN}), InputError);
  EXPECT_THROW(LigamentEnergy({{VertexId(0), 1, 0}}, {}), InputError);
  EXPECT_THROW(LigamentEnergy({{VertexId(0), -1, 1}}, {}), InputError);
}

}  // namespace
}  // namespace cutis::test
