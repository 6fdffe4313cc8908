#include "cutis/surface/geodesic/geodesic.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <queue>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/allocations.h"
#include "support/meshes.h"
#include "support/torus_geodesic.h"

namespace cutis {
namespace {

using test::NamedMesh;
using test::Random;
constexpr double pi = std::numbers::pi;

SurfacePoint random_point(const Mesh& mesh, Random& random) {
  const double a = random(), b = random() * (1 - a);
  return {FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(a, b, 1 - a - b)};
}

/// Shortest ways over a graph with `n` extra points on every edge and all straight lines inside faces: never
/// below the exact distance, and above it by little. Shares nothing with the method under test.
IdVector<VertexId, double> distance_over_graph(const Mesh& mesh, VertexId source, int n) {
  const Topology t(mesh);
  const std::size_t vertices = mesh.vertex_count(), extra = static_cast<std::size_t>(n);
  std::vector<Vec3> points = mesh.positions.raw();
  for (EdgeId e : ids<EdgeId>(t.edge_count()))
    for (int k = 1; k <= n; ++k) {
      const double s = double(k) / (n + 1);
      points.push_back((1 - s) * mesh.positions[t.from(t.halfedge(e))] +
                       s * mesh.positions[t.to(t.halfedge(e))]);
    }
  const auto on_face = [&](FaceId f) {
    std::vector<std::size_t> nodes;
    HalfedgeId h = t.halfedge(f);
    for (int k = 0; k < 3; ++k, h = t.next(h)) {
      nodes.push_back(t.from(h).index());
      for (std::size_t i = 0; i < extra; ++i) nodes.push_back(vertices + t.edge(h).index() * extra + i);
    }
    return nodes;
  };
  std::vector<std::vector<FaceId>> faces(points.size());
  for (FaceId f : ids<FaceId>(t.face_count()))
    for (std::size_t i : on_face(f)) faces[i].push_back(f);
  std::vector<double> best(points.size(), Geodesics::infinity);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  best[source.index()] = 0;
  queue.push({0, source.index()});
  while (!queue.empty()) {
    const auto [d, i] = queue.top();
    queue.pop();
    if (d > best[i]) continue;
    for (FaceId f : faces[i])
      for (std::size_t j : on_face(f)) {
        const double through = d + (points[i] - points[j]).norm();
        if (through < best[j]) queue.push({best[j] = through, j});
      }
  }
  best.resize(vertices);
  return IdVector<VertexId, double>(best);
}

TEST(Geodesic, IsStraightOnAFlatSheet) {
  for (double jitter : {0.0, 0.4}) {
    const Mesh mesh = test::sheet(24, 18, jitter, 5);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics geodesics(metric);
    Random random(11);
    for (int i = 0; i < 20; ++i) {
      SurfacePoint source = random_point(mesh, random);
      if (i % 3 == 1) source.barycentric = Vec3(0.3, 0, 0.7);
      if (i % 3 == 2) source.barycentric = Vec3(0, 1, 0);
      const Vec3 at = interpolate(mesh, mesh.positions, source);
      geodesics.from_points(std::span(&source, 1));
      ASSERT_EQ(geodesics.reached().size(), mesh.vertex_count());
      for (VertexId v : ids<VertexId>(mesh.vertex_count()))
        ASSERT_NEAR(geodesics.distance(v), (mesh.positions[v] - at).norm(), 1e-9) << "vertex " << v.value;
    }
  }
}

TEST(Geodesic, UnfoldsAcrossACubeEdgeAndAroundItsCorner) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.positions.push_back(Vec3(i & 1, i >> 1 & 1, i >> 2 & 1));
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    mesh.add_face(std::array{VertexId(q[0]), VertexId(q[1]), VertexId(q[2])});
    mesh.add_face(std::array{VertexId(q[0]), VertexId(q[2]), VertexId(q[3])});
  }
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  geodesics.from_vertices(std::array{VertexId(0)});
  EXPECT_NEAR(geodesics.distance(VertexId(7)), std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(geodesics.distance(VertexId(3)), std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(geodesics.distance(VertexId(4)), 1.0, 1e-14);
}

TEST(Geodesic, BendsAroundAConcaveBorder) {
  // A sheet with a slit of cells cut out of its middle column, from the lower border half way up.
  const int n = 20;
  const Mesh whole = test::sheet(n, n, 0, 3);
  Mesh mesh;
  mesh.positions = whole.positions;
  for (FaceId f : ids<FaceId>(whole.face_count())) {
    const Vec3 middle = interpolate(whole, whole.positions, {f, Vec3::Constant(1.0 / 3)});
    if (std::abs(middle.x() - 0.525) < 0.025 && middle.y() < 0.5) continue;
    mesh.add_face(whole.face(f));
  }
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  const VertexId source(5);  // on the lower border, left of the slit: (0.25, 0)
  geodesics.from_vertices(std::array{source});
  const Vec2 a(0.25, 0), left(0.5, 0.5), right(0.55, 0.5);
  for (VertexId v : geodesics.reached()) {
    const Vec2 p = mesh.positions[v].head<2>();
    double expected = (p - a).norm();
    const bool hidden =
        p.x() > 0.5 && (p.y() - a.y()) * (left - a).x() < (left - a).y() * (p.x() - a.x()) - 1e-12;
    if (hidden) {
      expected = (left - a).norm() + (p - left).norm();
      if (p.x() > 0.549 && p.y() < 0.5) expected = (left - a).norm() + 0.05 + (p - right).norm();
    }
    EXPECT_NEAR(geodesics.distance(v), expected, 1e-9) << p.transpose();
  }
}

TEST(Geodesic, IsWhatAFineGraphConvergesTo) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics geodesics(metric);
    const VertexId source(mesh.vertex_count() / 3);
    geodesics.from_vertices(std::array{source});
    double last = 0;
    for (int n : {4, 16}) {
      const auto graph = distance_over_graph(mesh, source, n);
      double gap = 0;
      for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
        const double d = geodesics.distance(v);
        if (graph[v] == Geodesics::infinity) {
          EXPECT_EQ(d, Geodesics::infinity);
          continue;
        }
        ASSERT_LE(d, graph[v] * (1 + 1e-9) + 1e-12) << "vertex " << v.value;
        ASSERT_LT(graph[v], d * (1 + 1.0 / n) + 1e-12) << "vertex " << v.value;
        gap += graph[v] - d;
      }
      // The graph's own error is of second order in the spacing of its points.
      if (last > 0) {
        EXPECT_LT(gap, last / 5);
      }
      last = gap;
    }
  }
}

