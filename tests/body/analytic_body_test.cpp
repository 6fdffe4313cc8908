#include "cutis/body/analytic_body.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/body/procedural/geometric/cylinder.h"
#include "cutis/body/procedural/geometric/geometric.h"
#include "cutis/core/error.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

RigChoice clip(const std::string& name, const std::string& rest = "") {
  RigChoice choice;
  choice.clip = name;
  choice.rest = rest;
  return choice;
}

double farthest(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a.raw()[i] - b.raw()[i]).norm());
  return most;
}

/// The largest change of velocity [m/s] from one side of a time to the other, by differences of this step.
double velocity_jump(const Body& body, double time, double step) {
  const SourcePoints before = body.source_positions(time - step), now = body.source_positions(time),
                     after = body.source_positions(time + step);
  SourcePoints ahead = now;
  for (std::size_t v = 0; v < now.size(); ++v) ahead.raw()[v] = 2 * now.raw()[v] - before.raw()[v];
  return farthest(after, ahead) / step;
}

/// Where the velocity is continuous, its change over a step goes to zero with the step; over a jump it stays.
TEST(AnalyticBody, EveryMotionOfTheCastStartsAtRestAndItsVelocityNeverJumps) {
  int motions = 0;
  for (const ProceduralBody& member : geometric_bodies()) {
    const ProceduralShape made = member.make(10 * member.default_edge);
    const auto* shape = std::get_if<AnalyticShape>(&made);
    if (!shape) continue;
    for (const AnalyticMotion& motion : shape->motions) {
      const AnalyticBody body(*shape, clip(motion.name));
      EXPECT_LT(farthest(body.source().positions, body.source_positions(0)), 1e-15)
          << member.name << " " << motion.name;
      EXPECT_EQ(body.source_positions(-1).raw(), body.source_positions(0).raw());
      EXPECT_EQ(body.source_positions(99).raw(), body.source_positions(motion.seconds).raw());
      for (int i = 0; i <= 48; ++i) {
        const double time = motion.seconds * i / 48;
        EXPECT_LT(velocity_jump(body, time, 1e-6), 1e-4) << member.name << " " << motion.name << " " << time;
      }
      ++motions;
    }
  }
  EXPECT_GE(motions, 17);
}

TEST(AnalyticBody, TakesTheSameChoicesAsACharacter) {
  const AnalyticShape shape = make_cylinder(0.02);
  EXPECT_EQ(AnalyticBody(shape).clip_name(), "twist");
  const AnalyticBody still(shape, clip("none"));
  EXPECT_EQ(still.duration().length(), 0);
  EXPECT_EQ(still.source_positions(0.7).raw(), shape.mesh.positions.raw());

  const AnalyticBody twisted(shape, clip("twist", "wring@1s")), wrung(shape, clip("wring"));
  EXPECT_EQ(twisted.source().positions.raw(), wrung.source_positions(1).raw());
  EXPECT_EQ(AnalyticBody(shape, clip("wring", "@0.5s")).source().positions.raw(),
            wrung.source_positions(0.5).raw());
  EXPECT_EQ(AnalyticBody(shape, clip("wring", "first")).source().positions.raw(),
            wrung.source_positions(0).raw());

  RigChoice large = clip("wring");
  large.scale = 10;
  large.meshes = {"cylinder"};
  const AnalyticBody giant(shape, large);
  EXPECT_EQ(giant.source_positions(0.3).raw()[5], 10 * wrung.source_positions(0.3).raw()[5]);
}

TEST(AnalyticBody, AnswersMistakesWithWhatThereIs) {
  const AnalyticShape shape = make_cylinder(0.02);
  const auto answer = [&](const RigChoice& choice) -> std::string {
    try {
      const AnalyticBody body(shape, choice);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      answer(clip("twisst")),
      "cylinder: there is no clip \"twisst\"; did you mean \"twist\"?; it has twist, wring, press, spin");
  EXPECT_THAT(answer(clip("", "later")), testing::HasSubstr("rest \"later\" is not understood"));
  EXPECT_EQ(answer(clip("", "wring@3s")), "cylinder: rest \"wring@3s\": the clip runs from 0 s to 2 s");
  RigChoice choice;
  choice.meshes = {"body"};
  EXPECT_EQ(answer(choice), "cylinder: there is no mesh \"body\"; it has cylinder");
  choice = {};
  choice.scale = 0;
  EXPECT_EQ(answer(choice), "cylinder: scale 0 is not above zero");
}

const bool analytic_body_bits = test::same_bits(
    "AnalyticBody", [] { return AnalyticBody(make_cylinder(0.002), clip("twist")).source_positions(0.4); });

TEST(Body, VelocitiesAreThoseOfTheMotionAndTheRestSurfaceIsBuiltOnce) {
  const auto place = [](const Vec3& x, double t) -> Vec3 {
    return x + Vec3(std::sin(3 * t), t * t * x.x(), 0.1 * t * t * t);
  };
  const AnalyticShape cylinder = make_cylinder(0.05);
  const AnalyticBody body({"body", cylinder.mesh, {{"motion", 1, place}}}, clip("motion"));
  for (const double t : {0.0, 0.00013, 0.4, 0.9999, 1.0}) {
    const SourcePoints velocities = body.source_velocities(t);
    for (SourceVertexId v : ids<SourceVertexId>(velocities.size())) {
      const Vec3 exact(3 * std::cos(3 * t), 2 * t * body.source().positions[v].x(), 0.3 * t * t);
      ASSERT_LT((velocities[v] - exact).norm(), 1e-9) << t;
    }
  }
  EXPECT_EQ(body.source_velocities(1.5)[SourceVertexId(0)], Vec3::Zero());
  EXPECT_EQ(body.surface(), body.surface());
  EXPECT_EQ(body.surface()->mesh().corners, triangulated(body.mesh()).mesh.corners);
}

}  // namespace
}  // namespace cutis
