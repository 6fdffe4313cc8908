#include "cutis/shot/plausible.h"

#include <gmock/gmock.h>

#include "cutis/body/analytic_body.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> questions(const std::string& skin) {
  const Shot shot = parse_shot("[body]\nmake = \"arm\"\n" + skin, "s.toml");
  return unusual_sizes(shot, *open_body(shot.body));
}

TEST(Plausible, ValuesThatAreFarFromUsualAreQuestionedWithTheUnitThatFits) {
  EXPECT_THAT(questions("[skin]\nmethod = \"lagrangian\"\nthickness = 1.5\n"),
              ElementsAre(AllOf(HasSubstr("s.toml:5: skin.thickness: 1.5 m is unusual"),
                                HasSubstr("did you mean \"1.5 mm\"?"))));
  EXPECT_THAT(questions("[skin]\nmethod = \"lagrangian\"\nthickness = \"1.5 mm\"\n"), IsEmpty());
  EXPECT_THAT(questions("[skin]\nmethod = \"lagrangian\"\n[skin.material]\nyoung = 30\n"),
              ElementsAre(HasSubstr("did you mean \"30 kPa\"?")));
  EXPECT_THAT(questions("[flesh]\nuse = true\ndepth = { map = \"vertex_color\", low = 0, high = 3 }\n"),
              ElementsAre(AllOf(HasSubstr("flesh.depth: 3 m"), HasSubstr("\"3 cm\""))));
}

TEST(Plausible, UnitsThatMakeABodyAsLargeAsUsual) {
  EXPECT_EQ(likely_unit(1.8).name, "m");
  EXPECT_EQ(likely_unit(155).name, "cm");
  EXPECT_EQ(likely_unit(1700).name, "mm");
  EXPECT_EQ(likely_unit(7.6).name, "ft");
  EXPECT_EQ(likely_unit(0).name, "m");
}

TEST(Plausible, ABodyThatHoldsStillIsNamedUnlessSomethingElseMovesItsSkin) {
  const auto of = [](const std::string& more, const std::vector<double>& times) {
    const Shot shot = parse_shot("[body]\nmake = \"arm\"\n" + more, "s.toml");
    return stillness(shot, *open_body(shot.body), times).words;
  };
  EXPECT_EQ(of("", {0, 0.5, 1}), "");
  // Before its clip begins a body holds still.
  EXPECT_THAT(of("", {-3, -2, -1}), HasSubstr("does not move mesh \"arm\" in 3 frames from -3 s to -1 s"));
  EXPECT_EQ(of("[scene]\ngravity = [0, -9.81, 0]\n", {-3, -2, -1}), "");
  EXPECT_EQ(of("", {-3}), "");
}

}  // namespace
}  // namespace cutis
