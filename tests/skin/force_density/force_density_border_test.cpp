// Where a patch ends, sliding skin meets skin that stays without a crease.
#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/skin/force_density/force_density.h"
#include "support/patches.h"

namespace cutis::test {
namespace {

struct BorderCase {
  std::string body, clip;
  Vec3 centre;  ///< [m]
  double radius;
};

class ForceDensityBorder : public testing::TestWithParam<BorderCase> {};

TEST_P(ForceDensityBorder, HasNoCrease) {
  RigChoice choice;
  choice.clip = GetParam().clip;
  const auto body = open_cast_member(GetParam().body, 0, choice);
  const std::vector<FaceId> patch = faces_near(*body, GetParam().centre, GetParam().radius);
  for (bool limit_surface : {true, false}) {
    ForceDensityOptions options;
    options.patches = {{GetParam().body, patch, {}, {}}};
    options.limit_surface = limit_surface;
    ForceDensitySlide slide(*body, options);
    double worst = 0, moved = 0;
    const double duration = body->duration().length();
    for (int frame = 1; frame <= 8; ++frame) {
      const double time = body->duration().begin + duration * frame / 9;
      slide.advance(time);
      const Points plain = body->positions(time), slid = body->weld().gather(slide.positions());
      worst = std::max(worst, border_crease(*body, patch, plain, slid));
      for (VertexId v : ids<VertexId>(plain.size())) moved = std::max(moved, (plain[v] - slid[v]).norm());
      EXPECT_TRUE(slide.folded().empty());
    }
    EXPECT_LT(worst * 180 / std::numbers::pi, 2);
    EXPECT_GT(moved, 0.01 * GetParam().radius);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, ForceDensityBorder,
                         testing::Values(BorderCase{"bump", "carry", {0, 0.02, 0}, 0.08},
                                         BorderCase{"bump", "pass", {0, 0.02, 0}, 0.08},
                                         BorderCase{"arm", "bend", {0.3, -0.04, 0}, 0.12},
                                         BorderCase{"arm", "bend", {0.15, 0.05, 0}, 0.09},
                                         BorderCase{"finger", "flex", {0.043, 0.01, 0}, 0.015},
                                         BorderCase{"beast", "walk_and_stop", {0.15, 0.65, 0.1}, 0.16},
                                         BorderCase{"head", "show", {0, 0.05, 0.05}, 0.05}),
                         [](const auto& info) {
                           return info.param.body + "_" + info.param.clip + std::to_string(info.index);
                         });

}  // namespace
}  // namespace cutis::test
