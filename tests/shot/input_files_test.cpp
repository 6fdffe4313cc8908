#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/shot/open_body.h"
#include "cutis/shot/spec/spec.h"
#include "support/support.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAreArray;

TEST(InputFiles, AreAllThatAnyKeyNames) {
  Shot shot = parse_shot("body.make = \"arm\"", "s.toml");
  std::vector<fs::path> expected;
  for (const Section& section : spec()) {
    if (section.array) section.append(shot);
    for (const Key& key : section.keys) {
      const fs::path file = "/paint/" + section.name + "." + key.name + ".png";
      Painted painted;
      painted.source = Painted::Source::Image;
      painted.image = file;
      if (key.type == KeyType::Path)
        key.set(shot, 0, file.string());
      else if (key.type == KeyType::Painted || key.type == KeyType::Map)
        key.set(shot, 0, painted);
      else
        continue;
      expected.push_back(file);
    }
  }
  EXPECT_GE(expected.size(), 15u);
  EXPECT_THAT(input_files(shot), UnorderedElementsAreArray(expected));
}

TEST(InputFiles, ComeOnceWithThoseTheyNeedInTurn) {
  const test::TemporaryFolder folder;
  for (const char* name : {"walk_01.obj", "walk_02.obj", "loose.png", "lines.json", "skin.png", "arm.bin"})
    std::ofstream(folder / name) << name;
  std::ofstream(folder / "arm.gltf") << R"({"buffers": [{"uri": "arm.bin"}, {"uri": "data:,)"
                                     << std::string(5000, 'x') << R"("}]})";
  const auto files = [&](const std::string& body) {
    const std::string skin = R"([skin]
thickness = { map = "loose.png", low = "1 mm", high = "2 mm" }
slide_limit = { map = "loose.png", low = "1 mm", high = "2 mm" }
density = { map = "Hips", low = 1000, high = 1100 }
[skin.direction]
file = "lines.json"
[[skin.region]]
map = "vertex_color"
[picture]
texture = "skin.png"
)";
    std::vector<std::string> names;
    for (const fs::path& file : input_files(parse_shot("[body]\n" + body + "\n" + skin, folder / "s.toml"))) {
      EXPECT_EQ(file.parent_path(), folder.path());
      names.push_back(file.filename().string());
    }
    return names;
  };
  EXPECT_THAT(files("file = \"walk_##.obj\""),
              testing::ElementsAre("walk_01.obj", "walk_02.obj", "loose.png", "lines.json", "skin.png"));
  EXPECT_THAT(files("file = \"arm.gltf\""),
              testing::ElementsAre("arm.gltf", "arm.bin", "loose.png", "lines.json", "skin.png"));
}

}  // namespace
}  // namespace cutis
