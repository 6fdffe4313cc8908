#include <cmath>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/shot/shot.h"
#include "support/support.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;

/// Reads shots beside a character "fox.glb" and a map "slide.png", whose contents nobody looks at.
class ParseShot : public testing::Test {
 protected:
  ParseShot() {
    for (const char* name : {"fox.glb", "slide.png"}) std::ofstream(folder_ / name) << "x";
  }

  Shot parse(const std::string& text) const { return parse_shot(text, folder_ / "s.toml"); }
  Shot with_body(const std::string& text) const { return parse("body.file = \"fox.glb\"\n" + text); }

  /// The message, with the folder taken out of it.
  std::string mistakes(const std::string& text) const {
    try {
      parse(text);
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string prefix = folder_.path().string() + "/";
      for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
        message.erase(at, prefix.size());
      return message;
    }
    return "";
  }
  /// Of a shot whose first line names the body, so that `text` starts at line 2.
  std::string mistake(const std::string& text) const { return mistakes("body.file = \"fox.glb\"\n" + text); }

  test::TemporaryFolder folder_;
};

TEST_F(ParseShot, FillsDefaults) {
  const Shot shot = with_body("");
  EXPECT_EQ(shot.body.file, folder_ / "fox.glb");
  EXPECT_EQ(shot.body.scale, 1.0);
  EXPECT_FALSE(shot.time.fps);
  EXPECT_EQ(shot.skin.method, SkinMethod::None);
  EXPECT_EQ(shot.skin.thickness.value, 0.0015);
  EXPECT_EQ(shot.skin.density.value, 1100.0);
  EXPECT_FALSE(shot.skin.slide_limit);
  EXPECT_EQ(shot.skin.material.model, MaterialModel::Fung);
  EXPECT_EQ(shot.scene.gravity, std::nullopt);
  EXPECT_EQ(shot.output.precision, FramePrecision::Float64);
  EXPECT_FALSE(shot.picture.size.has_value());
  EXPECT_TRUE(shot.skin.region.empty());
  EXPECT_EQ(shot.written, (std::map<std::string, int>{{"body", 1}, {"body.file", 1}}));
}

TEST_F(ParseShot, ReadsEveryKindOfValue) {
  const Shot shot = parse(R"([body]
file = "fox.glb"
mesh = "Fur"
scale = "cm"
[time]
fps = 30
start = "100 ms"
[skin]
method = "lagrangian"
slide_limit = { map = "slide.png", channel = "green", low = 0, high = "2 cm" }
thickness = { map = "vertex_color", low = "1 mm", high = "2 mm" }
direction.prestretch = { map = "taut", low = 1, high = "87.5 %" }
[[skin.region]]
name = "elbow"
center = ["12 cm", 1.1, 0]
radius = "8 cm"
[[skin.region]]
use = "exclude"
map = "eyes"
[[skin.constraint]]
kind = "path"
region = "elbow"
times = [0, "1 s"]
points = [[0, 0, 0], ["4 cm", 0, 0]]
[output]
formats = ["glb", "pc2"]
[[figure]]
name = "largest"
measure = "size"
frames = 12
at_most = 2
with = { percentile = 99, field = "area_ratio", signed = true }
)");
  EXPECT_EQ(shot.body.mesh, std::vector<std::string>{"Fur"});
  EXPECT_EQ(shot.body.scale, 0.01);
  EXPECT_EQ(shot.time.fps, 30.0);
  EXPECT_EQ(shot.time.start, 0.1);
  EXPECT_EQ(shot.skin.method, SkinMethod::Lagrangian);
  const Painted& limit = shot.skin.slide_limit.value();
  EXPECT_EQ(limit.source, Painted::Source::Image);
  EXPECT_EQ(limit.image, folder_ / "slide.png");
  EXPECT_EQ(limit.channel, Channel::Green);
  EXPECT_EQ(limit.low, 0.0);
  EXPECT_EQ(limit.high, 0.02);
  EXPECT_EQ(shot.skin.thickness.source, Painted::Source::VertexColor);
  EXPECT_EQ(shot.skin.direction.prestretch.group, "taut");
  EXPECT_EQ(shot.skin.direction.prestretch.high, 0.875);
  ASSERT_EQ(shot.skin.region.size(), 2u);
  EXPECT_EQ(shot.skin.region[0].center.value(), Vec3(0.12, 1.1, 0));
  EXPECT_EQ(shot.skin.region[0].above, 0.5);
  EXPECT_EQ(shot.skin.region[1].use, RegionUse::Exclude);
  EXPECT_EQ(shot.skin.region[1].map->group, "eyes");
  ASSERT_EQ(shot.skin.constraint.size(), 1u);
  EXPECT_EQ(shot.skin.constraint[0].kind, ConstraintKind::Path);
  EXPECT_EQ(shot.skin.constraint[0].points[1], Vec3(0.04, 0, 0));
  EXPECT_EQ(shot.output.formats, (std::vector<std::string>{"glb", "pc2"}));
  ASSERT_EQ(shot.figure.size(), 1u);
  EXPECT_EQ(shot.figure[0].frames, (FigureFrames{FigureFrames::Which::Number, 12}));
  EXPECT_EQ(std::get<double>(shot.figure[0].with.at("percentile")), 99.0);
  EXPECT_EQ(std::get<bool>(shot.figure[0].with.at("signed")), true);
  EXPECT_EQ(shot.written.at("skin.region[1].map"), 19);
  EXPECT_EQ(shot.place("skin.region[1].map"), (folder_ / "s.toml").string() + ":19: ");

  // All of it comes back from the resolved text, wherever that lies.
  const Shot again = parse_shot(to_toml(shot), "/nowhere/resolved.toml");
  EXPECT_EQ(again, shot);
  EXPECT_EQ(to_toml(again), to_toml(shot));
  EXPECT_EQ(to_json(again), to_json(shot));
  EXPECT_THAT(to_json(shot), testing::HasSubstr("\"high\": 0.02"));
}