TEST(Geodesic, BetweenTwoPointsIsTheSameBothWaysAndAgreesWithTheField) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics geodesics(metric);
    Random random(21);
    for (int i = 0; i < 8; ++i) {
      const SurfacePoint a = random_point(mesh, random), b = random_point(mesh, random);
      const double there = geodesics.between(a, b).distance, back = geodesics.between(b, a).distance;
      if (there == Geodesics::infinity) {
        EXPECT_EQ(back, Geodesics::infinity);
        continue;
      }
      EXPECT_NEAR(there, back, 1e-9);
      const SurfacePoint corner{b.face, Vec3(0, 1, 0)};
      const auto to_corner = geodesics.between(a, corner);
      geodesics.from_points(std::span(&a, 1));
      const VertexId v = mesh.face(b.face)[1];
      EXPECT_NEAR(to_corner.distance, geodesics.distance(v), 1e-12);
      EXPECT_NEAR(std::remainder(to_corner.direction - geodesics.direction(v), 2 * pi), 0, 1e-6);
      EXPECT_EQ(geodesics.between(a, b, there * 0.999).distance, Geodesics::infinity);
      EXPECT_EQ(geodesics.between(a, b, there * 1.001).distance, there);
    }
  }
}

TEST(Geodesic, ARadiusGivesTheSameBitsAsTheWholeField) {
  const Mesh mesh = test::noisy(test::torus(48, 24, 1.0, 0.4), 0.2, 9);
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics whole(metric), local(metric);
  Random random(4);
  const std::array sources{random_point(mesh, random), random_point(mesh, random),
                           random_point(mesh, random)};
  whole.from_points(sources);
  for (double radius : {0.0, 0.1, 0.5, 1.3}) {
    local.from_points(sources, radius);
    double last = 0;
    for (VertexId v : local.reached()) {
      EXPECT_LE(last, local.distance(v));
      last = local.distance(v);
    }
    EXPECT_LE(last, radius);
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      const bool inside = whole.distance(v) <= radius;
      ASSERT_EQ(local.distance(v), inside ? whole.distance(v) : Geodesics::infinity);
      ASSERT_EQ(local.source(v), inside ? whole.source(v) : -1);
    }
  }
}

