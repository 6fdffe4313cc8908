#include "cutis/surface/geodesic/log_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/geodesic/trace.h"
#include "support/meshes.h"
#include "support/torus_geodesic.h"

namespace cutis {
namespace {

using test::Random;
constexpr double pi = std::numbers::pi;

TEST(LogMap, IsTheDifferenceOnAFlatSheet) {
  const Mesh mesh = test::irregular(test::sheet(12, 10, 0.4, 2), 1, 3);
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  LogMap map;
  Random random(5);
  for (int i = 0; i < 30; ++i) {
    SurfacePoint centre{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(0.2, 0.5, 0.3)};
    if (i % 5 == 1) centre.barycentric = Vec3(0, 0.4, 0.6);
    if (i % 5 == 2) centre.barycentric = Vec3(0.4, 0.6, 0);
    if (i % 5 == 3) centre.barycentric = Vec3::Unit(random.below(3));
    const auto v = mesh.face(centre.face);
    const Vec3 origin = interpolate(mesh, mesh.positions, centre);
    const Vec3 x = (mesh.positions[v[1]] - mesh.positions[v[0]]).normalized(), y = Vec3::UnitZ().cross(x);
    log_map(geodesics, centre, 0.4, map);
    ASSERT_GT(map.vertices.size(), 10u);
    for (std::size_t k = 0; k < map.vertices.size(); ++k) {
      const Vec3 way = mesh.positions[map.vertices[k]] - origin;
      ASSERT_NEAR((map.coordinates[k] - Vec2(way.dot(x), way.dot(y))).norm(), 0, 1e-9) << i;
    }
    const SurfacePoint to{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(0.1, 0.1, 0.8)};
    const Vec3 way = interpolate(mesh, mesh.positions, to) - origin;
    ASSERT_NEAR((*log_point(geodesics, centre, to) - Vec2(way.dot(x), way.dot(y))).norm(), 0, 1e-9);
    EXPECT_FALSE(log_point(geodesics, centre, to, 0.999 * way.norm()).has_value());
  }
}

// Distances on the mesh are of second order, but each vertex turns the paths beside it by its share of the
// curvature, h² K. Those turns are a smooth surface's only on average: what is left of about r/h of them adds
// up to h^1.5 in the direction, and to h where vertices lie in rows along the path.

/// Prints the largest and returns the mean distance between coordinates and the truth, which measures azimuth
/// against the first half-edge.
template <class Truth>
double vertex_error(const char* name, const Mesh& mesh, VertexId centre, double radius, const Truth& truth) {
  const Topology topology(mesh);
  const GeodesicMetric metric(topology, mesh.positions);
  Geodesics geodesics(metric);
  LogMap map;
  log_map(geodesics, centre, radius, map);
  const Vec3 normal = truth.normal(centre);
  const VertexId first = topology.to(topology.halfedge(centre));
  const auto [zero_direction, zero_distance] = truth(centre, first, metric.length(topology.halfedge(centre)));
  const Vec3 y = normal.cross(zero_direction);
  double largest = 0, sum = 0;
  for (std::size_t k = 1; k < map.vertices.size(); ++k) {
    const auto [direction, distance] = truth(centre, map.vertices[k], map.coordinates[k].norm());
    const Vec2 expected = distance * Vec2(direction.dot(zero_direction), direction.dot(y));
    const double error = (map.coordinates[k] - expected).norm();
    largest = std::max(largest, error);
    sum += error;
  }
  const double mean = sum / static_cast<double>(map.vertices.size() - 1);
  std::printf("  %-18s %7zu vertices: largest %.2e, mean %.2e\n", name, mesh.vertex_count(), largest, mean);
  return mean;
}

struct Way {
  Vec3 direction;
  double distance;
};

struct SphereTruth {
  const Mesh& mesh;
  Vec3 normal(VertexId v) const { return mesh.positions[v]; }
  Way operator()(VertexId a, VertexId b, double) const {
    const Vec3 &p = mesh.positions[a], &q = mesh.positions[b];
    return {(q - q.dot(p) * p).normalized(), std::atan2(p.cross(q).norm(), p.dot(q))};
  }
};

struct TorusTruth {
  const test::TorusMesh& torus;
  Vec3 normal(VertexId v) const {
    const double u = torus.uv[v][0], w = torus.uv[v][1];
    return {std::cos(w) * std::cos(u), std::cos(w) * std::sin(u), std::sin(w)};
  }
  Way operator()(VertexId a, VertexId b, double guess) const {
    const auto log = test::torus_log(torus, a, b, guess);
    return {log.direction, log.distance};
  }
};

TEST(LogMap, ConvergesOnTheSphere) {
  double last = 0;
  for (int level = 2; level <= 5; ++level) {
    Mesh mesh = test::noisy(test::icosphere(level), 0.25, 7);
    for (Vec3& p : mesh.positions) p.normalize();
    const double error = vertex_error("jittered sphere", mesh, VertexId(20), 1.5, SphereTruth{mesh});
    if (last > 0) {
      EXPECT_GT(last / error, 2.3);
    }
    last = error;
  }
  EXPECT_LT(last, 1.2e-3);
}

TEST(LogMap, ConvergesOnTheTorus) {
  double last = 0;
  for (int n = 24; n <= 96; n *= 2) {
    const test::TorusMesh torus(n, n / 2, 1, 0.4, 0.3, 17);
    const double error =
        vertex_error("jittered torus", torus.mesh, VertexId(n / 2 * 3), 0.8, TorusTruth{torus});
    if (last > 0) {
      EXPECT_GT(last / error, 2.0);
    }
    last = error;
  }
  EXPECT_LT(last, 2.5e-3);
}

/// Traces every coordinate of the map back over the mesh; the share that arrives at its vertex.
double share_that_arrives(const Mesh& mesh, Geodesics& geodesics, const SurfacePoint& centre, double radius) {
  const Topology& topology = geodesics.metric().topology();
  const TangentFrame frame = face_frame(topology, mesh.positions, centre.face);
  LogMap map;
  log_map(geodesics, centre, radius, map);
  int arrived = 0;
  for (std::size_t k = 0; k < map.vertices.size(); ++k) {
    const TraceResult end = trace(topology, mesh.positions, centre, frame.vector(map.coordinates[k]));
    const Vec3 miss = interpolate(mesh, mesh.positions, end.end) - mesh.positions[map.vertices[k]];
    arrived += miss.norm() < 1e-8 * radius;
  }
  EXPECT_GT(map.vertices.size(), 5u);
  return double(arrived) / static_cast<double>(map.vertices.size());
}

TEST(LogMap, TracingACoordinateArrivesAtItsVertex) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics geodesics(metric);
    // Where no vertex has more than a full turn, every shortest path is straight. Elsewhere some bend around
    // such a vertex and are not what a trace follows.
    bool straight = true;
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) straight = straight && !metric.bends_paths(v);
    Random random(8);
    for (int i = 0; i < 15; ++i) {
      SurfacePoint centre{FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(0.2, 0.5, 0.3)};
      if (i % 3 == 1) centre.barycentric = Vec3(0.4, 0, 0.6);
      if (i % 3 == 2) centre.barycentric = Vec3::Unit(random.below(3));
      const double share = share_that_arrives(mesh, geodesics, centre, 0.6);
      EXPECT_GE(share, straight ? 1 : 0.4) << "centre " << i;
    }
  }
}