TEST_F(ParseShot, ResolvedTextHasTheSameBits) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-6, 3);
  for (int i = 0; i < 50; ++i) {
    Shot shot = with_body("");
    shot.skin.thickness.value = std::pow(10, exponent(random));
    shot.scene.gravity = Vec3(std::pow(10, exponent(random)), -1.0 / 3, 0.1 + 0.2);
    shot.time.end = std::pow(10, exponent(random));
    EXPECT_EQ(parse_shot(to_toml(shot), "r.toml"), shot);
  }
}

TEST_F(ParseShot, NamesUnknownKeys) {
  EXPECT_EQ(mistake("[skin]\nthicknes = 1"),
            "s.toml:3: skin.thicknes: unknown key; did you mean \"thickness\"?");
  EXPECT_EQ(mistake("[skinn]\n"), "s.toml:2: skinn: unknown section; did you mean \"skin\"?");
  EXPECT_EQ(mistake("[skin.materials]\n"),
            "s.toml:2: skin.materials: unknown section; did you mean \"material\"?");
  EXPECT_EQ(mistake("[scene]\nfibres = 1"),
            "s.toml:3: scene.fibres: unknown key; did you mean \"skin.material.fibres\"?");
  EXPECT_EQ(mistake("[scene]\nwhatsoever = 1"),
            "s.toml:3: scene.whatsoever: unknown key; `cutis explain scene` lists the keys");
  EXPECT_EQ(mistake("[garment]\n"), "s.toml:2: garment: unknown section; `cutis explain` lists the sections");
}

TEST_F(ParseShot, NamesWrongTypes) {
  EXPECT_EQ(mistake("[skin]\nthickness = true"),
            "s.toml:3: skin.thickness: wrong type (true); give a number in m, or text such as \"2 ft\"");
  EXPECT_EQ(mistake("[picture]\nwireframe = 1"),
            "s.toml:3: picture.wireframe: wrong type (1); give true or false");
  EXPECT_EQ(mistake("[solver]\nmax_iterations = 1.5"),
            "s.toml:3: solver.max_iterations: wrong type (1.5); give a whole number");
  EXPECT_EQ(mistake("[solver]\ntolerance = \"x\""),
            "s.toml:3: solver.tolerance: wrong type (\"x\"); give a number");
  EXPECT_EQ(mistake("[time]\nend = 2020-01-01"),
            "s.toml:3: time.end: wrong type (a date or time); give a number in s, or text such as \"2 min\"");
  EXPECT_EQ(mistake("[scene]\ngravity = [0, 1]"),
            "s.toml:3: scene.gravity: wrong type (a list of 2); give three numbers: [x, y, z]");
  EXPECT_EQ(mistake("skin = 3"), "s.toml:2: skin: wrong type (3); write it as a table, [skin]");
  EXPECT_EQ(mistake("[figure]\nname = \"x\""),
            "s.toml:2: figure: wrong type (a table); there may be several: write [[figure]]");
  EXPECT_EQ(mistake("figure = [1]"), "s.toml:2: figure: wrong type (1); write it as [[figure]]");
  EXPECT_EQ(mistake("[picture]\nsize = [100]"), "s.toml:3: picture.size: wrong length (1); give 2 values");
}

