#include "cutis/measure/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/shot/shot.h"
#include "run/lagging.h"

namespace cutis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Figures, SelectionsAreWrittenAsTheShotFileHasThem) {
  for (const char* text : {"\"all\"", "\"least\"", "\"first\"", "\"last\"", "1", "42"}) {
    const Shot shot = parse_shot(
        std::string("body.make = \"arm\"\n[[figure]]\nname = \"a\"\nmeasure = \"travel\"\nframes = ") + text,
        "s.toml");
    std::string plain = text;
    std::erase(plain, '"');
    EXPECT_EQ(to_string(shot.figure.at(0).frames), plain);
  }
}

TEST(Figures, VolumeOfAnOpenSurfaceIsRefused) {
  const test::WavingRing body(6, 5, 1);
  ResultMesh mesh = result_mesh(body);
  const std::vector<FigureRequest> requests{{"v", "volume_ratio", {}, {}, {}, {}}};
  EXPECT_TRUE(figure_mistakes(requests, mesh, {}, 1).empty());
  mesh.triangles.pop_back();
  EXPECT_THAT(figure_mistakes(requests, mesh, {}, 1), ElementsAre(HasSubstr("needs a closed surface")));
}

TEST(Figures, OfDirectionsNeedThem) {
  ResultMesh mesh = result_mesh(test::WavingRing(6, 5, 1));
  const std::vector<FigureRequest> requests{{"turn", "direction_turn_p99", {}, {}, {}, {}},
                                            {"strokes", "stroke_angle", {}, {}, {}, {}}};
  EXPECT_THAT(figure_mistakes(requests, mesh, {}, 1),
              ElementsAre(HasSubstr("figure turn: the skin has no directions; give skin.direction"),
                          HasSubstr("figure strokes: there are no strokes")));
  mesh.directions.assign(mesh.triangles.size(), Vec3::UnitX());
  mesh.strokes = {{FaceId(0), Vec3::UnitX()}};
  EXPECT_TRUE(figure_mistakes(requests, mesh, {}, 1).empty());
}

TEST(Figures, AskForAFieldThatTheyCanReadWhereTheyCount) {
  FigureRequest figure;
  figure.measure = "tensile_strain";
  figure.with["where"] = std::string("body");
  const std::vector<FigureRequest> requests{figure};
  const std::vector<std::string> stored{"body"};
  EXPECT_THAT(figure_mistakes(requests, ResultMesh{}, stored, 1),
              ElementsAre(HasSubstr("needs a field of one number a vertex; \"body\" is not")));
}

}  // namespace
}  // namespace cutis
