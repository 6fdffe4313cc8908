/// The motions of the cast against the formulas that their headers state.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/body/procedural/geometric/cylinder.h"
#include "cutis/body/procedural/geometric/patch.h"
#include "cutis/body/procedural/geometric/sheet.h"
#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/body/procedural/geometric/torus.h"
#include "cutis/body/procedural/procedural_bodies.h"

namespace cutis {
namespace {

using std::numbers::pi;

constexpr double kExact = 1e-12;  // [m]

SourcePoints moved(const std::string& name, const std::string& clip, double time, double edge = 0) {
  RigChoice choice;
  choice.clip = clip;
  return open_cast_member(name, edge, choice)->source_positions(time);
}

std::vector<Vec3> rest_of(const std::string& name) {
  return open_cast_member(name)->source().positions.raw();
}

/// The least component along y of the normals of a sheet: above zero it is nowhere turned over.
double least_rise(const SourceMesh& mesh, const SourcePoints& points) {
  double least = 1;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 &a = points[face[i]], &b = points[face[(i + 1) % 4]], &c = points[face[(i + 3) % 4]];
      least = std::min(least, (b - a).cross(c - a).normalized().y());
    }
  }
  return least;
}

TEST(Cylinder, TwistsItsRightHalfAtConstantRadius) {
  const std::vector<Vec3> rest = rest_of("cylinder");
  // How much of the way is done: 6 t^5 - 15 t^4 + 10 t^3.
  for (const auto& [time, done] : {std::pair{0.25, 0.103515625}, {0.5, 0.5}, {1.0, 1.0}}) {
    const SourcePoints twisted = moved("cylinder", "twist", time);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const Vec3 &p = twisted.raw()[v], &q = rest[v];
      EXPECT_EQ(p.x(), q.x());
      EXPECT_NEAR(std::hypot(p.y(), p.z()), 0.06, kExact);
      if (q.x() <= 0) {
        EXPECT_EQ(p, q);
      }
      const double angle = std::atan2(p.z() * q.y() - p.y() * q.z(), p.y() * q.y() + p.z() * q.z());
      EXPECT_NEAR(angle, pi / 2 * done * std::max(0.0, q.x()) / 0.2, kExact);
    }
  }
}

TEST(Cylinder, WringsBothHalvesAndSpinsOnce) {
  const std::vector<Vec3> rest = rest_of("cylinder");
  const SourcePoints wrung = moved("cylinder", "wring", 1), spun = moved("cylinder", "spin", 1),
                     back = moved("cylinder", "spin", 2);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const double angle = pi / 3 * rest[v].x() / 0.2;
    EXPECT_LT((wrung.raw()[v] - Eigen::AngleAxisd(angle, Vec3::UnitX()) * rest[v]).norm(), kExact);
    EXPECT_LT((spun.raw()[v] - Vec3(rest[v].x(), -rest[v].y(), -rest[v].z())).norm(), kExact);
    EXPECT_LT((back.raw()[v] - rest[v]).norm(), kExact);
  }
}

TEST(Cylinder, IsPressedTogetherAndKeepsItsVolume) {
  const std::vector<Vec3> rest = rest_of("cylinder");
  const SourcePoints pressed = moved("cylinder", "press", 1);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    EXPECT_NEAR(pressed.raw()[v].x(), 0.8 * rest[v].x(), kExact);
    EXPECT_NEAR(std::hypot(pressed.raw()[v].y(), pressed.raw()[v].z()), 0.06 / std::sqrt(0.8), kExact);
  }
}

/// The ring angle of a point and its distance from the centre line of the ring.
struct RingPlace {
  double theta, tube;
};

RingPlace ring_place(const Vec3& p) {
  return {std::atan2(-p.z(), p.x()), std::hypot(std::hypot(p.x(), p.z()) - 0.1, p.y())};
}

TEST(Torus, HasThePapersNumberOfVertices) {
  EXPECT_EQ(make_torus(0.0131).mesh.vertex_count(), 1152u);
  for (const Vec3& p : make_torus(0.0131).mesh.positions) EXPECT_NEAR(ring_place(p).tube, 0.05, kExact);
}

