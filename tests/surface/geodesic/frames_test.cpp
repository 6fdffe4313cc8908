#include "cutis/surface/geodesic/frames.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/meshes.h"

namespace cutis {
namespace {

constexpr double pi = std::numbers::pi;

double angle_of(const Vec2& v) { return std::atan2(v.y(), v.x()); }
double wrapped(double angle) { return std::remainder(angle, 2 * pi); }

/// A region of vertices bounded by one ring of faces, walked counter-clockwise: the faces that have corners
/// both in and out of it. Returns how far a vector carried once around has turned.
double turn_around_region(const Topology& t, const TangentFrames& frames, const std::vector<bool>& inside) {
  HalfedgeId start;  // leads out of the region
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    if (inside[t.from(h).index()] && !inside[t.to(h).index()]) start = h;
  // In face(h), which lies to the left of h: the other edge that leads out or in is the next to cross.
  Vec2 v = Vec2::UnitX();
  HalfedgeId h = start;
  do {
    HalfedgeId out = t.next(h);
    if (inside[t.from(out).index()] == inside[t.to(out).index()]) out = t.next(out);
    v = frames.across(out, v);
    h = t.twin(out);
  } while (h != start);
  return angle_of(v);
}

TEST(Frames, AreOrthonormalOnEveryFamily) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const TangentFrames frames(t, mesh.positions);
    const auto expect_orthonormal = [](const TangentFrame& f) {
      Mat3 m;
      m << f.x, f.y, f.normal;
      EXPECT_LT((m.transpose() * m - Mat3::Identity()).norm(), 1e-14);
      EXPECT_NEAR(m.determinant(), 1, 1e-14);
    };
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      expect_orthonormal(frames.frame(f));
      const HalfedgeId h = t.next(t.halfedge(f));
      const Vec3 edge = mesh.positions[t.to(h)] - mesh.positions[t.from(h)];
      EXPECT_NEAR(wrapped(angle_of(frames.frame(f).components(edge)) - frames.face_angle(h)), 0, 1e-11);
    }
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) expect_orthonormal(frames.frame(v));
  }
}

TEST(Frames, NormalsOfASpherePointOut) {
  const Mesh mesh = test::icosphere(3);
  const Topology t(mesh);
  const TangentFrames frames(t, mesh.positions);
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    EXPECT_GT(frames.frame(v).normal.dot(mesh.positions[v]), 0.999);
}

TEST(Frames, CarryingThereAndBackIsTheIdentity) {
  const Vec2 v(0.3, -1.2);
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const TangentFrames frames(t, mesh.positions);
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
      EXPECT_LT((frames.along(t.twin(h), frames.along(h, v)) - v).norm(), 1e-14);
      EXPECT_LT((frames.to_face(h, frames.to_vertex(h, v)) - v).norm(), 1e-14);
      if (t.is_border(t.twin(h))) continue;
      EXPECT_LT((frames.across(t.twin(h), frames.across(h, v)) - v).norm(), 1e-14);
    }
  }
}

TEST(Frames, OnceAroundAVertexTurnsByItsAngleDefect) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const TangentFrames frames(t, mesh.positions);
    double sum = 0;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      sum += frames.angle_defect(v);
      if (t.is_border(v)) continue;
      const Vec2 turned = frames.around(t.halfedge(v), t.halfedge(v), Vec2::UnitX());
      EXPECT_NEAR(wrapped(angle_of(turned) - frames.angle_defect(v)), 0, 1e-12);
    }
    // Gauss-Bonnet: defects and turns of the border sum to 2 pi times the Euler characteristic.
    const double euler = double(t.vertex_count()) - double(t.edge_count()) + double(t.face_count());
    EXPECT_NEAR(sum, 2 * pi * euler, 1e-9);
  }
}

TEST(Frames, OnAFlatSheetCarryingChangesNothing) {
  const Mesh mesh = test::sheet(9, 7, 0.4, 3);
  const Topology t(mesh);
  const TangentFrames frames(t, mesh.positions);
  const Vec3 wind(0.6, -0.8, 0);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const FaceId f = t.face(h);
    const Vec2 here = frames.frame(f).components(wind);
    const VertexId a = t.from(h), b = t.to(h);
    EXPECT_LT((frames.frame(a).vector(frames.to_vertex(h, here)) - wind).norm(), 1e-12);
    const Vec2 at_a = frames.frame(a).components(wind);
    EXPECT_LT((frames.frame(b).vector(frames.along(h, at_a)) - wind).norm(), 1e-12);
    if (t.is_border(t.twin(h))) continue;
    const FaceId g = t.face(t.twin(h));
    EXPECT_LT((frames.frame(g).vector(frames.across(h, here)) - wind).norm(), 1e-12);
  }
}

TEST(Frames, AroundACapOfASphereTheTurnConvergesToItsArea) {
  // The cap z > 0.35 has the area 2 pi (1 - 0.35); the ring of faces around its vertices follows its rim
  // within an edge's length, so compare with the area that belongs to the vertices inside.
  for (int level = 2; level <= 5; ++level) {
    const Mesh mesh = test::icosphere(level);
    const Topology t(mesh);
    const TangentFrames frames(t, mesh.positions);
    std::vector<bool> inside(mesh.vertex_count());
    double defects = 0, area = 0;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      if (!(inside[v.index()] = mesh.positions[v].z() > 0.35)) continue;
      defects += frames.angle_defect(v);
      HalfedgeId h = t.halfedge(v);
      do {
        const Vec3 &a = mesh.positions[v], &b = mesh.positions[t.to(h)];
        const Vec3& c = mesh.positions[t.to(t.next(h))];
        // A third of the spherical triangle (van Oosterom and Strackee 1983).
        area += 2.0 / 3 * std::atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
        h = t.rotate(h);
      } while (h != t.halfedge(v));
    }
    const double turn = turn_around_region(t, frames, inside);
    EXPECT_NEAR(wrapped(turn - defects), 0, 1e-11);
    // Second order: a quarter with each level.
    EXPECT_NEAR(wrapped(turn - area), 0, 0.04 * std::pow(4.0, -level)) << "level " << level;
  }
}

TEST(Frames, RefusePolygons) {
  const Mesh quads = test::quad_torus(6, 5, 1, 0.3);
  const Topology t(quads);
  EXPECT_THROW(TangentFrames(t, quads.positions), InputError);
}

}  // namespace
}  // namespace cutis
