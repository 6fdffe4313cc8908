#include "cutis/surface/geodesic/trace.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/geodesic/frames.h"
#include "support/allocations.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using test::Random;
constexpr double pi = std::numbers::pi;

SurfacePoint random_point(const Mesh& mesh, Random& random) {
  const double a = random(0.05, 1), b = random(0.05, 1), c = random(0.05, 1);
  return {FaceId(random.below(static_cast<int>(mesh.face_count()))), Vec3(a, b, c) / (a + b + c)};
}

Vec3 random_direction(const Topology& t, const Mesh& mesh, FaceId f, Random& random) {
  const double angle = random(0, 2 * pi);
  return face_frame(t, mesh.positions, f).vector(Vec2(std::cos(angle), std::sin(angle)));
}

Vec3 position(const Mesh& mesh, const SurfacePoint& p) { return interpolate(mesh, mesh.positions, p); }

void expect_on_mesh(const Mesh& mesh, const SurfacePoint& p) {
  EXPECT_LT(p.face.index(), mesh.face_count());
  EXPECT_GE(p.barycentric.minCoeff(), 0);
  EXPECT_NEAR(p.barycentric.sum(), 1, 1e-14);
}

/// Traces by `vector` and back again; returns how far from the start that ends.
double return_error(const Topology& t, const Mesh& mesh, const SurfacePoint& start, const Vec3& vector,
                    int* crossings = nullptr) {
  const TraceResult there = trace(t, mesh.positions, start, vector);
  expect_on_mesh(mesh, there.end);
  EXPECT_NEAR(there.direction.norm(), 1, 1e-13);
  const TraceResult back = trace(t, mesh.positions, there.end, -there.length * there.direction);
  if (crossings) *crossings = there.crossings;
  return (position(mesh, back.end) - position(mesh, start)).norm();
}

TEST(Trace, OnAFlatSheetIsAStraightLine) {
  const Mesh mesh = test::sheet(30, 30, 0.45, 1);
  const Topology t(mesh);
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const SurfacePoint start = random_point(mesh, random);
    const Vec3 aim(random(0.01, 0.99), random(0.01, 0.99), 0);
    const Vec3 vector = aim - position(mesh, start);
    const TraceResult r = trace(t, mesh.positions, start, vector);
    EXPECT_EQ(r.reason, TraceEnd::Arrived);
    EXPECT_LT((position(mesh, r.end) - aim).norm(), 1e-13);
    EXPECT_LT((r.direction - vector.normalized()).norm(), 1e-13);
    EXPECT_NEAR(r.length, vector.norm(), 1e-14);
  }
}

TEST(Trace, StartsOnEdgesFromEitherFaceAndAnyWay) {
  const Mesh mesh = test::sheet(12, 12, 0.45, 17);
  const Topology t(mesh);
  Random random(18);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const double at = random(0.1, 0.9);
    SurfacePoint start{t.face(h), Vec3::Zero()};
    start.barycentric[static_cast<int>(h.index() % 3)] = 1 - at;
    start.barycentric[static_cast<int>(t.next(h).index() % 3)] = at;
    const Vec3 p = position(mesh, start);
    const Vec3 away = Vec3(random(0.01, 0.99), random(0.01, 0.99), 0) - p;
    const Vec3 along = 0.3 * (mesh.positions[t.to(h)] - mesh.positions[t.from(h)]);
    for (const Vec3& vector : {away, along, Vec3(-along)}) {
      const Vec3 aim = p + vector;
      if (aim.minCoeff() < 0 || aim.maxCoeff() > 1) continue;
      EXPECT_LT((position(mesh, trace(t, mesh.positions, start, vector).end) - aim).norm(), 1e-13);
    }
  }
}

