#include "cutis/shot/settings/regions.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Shot shot_with(const std::string& regions, const std::string& body = "sphere") {
  return parse_shot("[body]\nmake = \"" + body + "\"\n" + regions, "a.toml");
}

std::vector<Region> regions_of(const Shot& shot) { return find_regions(shot, *open_body(shot.body)); }

std::string complaint(const std::string& text) {
  try {
    regions_of(shot_with(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Regions, ACapIsAsLargeAsItsRadiusSays) {
  const Shot shot = shot_with("[[skin.region]]\ncenter = [0, 0.1, 0]\nradius = 0.05\n");
  const auto body = open_body(shot.body);
  const Mesh& mesh = body->mesh();
  const double radius = mesh.positions[VertexId(0)].norm();
  const Vec3 top = Vec3(0, radius, 0);
  const std::vector<Region> regions = find_regions(shot, *body);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].name, "region 1");
  std::vector<char> in(mesh.face_count(), 0);
  for (FaceId f : regions[0].faces) in[f.index()] = 1;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    double furthest = 0;
    for (VertexId v : mesh.face(f)) {
      const Vec3& p = mesh.positions[v];
      furthest =
          std::max(furthest, radius * std::acos(std::clamp(p.normalized().dot(top.normalized()), -1.0, 1.0)));
    }
    // The flat faces are a little shorter than the sphere's arcs, so the last ring may go either way.
    if (std::abs(furthest - 0.05) < 1e-3) continue;
    EXPECT_EQ(in[f.index()] != 0, furthest < 0.05) << f.value;
  }
}

TEST(Regions, ExcludedFacesDoNotSlide) {
  const Shot shot = shot_with(
      "[[skin.region]]\nname = \"all\"\nfaces = [0, 1, 2, 3]\n"
      "[[skin.region]]\nname = \"eye\"\nuse = \"exclude\"\nfaces = [2]\n"
      "[[skin.region]]\nname = \"spot\"\nuse = \"name\"\nfaces = [9]\n");
  const auto body = open_body(shot.body);
  const std::vector<Region> regions = find_regions(shot, *body);
  const IdVector<FaceId, char> slides = sliding_faces(regions, *body);
  for (FaceId f : ids<FaceId>(slides.size())) EXPECT_EQ(slides[f] != 0, f.value < 4 && f.value != 2);
  EXPECT_EQ(region_named(regions, "eye").faces, std::vector<FaceId>{FaceId(2)});
}

TEST(Regions, WithoutAnIncludedRegionEverythingSlides) {
  const Shot shot = shot_with("[[skin.region]]\nuse = \"exclude\"\nfaces = [2]\n");
  const auto body = open_body(shot.body);
  const IdVector<FaceId, char> slides = sliding_faces(find_regions(shot, *body), *body);
  for (FaceId f : ids<FaceId>(slides.size())) EXPECT_EQ(slides[f] != 0, f.value != 2);
}

TEST(Regions, MistakesNameTheirPlace) {
  EXPECT_THAT(complaint("[[skin.region]]\nfaces = [99999999]\n"),
              AllOf(HasSubstr("a.toml:3: skin.region[0].faces"), HasSubstr("no face 99999999")));
  EXPECT_THAT(complaint("[[skin.region]]\ncenter = [50, 0, 0]\nradius = 0.1\n"),
              AllOf(HasSubstr("skin.region[0].center"), HasSubstr("away from the body")));
  EXPECT_THAT(complaint("[[skin.region]]\ncenter = [0, 0.1, 0]\nradius = 1e-5\n"),
              HasSubstr("larger radius"));
  EXPECT_THAT(complaint("[[skin.region]]\nfaces = [1]\ncorners = [0, 1, 2, 99999999]\n"),
              HasSubstr("no vertex 99999999"));
  EXPECT_THAT(complaint("[[skin.region]]\nmap = \"muscle\"\n"), HasSubstr("no vertex group"));
}

}  // namespace
}  // namespace cutis
