#include "cutis/body/procedural/organic/organic.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "cutis/body/procedural/organic/implicit_body.h"
#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/organic/level_set_mesh.h"
#include "cutis/body/procedural/poser.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/weld.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

/// Made once: every test looks at the same one.
const Character& made(const std::string& name) {
  static std::map<std::string, Character> all;
  const auto found = all.find(name);
  return found != all.end() ? found->second
                            : all.emplace(name, std::get<Character>(make_cast_member(name))).first->second;
}

Mesh welded(const Character& character) { return weld(character.meshes.at(0).mesh, 1e-9).mesh; }

double mean_edge(const Mesh& mesh) {
  const Topology topology(mesh);
  double sum = 0;
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    sum += (mesh.positions[topology.to(h)] - mesh.positions[topology.from(h)]).norm();
  }
  return sum / topology.edge_count();
}

/// Clips that begin and end in the same pose, though not in the bind pose, and those that end elsewhere.
const std::set<std::string> kLoops = {"male walk",    "female walk", "heavy walk", "male dance",
                                      "female dance", "heavy dance", "beast run",  "horse trot"};
const std::set<std::string> kTravels = {"beast walk_and_stop", "male fall", "female fall", "heavy fall"};

class Organic : public testing::TestWithParam<ProceduralBody> {};

TEST_P(Organic, IsOneClosedSurfaceWithoutHandlesAllQuads) {
  const Mesh mesh = welded(made(GetParam().name));
  const MeshReport report = diagnose(mesh);
  EXPECT_TRUE(report.manifold());
  EXPECT_TRUE(report.closed());
  ASSERT_EQ(report.parts.size(), 1u);
  EXPECT_EQ(report.parts[0].genus, 0);
  EXPECT_EQ(report.quads, report.faces);
  EXPECT_TRUE(report.zero_area_faces.empty());
  EXPECT_TRUE(report.slivers.empty());
  const auto triangles = index_triangles(mesh);
  EXPECT_GT(enclosed_volume(mesh.positions.raw(), triangles), 0);
}

TEST_P(Organic, EdgesAreAsLongAsAskedFor) {
  EXPECT_NEAR(mean_edge(welded(made(GetParam().name))) / GetParam().default_edge, 1, 0.08);
}

TEST_P(Organic, TwiceTheEdgeMakesAQuarterOfTheVertices) {
  const double fine = made(GetParam().name).meshes[0].mesh.vertex_count();
  const double coarse =
      std::get<Character>(GetParam().make(2 * GetParam().default_edge)).meshes[0].mesh.vertex_count();
  EXPECT_NEAR(fine / coarse, 4, 0.45);
}

TEST_P(Organic, WeightsAreFewAndSmooth) {
  const Character& character = made(GetParam().name);
  const MeshInstance& instance = character.meshes[0];
  const Influences& influences = instance.influences;
  const std::size_t joints = character.skins[0].joints.size();
  std::vector<std::vector<double>> rows(instance.mesh.vertex_count(), std::vector<double>(joints, 0.0));
  for (std::size_t v = 0; v < rows.size(); ++v) {
    EXPECT_LE(influences.offsets[v + 1] - influences.offsets[v], 8);
    for (int i = influences.offsets[v]; i < influences.offsets[v + 1]; ++i) {
      EXPECT_GT(influences.weights[i], 0);
      rows[v][influences.joints[i]] = influences.weights[i];
    }
  }
  // No weight jumps along an edge: a rigid seam would jump by one.
  double most = 0;
  const Topology topology(welded(character));
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    for (std::size_t j = 0; j < joints; ++j)
      most = std::max(most, std::abs(rows[topology.from(h).index()][j] - rows[topology.to(h).index()][j]));
  }
  EXPECT_LT(most, 0.35);
  // And every joint has skin of its own.
  for (std::size_t j = 0; j < joints; ++j) {
    double top = 0;
    for (const auto& row : rows) top = std::max(top, row[j]);
    EXPECT_GT(top, 0.35) << character.nodes[character.skins[0].joints[j]].name;
  }
}

