#include "cutis/surface/limit/limit_surface.h"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/topology.h"
#include "support/allocations.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"

namespace cutis {
namespace {

using test::Random;

LimitSurface limit_of(const Mesh& mesh, const LimitOptions& options = {}) {
  return LimitSurface(mesh, triangulated(mesh), options);
}

LimitOptions with(SubdivisionScheme scheme) {
  LimitOptions options;
  options.scheme = scheme;
  return options;
}

SurfacePoint random_point(std::size_t triangles, Random& random) {
  double a = random(), b = random();
  if (a + b > 1) a = 1 - a, b = 1 - b;
  return {FaceId(random.below(static_cast<int>(triangles))), Vec3(1 - a - b, a, b)};
}

std::vector<test::NamedMesh> closed_families() {
  return {{"cube", test::cube()},
          {"quad torus", test::quad_torus(8, 6, 1, 0.4)},
          {"icosphere", test::icosphere(1)},
          {"irregular triangles", test::irregular(test::icosphere(1), 1, 3)},
          {"mixed polygons", test::mixed_torus(10, 5, 1, 0.4)},
          {"polygons of 3 to 12 sides", test::dual(test::irregular(test::icosphere(1), 1, 3))}};
}

/// Vertices one edge away, and the others that share a quad.
std::pair<Vec3, Vec3> ring_sums(const Mesh& mesh, const Topology& topology, VertexId v, int& valence) {
  Vec3 edges = Vec3::Zero(), diagonals = Vec3::Zero();
  HalfedgeId h = topology.halfedge(v);
  valence = 0;
  do {
    edges += mesh.positions[topology.to(h)];
    diagonals += mesh.positions[topology.to(topology.next(h))];
    ++valence;
    h = topology.rotate(h);
  } while (h != topology.halfedge(v));
  return {edges, diagonals};
}

TEST(LimitSurface, CatmullClarkVerticesFollowTheLimitMask) {
  for (const Mesh& mesh :
       {test::noisy(test::cube(), 0.3, 1), test::noisy(test::quad_torus(6, 5, 1, 0.4), 0.3, 2)}) {
    const Topology topology(mesh);
    const Points limits = limit_of(mesh).vertex_positions();
    for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
      int n = 0;
      const auto [edges, diagonals] = ring_sums(mesh, topology, v, n);
      // Halstead, Kass and DeRose 1993: (n² v + 4 Σ edge + Σ diagonal) / (n (n + 5)).
      const Vec3 expected = (n * n * mesh.positions[v] + 4 * edges + diagonals) / (n * (n + 5.0));
      EXPECT_LT((limits[v] - expected).norm(), 1e-14);
    }
  }
}

TEST(LimitSurface, LoopVerticesFollowTheLimitMask) {
  const Mesh mesh = test::noisy(test::irregular(test::icosphere(1), 1, 3), 0.2, 4);
  const Topology topology(mesh);
  const Points limits = limit_of(mesh).vertex_positions();
  std::set<int> valences;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    int n = 0;
    const Vec3 edges = ring_sums(mesh, topology, v, n).first;
    valences.insert(n);
    // Loop 1987: weight 1 / (n + 3 / (8 β)) for each neighbour.
    const double c = 3.0 / 8 + std::cos(2 * std::numbers::pi / n) / 4;
    const double beta = (5.0 / 8 - c * c) / n;
    const double w = 1 / (n + 3 / (8 * beta));
    EXPECT_LT((limits[v] - ((1 - n * w) * mesh.positions[v] + w * edges)).norm(), 1e-13);
  }
  EXPECT_GE(valences.size(), 5u);
}

TEST(LimitSurface, CubeKeepsItsSymmetry) {
  const LimitSurface limit = limit_of(test::cube());
  const Points positions = limit.vertex_positions(), normals = limit.vertex_normals();
  for (VertexId v : ids<VertexId>(8)) {
    const Vec3 corner = test::cube().positions[v];
    EXPECT_LT((positions[v] - positions[VertexId(7)].x() * corner).norm(), 1e-15);
    EXPECT_LT((normals[v] - corner.normalized()).norm(), 1e-13);
  }
}

