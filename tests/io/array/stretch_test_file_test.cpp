#include "cutis/io/array/stretch_test_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

StretchTest read(const std::string& text, const std::optional<std::string>& unit = std::nullopt) {
  const test::TemporaryFolder folder;
  write_file_whole(folder / "skin.csv", text);
  return read_stretch_test(folder / "skin.csv", unit);
}

std::string error_of(const std::string& text, const std::optional<std::string>& unit = std::nullopt) {
  try {
    read(text, unit);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(StretchTestFile, BiaxialColumnsInAnyOrderSpellingAndUnit) {
  const StretchTest one = read("# Xlam,PX,Ylam,PY\n1,0,1,0\n1.1,2e-3,1.2,3e-3\n1.2,0.004,1.3,0.005\n", "MPa");
  const StretchTest two = read(
      "stress_y [kPa];remark;lambda_x;lambda_y;P_x (MPa)\n0;begin;1;1;0\n# a "
      "pause\n3;;1.1;1.2;0.002\n\n5;;1.2;1.3;0.004\n");
  ASSERT_EQ(one.points.size(), 3u);
  ASSERT_EQ(two.points.size(), 3u);
  EXPECT_EQ(one.name, "skin");
  EXPECT_EQ(one.kind, StretchTest::Kind::Biaxial);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.points[i].stretch, two.points[i].stretch);
    EXPECT_NEAR((one.points[i].stress - two.points[i].stress).norm(), 0, 1e-9);
  }
  EXPECT_EQ(one.points[1].stretch, Vec2(1.1, 1.2));
  EXPECT_NEAR(one.points[1].stress.y(), 3000, 1e-9);
}

TEST(StretchTestFile, UniaxialWithAndWithoutAngle) {
  const StretchTest plain = read("Stretch,Stress [kPa]\n1,0\n1.1,2\n1.2,5\n");
  EXPECT_EQ(plain.kind, StretchTest::Kind::Uniaxial);
  EXPECT_EQ(plain.points[2].stress.x(), 5000);
  EXPECT_EQ(plain.points[2].angle, 0);
  const StretchTest turned = read("lambda\tP [Pa]\tangle\n1\t0\t90\n1.1\t2\t90\n1.2\t5\t90\n");
  EXPECT_NEAR(turned.points[1].angle, M_PI / 2, 1e-15);
}

TEST(StretchTestFile, MistakesNameLineColumnAndRemedy) {
  EXPECT_THAT(error_of("lambda,P\n1,0\n"),
              AllOf(HasSubstr("skin.csv:1"), HasSubstr("\"P\""), HasSubstr("--unit")));
  EXPECT_THAT(error_of("lambda,P [psi]\n1,0\n"), AllOf(HasSubstr("psi"), HasSubstr("kPa")));
  EXPECT_THAT(error_of("lambda_x,P_x [Pa],P_y [Pa]\n1,0,0\n"), HasSubstr("no column \"lambda_y\""));
  EXPECT_THAT(error_of("time,force\n1,0\n"), HasSubstr("no column \"lambda\""));
  EXPECT_THAT(error_of("lambda,P [Pa],stretch\n1,0,1\n"), HasSubstr("column 3 is a second \"lambda\""));
  EXPECT_THAT(error_of("lambda,P [Pa]\n1,0\n1.1,x\n"), AllOf(HasSubstr("skin.csv:3"), HasSubstr("\"x\"")));
  EXPECT_THAT(error_of("lambda,P [Pa]\n1,0\n1.1\n"), AllOf(HasSubstr("skin.csv:3"), HasSubstr("1 cells")));
  EXPECT_THAT(error_of("lambda,P [Pa]\n0,0\n10,5\n"),
              AllOf(HasSubstr("skin.csv:2: column \"lambda\""), HasSubstr("1 at rest")));
  EXPECT_THAT(error_of("lambda,P [Pa]\n1,0\n1.1,5\n"), HasSubstr("at least 3"));
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
}

}  // namespace
}  // namespace cutis
