#include "cutis/shot/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/run/result.h"
#include "cutis/shot/methods.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

std::vector<ShotStage> stages(const std::string& text) {
  return stages_of(parse_shot("body.make = \"arm\"\n" + text, "folder/s.toml"), "out");
}

std::vector<std::string> names(const std::string& text) {
  std::vector<std::string> all;
  for (const ShotStage& stage : stages(text)) all.push_back(stage.name);
  return all;
}

TEST(Pipeline, WrinklesAreAStageOnSkinAndFlesh) {
  EXPECT_THAT(names("skin.method = \"lagrangian\""), ElementsAre(""));
  EXPECT_THAT(names("skin.method = \"none\"\nwrinkle.use = true"), ElementsAre(""));
  EXPECT_THAT(names("skin.method = \"lagrangian\"\nwrinkle.use = true"), ElementsAre("skin", ""));
  EXPECT_THAT(names("flesh.use = true\nskin.method = \"none\"\nwrinkle.use = true"),
              ElementsAre("flesh", ""));
  EXPECT_THAT(names("flesh.use = true\nskin.method = \"tracked\"\nwrinkle.use = true"),
              ElementsAre("flesh", "skin", ""));
}

TEST(Pipeline, EachStageLiesOnTheOneBefore) {
  const auto all = stages("flesh.use = true\nskin.method = \"tracked\"\nwrinkle.use = true");
  EXPECT_EQ(all[0].shot.body.make, "arm");
  EXPECT_TRUE(all[0].shot.flesh.use && all[0].shot.skin.method == SkinMethod::None);
  EXPECT_TRUE(!all[1].shot.flesh.use && all[1].shot.skin.method == SkinMethod::Tracked);
  EXPECT_TRUE(!all[2].shot.flesh.use && all[2].shot.skin.method == SkinMethod::None);
  for (const int i : {0, 1, 2}) {
    const ShotStage& stage = all[std::size_t(i)];
    EXPECT_EQ(stage.shot.wrinkle.use, i == 2);
    if (i == 0) continue;
    EXPECT_FALSE(stage.shot.body.make);
    EXPECT_EQ(stage.shot.body.file, fs::absolute(all[std::size_t(i - 1)].out).lexically_normal());
    EXPECT_TRUE(unused_keys(stage.shot).empty());
  }
  EXPECT_EQ(all[2].earlier_stage, fs::path(kStagesFolder) / "skin");
  EXPECT_EQ(all[1].earlier_stage, fs::path("..") / "flesh");
}

TEST(Pipeline, WhatLiesBelowDoesNotKnowWrinklesOrTheResult) {
  const std::string skin = "[time]\nfps = 12\n[skin]\nmethod = \"lagrangian\"\nthickness = \"2 mm\"\n";
  const auto plain = stages(skin + "[wrinkle]\nuse = true\n");
  const auto other = stages(skin +
                            "[wrinkle]\nuse = true\nseed = 4\n[[wrinkle.layer]]\nyoung = \"1 MPa\"\n"
                            "thickness = \"1 mm\"\n[output]\nformats = [\"pc2\"]\n[picture]\nstills = 3\n"
                            "[[figure]]\nname = \"a\"\nmeasure = \"residual\"\n");
  EXPECT_EQ(plain[0].shot, other[0].shot);
  EXPECT_EQ(plain[0].shot.skin.thickness.value, 0.002);
  const Shot& wrinkles = other[1].shot;
  EXPECT_EQ(wrinkles.wrinkle.seed, 4);
  EXPECT_EQ(wrinkles.output.formats, std::vector<std::string>{"pc2"});
  EXPECT_EQ(wrinkles.picture.stills, 3);
  EXPECT_EQ(wrinkles.figure.size(), 1u);
  EXPECT_EQ(wrinkles.time.fps, 12);
  EXPECT_EQ(wrinkles.place("wrinkle.seed"), "folder/s.toml:9: ");
  // Nor do wrinkles know how the skin slides: what changes is its result.
  const auto thicker = stages(skin + "slide_limit = \"5 mm\"\n[wrinkle]\nuse = true\n");
  EXPECT_EQ(thicker[1].shot, plain[1].shot);
  EXPECT_FALSE(thicker[0].shot == plain[0].shot);
}

TEST(Pipeline, PaintedRegionsAreTheSameInEveryStage) {
  const auto all = stages(
      "wrinkle.use = true\nskin.method = \"lagrangian\"\nflesh.use = true\n"
      "[[skin.region]]\nuse = \"exclude\"\nmap = \"vertex_color\"\nabove = 0.2\n"
      "[[skin.region]]\nfaces = [3]\nname = \"face\"\n");
  ASSERT_EQ(all.size(), 3u);
  for (const ShotStage& stage : all) {
    const std::vector<RegionSection>& regions = stage.shot.skin.region;
    ASSERT_EQ(regions.size(), 2u);
    EXPECT_EQ(regions[0].map->source, Painted::Source::VertexColor);
    EXPECT_EQ(regions[0].above, 0.2);
    EXPECT_EQ(regions[0].name, "region 1");
    EXPECT_EQ(regions[1].name, "face");
  }
}

TEST(Pipeline, ARegionMayBePaintedWithAFieldOfTheSkinBelow) {
  const auto all = stages(
      "skin.method = \"lagrangian\"\nwrinkle.use = true\nwrinkle.region = \"pressed\"\n"
      "[[skin.region]]\nname = \"pressed\"\nuse = \"name\"\nmap = \"compressive_strain\"\nabove = 0.1\n"
      "[[skin.region]]\nfaces = [3]\nname = \"face\"\n");
  const Shot &below = all[0].shot, &above = all[1].shot;
  EXPECT_EQ(below.output.fields, std::vector<std::string>{"compressive_strain"});
  ASSERT_EQ(below.skin.region.size(), 1u);
  EXPECT_EQ(below.skin.region[0].name, "face");
  EXPECT_EQ(below.place("skin.region[0].faces"), "folder/s.toml:11: ");
  EXPECT_FALSE(below.written.contains("skin.region[1].faces"));
  ASSERT_EQ(above.skin.region.size(), 2u);
  EXPECT_EQ(above.skin.region[0].map->group, "compressive_strain");
  EXPECT_EQ(above.skin.region[0].above, 0.1);
  EXPECT_TRUE(above.output.fields.empty());
}

}  // namespace
}  // namespace cutis