TEST(Trace, OnARegularSheetRunsAlongEdgesAndThroughVertices) {
  // Without jitter, rows, columns and diagonals meet vertices again and again, within rounding.
  const Mesh mesh = test::sheet(16, 16, 0, 1);
  const Topology t(mesh);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3 p = mesh.positions[v];
    if (p.x() < 0.1 || p.x() > 0.9 || p.y() < 0.1 || p.y() > 0.9) continue;
    HalfedgeId h = t.halfedge(v);
    do {
      SurfacePoint start{t.face(h), Vec3::Zero()};
      start.barycentric[static_cast<int>(h.index() % 3)] = 1;
      for (const Vec3& aim :
           {Vec3(0.99, p.y(), 0), Vec3(0.01, p.y(), 0), Vec3(p.x(), 0.99, 0), Vec3(p.x(), 0.01, 0),
            Vec3(p.x() + 0.0625, p.y() + 0.0625, 0), Vec3(0.5, 0.25, 0)}) {
        if ((aim - p).norm() == 0) continue;
        const TraceResult r = trace(t, mesh.positions, start, aim - p);
        EXPECT_LT((position(mesh, r.end) - aim).norm(), 1e-13);
        EXPECT_EQ(r.reason, TraceEnd::Arrived);
      }
      h = t.rotate(h);
    } while (h != t.halfedge(v));
  }
}

/// Arc length around and height of a point on the prism that test::cylinder makes.
Vec2 unrolled(const Vec3& p, int n, double radius) {
  const double sector = 2 * pi / n, side = 2 * radius * std::sin(sector / 2);
  double angle = std::atan2(p.y(), p.x());
  if (angle < 0) angle += 2 * pi;
  const int k = std::min(n - 1, static_cast<int>(angle / sector));
  const Vec3 a(radius * std::cos(k * sector), radius * std::sin(k * sector), p.z());
  return {k * side + (p - a).norm(), p.z()};
}

TEST(Trace, OnACylinderIsAHelix) {
  const int n = 17;
  const double radius = 0.5, around = 2 * n * radius * std::sin(pi / n);
  const Mesh mesh = test::cylinder(n, 9, radius, 2);
  const Topology t(mesh);
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const SurfacePoint start = random_point(mesh, random);
    const Vec2 from = unrolled(position(mesh, start), n, radius);
    const Vec2 by(random(-10, 10), random(0.05, 1.95) - from.y());
    const TangentFrame frame = face_frame(t, mesh.positions, start.face);
    const Vec3 up = Vec3::UnitZ(), east = up.cross(frame.normal);
    const TraceResult r = trace(t, mesh.positions, start, by.x() * east + by.y() * up);
    const Vec2 error = unrolled(position(mesh, r.end), n, radius) - from - by;
    EXPECT_NEAR(std::remainder(error.x(), around), 0, 1e-12);
    EXPECT_NEAR(error.y(), 0, 1e-12);
  }
}

TEST(Trace, OnAConeIsALineInTheUnrolledPlane) {
  const int n = 19;
  const Mesh mesh = test::cone(n, 8, 0.6, 0.9);
  const Topology t(mesh);
  // Polar coordinates of the unrolled cone: n flat sectors of `sector` radians each.
  const Vec3 rim0 = mesh.positions[VertexId(1)], rim1 = mesh.positions[VertexId(2)];
  const double sector = std::atan2(rim0.cross(rim1).norm(), rim0.dot(rim1));
  const auto polar = [&](const Vec3& p) {
    double turn = std::atan2(p.y(), p.x()) / (2 * pi) * n;
    if (turn < 0) turn += n;
    const int k = std::min(n - 1, static_cast<int>(turn));
    const double phi = 2 * pi * k / n;
    const Vec3 edge = Vec3(0.6 * std::cos(phi), 0.6 * std::sin(phi), -0.9).normalized();
    return Vec2(p.norm(), k * sector + std::atan2(edge.cross(p).norm(), edge.dot(p)));
  };
  Random random(4);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    const SurfacePoint start = random_point(mesh, random);
    const Vec3 p = position(mesh, start);
    const Vec2 at = polar(p);
    const TangentFrame frame = face_frame(t, mesh.positions, start.face);
    const Vec3 outwards = p.normalized(), ccw = frame.normal.cross(outwards);
    const double a = random(-1.2, 1.2), b = random(-1.2, 1.2);
    const TraceResult r = trace(t, mesh.positions, start, a * outwards + b * ccw);
    if (r.reason != TraceEnd::Arrived) continue;
    ++compared;
    const Vec2 line(at.x() + a, b);  // in the plane, seen from the apex with the start on the x axis
    const Vec2 end = polar(position(mesh, r.end));
    EXPECT_NEAR(end.x(), line.norm(), 1e-12);
    const double turned = std::remainder(end.y() - at.y() - std::atan2(line.y(), line.x()), n * sector);
    EXPECT_NEAR(end.x() * turned, 0, 1e-12);
  }
  EXPECT_GT(compared, 100);
}

