#include "cutis/skin/constraint/keyframed_transport.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

double longest_edge(const Mesh& mesh) {
  double longest = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (int k = 0; k < 3; ++k) {
      const auto face = mesh.face(f);
      longest = std::max(longest, (mesh.positions[face[k]] - mesh.positions[face[(k + 1) % 3]]).norm());
    }
  return longest;
}

/// A piece of skin of a body, and where a path has carried it.
struct Piece {
  std::shared_ptr<const Surface> surface;
  ClosestPointTree tree;
  VertexId middle;
  std::vector<VertexId> vertices;

  /// Around the vertex nearest to `centre`.
  Piece(const Mesh& mesh, const Vec3& centre, double radius)
      : surface(std::make_shared<Surface>(triangulated(mesh).mesh)), tree(surface->mesh()) {
    const Points& x = surface->positions();
    const auto nearest = std::ranges::min_element(x, {}, [&](const Vec3& p) { return (p - centre).norm(); });
    middle = VertexId(static_cast<std::size_t>(nearest - x.begin()));
    vertices = vertices_where(mesh, [&](const Vec3& p) { return (p - *nearest).norm() < radius; });
  }
  KeyframedTransport journey(std::vector<Vec3> keys) const {
    SkinPath path{vertices, std::move(keys), {}};
    for (std::size_t k = 0; k < path.points.size(); ++k) path.times.push_back(static_cast<double>(k));
    return {*surface, tree, path};
  }
  Points places(const KeyframedTransport& journey, double time) const {
    IdVector<VertexId, SurfacePoint> points(surface->mesh().vertex_count(), {FaceId(0), Vec3::UnitX()});
    journey.place(time, points);
    Points x = surface->positions();
    for (VertexId v : vertices) x[v] = surface->position(points[v]);
    return x;
  }
};

/// How far the middle is from the keys' places on the body, and the piece from its rigid image.
struct Off {
  double middle = 0, piece = 0;
};

/// Keys on a circle around `axis` that the body goes round with, at these angles; rigid motion about it.
Off off_the_circle(const Piece& piece, const Vec3& axis, const std::vector<double>& angles) {
  const Points& home = piece.surface->positions();
  const auto turned = [&](const Vec3& x, double angle) -> Vec3 { return Eigen::AngleAxisd(angle, axis) * x; };
  std::vector<Vec3> keys;
  for (double angle : angles) keys.push_back(turned(home[piece.middle], angle));
  const KeyframedTransport journey = piece.journey(keys);
  Off off;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Points x = piece.places(journey, static_cast<double>(k));
    const Vec3 key = piece.surface->position(piece.tree(keys[k]).point);
    off.middle = std::max(off.middle, (x[piece.middle] - key).norm());
    for (VertexId v : piece.vertices)
      off.piece = std::max(off.piece, (x[v] - turned(home[v], angles[k])).norm());
  }
  return off;
}

TEST(KeyframedTransport, OnASphereAPieceGoesRoundAsItIs) {
  const Mesh mesh = icosphere(4);
  const Piece piece(mesh, Vec3(0.6, 0.1, 0.7), 0.4);
  const Vec3 axis = mesh.positions[piece.middle].cross(Vec3(0.3, 1, 0)).normalized();
  const double d = M_PI / 180;
  const Off off = off_the_circle(piece, axis, {0, 50 * d, 50 * d, 120 * d, 200 * d, 300 * d});
  const double h = longest_edge(mesh);
  std::printf("  sphere: middle off by %.1e, piece by %.1e; edges %.3f\n", off.middle, off.piece, h);
  EXPECT_LT(off.middle, 1e-12);
  EXPECT_LT(off.piece, h * h / 4);  // at home and there the mesh is up to h² / 8 off the sphere
}

TEST(KeyframedTransport, OnATorusAPieceGoesHalfRound) {
  const Mesh mesh = quad_torus(64, 32, 1, 0.4);
  const Piece piece(mesh, Vec3(1.4, 0, 0), 0.3);
  std::vector<double> angles;
  for (int i = 0; i <= 6; ++i) angles.push_back(i * M_PI / 6);
  const Off off = off_the_circle(piece, Vec3::UnitZ(), angles);
  const double h = longest_edge(piece.surface->mesh());
  std::printf("  torus: middle off by %.1e, piece by %.1e; edges %.3f\n", off.middle, off.piece, h);
  EXPECT_LT(off.middle, 1e-12);
  EXPECT_LT(off.piece, h * h / (8 * 0.4));  // what the mesh is off the torus at most
}