TEST(Torus, StretchesUnevenlyAlongTheRingAtConstantTubeRadius) {
  const SourcePoints stretched = moved("torus", "stretch", 1);
  double shortest = 1, longest = 0, around = 0;
  for (std::size_t column = 0; column < 48; ++column)
    for (std::size_t row = 0; row < 24; ++row) {
      const double theta = 2 * pi * column / 48, next = 2 * pi * (column + 1) / 48;
      const RingPlace a = ring_place(stretched.raw()[row * 48 + column]);
      const RingPlace b = ring_place(stretched.raw()[row * 48 + (column + 1) % 48]);
      EXPECT_NEAR(a.tube, 0.05, kExact);
      const double arc = std::remainder(b.theta - a.theta, 2 * pi);
      EXPECT_NEAR(arc, next - theta + 0.6 * (std::sin(next) - std::sin(theta)), kExact);
      shortest = std::min(shortest, arc * 48 / (2 * pi));
      longest = std::max(longest, arc * 48 / (2 * pi));
      around += arc / 24;
    }
  EXPECT_NEAR(around, 2 * pi, 1e-10);
  EXPECT_NEAR(shortest, 0.4, 0.01);
  EXPECT_NEAR(longest, 1.6, 0.01);
}

TEST(Torus, SqueezesItsTubeOnTheStretchedSide) {
  const SourcePoints squeezed = moved("torus", "squeeze", 1), stretched = moved("torus", "stretch", 1);
  for (std::size_t v = 0; v < squeezed.size(); ++v) {
    const double theta = 2 * pi * (v % 48) / 48;
    EXPECT_NEAR(ring_place(squeezed.raw()[v]).tube, 0.05 * (1 - 0.2 * (1 + std::cos(theta))), kExact);
    EXPECT_NEAR(
        std::remainder(ring_place(squeezed.raw()[v]).theta - ring_place(stretched.raw()[v]).theta, 2 * pi), 0,
        kExact);
  }
}

TEST(Torus, BendsWithoutStretchingItsPlane) {
  const std::vector<Vec3> rest = rest_of("torus");
  for (double curvature : {6.0, 3.0}) {
    const SourcePoints bent = moved("torus", "bend", curvature == 6 ? 1 : 0.5);
    const Vec2 centre(0, 1 / curvature);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const Vec2 spoke = bent.raw()[v].head<2>() - centre;
      EXPECT_NEAR(spoke.norm(), 1 / curvature - rest[v].y(), kExact);
      // Angle times radius at y = 0: the length of the arc is what x was.
      EXPECT_NEAR(std::atan2(spoke.x(), -spoke.y()) / curvature, rest[v].x(), kExact);
      EXPECT_EQ(bent.raw()[v].z(), rest[v].z());
    }
  }
}

TEST(Torus, IsShakenByASineAndSpins) {
  const std::vector<Vec3> rest = rest_of("torus");
  for (double time : {0.5, 1.125, 2.375, 3.2}) {
    const SourcePoints shaken = moved("torus", "shake", time);
    for (std::size_t v = 0; v < rest.size(); ++v)
      EXPECT_LT((shaken.raw()[v] - rest[v] - Vec3(0.03 * std::sin(4 * pi * time), 0, 0)).norm(), kExact);
  }
  EXPECT_NEAR(moved("torus", "shake", 1.125).raw()[0].x() - rest[0].x(), 0.03, kExact);
  const SourcePoints half_way = moved("torus", "spin", 1);
  for (std::size_t v = 0; v < rest.size(); ++v)
    EXPECT_LT((half_way.raw()[v] - Vec3(-rest[v].x(), rest[v].y(), -rest[v].z())).norm(), kExact);
}