TEST_P(Organic, ClipsMoveAndComeBackAsDeclared) {
  const Character& character = made(GetParam().name);
  ASSERT_FALSE(character.clips.empty());
  for (const Clip& clip : character.clips) {
    RigChoice choice;
    choice.clip = clip.name;
    const RigBody body(character, choice);
    const double size = bounding_diagonal(body.source().positions.raw());
    const std::string name = character.name + " " + clip.name;
    const Interval span = body.duration();
    const auto farthest = [&](const SourcePoints& a, const SourcePoints& b) {
      double most = 0;
      for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
      return most;
    };
    const SourcePoints first = body.source_positions(span.begin), last = body.source_positions(span.end);
    if (!kTravels.contains(name)) {
      EXPECT_LT(farthest(first, last), 1e-9) << name;
    }
    if (!kTravels.contains(name) && !kLoops.contains(name)) {
      EXPECT_LT(farthest(first, body.source().positions), 1e-9) << name;
    }
    // It moves, but never by leaps: straight lines between 24 frames a second stay near the motion.
    double most = 0, leap = 0;
    SourcePoints before = first;
    for (double time = span.begin; time < span.end; time += 1.0 / 24) {
      const SourcePoints now = body.source_positions(time);
      most = std::max(most, farthest(now, first));
      leap = std::max(leap, farthest(now, before));
      before = now;
    }
    EXPECT_GT(most, 0.004 * size) << name;
    EXPECT_LT(leap, 0.2 * size) << name;
  }
}

TEST_P(Organic, NothingTearsOrCollapses) {
  const Character& character = made(GetParam().name);
  for (const Clip& clip : character.clips) {
    RigChoice choice;
    choice.clip = clip.name;
    const RigBody body(character, choice);
    const auto triangles = index_triangles(body.mesh());
    const double volume = enclosed_volume(body.mesh().positions.raw(), triangles);
    const std::vector<double> rest = triangle_areas(body.mesh().positions.raw(), triangles);
    for (double part : {0.13, 0.3, 0.5, 0.7}) {
      const Interval span = body.duration();
      const Points points = body.positions(span.begin + part * span.length());
      const std::vector<double> areas = triangle_areas(points.raw(), triangles);
      std::vector<double> ratio;
      for (std::size_t i = 0; i < areas.size(); ++i) ratio.push_back(areas[i] / rest[i]);
      EXPECT_LT(weighted_percentile(ratio, rest, 0.999), 6) << character.name << " " << clip.name;
      EXPECT_NEAR(enclosed_volume(points.raw(), triangles) / volume, 1, 0.12)
          << character.name << " " << clip.name << " at " << part;
    }
  }
}

/// The share of the covered texels that more than one face covers.
double overlap(const SourceMesh& mesh, int size) {
  std::vector<int> hits(static_cast<std::size_t>(size) * size, 0);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t first = mesh.first_corner(f).index();
    for (std::size_t k = 1; k + 1 < mesh.face_size(f); ++k) {
      const std::array<Vec2, 3> t = {size * mesh.uvs.raw()[first], size * mesh.uvs.raw()[first + k],
                                     size * mesh.uvs.raw()[first + k + 1]};
      const Vec2 low = t[0].cwiseMin(t[1]).cwiseMin(t[2]), high = t[0].cwiseMax(t[1]).cwiseMax(t[2]);
      for (int y = static_cast<int>(low.y()); y <= high.y() && y < size; ++y)
        for (int x = static_cast<int>(low.x()); x <= high.x() && x < size; ++x) {
          const Vec2 p(x + 0.5, y + 0.5);
          bool inside = true;
          for (int i = 0; i < 3; ++i) {
            const Vec2 a = t[(i + 1) % 3] - t[i], b = p - t[i];
            inside = inside && a.x() * b.y() - a.y() * b.x() > 0;
          }
          hits[static_cast<std::size_t>(y) * size + x] += inside;
        }
    }
  }
  double covered = 0, twice = 0;
  for (int n : hits) {
    covered += n > 0;
    twice += n > 1;
  }
  return twice / covered;
}

TEST_P(Organic, ChartsDoNotOverlap) { EXPECT_LT(overlap(made(GetParam().name).meshes[0].mesh, 1024), 0.003); }

TEST_P(Organic, HasTheSameBitsAtAnyNumberOfThreads) {
  EXPECT_EQ(test::differing_threads([] {
              const auto made = std::get<Character>(GetParam().make(1.6 * GetParam().default_edge));
              const MeshInstance& instance = made.meshes[0];
              return std::tuple(instance.mesh.positions, instance.mesh.corners, instance.mesh.uvs,
                                instance.influences.weights);
            }),
            0);
}

INSTANTIATE_TEST_SUITE_P(Members, Organic, testing::ValuesIn(organic_bodies()),
                         [](const auto& tested) { return tested.param.name; });

