// Steps of one frame that share a factor (the chord method), against the same steps with a factor each.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/skin/eulerian/eulerian.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

constexpr int kSteps = 20;  ///< per frame
constexpr double kFrame = 1.0 / 24;

Mesh torus_mesh() { return quad_torus(24, 12, 0.2, 0.08); }

EulerianOptions options(int substeps, double tolerance = 1e-6) {
  EulerianOptions out;
  out.material = simple_material(MaterialModel::StableNeoHookean, 3e4, 0.3);
  out.stickiness.assign(torus_mesh().vertex_count(), 0.3);
  out.substeps = substeps;
  out.tolerance = tolerance;
  return out;
}

/// Shaken, and bent meanwhile.
std::unique_ptr<Body> shaken_body() {
  return moving_body(torus_mesh(), [](const Vec3& x, double t) -> Vec3 {
    return x + Vec3(0.03 * std::sin(12 * t), 0.2 * t * x.x() * x.x(), 0.02 * std::sin(7 * t));
  });
}

double most_apart(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

struct Difference {
  double off = 0, slide = 0;  ///< at most [m]
};

/// Each frame factorises anew, so frames of one step never share a factor.
Difference difference(double tolerance) {
  const auto body = shaken_body();
  EulerianSlide shared(*body, options(kSteps, tolerance)), fresh(*body, options(1, tolerance));
  shared.advance(0);
  fresh.advance(0);
  Difference out;
  for (int frame = 1; frame <= 6; ++frame) {
    const StepReport report = shared.advance(frame * kFrame);
    EXPECT_TRUE(report.converged) << report.reason;
    for (int i = 1; i <= kSteps; ++i)
      EXPECT_TRUE(fresh.advance((frame - 1 + double(i) / kSteps) * kFrame).converged);
    out.off = std::max(out.off, most_apart(shared.positions(), fresh.positions()));
    out.slide = std::max(out.slide, most_apart(shared.positions(), body->source_positions(frame * kFrame)));
  }
  std::cout << "tolerance " << tolerance << ": slides of " << 1e3 * out.slide
            << " mm, with shared factors off by " << 1e3 * out.off << " mm\n";
  return out;
}

TEST(EulerianFactorReuse, GivesWhatAFactorForEachStepGives) {
  const Difference coarse = difference(1e-6), fine = difference(1e-8);
  EXPECT_GT(coarse.slide, 5e-3);
  EXPECT_LT(coarse.off, 2e-3 * coarse.slide);
  // It is the tolerance that they differ by; the same bits would mean that no factor was shared.
  EXPECT_LT(fine.off, 0.1 * coarse.off);
  EXPECT_GT(coarse.off, 1e-9);
}

TEST(EulerianFactorReuse, GoesOnWithTheSameBits) {
  const auto body = shaken_body();
  EulerianSlide whole(*body, options(kSteps)), first(*body, options(kSteps)), second(*body, options(kSteps));
  for (int frame = 0; frame <= 6; ++frame) whole.advance(frame * kFrame);
  for (int frame = 0; frame <= 3; ++frame) first.advance(frame * kFrame);
  second.restore(first.save());
  for (int frame = 4; frame <= 6; ++frame) second.advance(frame * kFrame);
  EXPECT_EQ(whole.positions().raw(), second.positions().raw());
  EXPECT_EQ(whole.save(), second.save());
}

}  // namespace
}  // namespace cutis
