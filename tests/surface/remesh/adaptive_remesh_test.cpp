#include "cutis/surface/remesh/adaptive_remesh.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/remesh/evenness.h"
#include "cutis/surface/remesh/remesh.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

using Metric = IdVector<VertexId, Mat3>;

/// The surface's own mesh.
EmbeddedMesh whole(const Surface& rest) {
  EmbeddedMesh embedded{rest.mesh(), {}, {}, {}};
  embedded.mesh.uvs = {};
  for (VertexId v : ids<VertexId>(rest.mesh().vertex_count())) embedded.places.push_back(rest.point(v));
  return embedded;
}

EmbeddedMesh coarse(const Surface& rest, double edge) {
  const RemeshResult r = remesh(rest, edge);
  return {r.mesh, r.source, {}, {}};
}

/// A metric from a length of edge at each place.
template <class F>
Metric isotropic(const Mesh& mesh, const F& size) {
  Metric metric;
  for (const Vec3& p : mesh.positions) metric.push_back(Mat3::Identity() / (size(p) * size(p)));
  return metric;
}

/// Short edges along x, long ones along y.
Metric stretched(const Mesh& mesh, double along_x, double along_y) {
  const Vec3 squares(1 / (along_x * along_x), 1 / (along_y * along_y), 1 / (along_y * along_y));
  return Metric(mesh.vertex_count(), squares.asDiagonal());
}

std::vector<double> metric_lengths(const Mesh& mesh, const Metric& metric) {
  const Topology t(mesh);
  std::vector<double> lengths;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const VertexId a = t.from(t.halfedge(e)), b = t.to(t.halfedge(e));
    const Vec3 way = mesh.positions[b] - mesh.positions[a];
    lengths.push_back(std::sqrt(0.5 * way.dot((metric[a] + metric[b]) * way)));
  }
  return lengths;
}

double longest(const std::vector<double>& lengths) {
  return *std::max_element(lengths.begin(), lengths.end());
}

std::vector<std::array<int, 3>> shape(const Mesh& mesh) {
  std::vector<std::array<int, 3>> parts;
  for (const PartReport& part : diagnose(mesh).parts)
    parts.push_back({part.genus, part.euler(), int(part.borders)});
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// Faces turned against the surface's smooth normals at their corners.
int turned_over(const Surface& rest, const EmbeddedMesh& embedded) {
  int count = 0;
  for (FaceId f : ids<FaceId>(embedded.mesh.face_count())) {
    const auto v = embedded.mesh.face(f);
    const Vec3& a = embedded.mesh.positions[v[0]];
    Vec3 up = Vec3::Zero();
    for (VertexId x : v) up += interpolate(rest.mesh(), rest.normals(), embedded.places[x]);
    count += !((embedded.mesh.positions[v[1]] - a).cross(embedded.mesh.positions[v[2]] - a).dot(up) > 0);
  }
  return count;
}

/// What holds after every call.
void check_result(const Surface& rest, const EmbeddedMesh& old, const AdaptiveRemeshResult& r) {
  const Mesh& mesh = r.embedded.mesh;
  ASSERT_NO_THROW(Topology{mesh});
  EXPECT_EQ(shape(mesh), shape(old.mesh));
  EXPECT_EQ(turned_over(rest, r.embedded), 0);
  ASSERT_EQ(r.transfer.size(), mesh.vertex_count());
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    EXPECT_EQ(mesh.positions[v], rest.position(r.embedded.places[v]));
    double sum = 0;
    for (const VertexWeight& w : r.transfer[v]) sum += w.weight;
    EXPECT_NEAR(sum, 1, 1e-12);
    if (const VertexId same = r.transfer.old_vertex(v); same.valid()) {
      EXPECT_EQ(mesh.positions[v], old.mesh.positions[same]);
      EXPECT_EQ(r.embedded.places[v], old.places[same]);
    }
  }
}

/// Largest distance from vertices and face centres of one mesh to another.
double one_way(const Mesh& a, const Points& positions, const Mesh& b, const Points& other) {
  const ClosestPointTree tree(b, other);
  double worst = 0;
  for (VertexId v : ids<VertexId>(a.vertex_count()))
    worst = std::max(worst, tree(positions[v]).distance_squared);
  for (FaceId f : ids<FaceId>(a.face_count()))
    worst = std::max(worst, tree(interpolate(a, positions, {f, Vec3::Constant(1.0 / 3)})).distance_squared);
  return std::sqrt(worst);
}

