#include "cutis/shot/spec/spec.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/spec/explain.h"
#include "cutis/shot/spec/parse_value.h"
#include "cutis/shot/spec/starter.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

/// A folder with the files that the examples of the spec name.
class Spec : public testing::Test {
 protected:
  Spec() {
    for (const char* name : {"fox.glb", "fox.pc2", "smile.csv", "slide.png", "strokes.json", "tattoo.png",
                             "wrinkles.png", "smpl.npz", "walk.npz", "first-skin.toml", "skull.obj"})
      std::ofstream(folder_ / name) << "x";
  }
  Shot parse(const std::string& text) const { return parse_shot(text, folder_ / "s.toml"); }

  /// What else must stand in a shot that sets one key to its example.
  static std::string beside(const std::string& dotted) {
    const std::string region =
        "[[skin.region]]\nname = \"elbow\"\nfaces = [1]\n[[skin.region]]\nname = \"belly\"\nfaces = [2]\n";
    if (dotted == "body.cache_fps") return "body.cache = \"fox.pc2\"\n";
    if (dotted.starts_with("flesh.bones")) return "flesh.core = \"bones\"\n";
    if (dotted == "flesh.core_region") return "flesh.core = \"region\"\n" + region;
    if (dotted == "body.cache_up") return "body.cache = \"walk.npz\"\n";
    if (dotted.starts_with("skin.constraint.") || dotted.starts_with("scene.force.") ||
        dotted == "wrinkle.region")
      return region;
    return "";
  }
  static std::string in_section(const Section& section, const Key& key) {
    std::string text = "[[" + section.name + "]]\n" + key.name + " = " + key.example + "\n";
    const auto add = [&](const std::string& name, const std::string& value) {
      if (key.name != name) text += name + " = " + value + "\n";
    };
    if (section.name == "skin.region" && key.name == "center") add("radius", "1");
    if (section.name == "skin.region" && key.name == "radius") add("center", "[0, 0, 0]");
    if (section.name == "skin.region" &&
        std::set<std::string>{"name", "use", "above", "corners"}.contains(key.name))
      add("map", "\"group\"");
    if (section.name == "skin.constraint") {
      const bool path = key.name == "points" || key.name == "times";
      add("kind", path ? "\"path\"" : "\"fixed\"");
      add("region", "\"elbow\"");
      if (path) add("points", "[[0, 0, 0], [1, 0, 0]]"), add("times", "[0, 1]");
    }
    if (section.name == "scene.force")
      add("times", "[0, 1, 2]"), add("forces", "[[0, 0, 0], [1, 0, 0], [2, 0, 0]]");
    if (section.name == "wrinkle.layer") add("young", "\"4 MPa\""), add("thickness", "\"1 mm\"");
    if (section.name == "flesh.phase") add("young", "\"1 MPa\""), add("start", "0.4"), add("end", "0.5");
    if (section.name == "figure") add("name", "\"n\""), add("measure", "\"m\"");
    return text;
  }

  test::TemporaryFolder folder_;
};

/// All dotted names, in order.
std::vector<std::string> all_keys() {
  std::vector<std::string> names;
  for (const Section& section : spec())
    for (const Key& key : section.keys) names.push_back(section.name + "." + key.name);
  return names;
}

TEST_F(Spec, EveryKeyIsDocumented) {
  std::set<std::string> seen;
  for (const Section& section : spec()) {
    EXPECT_TRUE(seen.insert(section.name).second);
    EXPECT_THAT(section.doc, testing::EndsWith(".")) << section.name;
    EXPECT_FALSE(section.keys.empty());
    for (const Key& key : section.keys) {
      const std::string dotted = section.name + "." + key.name;
      EXPECT_TRUE(seen.insert(dotted).second) << dotted << " is declared twice";
      EXPECT_EQ(find_key(dotted), &key);
      EXPECT_THAT(key.doc, testing::EndsWith(".")) << dotted;
      EXPECT_FALSE(key.example.empty()) << dotted;
      EXPECT_EQ(key.required, key.default_value.empty() && key.default_words.empty()) << dotted;
      EXPECT_EQ(key.choices.empty(), key.type != KeyType::Choice && key.type != KeyType::Choices) << dotted;
      EXPECT_LT(key.low, key.high) << dotted;
    }
  }
  EXPECT_EQ(find_key("skin"), nullptr);
  EXPECT_EQ(find_key("nothing"), nullptr);
  EXPECT_EQ(all_keys().size() + spec().size(), seen.size());
}

TEST_F(Spec, EveryExampleIsAcceptedAndComesBack) {
  for (const Section& section : spec())
    for (const Key& key : section.keys) {
      const std::string dotted = section.name + "." + key.name;
      const bool avatar = dotted == "body.betas" || dotted == "body.cache_up";
      const std::string body = dotted == "body.make" || dotted == "body.file" || dotted == "body.shot" ? ""
                               : avatar ? "body.file = \"smpl.npz\"\n"
                                        : "body.file = \"fox.glb\"\n";
      const std::string own = section.array ? in_section(section, key) : dotted + " = " + key.example + "\n";
      SCOPED_TRACE(dotted);
      // Keys with their section in their name stand before tables.
      const Shot shot = parse(body + (section.array ? beside(dotted) + own : own + beside(dotted)));
      const std::size_t last = section.count(shot) - 1;
      EXPECT_FALSE(std::holds_alternative<std::monostate>(key.get(shot, last)));
      EXPECT_TRUE(shot.written.contains(
          section.array ? section.name + "[" + std::to_string(last) + "]." + key.name : dotted));
      EXPECT_EQ(parse_shot(to_toml(shot), "r.toml"), shot);
    }
}