TEST(Sphere, IsRoundWithEvenQuads) {
  const SourceMesh mesh = make_sphere(0.01).mesh;
  EXPECT_EQ(mesh.face_count(), 6u * 16 * 16);
  EXPECT_EQ(mesh.vertex_count(), mesh.face_count() + 2);  // Euler
  double least = 1, most = 0;
  for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.norm(), 0.1, kExact);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    const Vec3 diagonal = mesh.positions[face[2]] - mesh.positions[face[0]];
    const double area = diagonal.cross(mesh.positions[face[3]] - mesh.positions[face[1]]).norm() / 2;
    least = std::min(least, area);
    most = std::max(most, area);
  }
  EXPECT_LT(most / least, 1.45);
}

TEST(Sphere, SquashesAtConstantVolumePulsesAndSpins) {
  const std::vector<Vec3> rest = rest_of("sphere");
  const SourcePoints squashed = moved("sphere", "squash", 1), large = moved("sphere", "pulse", 1),
                     half_way = moved("sphere", "spin", 1);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const double w = 1 / std::sqrt(0.6);
    EXPECT_LT((squashed.raw()[v] - Vec3(w * rest[v].x(), 0.6 * rest[v].y(), w * rest[v].z())).norm(), kExact);
    EXPECT_NEAR(large.raw()[v].norm(), 0.125, kExact);
    EXPECT_LT((half_way.raw()[v] - Vec3(-rest[v].x(), rest[v].y(), -rest[v].z())).norm(), kExact);
  }
}

TEST(Sheet, StretchesShearsAndWaves) {
  const std::vector<Vec3> rest = rest_of("sheet");
  ASSERT_EQ(rest.size(), 41u * 41);
  const SourcePoints stretched = moved("sheet", "stretch", 1), sheared = moved("sheet", "shear", 1);
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const double x = rest[v].x(), z = rest[v].z();
    EXPECT_LT((stretched.raw()[v] - Vec3(1.4 * x, 0, z / std::sqrt(1.4))).norm(), kExact);
    EXPECT_LT((sheared.raw()[v] - Vec3(x + 0.5 * z, 0, z)).norm(), kExact);
  }
  for (double time : {0.75, 1.3, 2.25}) {
    const SourcePoints waved = moved("sheet", "wave", time);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const double height = 0.012 * std::sin(2 * pi * (rest[v].x() / 0.1 - time));
      EXPECT_LT((waved.raw()[v] - rest[v] - Vec3(0, height, 0)).norm(), kExact);
    }
  }
}

TEST(Sheet, RollsWithoutStretching) {
  const SourcePoints rolled = moved("sheet", "roll", 1);
  const double radius = 0.2 / (1.5 * pi), chord = 2 * radius * std::sin(0.005 / 2 / radius);
  for (std::size_t v = 0; v < rolled.size(); ++v) {
    const Vec3& p = rolled.raw()[v];
    EXPECT_NEAR(std::hypot(p.x(), p.y() - radius), radius, kExact);
    if (v % 41 < 40) {
      EXPECT_NEAR((rolled.raw()[v + 1] - p).norm(), chord, kExact);
    }
    if (v + 41 < rolled.size()) {
      EXPECT_NEAR((rolled.raw()[v + 41] - p).norm(), 0.005, kExact);
    }
  }
}

double bump_height(double x, double z) {
  const double q = std::hypot(x, z) / 0.04;
  return q < 1 ? 0.02 * std::pow(1 - q * q, 2) : 0;
}