std::vector<test::NamedMesh> rest_shapes() {
  return {{"sheet", test::sheet(24, 24, 0.3, 1)},
          {"cylinder", test::cylinder(40, 20, 0.3, 1)},
          {"cylinder patch",
           [] {
             Mesh patch = test::sheet(24, 24, 0.3, 2);
             for (Vec3& p : patch.positions) p = Vec3(std::sin(2 * p.x()), p.y(), std::cos(2 * p.x()));
             return patch;
           }()},
          {"sphere", test::icosphere(3)},
          {"torus", test::torus(48, 24, 1, 0.35)}};
}

TEST(AdaptiveRemesh, MeshesStayManifoldAndUprightAndEdgesFitTheMetric) {
  for (const auto& [name, mesh] : rest_shapes()) {
    SCOPED_TRACE(name);
    const Surface rest(mesh);
    const double edge = rest.size() / 12;
    const EmbeddedMesh start = coarse(rest, edge);
    for (const double factor : {0.4, 0.2, 4.0}) {
      SCOPED_TRACE(factor);
      const auto size = [&](const Vec3& p) {
        return edge * factor * (1 + 0.5 * std::sin(9 * p.x() / rest.size()));
      };
      const AdaptiveRemeshResult r = adaptive_remesh(rest, start, isotropic(start.mesh, size));
      check_result(rest, start, r);
      const Metric asked = r.transfer(isotropic(start.mesh, size));
      const auto lengths = metric_lengths(r.embedded.mesh, asked);
      if (factor < 1) {
        EXPECT_LE(longest(lengths), 1.0 + 1e-12);
        EXPECT_GT(evenness(r.embedded.mesh).smallest_angle, 12 * kDegree);
      }
      if (factor > 1) {
        EXPECT_LT(r.embedded.mesh.vertex_count(), start.mesh.vertex_count() * 0.8);
      }
      EXPECT_TRUE(r.settled);
      const double mean =
          std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
      EXPECT_GT(mean, 0.5);
    }
  }
}

TEST(AdaptiveRemesh, FlatMeshesKeepAffineFields) {
  const Surface rest(test::sheet(10, 8, 0.3, 1));
  const EmbeddedMesh start = whole(rest);
  const AdaptiveRemeshResult r = adaptive_remesh(rest, start, stretched(start.mesh, 0.02, 0.1));
  check_result(rest, start, r);
  EXPECT_GT(r.splits, 100);
  const auto affine = [](const Mesh& mesh) {
    IdVector<VertexId, double> values;
    for (const Vec3& p : mesh.positions) values.push_back(0.7 - 3 * p.x() + 2 * p.y());
    return values;
  };
  const auto moved = r.transfer(affine(start.mesh)), expected = affine(r.embedded.mesh);
  for (VertexId v : ids<VertexId>(expected.size())) EXPECT_NEAR(moved[v], expected[v], 1e-14);
}

TEST(AdaptiveRemesh, BordersStayBorders) {
  const Surface rest(test::cylinder(96, 40, 0.3, 1));
  const EmbeddedMesh start = coarse(rest, 0.12);
  const AdaptiveRemeshResult r =
      adaptive_remesh(rest, start, isotropic(start.mesh, [](const Vec3&) { return 0.03; }));
  check_result(rest, start, r);
  const Topology t(r.embedded.mesh);
  for (VertexId v : ids<VertexId>(t.vertex_count())) {
    if (!t.is_border(v)) continue;
    const double z = r.embedded.mesh.positions[v].z();
    EXPECT_TRUE(z == 0 || z == 1) << z;
  }
}

TEST(AdaptiveRemesh, WhatFitsIsLeftAlone) {
  const Surface rest(test::icosphere(4));
  const EmbeddedMesh start = coarse(rest, 0.1);
  const Metric metric = isotropic(start.mesh, [](const Vec3&) { return 0.12; });
  const AdaptiveRemeshResult first = adaptive_remesh(rest, start, metric);
  const AdaptiveRemeshResult second = adaptive_remesh(rest, first.embedded, first.transfer(metric));
  EXPECT_FALSE(second.changed());
  EXPECT_EQ(second.embedded.mesh.positions, first.embedded.mesh.positions);
  EXPECT_EQ(second.embedded.mesh.corners, first.embedded.mesh.corners);
}

