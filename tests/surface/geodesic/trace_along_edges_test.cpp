#include <cmath>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/trace.h"
#include "support/meshes.h"

namespace cutis {
namespace {

// An edge is straight in space, too: a path along it must end exactly where the straight line does, whichever
// of its two faces it is named in and whichever side of it rounding puts the vector.

/// On half-edge h, at `share` of its length.
SurfacePoint on_edge(const Topology& t, HalfedgeId h, double share) {
  SurfacePoint p{t.face(h), Vec3::Zero()};
  p.barycentric[static_cast<int>(h.index() % 3)] = 1 - share;
  p.barycentric[static_cast<int>(t.next(h).index() % 3)] = share;
  return p;
}

Vec3 position(const Mesh& mesh, const SurfacePoint& p) { return interpolate(mesh, mesh.positions, p); }

/// Three triangles around vertex 2, which is at (0.3, y): below 0.81 the border turns inwards there.
Mesh three_triangles(double y) {
  Mesh mesh;
  for (const auto& [x, y] : {std::pair(0.0, 0.0), {1.0, 0.1}, {0.3, y}, {1.2, 1.1}, {-0.7, 0.5}})
    mesh.positions.push_back(Vec3(x, y, 0));
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {1, 3, 2}, {0, 2, 4}})
    mesh.add_face(std::array{VertexId(a), VertexId(b), VertexId(c)});
  return mesh;
}

/// Traces from places on every edge, ends included, to its ends and part of the way; returns the largest
/// miss.
double worst_miss_on_edges(const Mesh& mesh, const Topology& t, test::Random& random, int places) {
  double worst = 0;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    for (int i = 0; i < places; ++i) {
      const double at[] = {0, 1, 0.005, 0.995, 1e-6, 1 - 1e-6, random(), random()};
      const SurfacePoint start = on_edge(t, h, at[i % 8]);
      const Vec3 p = position(mesh, start);
      for (VertexId v : {t.from(h), t.to(h)})
        for (double part : {1.0, random()}) {
          const Vec3 vector = part * (mesh.positions[v] - p);
          const TraceResult r = trace(t, mesh.positions, start, vector);
          EXPECT_EQ(r.reason, TraceEnd::Arrived) << "half-edge " << h.value << " at " << at[i % 8];
          EXPECT_NEAR(r.length, vector.norm(), 1e-14 * vector.norm() + 1e-16);
          worst = std::max(worst, (position(mesh, r.end) - p - vector).norm());
        }
    }
  return worst;
}

TEST(TraceAlongEdges, OfThreeTrianglesArrivesAtTheirEnds) {
  const Mesh mesh = three_triangles(0.9);
  const Topology t(mesh);
  const SurfacePoint start{FaceId(0), Vec3(0, 0.995, 0.005)};
  const VertexId end(1);
  const TraceResult r =
      trace(t, mesh.positions, start, mesh.positions[end] - interpolate(mesh, mesh.positions, start));
  EXPECT_LT((position(mesh, r.end) - mesh.positions[end]).norm(), 1e-15);
  test::Random random(1);
  EXPECT_LT(worst_miss_on_edges(mesh, t, random, 400), 1e-15);
}

TEST(TraceAlongEdges, ArrivesAtTheirEndsOnEveryFamily) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    test::Random random(2);
    EXPECT_LT(worst_miss_on_edges(mesh, t, random, 8), 1e-15 * bounding_diagonal(mesh.positions.raw()));
  }
}