TEST(OrganicCast, AnEdgeTooCoarseForAFingerIsRefusedWithOneThatWorks) {
  const std::string wanted = "too coarse for its thin parts; give one of at most ";
  try {
    make_cast_member("hand", 0.02);
    FAIL();
  } catch (const InputError& error) {
    const std::string said = error.what();
    const std::size_t at = said.find(wanted);
    ASSERT_NE(at, std::string::npos) << said;
    EXPECT_NO_THROW(make_cast_member("hand", std::stod(said.substr(at + wanted.size()))));
  }
}

double lowest(const SourcePoints& points) {
  double y = points.raw().front().y();
  for (const Vec3& p : points) y = std::min(y, p.y());
  return y;
}

TEST(Motion, FeetStandOnTheGround) {
  for (const char* name : {"male", "female", "heavy", "beast", "horse"})
    for (const Clip& clip : made(name).clips) {
      if (clip.name == "fall") continue;
      RigChoice choice;
      choice.clip = clip.name;
      const RigBody body(made(name), choice);
      for (int i = 0; i <= 20; ++i) {
        const double y = lowest(body.source_positions(body.duration().end * i / 20));
        EXPECT_GT(y, -0.013) << name << " " << clip.name;
        if (clip.name != "jump") {
          EXPECT_LT(y, 0.002) << name << " " << clip.name;
        }
      }
    }
}

TEST(Motion, AJumpFliesFreelyForHalfASecond) {
  RigChoice choice;
  choice.clip = "jump";
  const RigBody body(made("male"), choice);
  double begin = 0, end = 0;
  for (double time = 0; time < body.duration().end; time += 0.01)
    if (lowest(body.source_positions(time)) > 0.01) {
      if (begin == 0) begin = time;
      end = time;
    }
  EXPECT_NEAR(end - begin, 0.52, 0.05);
}

TEST(Motion, AFallIsStoppedByTwentyG) {
  RigChoice choice;
  choice.clip = "fall";
  const RigBody body(made("male"), choice);
  const double fallen = lowest(body.source_positions(0)) - lowest(body.source_positions(3));
  EXPECT_NEAR(fallen, 9.81 / 2 * 0.85 * 0.85 * 1.05, 0.1);  // a twentieth of the way to stop in
  EXPECT_GT(lowest(body.source_positions(1.22)) - lowest(body.source_positions(1.32)), 0.2);
}

TEST(Motion, TheBeastStopsOnItsFeetAndTheBodySwingsOn) {
  const Character& beast = made("beast");
  const RigBody body(beast);
  const Influences& influences = beast.meshes[0].influences;
  const auto way = [&](double from, double to, const std::string& joint, double share) {
    const SourcePoints a = body.source_positions(from), b = body.source_positions(to);
    double most = 0;
    for (SourceVertexId v : ids<SourceVertexId>(a.size()))
      for (int i = influences.offsets[v.index()]; i < influences.offsets[v.index() + 1]; ++i)
        if (influences.weights[i] > share && beast.nodes[influences.joints[i]].name.ends_with(joint))
          most = std::max(most, (a[v] - b[v]).norm());
    return most;
  };
  EXPECT_GT(way(1.0, 2.0, "_paw", 0.95), 0.5);
  EXPECT_LT(way(2.4, 4.0, "_paw", 0.95), 0.002);
  EXPECT_GT(way(2.2, 2.35, "chest", 0.6), 0.03);
  EXPECT_LT(way(3.9, 4.0, "chest", 0.6), 0.002);
}

TEST(LevelSetMesh, ASphereIsWhereItShouldBeAndFacesOutwards) {
  const Vec3 centre(0.3, -0.2, 0.1);
  const Mesh mesh = level_set_mesh([&](const Vec3& p) { return (p - centre).norm() - 0.5; },
                                   centre - Vec3::Constant(0.5), centre + Vec3::Constant(0.5), 0.03);
  const double volume = enclosed_volume(mesh.positions.raw(), index_triangles(mesh));
  EXPECT_NEAR(volume, 4.0 / 3 * std::numbers::pi * 0.125, 0.005);
  for (const Vec3& p : mesh.positions) EXPECT_NEAR((p - centre).norm(), 0.5, 0.002);
}

