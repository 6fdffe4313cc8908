#include "cutis/shot/settings/slide_limits.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "cutis/body/anatomy/anatomy.h"
#include "cutis/body/procedural/organic/mannequin.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "support/still_body.h"
#include "support/support.h"

namespace cutis {
namespace {

using Limits = IdVector<VertexId, double>;
constexpr double kMm = 1e-3;

VertexId nearest(const Body& body, const Vec3& place) {
  VertexId best(0);
  for (VertexId v : ids<VertexId>(body.mesh().vertex_count()))
    if ((body.mesh().positions[v] - place).norm() < (body.mesh().positions[best] - place).norm()) best = v;
  return best;
}

/// A place on a mannequin, as if it were 1.75 m tall, and what is expected there [mm].
struct Spot {
  const char* name;
  Vec3 place;
  double least, most;
};

void expect_spots(const Body& body, const Limits& limits, double height, const std::vector<Spot>& spots) {
  for (const Spot& spot : spots)
    for (double side : {1.0, -1.0}) {
      const Vec3 place = height * Vec3(side * spot.place.x(), spot.place.y(), spot.place.z());
      const double limit = limits[nearest(body, place)];
      EXPECT_GE(limit, spot.least * kMm) << spot.name;
      EXPECT_LE(limit, spot.most * kMm) << spot.name;
    }
}

/// Places from the shapes that the mannequin is made of (body/cast/mannequin.cpp), not from its landmarks.
std::vector<Spot> common_spots(double shoulders, double hips) {
  const Vec3 shoulder(0.178 * shoulders, 1.405, -0.015), along = mannequin_arm(1);
  const auto arm = [&](double t, double front) -> Vec3 { return shoulder + t * along + Vec3(0, 0, front); };
  const Vec3 hip(0.092 * hips, 0.92, 0), ankle(0.092 * hips + 0.040, 0.085, -0.028);
  const Vec3 knee = hip + 0.525 * (ankle - hip) + Vec3(0, 0, 0.022);
  return {{"eye", {0.0315, 1.637, 0.085}, 0, 0},
          {"nose", {0, 1.625, 0.113}, 0, 0},
          {"upper lip", {0, 1.5875, 0.096}, 0, 0},
          {"lower lip", {0, 1.5745, 0.094}, 0, 0},
          {"ear", {0.088, 1.630, -0.008}, 0, 0},
          {"gluteal cleft", {0, 0.94, -0.125}, 0, 0},
          {"crown", {0, 1.755, -0.01}, 1, 5},
          {"cheek", {0.055, 1.595, 0.065}, 0, 5},
          {"palm", arm(0.66, 0), 1, 4},
          {"wrist", arm(0.55, 0.026), 1, 10},
          {"elbow crease", arm(0.29, 0.04), 1, 10},
          {"hollow of the knee", knee - Vec3(0, 0, 0.06), 1, 10},
          {"foot", {0.092 * hips + 0.05, 0.07, 0.06}, 1, 5},
          {"toes", {0.092 * hips + 0.05, 0.02, 0.17}, 1, 3},
          {"elbow's back", arm(0.29, -0.05), 12, 30},
          {"kneecap", knee + Vec3(0, 0, 0.06), 10, 30},
          {"forearm", arm(0.40, 0.045), 14, 30},
          {"thigh", 0.5 * (hip + knee) + Vec3(0.03, 0, 0.08), 18, 40},
          {"back", {0.04, 1.20, -0.13}, 20, 45}};
}

TEST(SlideLimits, NamedSpotsOfTheMannequins) {
  struct Case {
    const char* name;
    Build build;
    std::vector<Spot> own;
  };
  const double f = female_build().height, c = female_build().chest, r = female_build().breast;
  const Case cases[] = {
      {"male",
       male_build(),
       {{"navel", {0, 1.05, 0.115}, 0, 0},
        {"belly", {0.08, 1.10, 0.10}, 18, 40},
        {"armpit", {0.172, 1.30, -0.01}, 1, 10}}},
      {"female",
       female_build(),
       {{"nipple", {0.074 * c, 1.270, 0.070 * c + 1.35 * r}, 0, 0},
        {"navel", {0, 1.05, 0.1}, 0, 0},
        {"belly", {0.07, 1.10, 0.09}, 16, 40}}},
      {"heavy", heavy_build(), {{"navel", {0, 1.05, 0.29}, 0, 0}, {"belly", {0.10, 1.05, 0.26}, 20, 60}}}};
  EXPECT_LT(f, 1);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto body = open_cast_member(c.name);
    const Limits limits = slide_limits({}, *body, "test");
    std::vector<Spot> spots = common_spots(c.build.shoulders, c.build.hips);
    spots.insert(spots.end(), c.own.begin(), c.own.end());
    expect_spots(*body, limits, c.build.height, spots);
    for (double limit : limits) EXPECT_TRUE(limit >= 0 && limit < 50 * kMm) << limit;
  }
}

TEST(SlideLimits, ABeastIsLooseOnItsTrunkAndTightAtItsEnds) {
  const auto body = open_cast_member("beast");
  const auto anatomy = read_anatomy(*body);
  ASSERT_TRUE(anatomy && anatomy->four_legged);
  EXPECT_GT(anatomy->front.dot(Vec3::UnitZ()), 0.95);
  const Limits limits = slide_limits({}, *body, "test");
  EXPECT_EQ(limits[nearest(*body, {0, 0.86, 0.96})], 0);           // muzzle
  EXPECT_GT(limits[nearest(*body, {0, 0.90, -0.10})], 25 * kMm);   // back
  EXPECT_GT(limits[nearest(*body, {0, 0.45, -0.05})], 25 * kMm);   // belly
  EXPECT_GT(limits[nearest(*body, {0, 0.95, 0.40})], 20 * kMm);    // scruff
  EXPECT_LT(limits[nearest(*body, {0.15, 0.02, 0.30})], 4 * kMm);  // paw
}

TEST(SlideLimits, PartsOfABody) {
  const auto arm = open_cast_member("arm");
  const Limits limits = slide_limits({}, *arm, "test");
  EXPECT_GT(limits[nearest(*arm, {0.43, 0.04, 0})], 15 * kMm);
  EXPECT_LT(limits[nearest(*arm, {0.30, 0.05, 0})], 8 * kMm);
  EXPECT_LT(limits[nearest(*arm, {0.55, 0.03, 0})], 9 * kMm);
  EXPECT_LT(limits[nearest(*arm, {0.62, 0.03, 0})], 4 * kMm);
  const auto head = open_cast_member("head");
  const Limits face = slide_limits({}, *head, "test");
  const Vec3 stuck[] = {{0.0315, 0.2070, 0.085}, {-0.0315, 0.2070, 0.085}, {0, 0.186, 0.116},
                        {0, 0.1595, 0.098},      {0, 0.136, 0.0935},       {0.088, 0.198, -0.01},
                        {-0.088, 0.198, -0.01}};
  for (const Vec3& place : stuck) EXPECT_EQ(face[nearest(*head, place)], 0) << place.transpose();
  EXPECT_GT(face[nearest(*head, {0, 0.32, 0})], 1 * kMm);
  for (double limit : slide_limits({}, *open_cast_member("hand"), "test")) EXPECT_GT(limit, 0);
}

TEST(SlideLimits, OfBodiesWithoutKnownJointsAreSharesOfTheirSizeUnlessItIsAHumans) {
  const auto limit = [](double size) {
    SourceMesh mesh;
    const double side = size / std::sqrt(2.0);
    mesh.positions.raw() = {Vec3(0, 0, 0), Vec3(side, 0, 0), Vec3(0, side, 0)};
    mesh.face_offsets = {0, 3};
    for (int i = 0; i < 3; ++i) mesh.corners.push_back(SourceVertexId(i));
    return slide_limits({}, test::StillBody(std::move(mesh)), "test")[VertexId(0)];
  };
  for (double size : {0.31, 1.0, 2.9}) EXPECT_NEAR(limit(size), 0.02, 1e-12);
  for (double size : {0.17, 7.6}) EXPECT_NEAR(limit(size), 0.02 * size / 1.75, 1e-6 * size);
}

/// A sheet with a blend shape that lifts its middle.
class SheetWithAShape final : public Body {
 public:
  SheetWithAShape() {
    SourceMesh sheet = open_cast_member("sheet")->source();
    set_rest(std::move(sheet), -1);
  }
  Interval duration() const override { return {}; }
  SourcePoints compute_positions(double) const override { return source().positions; }
  std::vector<Limits> shape_lengths() const override {
    Limits lengths;
    for (const Vec3& p : mesh().positions)
      lengths.push_back(0.01 * surface()->size() * std::exp(-std::pow(10 * p.norm() / surface()->size(), 2)));
    return {lengths};
  }
};

TEST(SlideLimits, AFaceKeepsItsPerformanceAndItsBorders) {
  const SheetWithAShape face;
  const double size = face.surface()->size();
  const Limits limits = slide_limits({}, face, "test"), lengths = face.shape_lengths()[0];
  double furthest = 0, most = 0;
  for (VertexId v : ids<VertexId>(limits.size())) {
    furthest = std::max(furthest, lengths[v]);
    most = std::max(most, limits[v]);
    if (face.surface()->topology().is_border(v)) {
      EXPECT_EQ(limits[v], 0);
    }
  }
  EXPECT_NEAR(most, 0.01 * size, 1e-6 * size);
  for (VertexId v : ids<VertexId>(limits.size()))
    if (lengths[v] > 0.9 * furthest) {
      EXPECT_LE(limits[v], 0.3 * lengths[v]);
      EXPECT_GT(limits[v], 0);
    }
}

TEST(SlideLimits, ARealHuman) {
  const auto data = test::data_folder();
  if (!data) GTEST_SKIP() << "no real characters here";
  const RigBody posable(read_gltf(*data / "makehuman-young-male/makehuman_young_male_default_rig.glb"));
  const Skeleton rig = *posable.skeleton();
  const auto joint = [&](const char* name) {
    for (const SkeletonJoint& j : rig.joints)
      if (j.name == name) return j.position;
    throw std::runtime_error(name);
  };
  const RigBody plain(read_gltf(*data / "makehuman-young-male/makehuman_young_male_cmu.glb"));
  // The rig with joints in the face, and the one that only knows a head: both find what the face has.
  for (const RigBody* body : {&posable, &plain}) {
    const Limits limits = slide_limits({}, *body, "test");
    const auto at = [&](const Vec3& place) { return limits[nearest(*body, place)] / kMm; };
    for (const char* eye : {"eye.L", "eye.R"}) EXPECT_EQ(at(joint(eye) + Vec3(0, 0.008, 0.02)), 0) << eye;
    for (const char* lip : {"oris01", "oris05"}) EXPECT_EQ(at(joint(lip) + Vec3(0, 0, 0.01)), 0) << lip;
    EXPECT_GT(at(joint("head") + Vec3(0, 0.3, 0)), 1);
    EXPECT_LT(at(joint("head") + Vec3(0, 0.3, 0)), 5);
    const Vec3 elbow = joint("lowerarm01.L"), wrist = joint("wrist.L"), knee = joint("lowerleg01.L");
    EXPECT_LT(at(wrist), 10);
    EXPECT_GT(at(0.5 * (elbow + wrist)), 12);
    EXPECT_LT(at(knee - Vec3(0, 0, 0.08)), 10);
    EXPECT_GT(at(0.5 * (joint("upperleg01.L") + knee) + Vec3(0, 0, 0.1)), 18);
    EXPECT_LT(at(joint("finger3-2.L")), 3.5);
    EXPECT_LT(at(joint("toe2-2.R")), 3.5);
    EXPECT_GT(at(joint("spine03") - Vec3(-0.06, 0, 0.2)), 20);
    const Vec3 hips = 0.5 * (joint("upperleg01.L") + joint("upperleg01.R"));
    EXPECT_EQ(at(Vec3(0, hips.y() - 0.08, hips.z())), 0) << "perineum";
  }
}

TEST(SlideLimits, GrowWithTheBody) {
  RigChoice twice;
  twice.scale = 2;
  const Limits one = slide_limits({}, *open_cast_member("arm"), "test");
  const Limits two = slide_limits({}, *open_cast_member("arm", 0, twice), "test");
  for (VertexId v : ids<VertexId>(one.size())) ASSERT_NEAR(two[v], 2 * one[v], 1e-9);
}

TEST(SlideLimits, WithoutAKnownRigTheSkinIsFree) {
  const test::StillBody still(open_cast_member("arm")->source());
  for (double limit : slide_limits({}, still, "test")) EXPECT_EQ(limit, 0.02);
  for (double share : head_share(still)) EXPECT_EQ(share, 0);
}

TEST(SlideLimits, WhatIsPaintedWinsAndIsAveragedOverOneRing) {
  const auto body = open_cast_member("arm");
  SkinSection skin;
  skin.slide_limit = Painted{Painted::Source::Group, 0, {}, "hand", Channel::Red, 0, 0.02};
  const Limits limits = slide_limits(skin, *body, "test");
  const auto hand = body->attribute("hand");
  std::vector<std::set<VertexId>> rings(limits.size());
  for (FaceId f : ids<FaceId>(body->mesh().face_count())) {
    const auto face = body->mesh().face(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      rings[face[i].index()].insert(face[(i + 1) % face.size()]);
      rings[face[(i + 1) % face.size()].index()].insert(face[i]);
    }
  }
  Limits raw(limits.size());
  for (SourceVertexId s : ids<SourceVertexId>(body->source().vertex_count()))
    raw[body->weld().vertex_of[s]] = 0.02 * hand->values[s.index()];
  int stuck = 0, changed = 0;
  for (VertexId v : ids<VertexId>(limits.size())) {
    double sum = raw[v];
    for (VertexId w : rings[v.index()]) sum += raw[w];
    const double mean = raw[v] == 0 ? 0 : sum / static_cast<double>(rings[v.index()].size() + 1);
    ASSERT_NEAR(limits[v], mean, 1e-15);
    stuck += limits[v] == 0;
    changed += limits[v] != raw[v];
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(changed, 20);
  skin.slide_limit->low = -0.01;
  EXPECT_THROW(slide_limits(skin, *body, "test"), InputError);
}

TEST(HeadShare, IsOneOnTheHeadAndZeroBelowTheNeck) {
  const auto body = open_cast_member("male");
  const Limits share = head_share(*body);
  EXPECT_NEAR(share[nearest(*body, {0, 1.72, 0.05})], 1, 1e-6);
  EXPECT_NEAR(share[nearest(*body, {0, 1.59, 0.1})], 1, 0.05);
  EXPECT_EQ(share[nearest(*body, {0, 1.3, 0.1})], 0);
  EXPECT_EQ(share[nearest(*body, {0.09, 0.6, 0.1})], 0);
}

}  // namespace
}  // namespace cutis