TEST(AdaptiveRemesh, FixedVerticesAndKeptEdgesStay) {
  const Surface rest(test::sheet(20, 20, 0, 1));
  EmbeddedMesh start = whole(rest);
  start.fixed.assign(start.mesh.vertex_count(), 0);
  const Vec3 fixed = start.mesh.positions[VertexId(21 * 7 + 5)];
  start.fixed[VertexId(21 * 7 + 5)] = 1;
  const auto on_line = [](const Vec3& p) { return std::abs(p.x() - 0.5) < 1e-9; };
  const Topology t(start.mesh);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const VertexId a = t.from(t.halfedge(e)), b = t.to(t.halfedge(e));
    if (on_line(start.mesh.positions[a]) && on_line(start.mesh.positions[b]))
      start.kept_edges.push_back(std::minmax(a, b));
  }
  ASSERT_EQ(start.kept_edges.size(), 20u);
  for (const double size : {0.02, 0.3}) {
    SCOPED_TRACE(size);
    const AdaptiveRemeshResult r =
        adaptive_remesh(rest, start, isotropic(start.mesh, [&](const Vec3&) { return size; }));
    check_result(rest, start, r);
    const Points& x = r.embedded.mesh.positions;
    double length = 0;
    for (const auto& [a, b] : r.embedded.kept_edges) {
      EXPECT_TRUE(on_line(x[a]) && on_line(x[b]));
      length += (x[b] - x[a]).norm();
    }
    EXPECT_NEAR(length, 1, 1e-12);
    EXPECT_EQ(r.embedded.kept_edges.size() < 20, size > 0.1);
    const auto found = std::find(x.begin(), x.end(), fixed);
    ASSERT_NE(found, x.end());
    EXPECT_TRUE(r.embedded.fixed[VertexId(std::size_t(found - x.begin()))]);
  }
}

TEST(AdaptiveRemesh, ATravellingBandIsRefinedAndCoarsenedAgain) {
  const Surface rest(test::torus(96, 48, 1, 0.4));
  EmbeddedMesh mesh = coarse(rest, 0.2);
  const auto settle = [&](double angle) {
    // The band is seen only by vertices in it: each call halves what the last one left.
    for (int i = 0; i < 8; ++i) {
      const auto size = [&](const Vec3& p) {
        const double off = std::remainder(std::atan2(p.y(), p.x()) - angle, 2 * pi);
        return 0.04 + 0.2 * std::clamp(std::abs(off) - 0.1, 0.0, 1.0);
      };
      const AdaptiveRemeshResult r = adaptive_remesh(rest, mesh, isotropic(mesh.mesh, size));
      check_result(rest, mesh, r);
      mesh = r.embedded;
      if (!r.changed()) break;
    }
    return mesh.mesh.vertex_count();
  };
  const std::size_t first = settle(0);
  for (int i = 1; i < 12; ++i) {
    const std::size_t count = settle(2 * pi * i / 12);
    EXPECT_LT(count, first * 1.25);
    EXPECT_GT(count, first * 0.8);
  }
  const std::size_t last = settle(2 * pi);
  EXPECT_NEAR(double(last), double(first), 0.15 * double(first));
}

/// A sheet that has buckled into waves along x.
Points waves(const Mesh& sheet, double wavelength, double height) {
  Points points = sheet.positions;
  for (Vec3& p : points) p.z() = height * std::sin(2 * pi * p.x() / wavelength);
  return points;
}

TEST(AdaptiveRemesh, TheSurfaceStaysWhereItIs) {
  const double wavelength = 0.25;
  const Surface rest(test::sheet(80, 80, 0.3, 1));
  const EmbeddedMesh start = whole(rest);
  const Points current = waves(start.mesh, wavelength, 0.25 * wavelength);
  std::size_t bounded = 0, free = 0;
  for (const bool bound : {true, false}) {
    AdaptiveRemeshOptions options;
    if (bound) options.max_deviation = 0.005 * wavelength;
    const AdaptiveRemeshResult r = adaptive_remesh(
        rest, start, isotropic(start.mesh, [](const Vec3&) { return 0.2; }), current, options);
    check_result(rest, start, r);
    const Points now = r.transfer(current);
    const double moved = std::max(one_way(start.mesh, current, r.embedded.mesh, now),
                                  one_way(r.embedded.mesh, now, start.mesh, current)) /
                         wavelength;
    if (bound) {
      EXPECT_LE(moved, 0.01);
    }
    (bound ? bounded : free) = now.size();
  }
  EXPECT_GT(bounded, 2 * free);
  EXPECT_LT(bounded, start.mesh.vertex_count() / 2);
}