TEST(ImplicitBody, ACapsuleAndAnEllipsoidAreWhereTheyShouldBe) {
  ImplicitBody body;
  const int part = body.add_part(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY());
  const int joint = body.add_joint("one", -1, Vec3::Zero(), 0.1, part);
  body.add_capsule(joint, Vec3::Zero(), Vec3(1, 0, 0), 0.2, 0.1, 0);
  EXPECT_NEAR(body.sample(Vec3(0.5, 0.15, 0)).distance, 0, 1e-12);
  EXPECT_NEAR(body.sample(Vec3(-0.3, 0, 0)).distance, 0.1, 1e-12);
  EXPECT_NEAR(body.sample(Vec3(1.1, 0, 0)).distance, 0, 1e-12);
  body.add_ellipsoid(joint, Vec3(0, 2, 0), Vec3(0.1, 0.2, 0.3), 0);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(body.sample(Vec3(0, 2, 0) + Vec3::Unit(k) * 0.1 * (k + 1)).distance, 0, 1e-12);
}

TEST(ImplicitBody, BranchesMeltIntoTheirStemButNotIntoEachOther) {
  ImplicitBody body;
  const int part = body.add_part(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY());
  const int palm = body.add_joint("palm", -1, Vec3::Zero(), 0.1, part);
  body.add_capsule(palm, Vec3(0, 0, -1), Vec3(0, 0, 1), 0.5, 0.5, 0);
  for (int side : {1, -1}) {
    const int finger = body.add_joint(side > 0 ? "a" : "b", palm, Vec3::Zero(), 0.1, part);
    body.add_capsule(finger, Vec3(0, 0, side * 0.3), Vec3(4, 0, side * 0.3), 0.25, 0.25, 0.2);
  }
  // Half way between the fingers, 0.05 from each: a fillet of 0.2 would have closed the gap by 0.05.
  EXPECT_NEAR(body.sample(Vec3(3, 0, 0)).distance, 0.05, 1e-12);
  // In the corner between a finger and the palm the fillet fills up.
  const Vec3 corner(0.5, 0, 0.3 + 0.25);
  EXPECT_LT(body.sample(corner).distance, -0.04);
  const std::vector<double> shares = body.shares(Vec3(3, 0, 0.55));
  EXPECT_NEAR(shares[1], 1, 1e-12);
}

TEST(ImplicitBody, TheGradientIsThatOfTheDistance) {
  ImplicitBody body;
  const int part = body.add_part(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY());
  const int one = body.add_joint("one", -1, Vec3::Zero(), 0.1, part);
  body.add_capsule(one, Vec3::Zero(), Vec3(1, 0, 0), 0.3, 0.3, 0.1);
  const int two = body.add_joint("two", one, Vec3::Zero(), 0.1, part);
  body.add_capsule(two, Vec3(0.5, 0, 0), Vec3(0.5, 1, 0), 0.2, 0.2, 0.3);
  body.carve_ellipsoid(two, Vec3(0.7, 0.7, 0.1), Vec3(0.1, 0.1, 0.1), 0.1);
  for (const Vec3& p : {Vec3(0.72, 0.35, 0.05), Vec3(0.2, 0.3, 0.1), Vec3(0.62, 0.72, 0.16)})
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = 1e-6 * Vec3::Unit(k);
      const double slope = (body.sample(p + step).distance - body.sample(p - step).distance) / 2e-6;
      EXPECT_NEAR(body.sample(p).gradient[k], slope, 1e-6);
    }
}

TEST(Poser, ALegReachesItsTargetAndStaysAsItIsWhenItIsThere) {
  const Character& character = made("male");
  Poser pose(character);
  const int thigh = pose.joint("left_thigh"), shin = pose.joint("left_shin"), foot = pose.joint("left_foot");
  const Vec3 at = pose.position(foot);
  pose.reach(thigh, shin, foot, at, Vec3::UnitZ(), Vec3::UnitZ());
  EXPECT_NEAR(pose.rotation(thigh).angularDistance(Quat::Identity()), 0, 1e-7);
  pose.turn(pose.joint("pelvis"), Vec3::UnitY(), 0.4);
  pose.move(pose.joint("pelvis"), Vec3(0.05, -0.2, 0.1));
  pose.reach(thigh, shin, foot, at, Vec3::UnitZ(), Vec3::UnitZ());
  EXPECT_NEAR((pose.position(foot) - at).norm(), 0, 1e-9);
  EXPECT_GT(pose.position(shin).z(), pose.position(thigh).z());
}

}  // namespace
}  // namespace cutis
