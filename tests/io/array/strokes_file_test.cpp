#include "cutis/io/array/strokes_file.h"

#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "support/support.h"

namespace cutis {
namespace {

class StrokesJson : public testing::Test {
 protected:
  test::TemporaryFolder folder;

  StrokesFile read(const std::string& text) {
    write_file_whole(folder / "s.json", text);
    return read_strokes(folder / "s.json");
  }
  std::string complaint(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("s.json"));
      EXPECT_LT(std::string(error.what()).size(), 1000u);
      return error.what();
    }
    ADD_FAILURE() << "accepted: " << text.substr(0, 80);
    return "";
  }
};

TEST_F(StrokesJson, BothKindsOfStrokes) {
  const StrokesFile file = read(R"({"body": "hero.glb", "strokes": [
    {"points": [[0, 1, 2], [3, 4, 5.5]]},
    {"bone": "left_forearm", "around": [[0.1, 90], [0.9, -45]]}]})");
  EXPECT_EQ(file.drawn_on, folder / "hero.glb");
  ASSERT_EQ(file.strokes.size(), 2u);
  EXPECT_EQ(file.strokes[0].points[1], Vec3(3, 4, 5.5));
  EXPECT_EQ(file.strokes[1].bone, "left_forearm");
  EXPECT_DOUBLE_EQ(file.strokes[1].around[0].y(), std::numbers::pi / 2);
}

TEST_F(StrokesJson, MistakesNameTheStrokeAndTheRemedy) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint("[1, 2]"), HasSubstr("list of strokes"));
  EXPECT_THAT(complaint("{\"strokes\": [}"), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("{\"strokes\": []}"), HasSubstr("no stroke"));
  EXPECT_THAT(complaint("{\"strokes\": [3]}"), HasSubstr("stroke 1"));
  EXPECT_THAT(complaint("{\"strokes\": [{}]}"), HasSubstr("either"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"point\": [[0,0,0],[1,1,1]]}]}"),
              HasSubstr("did you mean \"points\"?"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[0,0,0]]}]}"), HasSubstr("at least two"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[0,0,0],[1,1]]}]}"), HasSubstr("point 2"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[0,0,0],[1,1,\"a\"]]}]}"), HasSubstr("not a number"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[0,0,0],[1,1,1e30]]}]}"), HasSubstr("1e+30"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"bone\": \"tail\", \"around\": [[0,0],[1,1]]}]}"),
              HasSubstr("trunk"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"around\": [[0,0],[1,1]]}]}"), HasSubstr("no bone"));
  EXPECT_THAT(complaint("{\"body\": 3, \"strokes\": [{\"points\": [[0,0,0],[1,1,1]]}]}"), HasSubstr("body"));
  EXPECT_THROW(read_strokes(folder / "none.json"), InputError);
}

TEST_F(StrokesJson, HostileFilesAreRefused) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint(std::string(200000, '[')), HasSubstr("deep"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[NaN,0,0],[1,1,1]]}]}"), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"points\": [[1e999,0,0],[1,1,1]]}]}"), HasSubstr("s.json"));
  EXPECT_THAT(complaint(std::string("{\"strokes\": \xff\xfe}")), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("{\"strokes\": [{\"" + std::string(100000, 'k') + "\": 1}]}"),
              HasSubstr("unknown key"));
  EXPECT_THAT(complaint(std::string((std::size_t(1) << 26) + 1, ' ')), HasSubstr("at most"));
}

}  // namespace
}  // namespace cutis