TEST_F(Spec, EveryKeyIsBoundToItsOwnMember) {
  for (const Section& section : spec()) {
    Shot plain = parse("body.file = \"fox.glb\"");
    if (section.array) section.append(plain);
    for (const Key& key : section.keys) {
      SCOPED_TRACE(section.name + "." + key.name);
      const TomlNode example = parse_toml("x = " + key.example, "example").children.front();
      const Value value = parse_value(example, key, folder_.path());
      Shot changed = plain;
      key.set(changed, 0, value);
      EXPECT_TRUE(key.get(changed, 0) == value);
      EXPECT_EQ(changed == plain, key.get(plain, 0) == value);
      for (const Key& other : section.keys) {
        if (&other == &key) continue;
        EXPECT_TRUE(other.get(changed, 0) == other.get(plain, 0)) << other.name;
      }
    }
  }
}

TEST_F(Spec, ExplainsEverything) {
  for (const std::string& key : all_keys()) {
    const std::string text = explain(key);
    EXPECT_THAT(text, testing::StartsWith(key + "\n  " + find_key(key)->doc));
    EXPECT_THAT(text, HasSubstr(" = " + find_key(key)->example + "\n"));
  }
  for (const Section& section : spec()) {
    EXPECT_THAT(explain(section.name), HasSubstr(section.doc));
    EXPECT_THAT(explain(""), HasSubstr(section.name + "]"));
  }
  EXPECT_EQ(explain("skin.thickness"),
            "skin.thickness\n"
            "  How thick the skin is.\n"
            "\n"
            "  value    length (in m, or with a unit: m, dm, cm, mm, um, in, ft); or painted\n"
            "  painted  { map = \"slide.png\", low = \"0 mm\", high = \"2 cm\" }: low where the map is 0, "
            "high where it is "
            "1. A map is an image in UV space (.png, .exr), \"vertex_color\", or the name of a vertex group "
            "or attribute of "
            "the character; channel = \"green\" takes another channel than the red one\n"
            "  default  \"1.5 mm\"\n"
            "  range    above 0 m\n"
            "  usual    0.2 mm to 1 cm\n"
            "  used by  eulerian, lagrangian, tracked\n"
            "\n"
            "  [skin]\n"
            "  thickness = { map = \"vertex_color\", low = \"0.5 mm\", high = \"3 mm\" }\n");
  EXPECT_EQ(explain("slide_limit"), explain("skin.slide_limit"));
  EXPECT_THAT(explain("density"),
              testing::AllOf(HasSubstr("skin.density"), HasSubstr("skin.ligament.density")));
}