/// z = a x² + b x y + c y² on a grid. Both schemes are uniform splines there: they reproduce x and y, and a
/// quadratic up to a constant; the cubic B-spline of i² is t² + 1/3.
TEST(LimitSurface, QuadraticsKeepTheirSecondDerivatives) {
  constexpr int n = 10;
  constexpr double a = 0.7, b = -0.4, c = 1.1;
  for (Mesh mesh : {test::quad_sheet(n, n, 0, 1), test::triangle_grid(n)}) {
    for (Vec3& p : mesh.positions) p.z() = a * p.x() * p.x() + b * p.x() * p.y() + c * p.y() * p.y();
    const bool quads = mesh.face_size(FaceId(0)) == 4;
    const TriangleMesh triangles = triangulated(mesh);
    const LimitSurface limit(mesh, triangles);
    Random random(1);
    int inside = 0;
    double offset = quads ? (a + c) / (3.0 * n * n) : NAN;
    for (int i = 0; i < 2000; ++i) {
      const LimitJet jet = limit.evaluate(random_point(triangles.mesh.face_count(), random));
      const double x = jet.position.x(), y = jet.position.y();
      if (std::min({x, y, 1 - x, 1 - y}) < 2.0 / n) continue;
      const double z = a * x * x + b * x * y + c * y * y;
      if (std::isnan(offset)) offset = jet.position.z() - z;
      EXPECT_NEAR(jet.position.z(), z + offset, 1e-14);
      const auto second = [&](const Vec3& p, const Vec3& q) {
        return Vec3(0, 0,
                    2 * a * p.x() * q.x() + b * (p.x() * q.y() + p.y() * q.x()) + 2 * c * p.y() * q.y());
      };
      EXPECT_LT((jet.d11 - second(jet.d1, jet.d1)).norm(), 1e-13);
      EXPECT_LT((jet.d12 - second(jet.d1, jet.d2)).norm(), 1e-13);
      EXPECT_LT((jet.d22 - second(jet.d2, jet.d2)).norm(), 1e-13);
      EXPECT_NEAR(std::abs(jet.d1.x() * jet.d2.y() - jet.d1.y() * jet.d2.x()), 1.0 / (n * n), 1e-14);
      ++inside;
    }
    EXPECT_GT(inside, 300);
  }
}

TEST(LimitSurface, CommutesWithAffineMaps) {
  Mat3 A;
  A << 1.2, 0.3, -0.1, 0.2, 0.7, 0.5, -0.4, 0.1, 1.5;
  const Vec3 shift(3, -2, 1);
  for (const auto& [name, mesh] : closed_families()) {
    const auto triangles = triangulated(mesh);
    const LimitSurface before(mesh, triangles);
    LimitSurface after = before;
    Points moved = mesh.positions;
    for (Vec3& p : moved) p = A * p + shift;
    after.update(moved);
    Random random(2);
    for (int i = 0; i < 300; ++i) {
      const SurfacePoint p = random_point(triangles.mesh.face_count(), random);
      const LimitJet x = before.evaluate(p), y = after.evaluate(p);
      const double scale = 1 + x.d11.norm() + x.d22.norm();
      EXPECT_LT((y.position - (A * x.position + shift)).norm(), 1e-13) << name;
      EXPECT_LT((y.d1 - A * x.d1).norm() + (y.d2 - A * x.d2).norm(), 1e-12 * scale) << name;
      EXPECT_LT((y.d11 - A * x.d11).norm() + (y.d12 - A * x.d12).norm() + (y.d22 - A * x.d22).norm(),
                1e-10 * scale)
          << name;
      EXPECT_EQ(x.position, before.position(p));
    }
  }
}