TEST_F(ParseShot, NamesWrongValues) {
  EXPECT_EQ(mistake("[skin]\nthickness = \"2 kg\""),
            "s.toml:3: skin.thickness: \"2 kg\" is a mass, not a length; use m, dm, cm, mm, um, in, ft");
  EXPECT_EQ(mistake("[skin]\nthickness = \"0 mm\""),
            "s.toml:3: skin.thickness: out of range (\"0 mm\"); must be above 0 m");
  EXPECT_EQ(mistake("[skin]\nstickiness = 1.5"),
            "s.toml:3: skin.stickiness: out of range (1.5); must be at least 0, at most 1");
  EXPECT_EQ(mistake("[skin]\nthickness = nan"), "s.toml:3: skin.thickness: not a finite number (nan)");
  EXPECT_EQ(mistake("[time]\nend = inf"), "s.toml:3: time.end: not a finite number (inf)");
  EXPECT_EQ(mistake("[skin]\nmethod = \"lagrangean\""),
            "s.toml:3: skin.method: unknown word (\"lagrangean\"); give one of \"none\", \"force_density\", "
            "\"eulerian\", \"lagrangian\", \"tracked\"; did you mean \"lagrangian\"?");
  EXPECT_EQ(mistake("[[figure]]\nname = \"a\"\nmeasure = \"b\"\nframes = 0"),
            "s.toml:5: figure.frames: out of range (0); frames count from 1");
  EXPECT_THAT(mistake("[solver]\nmax_iterations = 99999999999999999999"), testing::StartsWith("s.toml:3:"));
}

TEST_F(ParseShot, NamesFleshWhoseStiffPhaseIsNone) {
  EXPECT_EQ(mistake("[flesh]\ninertia = [1, 0]"),
            "s.toml:3: flesh.inertia: 2 shares for 0 of inertia_times; give one for each");
  EXPECT_EQ(mistake("[[flesh.phase]]\nyoung = \"50 kPa\"\nstart = 0.4\nend = 0.5"),
            "s.toml:3: flesh.phase.young: below that of the phase before (50000 Pa, 100000 Pa); each phase "
            "is stiffer than the one before");
  EXPECT_EQ(mistake("[[flesh.phase]]\nyoung = \"1 MPa\"\nstart = 0.6\nend = 0.5"),
            "s.toml:5: flesh.phase.end: not above start (0.5, 0.6)");
  EXPECT_EQ(mistake("[flesh]\nbiphasic_start = 0.3\nbiphasic_end = 0.2"),
            "s.toml:4: flesh.biphasic_end: not above biphasic_start (0.2, 0.3)");
  EXPECT_EQ(
      mistake("[flesh]\nbiphasic_young = \"1 kPa\""),
      "s.toml:3: flesh.biphasic_young: below young (1000 Pa, 10000 Pa); the stiff phase is the stiffer one");
}