TEST(Geodesic, QueriesAllocateNothingOnceTheirBuffersHaveGrown) {
  const Mesh mesh = test::noisy(test::torus(48, 24, 1.0, 0.4), 0.2, 9);
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  const SurfacePoint a{FaceId(100), Vec3(0.2, 0.3, 0.5)}, b{FaceId(140), Vec3(0.6, 0.3, 0.1)};
  geodesics.from_points(std::array{a, b});
  const std::size_t before = test::allocations();
  geodesics.from_points(std::array{b, a}, 0.7);
  geodesics.between(a, b);
  EXPECT_EQ(test::allocations(), before);
}

TEST(Geodesic, SeveralSourcesGiveTheNearest) {
  const Mesh mesh = test::irregular(test::icosphere(2), 2, 8);
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics one(metric), all(metric);
  Random random(6);
  std::vector<SurfacePoint> sources;
  for (int i = 0; i < 5; ++i) sources.push_back(random_point(mesh, random));
  all.from_points(sources);
  IdVector<VertexId, double> nearest(mesh.vertex_count(), Geodesics::infinity);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    one.from_points(std::span(&sources[i], 1));
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      nearest[v] = std::min(nearest[v], one.distance(v));
      if (all.source(v) == static_cast<int>(i)) {
        EXPECT_NEAR(all.distance(v), one.distance(v), 1e-12);
      }
    }
  }
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) EXPECT_NEAR(all.distance(v), nearest[v], 1e-12);
}

/// A source after the other, each within its own cell only, gives what all of them give at once.
TEST(Geodesic, SourcesThatAreAddedWithinTheirCellsGiveTheNearest) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics one(metric), all(metric);
    Random random(5);
    std::vector<VertexId> sources;
    IdVector<VertexId, double> nearest(mesh.vertex_count(), Geodesics::infinity);
    for (int i = 0; i < 6; ++i) {
      const VertexId source(random.below(static_cast<int>(mesh.vertex_count())));
      if (nearest[source] == 0) continue;
      sources.push_back(source);
      one.within_cell(source, nearest);
      for (VertexId v : one.reached()) {
        EXPECT_LT(one.distance(v), nearest[v]);
        nearest[v] = one.distance(v);
      }
    }
    EXPECT_LT(one.reached().size(), nearest.size());
    all.from_vertices(sources);
    for (VertexId v : all.reached()) EXPECT_NEAR(nearest[v], all.distance(v), 1e-12);
  }
}

TEST(Geodesic, BorderDistanceIsMeasuredToEdgesNotToTheirEnds) {
  const Mesh mesh = test::sheet(16, 12, 0.4, 2);
  const Topology topology(mesh);
  const auto distance = distance_to_border(GeodesicMetric(topology, mesh.positions));
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3& p = mesh.positions[v];
    const double expected = std::min({p.x(), 1 - p.x(), p.y(), 0.75 - p.y()});
    EXPECT_NEAR(distance[v], std::max(expected, 0.0), 1e-12);
  }
  const Mesh ball = test::icosphere(1);
  const Topology closed(ball);
  EXPECT_EQ(distance_to_border(GeodesicMetric(closed, ball.positions))[VertexId(0)], Geodesics::infinity);
}