TEST(Trace, ComesBackOverHundredsOfEdgesOnEveryFamily) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const double size = bounding_diagonal(mesh.positions.raw());
    const bool closed = t.border_loops().empty();
    Random random(5);
    int most = 0;
    for (int i = 0; i < 60; ++i) {
      const SurfacePoint start = random_point(mesh, random);
      const Vec3 direction = random_direction(t, mesh, start.face, random);
      int crossings = 0;
      EXPECT_LT(return_error(t, mesh, start, 5 * size * direction, &crossings), 2e-13 * size);
      most = std::max(most, crossings);
      if (closed) {
        EXPECT_GT(crossings, 40);
      }
    }
    if (closed) {
      EXPECT_GT(most, 200);
    }
  }
}

/// What lies to the left and right of a path through the vertex `v`, which it reaches at path[i].
std::pair<double, double> angles_beside(const Topology& t, const Mesh& mesh, VertexId v, const Vec3& in,
                                        const Vec3& out, FaceId in_face, FaceId out_face) {
  const Vec3 centre = mesh.positions[v];
  const auto between = [](const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); };
  HalfedgeId start = t.halfedge(in_face);
  while (t.from(start) != v) start = t.next(start);
  // Counter-clockwise from where it came to where it goes, then the rest.
  double right = between(mesh.positions[t.from(t.prev(start))] - centre, in - centre), total = 0;
  bool reached = false;
  HalfedgeId h = start;
  do {
    total += corner_angle(t, mesh.positions, h);
    h = t.rotate(h);
    if (!reached && h != start) {
      reached = t.face(h) == out_face;
      right += reached ? between(mesh.positions[t.to(h)] - centre, out - centre)
                       : corner_angle(t, mesh.positions, h);
    }
  } while (h != start);
  return {total - right, right};
}

TEST(Trace, LeavesAVertexWithEqualAnglesOnBothSidesAndComesBack) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const double size = bounding_diagonal(mesh.positions.raw());
    Random random(6);
    int passed = 0;
    for (int i = 0; i < 200; ++i) {
      const SurfacePoint start = random_point(mesh, random);
      const VertexId v = mesh.face(start.face)[random.below(3)];
      const Vec3 to_vertex = mesh.positions[v] - position(mesh, start);
      if (t.is_border(v)) continue;
      std::array<SurfacePoint, 4> path;
      TraceOptions options;
      options.path = path;
      const TraceResult r = trace(t, mesh.positions, start, 1.02 * to_vertex, options);
      ASSERT_GE(r.path_size, 3u);
      ASSERT_LT((position(mesh, path[1]) - mesh.positions[v]).norm(), 1e-14 * size);
      EXPECT_LT(return_error(t, mesh, start, 1.02 * to_vertex), 1e-13 * size);
      EXPECT_LT(return_error(t, mesh, start, 3 * size / to_vertex.norm() * to_vertex), 1e-11 * size);
      if (path[2].face == start.face || r.crossings != 1) continue;  // a sharp spike: checked by coming back
      ++passed;
      const auto [left, right] =
          angles_beside(t, mesh, v, position(mesh, start), position(mesh, r.end), start.face, r.end.face);
      EXPECT_NEAR(left, right, 1e-9);
    }
    EXPECT_GT(passed, 50);
  }
}