TEST(AdaptiveRemesh, NothingIsFoldedNow) {
  // Steep waves, as skin has them: slopes of 70 degrees.
  const double wavelength = 0.25;
  const Surface rest(test::sheet(64, 64, 0.3, 1));
  const EmbeddedMesh start = whole(rest);
  const Points current = waves(start.mesh, wavelength, 0.44 * wavelength);
  for (const double size : {0.008, 0.05}) {
    AdaptiveRemeshOptions options;
    options.max_deviation = 0.01 * wavelength;
    const AdaptiveRemeshResult r = adaptive_remesh(
        rest, start, isotropic(start.mesh, [&](const Vec3&) { return size; }), current, options);
    check_result(rest, start, r);
    const Points now = r.transfer(current);
    for (FaceId f : ids<FaceId>(r.embedded.mesh.face_count())) {
      const auto v = r.embedded.mesh.face(f);
      const Vec3 area = (now[v[1]] - now[v[0]]).cross(now[v[2]] - now[v[0]]);
      const Vec3 centre = (now[v[0]] + now[v[1]] + now[v[2]]) / 3;
      const double slope =
          2 * pi * 0.44 * std::cos(2 * pi * centre.x() / wavelength);  // of the waves: all face upwards
      EXPECT_GT(area.dot(Vec3(-slope, 0, 1)), 0);
    }
  }
}

/// A tensor with random sizes between two bounds along random axes.
Mat3 random_metric(test::Random& random, double smallest, double largest) {
  const Quat turn(Eigen::AngleAxisd(random(0, 2 * pi), random.in_cube().normalized()));
  Vec3 squares;
  for (int k = 0; k < 3; ++k) squares[k] = std::pow(random(smallest, largest), -2);
  return turn * squares.asDiagonal() * turn.inverse();
}

