#include "cutis/shot/settings/wrinkle_settings.h"

#include <cmath>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/critical_wavelength.h"
#include "support/meshes.h"
#include "support/still_body.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A flat sheet of 1 x 1 m: n by n quads whose texture coordinates are x and y.
SourceMesh square(int n, bool uvs = true) {
  const Mesh sheet = test::quad_sheet(n, n, 0, 1);
  SourceMesh source;
  for (const Vec3& p : sheet.positions) source.positions.push_back(p);
  for (FaceId f : ids<FaceId>(sheet.face_count())) {
    std::vector<SourceVertexId> corners;
    for (VertexId v : sheet.face(f)) corners.push_back(SourceVertexId(v.value));
    source.add_face(corners);
  }
  if (uvs) source.uvs = sheet.uvs;
  return source;
}

/// Layers whose wrinkles are large enough for a square metre: 0.1 and 0.05 m.
constexpr const char* kLayers = R"(
[[wrinkle.layer]]
young = "1 MPa"
thickness = "2 cm"
wavelength = "10 cm"
[[wrinkle.layer]]
young = "10 MPa"
thickness = "1 mm"
wavelength = "5 cm"
)";

class WrinkleSettings : public testing::Test {
 protected:
  WrinkleSettings() {
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(said_)));
  }
  ~WrinkleSettings() override { set_logger(nullptr); }

  Shot shot(const std::string& text) const {
    return parse_shot("body.make = \"sphere\"\n" + text, folder_ / "s.toml");
  }
  WrinkleOptions options(const std::string& text) {
    shot_ = shot(text);
    return wrinkle_options(SkinSettings(shot_, body_));
  }
  std::unique_ptr<SubdividedBody> finer(const std::string& text) {
    shot_ = shot(text);
    const SkinSettings settings(shot_, body_);
    return wrinkled_body(settings, wrinkle_options(settings));
  }
  std::string error(const std::string& text, const Body& body) {
    try {
      shot_ = shot(text);
      const SkinSettings settings(shot_, body);
      wrinkled_body(settings, wrinkle_options(settings));
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  /// At a vertex of the square with this x; the middles of two pixels side by side are at 0.25 and 0.75.
  LayerProperties at_pixel(const WrinkleLayer& layer, double x) const {
    const Mesh& mesh = body_.triangles().mesh;
    for (FaceId t : ids<FaceId>(mesh.face_count()))
      for (int k = 0; k < 3; ++k)
        if (mesh.positions[mesh.face(t)[at(k)]].x() == x) return layer.painted({t, Vec3::Unit(k)});
    return {};
  }
  static FloatImage two_pixels(std::array<float, 3> left, std::array<float, 3> right) {
    FloatImage image(2, 1, 3);
    std::copy(left.begin(), left.end(), image.pixel(0, 0));
    std::copy(right.begin(), right.end(), image.pixel(1, 0));
    return image;
  }

  test::TemporaryFolder folder_;
  test::StillBody body_{square(8)};
  Shot shot_ = shot("");
  std::ostringstream said_;
};

TEST_F(WrinkleSettings, DefaultsAreThoseOfTheOptions) {
  const WrinkleOptions mine = options("wrinkle.max_vertices = 50000000\nwrinkle.edge = 0.5"), theirs;
  ASSERT_EQ(mine.layers.size(), 2u);
  EXPECT_EQ(mine.layers[0].reference.young, 4e6);
  EXPECT_EQ(mine.layers[0].reference.thickness, 1.3e-3);
  EXPECT_EQ(mine.layers[1].reference.young, 600e6);
  EXPECT_EQ(mine.layers[1].reference.thickness, 0.12e-3);
  for (const WrinkleLayer& layer : mine.layers) {
    EXPECT_EQ(layer.reference.wavelength, 0);
    EXPECT_EQ(layer.poisson, WrinkleLayer().poisson);
    EXPECT_EQ(layer.density, WrinkleLayer().density);
    EXPECT_EQ(layer.law, WrinkleLayer().law);
    EXPECT_FALSE(layer.painted);
  }
  EXPECT_EQ(mine.substrate.young, theirs.substrate.young);
  EXPECT_EQ(mine.substrate.thickness, theirs.substrate.thickness);
  EXPECT_EQ(mine.law, theirs.law);
  EXPECT_EQ(mine.law_factor, theirs.law_factor);
  EXPECT_EQ(mine.solver, theirs.solver);
  EXPECT_TRUE(mine.region.empty());
  EXPECT_EQ(mine.fade, theirs.fade);
  EXPECT_EQ(mine.support, theirs.support);
  EXPECT_EQ(mine.give, theirs.give);
  EXPECT_EQ(mine.imperfection, theirs.imperfection);
  EXPECT_EQ(mine.seed, theirs.seed);
  EXPECT_EQ(mine.load_step, theirs.load_step);
  EXPECT_EQ(mine.damping, theirs.damping);
  EXPECT_EQ(mine.adaptive, theirs.adaptive);
  EXPECT_EQ(mine.smallest_edge, theirs.smallest_edge);
  EXPECT_EQ(mine.contact, theirs.contact);
  const Shot plain = shot("");
  EXPECT_EQ(plain.wrinkle.edge, theirs.edge);
  EXPECT_EQ(plain.wrinkle.max_vertices, theirs.max_vertices);
}

/// The exponential of skin of 100 kPa, as much stiffer as the layer is.
TEST_F(WrinkleSettings, ALayerStiffensAsTheSkinDoes) {
  const WrinkleOptions o =
      options(std::string("skin.material.young = \"100 kPa\"\nskin.material.fung_stiffness = \"1 kPa\"\n"
                          "skin.material.fung_exponent = 2\n[wrinkle]\nedge = 0.25\n") +
              kLayers + "model = \"fung\"\n");
  EXPECT_EQ(o.layers[0].law.model, MaterialModel::NeoHookean);
  const SkinLaw& law = o.layers[1].law;
  EXPECT_EQ(law.model, MaterialModel::Fung);
  EXPECT_EQ(law.young, 10e6);
  EXPECT_NEAR(law.fung_stiffness, 100e3, 1e-6);
  EXPECT_EQ(law.fung_exponent, 2);
}

TEST_F(WrinkleSettings, EveryKeyComesThrough) {
  const WrinkleOptions o = options(std::string(R"([wrinkle]
law = "layer"
law_factor = 2
solver = "dynamic"
substrate_young = "1 kPa"
substrate_thickness = "1 cm"
fade = 3
support = 0.5
give = "1 mm/kPa"
edge = 0.25
imperfection = 0.02
seed = 9
load_step = 0.02
damping = "5 1/s"
adaptive = false
smallest_edge = "2 mm"
contact = false
max_vertices = 1234567)") + kLayers +
                                   "poisson = 0.25\ndensity = 900\n");
  EXPECT_EQ(o.law, WavelengthLaw::Layer);
  EXPECT_EQ(o.law_factor, 2);
  EXPECT_EQ(o.solver, WrinkleSolver::Dynamic);
  EXPECT_EQ(o.substrate.young, 1000);
  EXPECT_EQ(o.substrate.thickness, 0.01);
  EXPECT_EQ(o.fade, 3);
  EXPECT_EQ(o.support, 0.5);
  EXPECT_EQ(o.give, 1e-6);
  EXPECT_EQ(o.edge, 0.25);
  EXPECT_EQ(o.imperfection, 0.02);
  EXPECT_EQ(o.seed, 9u);
  EXPECT_EQ(o.load_step, 0.02);
  EXPECT_EQ(o.damping, 5);
  EXPECT_FALSE(o.adaptive);
  EXPECT_EQ(o.smallest_edge, 0.002);
  EXPECT_FALSE(o.contact);
  EXPECT_EQ(o.max_vertices, 1234567);
  ASSERT_EQ(o.layers.size(), 2u);
  EXPECT_EQ(o.layers[0].reference.wavelength, 0.1);
  EXPECT_EQ(o.layers[1].poisson, 0.25);
  EXPECT_EQ(o.layers[1].density, 900);
}

TEST_F(WrinkleSettings, ARegionIsItsTriangles) {
  const std::string region = "[[skin.region]]\nname = \"few\"\nuse = \"name\"\nfaces = [0, 9]\n";
  const WrinkleOptions o = options("wrinkle.region = \"few\"\n" + region + kLayers);
  ASSERT_EQ(o.region.size(), body_.triangles().mesh.face_count());
  for (FaceId t : ids<FaceId>(o.region.size())) {
    const FaceId polygon = body_.triangles().polygon[t];
    EXPECT_EQ(o.region[t.index()], polygon == FaceId(0) || polygon == FaceId(9)) << t.index();
  }
  const auto shown = finer("wrinkle.region = \"few\"\nwrinkle.output_level = 1\n" + region + kLayers);
  EXPECT_EQ(shown->mesh().face_count(), 64u + 2 * 3);
  const auto finer_regions = regions_on(*shown, find_regions(shot_, body_));
  EXPECT_EQ(finer_regions.front().faces.size(), 8u);
  const std::vector<char> inside = region_vertices(finer_regions, *shown).at("few");
  EXPECT_EQ(inside.size(), shown->source().vertex_count());
  // Faces 0 and 9 share a corner: twice nine vertices, but one.
  EXPECT_EQ(std::ranges::count(inside, 1), 17);
}

/// On a smooth surface a disk is one, whatever the faces below it: its outline lies within the faces of the
/// result, not those of the body.
TEST_F(WrinkleSettings, ARegionHasItsOwnOutlineOnASmoothSurface) {
  const std::string disk =
      "wrinkle.region = \"disk\"\n[[skin.region]]\nname = \"disk\"\nuse = \"name\"\n"
      "center = [0.5, 0.5, 0]\nradius = \"30 cm\"\n";
  const auto area = [&](const std::string& text) {
    shot_ = shot(text + disk + kLayers);
    const SkinSettings settings(shot_, body_);
    const WrinkleOptions coarse = wrinkle_options(settings);
    const auto shown = wrinkled_body(settings, coarse);
    const std::vector<Region> regions = wrinkled_regions(settings, coarse, *shown);
    const WrinkleOptions fine = options_on(*shown, settings, regions, coarse);
    EXPECT_EQ(std::ranges::count(fine.region, 1), 2 * std::ssize(region_named(regions, "disk").faces));
    const Mesh& mesh = shown->triangles().mesh;
    const std::vector<double> areas = triangle_areas(mesh.positions.raw(), index_triangles(mesh));
    double sum = 0;
    for (std::size_t t = 0; t < areas.size(); ++t) sum += fine.region[t] ? areas[t] : 0;
    return sum;
  };
  const double whole = 3.14159265 * 0.3 * 0.3;
  EXPECT_NEAR(area(""), whole, 0.07 * whole);
  EXPECT_LT(area("wrinkle.surface = \"polygon\"\n"), 0.85 * whole);
}

TEST_F(WrinkleSettings, APngHoldsFactors) {
  const float grey = 128.0f / 255;
  write_png_map(folder_ / "map.png", two_pixels({grey, 1, 0}, {0, grey, grey}));
  const WrinkleOptions o = options(std::string("wrinkle.edge = 0.25\n") + kLayers + "map = \"map.png\"\n");
  const double black = std::pow(4, -256.0 / 255), white = std::pow(4, 254.0 / 255);
  const LayerProperties left = at_pixel(o.layers[1], 0.25), right = at_pixel(o.layers[1], 0.75);
  EXPECT_NEAR(left.wavelength, 0.05, 1e-6);
  EXPECT_NEAR(left.young, white * 10e6, 10);
  EXPECT_NEAR(left.thickness, black * 1e-3, 1e-8);
  EXPECT_NEAR(right.wavelength, black * 0.05, 1e-6);
  EXPECT_NEAR(right.young, 10e6, 10);
  EXPECT_NEAR(right.thickness, 1e-3, 1e-8);
  // Half-way between the pixels a factor is the geometric mean of theirs.
  EXPECT_NEAR(at_pixel(o.layers[1], 0.5).young, std::sqrt(white) * 10e6, 10);
}

TEST_F(WrinkleSettings, RedThatIsGreyLeavesTheWavelengthToTheLayers) {
  const float grey = 128.0f / 255, nearly = 127.0f / 255;
  const std::string layer =
      "[[wrinkle.layer]]\nyoung = \"1 MPa\"\nthickness = \"2 cm\"\nmap = \"map.png\"\n"
      "[wrinkle]\nsubstrate_thickness = \"50 cm\"\n";
  write_png_map(folder_ / "map.png", two_pixels({grey, 1, 1}, {nearly, 1, 1}));
  EXPECT_EQ(at_pixel(options(layer).layers[0], 0.25).wavelength, 0);
  write_png_map(folder_ / "map.png", two_pixels({1, 1, 1}, {1, 1, 1}));
  const WrinkleOptions o = options(layer);
  const double computed = wavelength_of(o, {o.layers[0].reference}, 0);
  EXPECT_NEAR(at_pixel(o.layers[0], 0.25).wavelength, std::pow(4, 254.0 / 255) * computed, 1e-6 * computed);
}

TEST_F(WrinkleSettings, AnExrHoldsValues) {
  write_exr(folder_ / "map.exr", two_pixels({0.2f, 5e6f, 0.003f}, {0, 5e6f, 0}));
  const WrinkleOptions o = options(std::string(kLayers) + "map = \"map.exr\"\n");
  for (const double x : {0.25, 0.75}) {
    const LayerProperties there = at_pixel(o.layers[1], x);
    EXPECT_NEAR(there.young, 5e6, 1);
    EXPECT_NEAR(there.wavelength, x < 0.5 ? 0.2 : 0.05, 1e-7);
    EXPECT_NEAR(there.thickness, x < 0.5 ? 0.003 : 0.001, 1e-9);
  }
}

TEST_F(WrinkleSettings, TheLevelFollowsFromTheSmallestWavelength) {
  // Edges of 12.5 cm; an eighth of 5 cm is 6.25 mm: five levels, 3.9 mm.
  const auto shown = finer(kLayers);
  EXPECT_EQ(shown->mesh().face_count(), 64u << 10);
  EXPECT_THAT(said_.str(), AllOf(HasSubstr("wrinkles of 50 mm and more are given on 66049 vertices"),
                                 HasSubstr("subdivided 5 times, to edges of up to 3.91 mm")));
  EXPECT_EQ(finer(std::string("wrinkle.output_level = 2\n") + kLayers)->mesh().face_count(), 64u << 4);
  // A painted wavelength of a quarter asks for two more.
  write_png_map(folder_ / "map.png", two_pixels({0, 0, 0}, {0, 0, 0}));
  EXPECT_EQ(finer(std::string("wrinkle.output_level = 0\n") + kLayers)->mesh().face_count(), 64u);
  EXPECT_EQ(
      finer(std::string("[wrinkle]\nmax_vertices = 2000000\nedge = 0.5") + kLayers + "map = \"map.png\"\n")
          ->mesh()
          .face_count(),
      64u << 14);
}

TEST_F(WrinkleSettings, TheVertexBudgetBoundsTheLevel) {
  const auto shown = finer(std::string("[wrinkle]\nmax_vertices = 20000\nedge = 0.5\n") + kLayers);
  EXPECT_EQ(shown->mesh().face_count(), 64u << 8);
  EXPECT_THAT(said_.str(), AllOf(HasSubstr("s.toml: wrinkle.output_level: 4 in place of 5, with which the "
                                           "result would have 66049 vertices"),
                                 HasSubstr("raise wrinkle.max_vertices")));
  EXPECT_THAT(
      error(std::string("[wrinkle]\nmax_vertices = 20000\nedge = 0.5\noutput_level = 5\n") + kLayers, body_),
      HasSubstr("s.toml:5: wrinkle.output_level: the result would have 66049 vertices, more than "
                "wrinkle.max_vertices (20000); take a lower level"));
}

TEST_F(WrinkleSettings, WhatCannotBeTogetherIsRefused) {
  const std::string give = "wrinkle.give = \"1 mm/kPa\"\nwrinkle.coupling = \"both\"\n";
  EXPECT_THAT(error(give + kLayers, body_),
              HasSubstr("s.toml:2: wrinkle.give: layers that are solved together cannot give way"));
  EXPECT_EQ(error(give + "[[wrinkle.layer]]\nyoung = 1e6\nthickness = 0.001\nwavelength = 0.1\n", body_),
            "no error");
  EXPECT_THAT(error(std::string("wrinkle.smallest_edge = \"2.6 mm\"\n") + kLayers, body_),
              AllOf(HasSubstr("s.toml:2: wrinkle.smallest_edge: 2.6 mm, but wrinkles need edges of 5 mm"),
                    HasSubstr("take 2.5 mm or less")));
  EXPECT_EQ(error(std::string("wrinkle.smallest_edge = \"2.5 mm\"\n") + kLayers, body_), "no error");
}

TEST_F(WrinkleSettings, LayersWithTooManyVerticesAreRefused) {
  // A square metre with edges of 5 mm: 1 / (sqrt(3)/2 · 25e-6).
  EXPECT_THAT(
      error(std::string("wrinkle.max_vertices = 40000\n") + kLayers, body_),
      AllOf(HasSubstr("s.toml:2: wrinkle.max_vertices: layer 2 would have about 4.6e+04 vertices, more "
                      "than 40000: its wrinkles have a wavelength of 50 mm and 10 edges in each"),
            HasSubstr("wrinkle.region")));
  EXPECT_EQ(error(std::string("wrinkle.max_vertices = 70000\n") + kLayers, body_), "no error");
}

TEST_F(WrinkleSettings, MapsThatCannotBeUsedAreNamed) {
  const std::string text = std::string(kLayers) + "map = \"map.png\"\n";
  FloatImage grey(2, 2, 1);
  write_png_map(folder_ / "map.png", grey);
  EXPECT_THAT(error(text, body_),
              AllOf(HasSubstr("s.toml:11: wrinkle.layer.map: "), HasSubstr("no colours")));
  const test::StillBody bare(square(8, false));
  EXPECT_THAT(error(text, bare),
              HasSubstr("s.toml:11: wrinkle.layer.map: the body has no texture coordinates"));
  write_exr(folder_ / "map.exr", two_pixels({1, NAN, 1}, {1, 1, 1}));
  EXPECT_THAT(error(std::string(kLayers) + "map = \"map.exr\"\n", body_),
              HasSubstr("is not finite at column 0, row 0"));
}

}  // namespace
}  // namespace cutis