TEST(Trace, GoesOnFromWhereItStopped) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Topology t(mesh);
    const double size = bounding_diagonal(mesh.positions.raw());
    Random random(7);
    for (int i = 0; i < 50; ++i) {
      const SurfacePoint start = random_point(mesh, random);
      // Half of them stop exactly on a vertex half-way.
      const VertexId v = mesh.face(start.face)[random.below(3)];
      Vec3 first = mesh.positions[v] - position(mesh, start);
      if (i % 2) first = size * random() * random_direction(t, mesh, start.face, random);
      if (first.norm() == 0 || (i % 2 == 0 && t.is_border(v))) continue;
      const TraceResult a = trace(t, mesh.positions, start, first);
      if (a.reason != TraceEnd::Arrived) continue;
      const TraceResult b = trace(t, mesh.positions, a.end, 0.7 * size * a.direction);
      const TraceResult whole =
          trace(t, mesh.positions, start, (first.norm() + 0.7 * size) * first.normalized());
      EXPECT_LT((position(mesh, b.end) - position(mesh, whole.end)).norm(), 1e-11 * size);
    }
  }
}

TEST(Trace, FromAVertexEveryDirectionOfAFaceDependsContinuouslyOnTheAngle) {
  const Mesh mesh = test::noisy(test::icosphere(2), 0.2, 8);
  const Topology t(mesh);
  for (FaceId f : {FaceId(3), FaceId(100), FaceId(257)}) {
    const TangentFrame frame = face_frame(t, mesh.positions, f);
    const int steps = 4000;
    Vec3 last;
    for (int i = 0; i <= steps; ++i) {
      const double angle = 2 * pi * i / steps;
      const Vec3 d = frame.vector(Vec2(std::cos(angle), std::sin(angle)));
      const TraceResult r = trace(t, mesh.positions, {f, Vec3(0, 1, 0)}, 0.02 * d);
      const Vec3 p = position(mesh, r.end);
      if (i > 0) {
        EXPECT_LT((p - last).norm(), 4 * 0.02 * 2 * pi / steps) << "at angle " << angle;
      }
      last = p;
    }
  }
}

TEST(Trace, StopsAtABorderOrSlidesAlongIt) {
  const Mesh mesh = test::sheet(10, 10, 0.3, 9);
  const Topology t(mesh);
  Random random(10);
  TraceOptions slide;
  slide.at_border = AtBorder::Slide;
  int stopped = 0;
  for (int i = 0; i < 300; ++i) {
    const SurfacePoint start = random_point(mesh, random);
    const Vec3 p = position(mesh, start), vector(random(-2, 2), random(-2, 2), 0);
    const Vec3 aim = p + vector;
    const TraceResult r = trace(t, mesh.positions, start, vector);
    // The line leaves the unit square after this share of its length.
    double share = 1;
    for (int k = 0; k < 2; ++k) share = std::min(share, ((vector[k] > 0) - p[k]) / vector[k]);
    EXPECT_LT((position(mesh, r.end) - (p + share * vector)).norm(), 1e-13);
    EXPECT_EQ(r.reason, share < 1 ? TraceEnd::Border : TraceEnd::Arrived);
    EXPECT_NEAR(r.length, share * vector.norm(), 1e-13);
    stopped += share < 1;
    // Sliding along straight sides moves each coordinate as far as it goes; a right-angled corner holds.
    const TraceResult s = trace(t, mesh.positions, start, vector, slide);
    EXPECT_LT((position(mesh, s.end) - aim.cwiseMax(0).cwiseMin(1)).norm(), 1e-12);
    expect_on_mesh(mesh, s.end);
  }
  EXPECT_GT(stopped, 100);
}