TEST(AdaptiveRemesh, RandomMetricsOnMovingMeshesOfAllKinds) {
  unsigned seed = 1;
  for (const auto& [name, mesh] : test::mesh_families()) {
    // Noisy meshes have faces turned over before anything is done to them.
    if (name.find("noisy") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const Surface rest(mesh);
    test::Random random(seed++);
    EmbeddedMesh layer = coarse(rest, rest.size() / 15);
    Points current = layer.mesh.positions;
    for (Vec3& p : current) p += 0.01 * rest.size() * random.in_cube();
    AdaptiveRemeshOptions options;
    options.max_deviation = 0.004 * rest.size();
    options.smallest_edge = rest.size() / 100;
    for (int call = 0; call < 3; ++call) {
      SCOPED_TRACE(call);
      Metric metric;
      for (std::size_t i = 0; i < layer.mesh.vertex_count(); ++i)
        metric.push_back(random_metric(random, rest.size() / 50, rest.size() / (call % 2 == 0 ? 20 : 5)));
      const AdaptiveRemeshResult r = adaptive_remesh(rest, layer, metric, current, options);
      check_result(rest, layer, r);
      if (HasFatalFailure()) return;
      EXPECT_TRUE(r.changed());
      const Points now = r.transfer(current);
      const ClosestPointTree surface(r.embedded.mesh, now);
      for (const Vec3& p : current)
        EXPECT_LE(std::sqrt(surface(p).distance_squared), options.max_deviation * (1 + 1e-9));
      layer = r.embedded;
      current = now;
    }
  }
}

TEST(AdaptiveRemesh, LongTrianglesAlongCrestsTakeAThirdOfTheVertices) {
  const Surface rest(test::sheet(40, 40, 0.3, 1));
  const EmbeddedMesh start = coarse(rest, 0.1);
  const double across = 0.015;
  const auto refined = [&](double along) {
    return adaptive_remesh(rest, start, stretched(start.mesh, across, along));
  };
  const AdaptiveRemeshResult even = refined(across), long_ones = refined(6 * across);
  check_result(rest, start, long_ones);
  EXPECT_LE(longest(metric_lengths(long_ones.embedded.mesh,
                                   stretched(long_ones.embedded.mesh, across, 6 * across))),
            1 + 1e-12);
  const std::size_t few = long_ones.embedded.mesh.vertex_count(), many = even.embedded.mesh.vertex_count();
  EXPECT_LE(3 * few, many);
}

/// The middle of the longest side of a triangle without area is its third corner: split there, it would leave
/// more such triangles, which could go on for ever. A flip would mend it, where that moves the surface too
/// far.
TEST(AdaptiveRemesh, NoVertexIsPutOnAnother) {
  const Surface rest(test::sheet(8, 8, 0, 1));
  EmbeddedMesh layer;
  for (const Vec3& p :
       {Vec3(0.2, 0.5, 0), Vec3(0.8, 0.5, 0), Vec3(0.5, 0.5, 0), Vec3(0.5, 0.7, 0), Vec3(0.5, 0.3, 0)}) {
    layer.places.push_back(ClosestPointTree(rest.mesh())(p).point);
    layer.mesh.positions.push_back(p);
  }
  const VertexId a(0), b(1), middle(2), top(3), bottom(4);
  for (const auto& corners : {std::array{a, b, top}, std::array{b, a, middle}, std::array{middle, a, bottom},
                              std::array{b, middle, bottom}})
    layer.mesh.add_face(corners);
  AdaptiveRemeshOptions options;
  options.max_deviation = 0.01;
  Points current = layer.mesh.positions;
  current[middle].z() += 0.1;
  const Metric metric = isotropic(layer.mesh, [](const Vec3&) { return 0.2; });
  const Points now = adaptive_remesh(rest, layer, metric, current, options).embedded.mesh.positions;
  EXPECT_GT(now.size(), layer.mesh.vertex_count());
  for (VertexId v : ids<VertexId>(now.size()))
    for (VertexId w : ids<VertexId>(v.index())) EXPECT_GT((now[v] - now[w]).norm(), 1e-3);
}

TEST(AdaptiveRemesh, TheOtherWallIsNotTaken) {
  // Two sheets a hundredth of an edge apart, facing away from each other.
  Mesh one = test::sheet(10, 10, 0.2, 1), other = one;
  for (VertexId v : ids<VertexId>(other.vertex_count())) other.positions[v].z() = -0.001;
  for (FaceId f : ids<FaceId>(other.face_count()))
    std::swap(other.corners[other.first_corner(f)], other.corners[CornerId(other.first_corner(f).value + 1)]);
  one.uvs = other.uvs = {};
  for (Mesh* sheet : {&one, &other})
    for (Vec3& p : sheet->positions) p.z() += 0.05 * p.x() * p.x();
  const Surface rest(test::joined(one, other, Vec3::Zero()));
  const EmbeddedMesh start = coarse(rest, 0.3);
  const AdaptiveRemeshResult r =
      adaptive_remesh(rest, start, isotropic(start.mesh, [](const Vec3&) { return 0.05; }));
  check_result(rest, start, r);
  const auto part = rest.topology().components();
  for (FaceId f : ids<FaceId>(r.embedded.mesh.face_count())) {
    const auto v = r.embedded.mesh.face(f);
    EXPECT_EQ(part[r.embedded.places[v[0]].face], part[r.embedded.places[v[1]].face]);
    EXPECT_EQ(part[r.embedded.places[v[0]].face], part[r.embedded.places[v[2]].face]);
  }
}

TEST(AdaptiveRemesh, ACallThatChangesNothingIsCheap) {
  using Clock = std::chrono::steady_clock;
  const Surface rest(test::icosphere(5));
  const EmbeddedMesh start = coarse(rest, 0.08);
  const Metric metric = isotropic(start.mesh, [](const Vec3&) { return 0.03; });
  const auto began = Clock::now();
  const AdaptiveRemeshResult refined = adaptive_remesh(rest, start, metric);
  const auto between = Clock::now();
  const AdaptiveRemeshResult same = adaptive_remesh(rest, refined.embedded, refined.transfer(metric));
  const double idle = std::chrono::duration<double>(Clock::now() - between).count();
  const double busy = std::chrono::duration<double>(between - began).count();
  EXPECT_FALSE(same.changed());
  EXPECT_LT(idle, 0.4 * busy) << same.embedded.mesh.vertex_count() << " vertices";
}

TEST(AdaptiveRemesh, SaysWhatItCannotDo) {
  const Surface rest(test::sheet(4, 4, 0, 1));
  EmbeddedMesh start = whole(rest);
  const Metric metric = isotropic(start.mesh, [](const Vec3&) { return 1.0; });
  EXPECT_THROW(adaptive_remesh(rest, start, Metric(3, Mat3::Identity())), InputError);
  EXPECT_THROW(adaptive_remesh(rest, start, metric, Points(3)), InputError);
  start.kept_edges = {{VertexId(0), VertexId(24)}};
  EXPECT_THROW(adaptive_remesh(rest, start, metric), InputError);
}

const bool adaptive_bits = test::same_bits("AdaptiveRemesh", [] {
  const Surface rest(test::torus(48, 24, 1, 0.35));
  const EmbeddedMesh start = coarse(rest, 0.2);
  const AdaptiveRemeshResult r = adaptive_remesh(rest, start, stretched(start.mesh, 0.05, 0.15));
  return std::tuple(r.embedded.mesh.positions, r.embedded.mesh.corners, r.transfer);
});

}  // namespace
}  // namespace cutis
