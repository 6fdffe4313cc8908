// The slide as a whole: rest, limits, several patches, threads, resume.
#include "cutis/skin/force_density/force_density.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/skin/force_density/patch_slide.h"
#include "cutis/surface/geodesic/slide_distance.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/patches.h"
#include "support/same_bits.h"

namespace cutis::test {
namespace {

std::unique_ptr<Body> open(const std::string& name, const std::string& clip, double edge = 0) {
  RigChoice choice;
  choice.clip = clip;
  return open_cast_member(name, edge, choice);
}

ForceDensityOptions whole(const Body& body) {
  ForceDensityOptions options;
  options.patches = {{"all", all_faces(body), {}, {}}};
  return options;
}

TEST(ForceDensity, IsAtHomeAtRest) {
  const auto body = open("bump", "carry", 0.01);
  for (bool limit_surface : {false, true}) {
    ForceDensityOptions options = whole(*body);
    options.limit_surface = limit_surface;
    ForceDensitySlide slide(*body, options);
    slide.advance(0);
    for (SourceVertexId v : ids<SourceVertexId>(body->source().vertex_count()))
      EXPECT_LT((slide.positions()[v] - body->source().positions[v]).norm(), 1e-15);
  }
}

TEST(ForceDensity, FlatSkinStaysFlatAndInPlaceWhateverItsEdgesDo) {
  // Linear precision: the points of a sheet are moved within its plane, its border is not.
  const FormulaBody body(sheet(16, 16, 0.3, 9), [](const Vec3& p, double time) -> Vec3 {
    const double grip = std::sin(M_PI * p.x()) * std::sin(M_PI * p.y());
    return p + time * grip * Vec3(0.2, 0.1, 0);
  });
  for (EdgeDensity density : {EdgeDensity::Cotangent, EdgeDensity::MeanValue}) {
    ForceDensityOptions options = whole(body);
    options.density = density;
    options.solver = EmbeddingSolver::Direct;
    options.limit_surface = false;
    ForceDensitySlide slide(body, options);
    slide.advance(1);
    double carried = 0, stayed = 0;
    for (VertexId v : ids<VertexId>(body.mesh().vertex_count())) {
      const Vec3& p = body.mesh().positions[v];
      if ((p - Vec3(0.5, 0.5, 0)).head<2>().norm() > 0.3) continue;  // the border fades in
      carried = std::max(carried, (body.positions(1)[v] - p).norm());
      stayed = std::max(stayed, (slide.positions()[SourceVertexId(v.value)] - p).norm());
    }
    EXPECT_GT(carried, 0.2);
    EXPECT_LT(stayed, 1e-9);
  }
}

TEST(ForceDensity, SlideLimitsAreKept) {
  const auto body = open("bump", "carry");
  ForceDensityOptions options = whole(*body);
  options.limit_surface = false;
  const double free = std::numeric_limits<double>::infinity();
  options.slide_limit.assign(body->mesh().vertex_count(), free);
  for (VertexId v : ids<VertexId>(options.slide_limit.size())) {
    const double z = body->mesh().positions[v].z();
    options.slide_limit[v] = z < -0.02 ? 0 : z < 0.02 ? 0.004 : z < 0.04 ? 0.012 : free;
  }
  ForceDensitySlide slide(*body, options);
  const SlideDistance distance(std::make_shared<const Surface>(triangulated(body->mesh()).mesh));
  for (double time : {0.25, 0.5, 1.0, 1.5}) {
    slide.advance(time);
    const auto slid = distance(*slide.skin().map);
    double farthest = 0;
    for (VertexId v : ids<VertexId>(slid.size())) {
      EXPECT_LE(slid[v], options.slide_limit[v] * (1 + 1e-9) + 1e-15) << v.value;
      farthest = std::max(farthest, slid[v]);
    }
    if (time == 0.5) {
      EXPECT_GT(farthest, 0.02);
    }
  }
}

TEST(ForceDensity, SkinThatIsStuckAllOverIsPlainSkinning) {
  const auto body = open("bump", "carry");
  ForceDensityOptions options = whole(*body);
  options.slide_limit.assign(body->mesh().vertex_count(), 0);
  ForceDensitySlide slide(*body, options);
  EXPECT_EQ(slide.slide_limits(), options.slide_limit);
  EXPECT_TRUE(slide.advance(0.5).converged);
  EXPECT_EQ(slide.positions().raw(), body->source_positions(0.5).raw());
}

TEST(ForceDensity, ALimitBoundsSmoothly) {
  EXPECT_EQ(saturated(0.01, 0), 0);
  EXPECT_EQ(saturated(0.01, std::numeric_limits<double>::infinity()), 0.01);
  EXPECT_NEAR(saturated(0.001, 0.01), 0.001, 1e-7);
  EXPECT_LE(saturated(1e100, 0.01), 0.01);
  double before = 0, slope_before = 1;
  for (double s = 0.0001; s < 0.05; s += 0.0001) {
    const double now = saturated(s, 0.01), slope = (now - before) / 0.0001;
    EXPECT_GT(now, before);
    EXPECT_LT(now, 0.01);
    EXPECT_LT(std::abs(slope - slope_before), 0.03);
    before = now;
    slope_before = slope;
  }
}

TEST(ForceDensity, LimitedWaysEndWhereFreeOnesDoWhenTheyAreShort) {
  const auto body = open("bump", "carry", 0.01);
  ForceDensityOptions options = whole(*body);
  options.limit_surface = false;
  ForceDensitySlide free(*body, options);
  options.slide_limit.assign(body->mesh().vertex_count(), 10.0);
  ForceDensitySlide limited(*body, options);
  for (double time : {0.1, 0.5, 1.2}) {
    free.advance(time);
    limited.advance(time);
    for (SourceVertexId v : ids<SourceVertexId>(free.positions().size()))
      EXPECT_LT((free.positions()[v] - limited.positions()[v]).norm(), 1e-8);
  }
}

TEST(ForceDensity, SolversAgree) {
  const auto body = open("bump", "carry", 0.01);
  ForceDensityOptions options = whole(*body);
  options.solver = EmbeddingSolver::Direct;
  ForceDensitySlide direct(*body, options);
  options.solver = EmbeddingSolver::ConjugateGradients;
  ForceDensitySlide iterated(*body, options);
  for (int frame = 1; frame < 24; ++frame) {
    EXPECT_EQ(direct.advance(frame / 24.0).iterations, 0);
    EXPECT_GT(iterated.advance(frame / 24.0).iterations, 0);
    for (SourceVertexId v : ids<SourceVertexId>(direct.positions().size()))
      EXPECT_LT((direct.positions()[v] - iterated.positions()[v]).norm(), 1e-5);
  }
}

TEST(ForceDensity, PaintedDensitiesPullSkinTogether) {
  const auto body = open("bump", "carry", 0.01);
  const TriangleMesh triangles = triangulated(body->mesh());
  const Topology topology(triangles.mesh);
  const PatchDisk disk = cut_patch({"all", all_faces(*body), {}, {}}, *body, triangles, topology);
  const Topology local(disk.mesh);
  const auto area = [&](const EmbeddingOptions& options) {
    const PatchEmbedding embedding(disk, local, options);
    double sum = 0;
    for (FaceId f : ids<FaceId>(disk.mesh.face_count())) {
      const auto face = disk.mesh.face(f);
      if (disk.mesh.positions[face[0]].norm() > 0.04) continue;
      const Layout& p = embedding.rest();
      const Vec2 a = p[face[1]] - p[face[0]], b = p[face[2]] - p[face[0]];
      sum += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    return sum;
  };
  EmbeddingOptions options;
  const double plain = area(options);
  for (const Vec3& p : disk.mesh.positions) options.factor.push_back(p.norm() < 0.04 ? 4 : 1);
  EXPECT_LT(area(options), 0.8 * plain);
}

TEST(ForceDensity, OverlappingPatchesBlend) {
  const auto body = open("bump", "carry");
  ForceDensityOptions options;
  const auto half = [&](double from, double to) {
    std::vector<FaceId> faces;
    for (FaceId f : all_faces(*body)) {
      const double x = body->mesh().positions[body->mesh().face(f)[0]].x();
      if (x >= from && x < to) faces.push_back(f);
    }
    return faces;
  };
  options.patches = {{"left", half(-1, 0.0601), {}, {}}, {"right", half(-0.0601, 1), {}, {}}};
  options.limit_surface = false;
  ForceDensitySlide slide(*body, options);
  slide.advance(0.5);
  const SurfaceMap map = *slide.skin().map;
  EXPECT_TRUE(map.folded_faces().empty());
  // Between the borders the skin stays in place, though the bump comes to lie under one of them.
  const Points plain = body->positions(0.5);
  for (VertexId v : ids<VertexId>(plain.size())) {
    const Vec3& p = body->mesh().positions[v];
    if (std::hypot(p.x(), p.z()) > 0.02) continue;
    const Vec3 moved = slide.positions()[body->weld().representative[v]] - p;
    EXPECT_LT(std::hypot(moved.x(), moved.z()), 0.45 * (plain[v] - p).norm());
  }
  // No jump from vertex to vertex: nowhere is an edge of the skin stretched more than the carried body's.
  const SourcePoints& skin = slide.positions();
  for (FaceId f : ids<FaceId>(body->mesh().face_count())) {
    const auto face = body->mesh().face(f);
    for (std::size_t k = 0; k < 4; ++k) {
      const VertexId a = face[k], b = face[(k + 1) % 4];
      const double rest = (body->mesh().positions[b] - body->mesh().positions[a]).norm();
      const double now = (skin[body->weld().representative[b]] - skin[body->weld().representative[a]]).norm();
      EXPECT_LT(now, 2 * rest);
      EXPECT_GT(now, 0.3 * rest);
    }
  }
}

ForceDensityOptions two_patches(const Body& body) {
  ForceDensityOptions options;
  options.patches = {{"all", all_faces(body), {}, {}},
                     {"middle", faces_near(body, Vec3::Zero(), 0.07), {}, {}}};
  options.slide_limit.assign(body.mesh().vertex_count(), std::numeric_limits<double>::infinity());
  for (VertexId v : ids<VertexId>(options.slide_limit.size()))
    if (body.mesh().positions[v].z() > 0) options.slide_limit[v] = 0.01;
  return options;
}

const bool force_density_bits = test::same_bits("ForceDensity", [] {
  const auto body = open("bump", "carry", 0.003);
  ForceDensitySlide slide(*body, two_patches(*body));
  std::vector<SourcePoints> frames;
  for (int frame = 1; frame <= 6; ++frame) {
    slide.advance(frame / 12.0);
    frames.push_back(slide.positions());
  }
  return frames;
});

TEST(ForceDensity, GoesOnWithTheSameBits) {
  const auto body = open("bump", "carry");
  const ForceDensityOptions options = two_patches(*body);
  ForceDensitySlide straight(*body, options), resumed(*body, options);
  for (int frame = 1; frame <= 8; ++frame) straight.advance(frame / 12.0);
  const State state = straight.save();
  resumed.restore(state);
  for (int frame = 9; frame <= 12; ++frame) {
    straight.advance(frame / 12.0);
    resumed.advance(frame / 12.0);
    EXPECT_EQ(straight.positions(), resumed.positions());
    EXPECT_EQ(straight.skin().map->points(), resumed.skin().map->points());
  }
  EXPECT_EQ(straight.save(), resumed.save());
  State other = state;
  other.numbers["patch1"].pop_back();
  EXPECT_THROW(resumed.restore(other), InputError);
  EXPECT_THROW(resumed.restore({}), InputError);
}

TEST(ForceDensity, MapAndPositionsAgree) {
  const auto body = open("bump", "carry", 0.01);
  ForceDensityOptions options = whole(*body);
  options.limit_surface = false;
  ForceDensitySlide slide(*body, options);
  slide.advance(0.4);
  const Points pulled = slide.skin().map->pull(body->positions(0.4));
  for (SourceVertexId s : ids<SourceVertexId>(slide.positions().size()))
    EXPECT_LT((slide.positions()[s] - pulled[body->weld().vertex_of[s]]).norm(), 1e-15);
  EXPECT_TRUE(slide.skin().map->folded_faces().empty());
}

}  // namespace
}  // namespace cutis::test
