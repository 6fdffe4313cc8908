#include "cutis/run/part_lag.h"

#include <gmock/gmock.h>

#include "cutis/body/procedural/procedural_bodies.h"

namespace cutis {

TEST(LagByPart, TakesTheLargestOfEachVertex) {
  const auto body = open_cast_member("sphere");
  LagByPart lag(*body);
  SourcePoints moved = body->source_positions(0);
  for (Vec3& p : moved) p += Vec3(0.01, 0, 0);
  moved[SourceVertexId(5)] += Vec3(0.04, 0, 0);
  lag.add(0, moved);
  lag.add(0, body->source_positions(0));
  const std::vector<PartLag> parts = lag.parts();
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].part, "body");
  EXPECT_NEAR(parts[0].percentile, 0.01, 1e-12);
  EXPECT_NEAR(parts[0].largest, 0.05, 1e-12);
  EXPECT_THAT(lag_words(parts), testing::HasSubstr("body 10, 50"));
  EXPECT_EQ(lag_words({}), "");
}

TEST(LagByPart, PartsOfAHumanAreTold) {
  const auto body = open_cast_member("female");
  LagByPart lag(*body);
  lag.add(0, body->source_positions(0));
  std::vector<std::string> names;
  for (const PartLag& part : lag.parts()) names.push_back(part.part);
  EXPECT_THAT(names, testing::ElementsAre("head", "neck", "trunk", "upper arms", "forearms", "hands",
                                          "thighs", "shins", "feet"));
}

}  // namespace cutis