struct Error {
  double largest = 0, mean = 0;
  int count = 0;
  void add(double e) {
    largest = std::max(largest, std::abs(e));
    mean += std::abs(e);
    ++count;
  }
};

/// Prints a row and returns the largest error.
double row(const char* name, std::size_t vertices, const Error& e) {
  std::printf("  %-18s %7zu vertices: largest %.2e, mean %.2e\n", name, vertices, e.largest,
              e.mean / e.count);
  return e.largest;
}

double sphere_error(const char* name, const Mesh& mesh) {
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  geodesics.from_vertices(std::array{VertexId(0)});
  Error error;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3 &a = mesh.positions[VertexId(0)], &b = mesh.positions[v];
    error.add(geodesics.distance(v) - std::atan2(a.cross(b).norm(), a.dot(b)));
  }
  return row(name, mesh.vertex_count(), error);
}

Mesh on_sphere(Mesh mesh) {
  for (Vec3& p : mesh.positions) p.normalize();
  return mesh;
}

TEST(Geodesic, ConvergesAtSecondOrderOnTheSphere) {
  double last = 0;
  for (int level = 2; level <= 5; ++level) {
    const double error = sphere_error("icosphere", test::icosphere(level));
    if (last > 0) {
      EXPECT_GT(last / error, 3.6);
    }
    last = error;
  }
  EXPECT_LT(last, 6e-4);
  last = 0;
  for (int level = 2; level <= 5; ++level) {
    const Mesh jittered = on_sphere(test::noisy(test::icosphere(level), 0.25, 7));
    const double error = sphere_error("jittered sphere", jittered);
    if (last > 0) {
      EXPECT_GT(last / error, 3.0);
    }
    last = error;
  }
}

TEST(Geodesic, ConvergesAtSecondOrderOnTheTorus) {
  constexpr double R = 1, r = 0.4;
  double last = 0;
  for (int n = 24; n <= 96; n *= 2) {
    const test::TorusMesh torus(n, n / 2, R, r, 0.3, 17);
    const Topology topology(torus.mesh);
    const GeodesicMetric metric(topology, torus.mesh.positions);
    Geodesics geodesics(metric);
    const VertexId source(n / 2 * 3);
    geodesics.from_vertices(std::array{source}, 0.9);
    Error error;
    for (VertexId v : geodesics.reached()) {
      if (v == source) continue;
      const auto truth = test::torus_log(torus, source, v, geodesics.distance(v));
      error.add(geodesics.distance(v) - truth.distance);
    }
    const double now = row("jittered torus", torus.mesh.vertex_count(), error);
    if (last > 0) {
      EXPECT_GT(last / now, 3.0);
    }
    last = now;
  }
  EXPECT_LT(last, 2e-3);
}

TEST(Geodesic, RefusesWhatIsNoTriangleMesh) {
  const Mesh quads = test::quad_sheet(2, 2, 0, 1);
  const Topology topology(quads);
  EXPECT_THROW(GeodesicMetric(topology, quads.positions), InputError);
  Mesh broken = test::sheet(2, 2, 0, 1);
  broken.positions[VertexId(3)].x() = std::nan("");
  const Topology sound(broken);
  EXPECT_THROW(GeodesicMetric(sound, broken.positions), InputError);
}

TEST(Geodesic, FacesWithoutAreaDoNoHarm) {
  // A vertex in the middle of an edge of its own face: a triangle of no area, exactly.
  Mesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0), Vec3(0.5, 1, 0), Vec3(0.5, -1, 0)})
    mesh.positions.push_back(p);
  for (const auto& f : {std::array{0, 2, 3}, {2, 1, 3}, {0, 1, 2}, {1, 0, 4}})
    mesh.add_face(std::array{VertexId(f[0]), VertexId(f[1]), VertexId(f[2])});
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  geodesics.from_vertices(std::array{VertexId(4)});
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    EXPECT_NEAR(geodesics.distance(v), (mesh.positions[v] - mesh.positions[VertexId(4)]).norm(), 1e-5);
}

}  // namespace
}  // namespace cutis