/// The two sides of every inner edge of the triangles: sides of polygons and the cuts through them.
TEST(LimitSurface, IsContinuousAcrossEveryTriangleEdge) {
  for (const auto& [name, mesh] : closed_families()) {
    const auto triangles = triangulated(mesh);
    const LimitSurface limit(mesh, triangles);
    const auto on_edge = [](std::size_t f, int k, double t) {
      Vec3 b = Vec3::Zero();
      b[k] = 1 - t, b[(k + 1) % 3] = t;
      return SurfacePoint{FaceId(f), b};
    };
    std::map<std::pair<int, int>, std::pair<std::size_t, int>> halfedges;
    for (std::size_t f = 0; f < triangles.mesh.face_count(); ++f)
      for (int k = 0; k < 3; ++k)
        halfedges[{triangles.mesh.face(FaceId(f))[k].value,
                   triangles.mesh.face(FaceId(f))[(k + 1) % 3].value}] = {f, k};
    for (const auto& [ends, side] : halfedges) {
      const auto other = halfedges.at({ends.second, ends.first});
      for (double t : {0.0, 1e-3, 0.2, 0.49, 0.5, 0.7, 0.999}) {
        const Vec3 a = limit.position(on_edge(side.first, side.second, t));
        const Vec3 b = limit.position(on_edge(other.first, other.second, 1 - t));
        ASSERT_LT((a - b).norm(), 1e-14)
            << name << ", edge " << ends.first << "-" << ends.second << " at " << t;
      }
    }
  }
}

TEST(LimitSurface, SharpCubeIsTheCubeItself) {
  const Mesh mesh = test::cube();
  const Topology topology(mesh);
  LimitOptions options;
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    options.creases.push_back({topology.from(h), topology.to(h), 10});
  }
  const auto triangles = triangulated(mesh);
  const LimitSurface limit(mesh, triangles, options);
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const SurfacePoint p = random_point(triangles.mesh.face_count(), random);
    Vec3 flat = Vec3::Zero();
    for (int k = 0; k < 3; ++k) flat += p.barycentric[k] * mesh.positions[triangles.mesh.face(p.face)[k]];
    EXPECT_LT((limit.position(p) - flat).norm(), 1e-14);
  }
}

TEST(LimitSurface, SharperCreasesStayCloserToTheirEdge) {
  const Mesh mesh = test::cube();
  double last = 0;
  for (double sharpness : {0.0, 0.5, 1.0, 2.0, 3.5, 6.0, 10.0}) {
    LimitOptions options;
    for (const auto& [a, b] : {std::pair{4, 5}, {5, 7}, {7, 6}, {6, 4}})  // the rim of the upper face
      options.creases.push_back({VertexId(a), VertexId(b), sharpness});
    const LimitSurface limit = limit_of(mesh, options);
    const double height = limit.position(limit.point_of(VertexId(4))).z();
    EXPECT_GT(height, last);
    last = height;
    EXPECT_GE(limit.isolation(), sharpness < 10 ? std::ceil(sharpness) : 0);
  }
  EXPECT_NEAR(last, 1, 1e-14);
}

TEST(LimitSurface, BordersAreCubicSplines) {
  constexpr int n = 6;
  Mesh mesh = test::quad_sheet(n, n, 0, 1);
  Random random(5);
  for (Vec3& p : mesh.positions) p += 0.3 / n * random.in_cube();
  LimitOptions round;
  round.border = LimitBorder::EdgeOnly;
  const LimitSurface sharp = limit_of(mesh), rounded = limit_of(mesh, round);
  const Points a = sharp.vertex_positions(), b = rounded.vertex_positions();
  const auto p = [&](int i) { return mesh.positions[VertexId(i)]; };
  for (int i = 1; i < n; ++i) {
    const Vec3 spline = (p(i - 1) + 4 * p(i) + p(i + 1)) / 6;
    EXPECT_LT((a[VertexId(i)] - spline).norm(), 1e-15);
    EXPECT_LT((b[VertexId(i)] - spline).norm(), 1e-15);
  }
  EXPECT_LT((a[VertexId(0)] - p(0)).norm(), 1e-15);
  EXPECT_LT((b[VertexId(0)] - (p(1) + 4 * p(0) + p(n + 1)) / 6).norm(), 1e-15);
}

