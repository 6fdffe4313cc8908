#include "cutis/shot/settings/regions.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/mesh/topology.h"
#include "support/support.h"

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

/// Corners of the faces of a region.
double lowest(const Body& body, const Region& region) {
  double least = INFINITY;
  for (VertexId v : vertices_of(region, body.mesh())) least = std::min(least, body.mesh().positions[v].y());
  return least;
}

TEST(Regions, PartsOfABodyByTheirNames) {
  const Shot shot = shot_with(
      "[[skin.region]]\nname = \"face\"\npart = \"face\"\n"
      "[[skin.region]]\nname = \"head\"\npart = \"head\"\n"
      "[[skin.region]]\nname = \"left\"\npart = \"left hand\"\n"
      "[[skin.region]]\nname = \"hands\"\npart = [\"left hand\", \"right hand\"]\n",
      "male");
  const auto body = open_body(shot.body);
  const std::vector<Region> regions = find_regions(shot, *body);
  const Region &face = regions[0], &head = regions[1], &left = regions[2], &hands = regions[3];
  EXPECT_LT(face.faces.size(), head.faces.size());
  EXPECT_TRUE(std::ranges::includes(head.faces, face.faces));
  EXPECT_TRUE(std::ranges::includes(hands.faces, left.faces));
  EXPECT_GT(lowest(*body, head), lowest(*body, left));
  for (VertexId v : vertices_of(left, body->mesh())) EXPECT_GT(body->mesh().positions[v].x(), 0);
  const SubdividedBody finer(*body, {}, 1);
  EXPECT_GT(find_regions(shot, finer, regions)[2].faces.size(), 3 * left.faces.size());
}

TEST(Regions, VerticesAndOpenBordersAreTakenHoldOfAlone) {
  const Shot shot = shot_with(
      "[[skin.region]]\nname = \"rim\"\nborder = 0\nuse = \"name\"\n"
      "[[skin.region]]\nname = \"cuff\"\nborder = \"2 cm\"\n"
      "[[skin.region]]\nname = \"point\"\nvertices = [3]\nuse = \"name\"\n",
      "sheet");
  const auto body = open_body(shot.body);
  const Topology& topology = body->surface()->topology();
  const std::vector<Region> regions = find_regions(shot, *body);
  std::vector<VertexId> rim;
  for (VertexId v : ids<VertexId>(body->mesh().vertex_count()))
    if (topology.is_border(v)) rim.push_back(v);
  ASSERT_FALSE(rim.empty());
  EXPECT_EQ(vertices_of(regions[0], body->mesh()), rim);
  EXPECT_GT(vertices_of(regions[1], body->mesh()).size(), rim.size());
  EXPECT_GE(regions[1].faces.size(), regions[0].faces.size());
  EXPECT_EQ(vertices_of(regions[2], body->mesh()), std::vector<VertexId>{VertexId(3)});
  // The rim of a finer mesh has the middles of its edges, too.
  const SubdividedBody finer(*body, {}, 1);
  EXPECT_EQ(find_regions(shot, finer, regions)[0].vertices.size(), 2 * rim.size());
}

TEST(Regions, MaterialsAndPartsOfTheFile) {
  const test::TemporaryFolder folder;
  write_file_whole(folder / "a.obj", std::string_view("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 5 0 "
                                                      "0\nv 6 0 0\nv 5 1 0\nusemtl Skin\nf 1 2 3\nf 1 3 4\n"
                                                      "g hat\nusemtl Felt\nf 2 5 3\nf 6 7 8\n"));
  const auto found = [&](const std::string& region) {
    const Shot shot = parse_shot(
        fmt::format("[body]\nfile = \"{}\"\n[[skin.region]]\n{}\n", (folder / "a.obj").string(), region),
        "a.toml");
    return regions_of(shot)[0].faces;
  };
  EXPECT_EQ(found("material = \"Skin\""), (std::vector<FaceId>{FaceId(0), FaceId(1)}));
  EXPECT_EQ(found("part = \"hat\""), (std::vector<FaceId>{FaceId(2), FaceId(3)}));
  EXPECT_EQ(found("part = \"piece 2\""), std::vector<FaceId>{FaceId(3)});
  try {
    found("material = \"Skn\"");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("skin.region[0].material"), HasSubstr("did you mean \"Skin\"?"),
                                    HasSubstr("it has Skin, Felt")));
  }
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
  EXPECT_THAT(complaint("[[skin.region]]\nborder = 0\n"), HasSubstr("no open border"));
  EXPECT_THAT(complaint("[[skin.region]]\nvertices = [1]\n"), HasSubstr("name all corners"));
  EXPECT_THAT(complaint("[[skin.region]]\npart = \"face\"\n"), HasSubstr("no part \"face\""));
}

}  // namespace
}  // namespace cutis