TEST(TraceAlongEdges, GoesStraightOnBeyondTheirEndsOnAFlatSheet) {
  const Mesh mesh = test::sheet(12, 12, 0.45, 3);
  const Topology t(mesh);
  test::Random random(4);
  int compared = 0;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    for (double at : {0.0, 0.005, 0.995, 1 - 1e-6, random(), random(), random()}) {
      const SurfacePoint start = on_edge(t, h, at);
      const Vec3 p = position(mesh, start), edge = mesh.positions[t.to(h)] - p;
      const Vec3 aim = p + (1 + random(0, 3 / edge.norm()) * random()) * edge;
      if (aim.head<2>().minCoeff() < 0.01 || aim.head<2>().maxCoeff() > 0.99) continue;
      const TraceResult r = trace(t, mesh.positions, start, aim - p);
      EXPECT_EQ(r.reason, TraceEnd::Arrived);
      EXPECT_LT((position(mesh, r.end) - aim).norm(), 1e-13);
      ++compared;
    }
  EXPECT_GT(compared, 1000);
}

TEST(TraceAlongEdges, ComesBackFromBeyondTheirEndsOnEveryFamily) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const double size = bounding_diagonal(mesh.positions.raw());
    test::Random random(5);
    double worst = 0;
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
      for (double at : {0.005, 0.995, random(0.01, 0.99)}) {
        if (t.is_border(t.to(h))) continue;
        const SurfacePoint start = on_edge(t, h, at);
        const Vec3 p = position(mesh, start), edge = mesh.positions[t.to(h)] - mesh.positions[t.from(h)];
        const TraceResult there = trace(t, mesh.positions, start, (1.2 - at) * edge);
        const TraceResult back = trace(t, mesh.positions, there.end, -there.length * there.direction);
        worst = std::max(worst, (position(mesh, back.end) - p).norm());
      }
    EXPECT_LT(worst, 2e-13 * size);
  }
}

TEST(TraceAlongEdges, OfABorderGoesOnOnlyWhereTheBorderTurnsInwards) {
  const Mesh mesh = three_triangles(0.6);
  const Topology t(mesh);
  test::Random random(6);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    if (!t.is_border(t.twin(h))) continue;
    for (int i = 0; i < 200; ++i) {
      const SurfacePoint start = on_edge(t, h, i == 0 ? 0.995 : random());
      const Vec3 p = position(mesh, start);
      for (VertexId v : {t.from(h), t.to(h)}) {
        const Vec3 end = mesh.positions[v], beyond = end + 0.1 * (end - p).normalized();
        const TraceResult r = trace(t, mesh.positions, start, beyond - p);
        const bool goes_on = v == VertexId(2);
        EXPECT_EQ(r.reason, goes_on ? TraceEnd::Arrived : TraceEnd::Border);
        EXPECT_LT((position(mesh, r.end) - (goes_on ? beyond : end)).norm(), 1e-14);
      }
    }
  }
}

TEST(TraceAlongEdges, OfAStraightBorderGoesOnToItsCorner) {
  const Mesh mesh = test::sheet(9, 9, 0.3, 7);
  const Topology t(mesh);
  test::Random random(8);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    if (!t.is_border(t.twin(h))) continue;
    for (double at : {0.0, 0.01, 0.99, random(), random(), random()}) {
      const SurfacePoint start = on_edge(t, h, at);
      const Vec3 p = position(mesh, start);
      for (VertexId v : {t.from(h), t.to(h)}) {
        Vec3 along = mesh.positions[v] - p;
        if (along.norm() == 0) continue;
        along.normalize();
        Vec3 corner = p;
        for (int k = 0; k < 2; ++k)
          if (std::abs(along[k]) > 0.5) corner[k] = along[k] > 0;
        const TraceResult r = trace(t, mesh.positions, start, corner - p);
        EXPECT_EQ(r.reason, TraceEnd::Arrived);
        EXPECT_LT((position(mesh, r.end) - corner).norm(), 1e-14);
        const TraceResult on = trace(t, mesh.positions, start, corner - p + 0.1 * along);
        EXPECT_EQ(on.reason, TraceEnd::Border);
        EXPECT_LT((position(mesh, on.end) - corner).norm(), 1e-14);
        EXPECT_NEAR(on.length, (corner - p).norm(), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace cutis