TEST(LimitSurface, TwoAtOnceAreEachOneToTheBit) {
  const Mesh mesh = test::noisy(test::torus(14, 9, 1, 0.4), 0.1, 3);
  for (SubdivisionScheme scheme : {SubdivisionScheme::CatmullClark, SubdivisionScheme::Loop}) {
    LimitOptions options;
    options.scheme = scheme;
    const LimitSurface one(mesh, triangulated(mesh), options);
    LimitSurface two = one;
    two.update(test::noisy(mesh, 0.1, 4).positions);
    test::Random random(6);
    for (int i = 0; i < 500; ++i) {
      const double a = random(0, 1), b = random(0, 1 - a);
      const SurfacePoint p{FaceId(i % static_cast<int>(mesh.face_count())), Vec3(1 - a - b, a, b)};
      const auto [first, second] = one.evaluate(one.find(p), two);
      EXPECT_EQ(first.position, one.evaluate(p).position);
      EXPECT_EQ(first.d12, one.evaluate(p).d12);
      EXPECT_EQ(second.position, two.evaluate(p).position);
      EXPECT_EQ(second.d22, two.evaluate(p).d22);
    }
  }
}

TEST(LimitSurface, IdentityGivesBackTheSourceToTheBit) {
  for (const auto& [name, mesh] : closed_families()) {
    const auto triangles = triangulated(mesh);
    const LimitSurface limit(mesh, triangles);
    for (std::size_t f = 0; f < triangles.mesh.face_count(); ++f)
      for (int k = 0; k < 3; ++k) {
        const VertexId v = triangles.mesh.face(FaceId(f))[k];
        EXPECT_EQ(limit.slid_position(v, mesh.positions[v], {FaceId(f), Vec3::Unit(k)}), mesh.positions[v])
            << name;
      }
  }
}

TEST(LimitSurface, SlidVertexMovesByTheDifferenceOfLimits) {
  const Mesh mesh = test::mixed_torus(10, 5, 1, 0.4);
  const auto triangles = triangulated(mesh);
  const LimitSurface limit(mesh, triangles);
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const VertexId v(random.below(static_cast<int>(mesh.vertex_count())));
    const SurfacePoint to = random_point(triangles.mesh.face_count(), random);
    const Vec3 expected = mesh.positions[v] + limit.position(to) - limit.vertex_positions()[v];
    EXPECT_LT((limit.slid_position(v, mesh.positions[v], to) - expected).norm(), 1e-15);
  }
}

TEST(LimitSurface, CopiesHoldFramesSideBySideAndThreadsDoNotMatter) {
  const Mesh mesh = test::mixed_torus(20, 10, 1, 0.4);
  const auto triangles = triangulated(mesh);
  const LimitSurface rest(mesh, triangles);
  Random random(7);
  std::vector<SurfacePoint> points;
  for (int i = 0; i < 3000; ++i) points.push_back(random_point(triangles.mesh.face_count(), random));
  const Points moved = test::noisy(mesh, 0.2, 8).positions;

  std::vector<std::vector<LimitJet>> results;
  for (int threads : {1, 2, 0}) {
    set_threads(threads);
    LimitSurface frame = rest;
    frame.update(moved);
    std::vector<LimitJet>& jets = results.emplace_back(points.size());
    frame.evaluate(points, jets);
    EXPECT_EQ(rest.position(points[0]), LimitSurface(mesh, triangles).position(points[0]));
    EXPECT_NE(rest.position(points[0]), jets[0].position);
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const auto& other : {results[1], results[2]}) {
      ASSERT_EQ(results[0][i].position, other[i].position);
      ASSERT_EQ(results[0][i].d12, other[i].d12);
    }
}

TEST(LimitSurface, SomeFacesAloneHaveTheSameValues) {
  for (const auto& [name, mesh] : closed_families()) {
    const TriangleMesh triangles = triangulated(mesh);
    const LimitSurface whole(mesh, triangles);
    LimitOptions options;
    for (FaceId f : ids<FaceId>(mesh.face_count()))
      if (f.index() % 7 == 2) options.faces.push_back(f);
    const LimitSurface part(mesh, triangles, options);
    // A regular mesh has no points but its own.
    if (name != "quad torus") {
      EXPECT_LT(part.point_count(), whole.point_count()) << name;
    }
    Random random(12);
    for (int i = 0; i < 2000; ++i) {
      const SurfacePoint p = random_point(triangles.mesh.face_count(), random);
      if (triangles.polygon[p.face].index() % 7 != 2) continue;
      const LimitJet a = whole.evaluate(p), b = part.evaluate(p);
      // OpenSubdiv sums the same weights, in another order.
      ASSERT_LT((a.position - b.position).norm(), 1e-14) << name;
      ASSERT_LT((a.d1 - b.d1).norm(), 1e-13) << name;
      ASSERT_LT((a.d22 - b.d22).norm(), 1e-11) << name;
    }
  }
}