TEST_F(ParseShot, NamesWhatWrinklesCannotHave) {
  EXPECT_EQ(mistake("[wrinkle]\nregion = \"brow\"\n[[skin.region]]\nname = \"brows\"\nfaces = [1]"),
            "s.toml:3: wrinkle.region: no [[skin.region]] has this name (\"brow\"); did you mean \"brows\"?");
  EXPECT_EQ(mistake("[[wrinkle.layer]]\nyoung = \"1 MPa\""),
            "s.toml:2: wrinkle.layer.thickness: missing; add for instance thickness = \"1.3 mm\"");
  EXPECT_EQ(mistake("[[wrinkle.layer]]\nyoung = 1\nthickness = 1\nmap = \"fox.glb\""),
            "s.toml:5: wrinkle.layer.map: maps are .png or .exr (\"fox.glb\")");
  const std::string fibres =
      "[wrinkle]\nuse = true\n[[wrinkle.layer]]\nyoung = 1\nthickness = 1\nfibre_ratio = 4";
  EXPECT_EQ(
      mistake(fibres),
      "s.toml:7: wrinkle.layer.fibre_ratio: nothing says which way the fibres run; give [skin.direction] "
      "langer, axis or file");
  EXPECT_NO_THROW(with_body(fibres + "\n[skin.direction]\naxis = [1, 0, 0]"));
  EXPECT_EQ(mistake("[wrinkle]\ngive = \"1 mm\""),
            "s.toml:3: wrinkle.give: \"1 mm\" is a length, not a compliance; use m/Pa, mm/kPa, mm/MPa");
  EXPECT_EQ(mistake("[wrinkle]\noutput_level = 9"),
            "s.toml:3: wrinkle.output_level: out of range (9); must be at least 0, at most 8");
}

TEST_F(ParseShot, NamesWrongPaintedValues) {
  EXPECT_EQ(mistake("[skin]\nthickness = { map = \"slid.png\", low = 1, high = 2 }"),
            "s.toml:3: skin.thickness: no such file (\"slid.png\"); looked for \"slid.png\"; did you mean "
            "\"slide.png\"?");
  EXPECT_EQ(mistake("[skin]\nthickness = { map = \"slide.jpg\", low = 1, high = 2 }"),
            "s.toml:3: skin.thickness: maps are .png or .exr (\"slide.jpg\")");
  EXPECT_EQ(
      mistake("[skin]\nthickness = { map = \"slide.png\", low = 1 }"),
      "s.toml:3: skin.thickness: a painted value needs low and high: what 0 and 1 in the map stand for");
  EXPECT_EQ(mistake("[skin]\nthickness = { low = 1, high = 2 }"),
            "s.toml:3: skin.thickness: a painted value needs its map: { map = \"slide.png\", low = ..., high "
            "= ... }");
  EXPECT_EQ(mistake("[skin]\nthickness = { map = \"g\", low = 1, hgh = 2 }"),
            "s.toml:3: skin.thickness: unknown name \"hgh\" in a painted value; it has map, channel, low, "
            "high; did you "
            "mean \"high\"?");
  EXPECT_EQ(mistake("[skin]\nthickness = { map = \"g\", low = -1, high = 2 }"),
            "s.toml:3: skin.thickness: out of range (-1); must be above 0 m");
}

TEST_F(ParseShot, NamesMissingThings) {
  EXPECT_EQ(mistakes(""),
            "s.toml: body.file: missing; name a character file, a procedural body with body.make, or "
            "another shot with body.shot");
  EXPECT_EQ(
      mistakes("body.file = \"fix.glb\""),
      "s.toml:1: body.file: no such file (\"fix.glb\"); looked for \"fix.glb\"; did you mean \"fox.glb\"?");
  EXPECT_EQ(mistakes("body.file = \".\""), "s.toml:1: body.file: a folder without a result in it (\".\")");
  EXPECT_EQ(mistakes("body.file = \"a\\u0000b\""), "s.toml:1: body.file: not a path (\"a\\u0000b\")");
  EXPECT_EQ(mistake("[[figure]]\nmeasure = \"size\""),
            "s.toml:2: figure.name: missing; add for instance name = \"nothing jumps\"");
  EXPECT_EQ(mistake("[[skin.constraint]]\nkind = \"path\""),
            "s.toml:2: skin.constraint.region: missing; add for instance region = \"elbow\"");
  EXPECT_THROW(read_shot(folder_ / "none.toml"), InputError);
  EXPECT_THROW(default_shot_for(folder_ / "none.glb"), InputError);
}