TEST(Bump, TravelsUnderASheetOf41By41) {
  const std::vector<Vec3> rest = rest_of("bump");
  ASSERT_EQ(rest.size(), 41u * 41);
  const SourceMesh mesh = make_bump(0.005).mesh;
  const std::size_t top = 20 * 41 + 20;
  EXPECT_EQ(rest[top], Vec3(0, 0.02, 0));  // half as high as its radius
  for (const auto& [time, place] :
       {std::pair{0.25, 0.0125}, {0.5, 0.025}, {1.0, 0.0}, {1.5, -0.025}, {2.0, 0.0}}) {
    const SourcePoints carried = moved("bump", "carry", time), passed = moved("bump", "pass", time);
    EXPECT_LT((carried.raw()[top] - Vec3(place, 0.02, 0)).norm(), kExact);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      const Vec3 &p = carried.raw()[v], &q = passed.raw()[v];
      // Both lie on the same surface, the bump at its new place; only where the points are on it differs.
      EXPECT_NEAR(p.y(), bump_height(p.x() - place, p.z()), kExact);
      EXPECT_NEAR(q.y(), bump_height(q.x() - place, q.z()), kExact);
      EXPECT_TRUE(q.x() == rest[v].x() && q.z() == rest[v].z());
      const double distance = std::hypot(rest[v].x(), rest[v].z());
      if (distance < 0.04) {
        EXPECT_LT((p - rest[v] - Vec3(place, 0, 0)).norm(), kExact);
      }
      if (distance >= 0.1) {
        EXPECT_EQ(p, rest[v]);
      }
    }
    EXPECT_GT(least_rise(mesh, carried), 0.4);
  }
}

class Patch : public testing::Test {
 protected:
  const Character patch_ = make_patch(0.002);
  const SourceMesh& mesh_ = patch_.meshes[0].mesh;
  const std::vector<Vec3>& rest_ = mesh_.positions.raw();

  SourcePoints at(const std::string& clip, double time) const { return moved("patch", clip, time); }
};

TEST_F(Patch, ShapesAreFullInTheMiddleOfTheirClips) {
  ASSERT_EQ(patch_.clips.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const MorphTarget& shape = patch_.meshes[0].morphs[i];
    EXPECT_EQ(patch_.clips[i].name, shape.name);
    const SourcePoints full = at(shape.name, 1), half = at(shape.name, 0.5), none = at(shape.name, 2);
    for (std::size_t v = 0; v < rest_.size(); ++v) {
      EXPECT_LT((full.raw()[v] - rest_[v] - shape.offsets.raw()[v]).norm(), kExact);
      EXPECT_LT((half.raw()[v] - rest_[v] - 0.5 * shape.offsets.raw()[v]).norm(), kExact);
      EXPECT_LT((none.raw()[v] - rest_[v]).norm(), kExact);
    }
  }
}

TEST_F(Patch, CompressesTwistsPinchesAndPullsAsStated) {
  const SourcePoints compressed = at("compress", 1), twisted = at("twist", 1), pinched = at("pinch", 1),
                     pulled = at("pull_up", 1);
  const std::size_t middle = 25 * 51 + 25;
  EXPECT_NEAR(pinched.raw()[middle].y(), 0.008, kExact);
  EXPECT_NEAR(pulled.raw()[middle].y(), 0.030, kExact);
  EXPECT_NEAR(pinched.raw()[middle + 1].x() / rest_[middle + 1].x(), 0.35, 0.01);
  for (std::size_t v = 0; v < rest_.size(); ++v) {
    const Vec3& p = rest_[v];
    const double distance = std::hypot(p.x(), p.z());
    EXPECT_LT((compressed.raw()[v] - Vec3(0.7 * p.x(), 0, p.z())).norm(), kExact);
    EXPECT_NEAR(std::hypot(twisted.raw()[v].x(), twisted.raw()[v].z()), distance, kExact);
    if (distance < 0.009) {
      EXPECT_LT((twisted.raw()[v] - Eigen::AngleAxisd(pi / 4, Vec3::UnitY()) * p).norm(), kExact);
    }
    if (distance < 0.045) continue;
    for (const SourcePoints* points : {&twisted, &pinched, &pulled})
      EXPECT_LT((points->raw()[v] - p).norm(), kExact);
  }
}

TEST_F(Patch, NoShapeTurnsAFaceOverOnItsWay) {
  for (const MorphTarget& shape : patch_.meshes[0].morphs)
    for (double time : {0.2, 0.4, 0.6, 0.8, 1.0})
      EXPECT_GT(least_rise(mesh_, at(shape.name, time)), 0.4) << shape.name << " at " << time;
}

}  // namespace
}  // namespace cutis