TEST(Trace, RunsAlongAStraightBorder) {
  const Mesh mesh = test::sheet(9, 9, 0.3, 16);
  const Topology t(mesh);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const Vec3 &a = mesh.positions[t.from(h)], &b = mesh.positions[t.to(h)];
    if (!t.is_border(t.twin(h))) continue;
    SurfacePoint start{t.face(h), Vec3::Zero()};
    start.barycentric[static_cast<int>(h.index() % 3)] = 0.5;
    start.barycentric[static_cast<int>(t.next(h).index() % 3)] = 0.5;
    const Vec3 middle = 0.5 * (a + b), along = (b - a).normalized();
    const double to_corner = along.cwiseMax(0).sum() > 0.5 ? 1 - middle.dot(along) : -middle.dot(along);
    const TraceResult r = trace(t, mesh.positions, start, 0.999 * to_corner * along);
    EXPECT_EQ(r.reason, TraceEnd::Arrived);
    EXPECT_LT((position(mesh, r.end) - (middle + 0.999 * to_corner * along)).norm(), 1e-13);
  }
}

/// The unit sheet without its upper right quarter: the border has a corner that points inwards.
Mesh l_shape() {
  const Mesh whole = test::sheet(8, 8, 0, 11);
  Mesh mesh;
  mesh.positions = whole.positions;
  for (FaceId f : ids<FaceId>(whole.face_count())) {
    Vec3 centre = Vec3::Zero();
    for (VertexId v : whole.face(f)) centre += whole.positions[v] / 3;
    if (centre.x() < 0.5 || centre.y() < 0.5) mesh.add_face(whole.face(f));
  }
  return mesh;
}

TEST(Trace, SlidingLeavesTheBorderWhereItTurnsAway) {
  const Mesh mesh = l_shape();
  const Topology t(mesh);
  TraceOptions slide;
  slide.at_border = AtBorder::Slide;
  FaceId upper_left;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    const Vec3 c = (mesh.positions[v[0]] + mesh.positions[v[1]] + mesh.positions[v[2]]) / 3;
    if (c.x() > 0.375 && c.x() < 0.5 && c.y() > 0.875) upper_left = f;
  }
  // Down and to the right: meets x = 0.5, slides down it to (0.5, 0.5), goes on straight down from there.
  const Vec3 p = position(mesh, {upper_left, Vec3::Constant(1.0 / 3)});
  const TraceResult r =
      trace(t, mesh.positions, {upper_left, Vec3::Constant(1.0 / 3)}, Vec3(0.4, 0.2 - p.y(), 0), slide);
  EXPECT_LT((position(mesh, r.end) - Vec3(0.5, 0.2, 0)).norm(), 1e-13);
  EXPECT_LT((r.direction - Vec3(0, -1, 0)).norm(), 1e-13);
  EXPECT_EQ(r.reason, TraceEnd::Arrived);
  // Without sliding, a path into the inner corner goes on when the sheet does.
  const Vec3 through = Vec3(0.5, 0.5, 0) - p;
  const TraceResult corner = trace(t, mesh.positions, {upper_left, Vec3::Constant(1.0 / 3)}, 1.5 * through);
  EXPECT_LT((position(mesh, corner.end) - (p + 1.5 * through)).norm(), 1e-13);
}

TEST(Trace, PassesFacesWithoutArea) {
  // A strip of squares cut in two, with a face without area on each diagonal: a T-junction closed up.
  Mesh mesh;
  for (int i = 0; i <= 6; ++i) {
    mesh.positions.push_back(Vec3(i, 0, 0));
    mesh.positions.push_back(Vec3(i, 1, 0));
  }
  for (int i = 0; i < 6; ++i) {
    const VertexId a(2 * i), b(2 * i + 2), c(2 * i + 3), d(2 * i + 1);
    const VertexId m = mesh.positions.push_back(0.4 * mesh.positions[a] + 0.6 * mesh.positions[c]);
    for (const auto& f : {std::array{a, b, m}, std::array{b, c, m}, std::array{a, m, c}, std::array{a, c, d}})
      mesh.add_face(f);
  }
  const Topology t(mesh);
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    SurfacePoint start = random_point(mesh, random);
    start.face = FaceId(4 * random.below(6));
    const Vec3 aim(random(0.05, 5.95), random(0.05, 0.95), 0), vector = aim - position(mesh, start);
    const TraceResult r = trace(t, mesh.positions, start, vector);
    EXPECT_LT((position(mesh, r.end) - aim).norm(), 1e-12);
    // A start within a face without area has no plane but must end somewhere.
    start.face = FaceId(4 * random.below(6) + 2);
    expect_on_mesh(mesh, trace(t, mesh.positions, start, vector).end);
  }
}