TEST_F(ParseShot, NamesKeysThatDoNotGoTogether) {
  EXPECT_EQ(mistake("body.make = \"arm\""),
            "s.toml:2: body.make: cannot stand beside body.file; keep one of them");
  EXPECT_EQ(mistake("body.cache_fps = 24"),
            "s.toml:2: body.cache_fps: says nothing without body.cache or numbered files");
  EXPECT_EQ(mistake("[time]\nstart = 2\nend = 1"),
            "s.toml:4: time.end: before time.start (1 s, 2 s); let the shot end after it starts");
  EXPECT_EQ(mistake("[[skin.region]]\nname = \"a\""),
            "s.toml:2: skin.region: chosen in 0 ways; give one of: material, part, map, faces, vertices, "
            "border, or center and radius");
  EXPECT_EQ(mistake("[[skin.region]]\nradius = 1"),
            "s.toml:2: skin.region.center: missing; center and radius go together");
  EXPECT_EQ(mistake("[[skin.region]]\nname = \"wrist\"\nfaces = [1]\n[[skin.constraint]]\nkind = \"fixed\"\n"
                    "region = \"wrst\""),
            "s.toml:7: skin.constraint.region: no [[skin.region]] has this name (\"wrst\"); did you mean "
            "\"wrist\"?");
  EXPECT_EQ(mistake("[[scene.force]]\ntimes = [0, 1]\nforces = [[0, 0, 0]]"),
            "s.toml:3: scene.force.times: 2 times for 1 forces; give one for each");
  EXPECT_EQ(mistake("[[scene.force]]\ntimes = [1, 1]\nforces = [[0, 0, 0], [0, 0, 0]]"),
            "s.toml:3: scene.force.times: times must rise (1 s after 1 s)");
  EXPECT_EQ(mistake("[[figure]]\nname = \"a\"\nmeasure = \"b\"\nat_most = 1\nat_least = 2"),
            "s.toml:5: figure.at_most: below at_least (1, 2): nothing can hold");
}

TEST_F(ParseShot, ReportsAllMistakesByLine) {
  EXPECT_EQ(mistakes("[skin]\nthicknes = 1\nmethod = 3\n[time]\nend = \"1 kg\"\n[skim]\n"),
            "s.toml: body.file: missing; name a character file, a procedural body with body.make, or "
            "another shot with body.shot\n"
            "s.toml:2: skin.thicknes: unknown key; did you mean \"thickness\"?\n"
            "s.toml:3: skin.method: wrong type (3); give one of \"none\", \"force_density\", \"eulerian\", "
            "\"lagrangian\", \"tracked\"\n"
            "s.toml:5: time.end: \"1 kg\" is a mass, not a time; use s, ms, us, min\n"
            "s.toml:6: skim: unknown section; did you mean \"skin\"?");
}

TEST_F(ParseShot, NamesSyntaxErrorsByLineAndColumn) {
  EXPECT_THAT(mistake("[skin]\nmethod = none"),
              testing::AllOf(testing::StartsWith("s.toml:3:11: not TOML: "),
                             testing::EndsWith("; text stands in \"quotes\"")));
  EXPECT_THAT(mistake("[skin\n"), testing::StartsWith("s.toml:2:6: not TOML: "));
  EXPECT_THAT(mistake("[skin]\n[skin]\n"), testing::StartsWith("s.toml:3:"));
  // Where a table of the parser itself has gaps: letters beyond ASCII and beyond the plane's last blanks.
  for (const char* text : {"[(skin]\n", "über = 1\n", "a\xEF\xBB\xAF = 1\n"})
    EXPECT_THAT(mistake(text), testing::StartsWith("s.toml:2:")) << text;
}

TEST_F(ParseShot, BoundsWhatItSays) {
  std::string unknown, regions;
  for (int i = 0; i < 150; ++i) unknown += "key" + std::to_string(i) + " = 1\n";
  EXPECT_THAT(mistake(unknown), testing::EndsWith("s.toml: and 50 more mistakes"));
  for (int i = 0; i < 1001; ++i) regions += "[[skin.region]]\nfaces = [1]\n";
  EXPECT_EQ(mistake(regions), "s.toml:2: skin.region: 1001 tables; give at most 1000");
  EXPECT_EQ(mistake("\"" + std::string(300, 'k') + "\" = 1"),
            "s.toml:2: \"" + std::string(60, 'k') + "...\": unknown key; `cutis explain` lists the sections");
}

TEST_F(ParseShot, ReadsFiles) {
  std::ofstream(folder_ / "s.toml") << "body.file = \"fox.glb\"\n";
  EXPECT_EQ(read_shot(folder_ / "s.toml"), with_body(""));
  fs::resize_file(folder_ / "fox.glb", std::size_t{3} << 20);
  try {
    read_shot(folder_ / "fox.glb");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              (folder_ / "fox.glb").string() + ": 3 MiB is too large for a shot; is it another file?");
  }
}