TEST(KeyframedTransport, BetweenKeysItGoesAtAnEvenPaceAndComesBackHome) {
  const Mesh mesh = icosphere(4);
  const Piece piece(mesh, Vec3::UnitX(), 0.3);
  const Points& home = piece.surface->positions();
  const Vec3 from = home[piece.middle], axis = from.cross(Vec3(0.2, 0.3, 1)).normalized();
  const auto turned = [&](const Vec3& x, double angle) -> Vec3 { return Eigen::AngleAxisd(angle, axis) * x; };
  const KeyframedTransport journey = piece.journey({from, turned(from, 1.2), from});
  const double h = longest_edge(mesh);
  for (double t = 0; t <= 2; t += 0.05) {
    const double angle = 1.2 * (t < 1 ? t : 2 - t);
    const Points x = piece.places(journey, t), before = piece.places(journey, t - 1e-9);
    for (VertexId v : piece.vertices) {
      EXPECT_LT((x[v] - turned(home[v], angle)).norm(), h * h / 4) << t;
      EXPECT_LT((x[v] - before[v]).norm(), 1e-8) << t;
    }
  }
  const Points back = piece.places(journey, 2);
  for (VertexId v : piece.vertices) EXPECT_LT((back[v] - home[v]).norm(), h * h / 20);
}

TEST(KeyframedTransport, OnASheetItIsShiftedAlongEveryLeg) {
  const Mesh mesh = sheet(20, 20, 0.3, 7);
  const Piece piece(mesh, Vec3(0.3, 0.3, 0), 0.15);
  const Vec3 from = mesh.positions[piece.middle];
  // The keys hang above the sheet, each at another height.
  const KeyframedTransport journey = piece.journey({from + Vec3(0, 0, 0.02), from + Vec3(0.4, 0, 0.05),
                                                    from + Vec3(0.4, 0.3, 0), from + Vec3(0, 0.3, 0.01)});
  const std::vector<Vec3> shifts = {{0, 0, 0},      {0.2, 0, 0},   {0.4, 0, 0},
                                    {0.4, 0.15, 0}, {0.4, 0.3, 0}, {0, 0.3, 0}};
  const std::vector<double> times = {-1, 0.5, 1, 1.5, 2, 3};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Points x = piece.places(journey, times[i]);
    for (VertexId v : piece.vertices)
      EXPECT_LT((x[v] - mesh.positions[v] - shifts[i]).norm(), 1e-12) << times[i];
  }
}

TEST(KeyframedTransport, ARingOnAConeGoesAlongItsBoneWithoutATwist) {
  // Radius 1 + slope z. A ring shifted along the axis by `way` comes to lie way * slope inside; the closest
  // point of the cone is way sin² further back.
  const double slope = 0.2, way = 0.5;
  const int around = 48, along = 24;
  Mesh mesh;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const double z = 2.0 * j / along, radius = 1 + slope * z, angle = 2 * M_PI * i / around;
      mesh.positions.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  const auto at = [&](int i, int j) { return VertexId(j * around + i % around); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i)
      mesh.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
  Piece piece(mesh, Vec3(1, 0, 0.5), 1);
  piece.vertices = vertices_where(mesh, [](const Vec3& x) { return x.z() > 0.4 && x.z() < 0.8; });
  const KeyframedTransport journey = piece.journey({Vec3(0, 0, 0.6), Vec3(0, 0, 0.6 + way)});
  const Points x = piece.places(journey, 1);
  const double back = way * slope * slope / (1 + slope * slope);
  for (VertexId v : piece.vertices) {
    const Vec3& home = mesh.positions[v];
    EXPECT_NEAR(x[v].z(), home.z() + way - back, 1e-3);
    EXPECT_NEAR(std::remainder(std::atan2(x[v].y(), x[v].x()) - std::atan2(home.y(), home.x()), 2 * M_PI), 0,
                way * slope * M_PI / around);
  }
}

TEST(KeyframedTransport, SeparatePartsHaveNoWayBetweenThem) {
  const Mesh mesh = joined(icosphere(2), icosphere(2), Vec3(3, 0, 0));
  const Piece piece(mesh, Vec3(0, 0, 1), 0.3);
  try {
    piece.journey({Vec3(0, 0, 1), Vec3(0.5, 0, 1), Vec3(3, 0, 1)});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("from point 2 to point 3"));
  }
}

}  // namespace
}  // namespace cutis