TEST(LimitSurface, EvaluatesWithoutAllocating) {
  for (const auto& [name, mesh] : closed_families()) {
    const TriangleMesh triangles = triangulated(mesh);
    const LimitSurface limit(mesh, triangles);
    Random random(11);
    std::vector<SurfacePoint> points;
    for (int i = 0; i < 500; ++i) points.push_back(random_point(triangles.mesh.face_count(), random));
    Vec3 sum = Vec3::Zero();
    const std::size_t before = test::allocations();
    for (const SurfacePoint& p : points)
      sum += limit.evaluate(p).d22 + limit.position(p) + limit.slid_position(VertexId(0), Vec3::Zero(), p);
    EXPECT_EQ(test::allocations(), before) << name;
    EXPECT_TRUE(sum.allFinite());
  }
}

TEST(LimitSurface, PartsAreApartAndLonelyVerticesStay) {
  const Mesh cube = test::cube();
  Mesh mesh = test::joined(cube, cube, Vec3(5, 0, 0));
  mesh.positions.push_back(Vec3(9, 9, 9));
  const LimitSurface limit = limit_of(mesh), alone = limit_of(cube);
  const Points positions = limit.vertex_positions();
  for (VertexId v : ids<VertexId>(8)) {
    EXPECT_LT((positions[v] - alone.vertex_positions()[v]).norm(), 1e-15);
    EXPECT_LT((positions[VertexId(v.index() + 8)] - alone.vertex_positions()[v] - Vec3(5, 0, 0)).norm(),
              1e-14);
  }
  EXPECT_EQ(positions[VertexId(16)], Vec3(9, 9, 9));
  EXPECT_FALSE(limit.point_of(VertexId(16)).face.valid());
  EXPECT_EQ(limit.vertex_normals()[VertexId(16)], Vec3::Zero());
  EXPECT_EQ(limit.slid_position(VertexId(16), Vec3(9, 9, 9), {}), Vec3(9, 9, 9));
}

std::string error_of(const Mesh& mesh, const LimitOptions& options = {}) {
  try {
    limit_of(mesh, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(LimitSurface, NamesWhatItCannotUse) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of(Mesh()), HasSubstr("no faces"));
  EXPECT_THAT(error_of(test::cube(), with(SubdivisionScheme::Loop)), HasSubstr("face 0 has 4 corners"));

  Mesh fin = test::cube();
  fin.positions.push_back(Vec3(3, 0, 0));
  fin.add_face(std::array{VertexId(0), VertexId(1), VertexId(8)});
  EXPECT_THAT(error_of(fin), HasSubstr("edge"));

  Mesh pinched = test::cube();
  pinched.add_face(std::array{VertexId(0), VertexId(1), VertexId(0), VertexId(2)});
  EXPECT_THAT(error_of(pinched), HasSubstr("face 6 passes through vertex 0 twice"));

  LimitOptions options;
  options.creases = {{VertexId(0), VertexId(7), 2}};
  EXPECT_THAT(error_of(test::cube(), options), HasSubstr("crease 0-7: no edge"));
  options.creases = {{VertexId(0), VertexId(99), 2}};
  EXPECT_THAT(error_of(test::cube(), options), HasSubstr("crease 0-99: no edge"));
  options.creases = {{VertexId(0), VertexId(1), NAN}};
  EXPECT_THAT(error_of(test::cube(), options), HasSubstr("sharpness nan"));
  options.creases.clear();
  options.isolation = 11;
  EXPECT_THAT(error_of(test::cube(), options), HasSubstr("isolation 11"));
}

}  // namespace
}  // namespace cutis