TEST_F(Spec, ExplainGuessesSlips) {
  const auto mistake = [](const std::string& what) -> std::string {
    try {
      explain(what);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(mistake("skin.thicknes"),
            "no key or section is called \"skin.thicknes\"; did you mean \"skin.thickness\"?");
  EXPECT_EQ(mistake("thicknes"), "no key or section is called \"thicknes\"; did you mean \"thickness\"?");
  EXPECT_EQ(mistake("xyzzyplugh"), "no key or section is called \"xyzzyplugh\"; `cutis explain` lists them");
}

TEST_F(Spec, ReferencePageIsUpToDate) {
  const char* root = std::getenv("CUTIS_ROOT");
  ASSERT_TRUE(root) << "CUTIS_ROOT is not set";
  const std::filesystem::path file = std::filesystem::path(root) / "docs/shot-reference.md";
  if (std::getenv("CUTIS_WRITE_DOCS")) write_file_whole(file, reference_page());
  const Bytes page = read_file(file);
  EXPECT_TRUE(std::string(page.begin(), page.end()) == reference_page())
      << "docs/shot-reference.md differs from the spec; run this test with CUTIS_WRITE_DOCS=1 to write it "
         "anew";
}

TEST_F(Spec, MethodsSayWhatTheyIgnore) {
  const Shot shot = parse(
      "body.file = \"fox.glb\"\n[skin]\nmethod = \"none\"\nthickness = 1\n[[skin.region]]\nfaces = "
      "[1]\n[time]\nfps = "
      "24\npreroll = 1\n[picture]\nlook = \"plain\"");
  const std::string file = (folder_ / "s.toml").string();
  EXPECT_THAT(unused_keys(shot),
              testing::ElementsAre(file + ":4: skin.thickness: method \"none\" cannot use it: it is ignored",
                                   file + ":9: time.preroll: method \"none\" cannot use it: it is ignored"));
  EXPECT_TRUE(unused_keys(default_shot_for(folder_ / "fox.glb")).empty());
}

TEST_F(Spec, KeysOfWrinklesThatAreNotThereAreIgnored) {
  const std::string keys = "body.file = \"fox.glb\"\n[wrinkle]\nseed = 3\nuse = ";
  const std::string layer = "\n[[wrinkle.layer]]\nyoung = \"1 MPa\"\nthickness = \"1 mm\"";
  const std::string file = (folder_ / "s.toml").string();
  const std::string why = "there are no wrinkles: it is ignored; wrinkle.use = true makes some";
  EXPECT_THAT(
      unused_keys(parse(keys + "false" + layer)),
      testing::ElementsAre(file + ":3: wrinkle.seed: " + why, file + ":6: wrinkle.layer.young: " + why,
                           file + ":7: wrinkle.layer.thickness: " + why));
  EXPECT_TRUE(unused_keys(parse(keys + "true" + layer)).empty());
}

TEST_F(Spec, KeysSayWhichMethodsUseThem) {
  const auto users = [](const char* key) { return methods_using(*find_key(key)); };
  EXPECT_THAT(users("body.file"),
              testing::ElementsAre("none", "force_density", "eulerian", "lagrangian", "tracked"));
  EXPECT_THAT(users("skin.surface"),
              testing::ElementsAre("force_density", "eulerian", "lagrangian", "tracked"));
  EXPECT_THAT(users("solver.edge_weights"), testing::ElementsAre("force_density"));
  EXPECT_THAT(users("skin.material.young"), testing::ElementsAre("eulerian", "lagrangian", "tracked"));
  EXPECT_THAT(users("skin.direction.axis"),
              testing::ElementsAre("none", "force_density", "eulerian", "lagrangian", "tracked"));
  EXPECT_THAT(users("skin.direction.prestretch"), testing::ElementsAre("eulerian", "lagrangian", "tracked"));
  EXPECT_THAT(users("scene.gravity"), testing::ElementsAre("eulerian", "tracked"));
  EXPECT_THAT(users("skin.material.viscosity"), testing::ElementsAre("eulerian", "tracked"));
  EXPECT_THAT(users("skin.stickiness"), testing::ElementsAre("eulerian"));
  EXPECT_THAT(users("skin.tracked.lag_gain"), testing::ElementsAre("tracked"));
  EXPECT_THAT(users("wrinkle.law"), users("body.file"));
}

TEST_F(Spec, EveryWordForAMethodIsOneThatIsThere) {
  const std::vector<std::string>& words = find_key("skin.method")->choices;
  ASSERT_EQ(words.size(), methods().size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i], methods()[i].name);
    EXPECT_EQ(static_cast<std::size_t>(methods()[i].id), i);
    const Shot shot = parse("body.file = \"fox.glb\"\nskin.method = \"" + words[i] + "\"");
    EXPECT_TRUE(methods()[i].implemented());
    EXPECT_EQ(&method_of(shot), &methods()[i]);
  }
}

std::string examples_made_active(const std::string& starter) {
  std::string text;
  for (std::size_t i = 0; i < starter.size(); ++i) {
    const bool at_line_start = i == 0 || starter[i - 1] == '\n';
    const bool example = starter[i] == '#' && i + 1 < starter.size() && starter[i + 1] != ' ';
    if (!(at_line_start && example)) text += starter[i];
  }
  return text;
}

TEST_F(Spec, StarterShotsParse) {
  StarterFacts full{"fox.glb", {"Fur", "Eyes \"left\"\n"}, "Fur", {{"Walk", 0.708}, {"Run\\", 1.16}}, true,
                    0.01};
  StarterFacts bare{"fox.glb", {}, "", {}, false, 1};
  std::vector<StarterFacts> cases{full, bare};
  for (const Method& method : methods())
    for (const BodyKind kind : {BodyKind::Unknown, BodyKind::TwoLegs, BodyKind::Face}) {
      cases.push_back(full);
      cases.back().method = method.id;
      cases.back().kind = kind;
    }
  for (const StarterFacts& facts : cases) {
    const std::string text = starter_shot(facts);
    const Shot shot = parse(text);
    EXPECT_EQ(shot.body.scale, facts.scale);
    EXPECT_EQ(shot.body.clip.has_value(), !facts.clips.empty());
    EXPECT_EQ(shot.skin.method, facts.method);
    EXPECT_FALSE(shot.figure.empty());
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 80);
    EXPECT_TRUE(unused_keys(shot).empty()) << fmt::format("{}", fmt::join(unused_keys(shot), "\n"));
    const Shot all = parse(examples_made_active(text));
    EXPECT_TRUE(unused_keys(all).empty()) << fmt::format("{}", fmt::join(unused_keys(all), "\n"));
    EXPECT_EQ(all.skin.region.size(), facts.method == SkinMethod::None ? 1u : 2u);
    EXPECT_EQ(all.wrinkle.region, all.skin.region.back().name);
    EXPECT_GT(all.written.size(), shot.written.size() + 8);
  }
}

}  // namespace
}  // namespace cutis