TEST_F(ParseShot, SurvivesDeepNesting) {
  std::string keys = "a", tables = "[a", inline_tables;
  for (int i = 0; i < 200000; ++i) keys += ".a", tables += ".a";
  EXPECT_EQ(mistakes(keys + " = 1"), "s.toml:1: a key of more than 32 parts; no shot has one");
  EXPECT_EQ(mistakes(tables + "]"), "s.toml:1: a key of more than 32 parts; no shot has one");
  std::string deep = "a";
  for (int i = 0; i < 30; ++i) deep += ".a";
  for (int i = 0; i < 250; ++i) inline_tables += "{ " + deep + " = ";
  const std::string too_deep = "s.toml:2: lists or tables more than 16 deep in each other; no shot has them";
  EXPECT_EQ(mistake("x = " + inline_tables + "1" + std::string(250, '}')), too_deep);
  EXPECT_EQ(mistake("x = " + inline_tables), too_deep);
  EXPECT_EQ(mistake("x = " + std::string(100000, '[')), too_deep);
  EXPECT_EQ(mistake("x = " + std::string(17, '[') + std::string(17, ']')), too_deep);
  EXPECT_THAT(mistake("x = " + std::string(16, '[') + std::string(16, ']')),
              testing::HasSubstr("x: unknown"));
  EXPECT_THROW(parse("x = \"" + std::string(std::size_t{17} << 20, 'y') + "\""), InputError);
  EXPECT_NO_THROW(with_body("# " + std::string(500, '.')));
}

TEST_F(ParseShot, GarbageIsAnInputErrorAndNothingElse) {
  const std::string valid =
      to_toml(with_body("[skin]\nslide_limit = { map = \"slide.png\", low = 0, high = 1 "
                        "}\n[[skin.region]]\nname = \"a\"\nfaces = [1, 2]\n"
                        "[[skin.constraint]]\nkind = \"fixed\"\nregion = \"a\"\n[[scene.force]]\ntimes = "
                        "[0]\nforces = [[0, 1, 2]]\n"
                        "[[figure]]\nname = \"f\"\nmeasure = \"m\"\nwith = { a = 1 }"));
  const std::vector<std::string> pieces = {"nan",
                                           "inf",
                                           "-1e308",
                                           "[[",
                                           "]]",
                                           "{",
                                           "}",
                                           "\"",
                                           "'''",
                                           "= ",
                                           "\n",
                                           "\\u0000",
                                           "9223372036854775807",
                                           "1979-05-27T07:32:00Z",
                                           ".",
                                           "[]",
                                           "\xff",
                                           "\xc3",
                                           "#",
                                           "skin.region",
                                           "\"1 mm\"",
                                           "\xef\xbb\xbf",
                                           "true",
                                           "\t",
                                           "0x7fffffff"};
  std::mt19937_64 random(3);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int accepted = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = valid;
    for (std::size_t edits = 1 + below(2); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 4:  // another number
          if (const auto digit = text.find_first_of("0123456789", at); digit != std::string::npos)
            text[digit] = static_cast<char>('0' + below(10));
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, pieces[below(pieces.size())]);
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(80)));
      }
    }
    try {
      const Shot shot = parse(text);
      EXPECT_EQ(parse(to_toml(shot)), shot) << text;
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()), "");
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

TEST_F(ParseShot, APresetSetsWhatIsNotGiven) {
  Shot membrane = with_body("skin.material.compression = 0.5\nskin.preset = \"membrane\"\n");
  EXPECT_EQ(membrane.skin.preset, SkinDefaults::Membrane);
  membrane.skin.preset = SkinDefaults::Living;
  EXPECT_EQ(membrane, with_body("skin.border = \"held\"\nskin.drag = 0\nskin.slide_speed = 0\n"
                                "skin.ligament.use = false\nskin.tracked.retarget_time = 0\n"
                                "[skin.material]\nmodel = \"stable_neo_hookean\"\ncompression = 0.5\n"
                                "fibres = 0\nbiphasic = false\n"));
}

TEST_F(ParseShot, MakesAShotForACharacterAlone) {
  const Shot shot = default_shot_for(folder_ / "fox.glb");
  EXPECT_EQ(shot, with_body(""));
  EXPECT_TRUE(shot.written.empty());
}

}  // namespace
}  // namespace cutis