TEST(LogMap, GoesAllTheWayRoundAVertexWhateverItsAngle) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology topology(mesh);
    const GeodesicMetric metric(topology, mesh.positions);
    Geodesics geodesics(metric);
    LogMap map;
    for (VertexId v : {VertexId(0), VertexId(mesh.vertex_count() / 2)}) {
      double shortest = Geodesics::infinity;
      HalfedgeId h = topology.halfedge(v);
      const HalfedgeId start = h;
      do {
        shortest = std::min(shortest, metric.length(h));
        h = topology.rotate(h);
      } while (h != start && !topology.is_border(h));
      log_map(geodesics, v, 3 * shortest, map);
      ASSERT_EQ(map.vertices[0], v);
      EXPECT_EQ(map.coordinates[0], Vec2(0, 0));
      const double scale = topology.is_border(v) ? 1 : 2 * pi / metric.total_angle(v);
      for (std::size_t k = 1; k < map.vertices.size(); ++k) {
        const HalfedgeId edge = topology.find(v, map.vertices[k]);
        EXPECT_NEAR(map.coordinates[k].norm(), geodesics.distance(map.vertices[k]), 1e-12);
        if (!edge.valid() || map.coordinates[k].norm() < metric.length(edge) * (1 - 1e-12)) continue;
        const double angle = std::atan2(map.coordinates[k].y(), map.coordinates[k].x());
        EXPECT_NEAR(std::remainder(angle - scale * metric.polar_angle(edge), 2 * pi), 0, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace cutis