TEST(Trace, EndsWhateverThePositionsAre) {
  const Mesh mesh = test::icosphere(2);
  const Topology t(mesh);
  Random random(13);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Points point(mesh.vertex_count(), Vec3(1, 2, 3)), line = mesh.positions, broken = mesh.positions;
  for (Vec3& p : line) p = Vec3(std::round(3 * p.x()), 0, 0);
  broken[VertexId(20)] = Vec3::Constant(nan);
  for (const Points* positions : {&point, &line, &broken})
    for (int i = 0; i < 50; ++i) {
      const SurfacePoint start = random_point(mesh, random);
      for (AtBorder border : {AtBorder::Stop, AtBorder::Slide}) {
        const TraceResult r = trace(t, *positions, start, random.in_cube(), {border, 2000, {}});
        EXPECT_LT(r.end.face.index(), mesh.face_count());
        EXPECT_LE(r.crossings, 2000);
        if (positions != &broken) expect_on_mesh(mesh, r.end);
      }
    }
  const SurfacePoint start = random_point(mesh, random);
  EXPECT_EQ(trace(t, mesh.positions, start, Vec3::Constant(nan)).reason, TraceEnd::Limit);
  EXPECT_EQ(trace(t, mesh.positions, start, Vec3(INFINITY, 0, 0)).reason, TraceEnd::Limit);
  const TraceResult still = trace(t, mesh.positions, start, Vec3::Zero());
  EXPECT_EQ(still.reason, TraceEnd::Arrived);
  EXPECT_EQ(still.end.face, start.face);
  EXPECT_EQ(still.length, 0);
}

TEST(Trace, WritesThePathAndCutsItShortOnlyThere) {
  const Mesh mesh = test::torus(24, 12, 1, 0.4);
  const Topology t(mesh);
  Random random(14);
  const SurfacePoint start = random_point(mesh, random);
  const Vec3 vector = 4 * random_direction(t, mesh, start.face, random);
  std::vector<SurfacePoint> all(1000), few(5);
  TraceOptions options;
  options.path = all;
  const TraceResult r = trace(t, mesh.positions, start, vector, options);
  ASSERT_EQ(r.path_size, static_cast<std::size_t>(r.crossings) + 2);
  double length = 0;
  for (std::size_t i = 1; i < r.path_size; ++i)
    length += (position(mesh, all[i]) - position(mesh, all[i - 1])).norm();
  EXPECT_NEAR(length, 4, 1e-12);
  options.path = few;
  const TraceResult cut = trace(t, mesh.positions, start, vector, options);
  EXPECT_EQ(cut.path_size, 5u);
  EXPECT_EQ(cut.end, r.end);
}

TEST(Trace, AllocatesNothing) {
  const Mesh mesh = test::noisy(test::torus(24, 12, 1, 0.4), 0.2, 15);
  const Topology t(mesh);
  std::vector<SurfacePoint> path(200);
  TraceOptions options;
  options.path = path;
  int crossings = 0;
  const std::size_t before = test::allocations();
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const TangentFrame frame = face_frame(t, mesh.positions, f);
    for (const Vec3& at : {Vec3(0.2, 0.3, 0.5), Vec3(0, 1, 0), Vec3(0, 0.5, 0.5)})
      crossings += trace(t, mesh.positions, {f, at}, frame.vector(Vec2(1, 2)), options).crossings;
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(crossings, 10000);
  EXPECT_GT((std::vector<int>(10), test::allocations()), before) << "the counter does not count";
}

}  // namespace
}  // namespace cutis
