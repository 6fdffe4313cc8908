#include "cutis/surface/field/line_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/field/smooth_lines.h"
#include "cutis/surface/geodesic/frames.h"
#include "support/meshes.h"
#include "support/real_meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 centre(const Surface& s, FaceId f) { return s.position({f, Vec3::Constant(1.0 / 3)}); }

FaceId face_nearest(const Surface& s, const Vec3& p) {
  FaceId best(0);
  for (FaceId f : ids<FaceId>(s.mesh().face_count()))
    if ((centre(s, f) - p).norm() < (centre(s, best) - p).norm()) best = f;
  return best;
}

Vec3 normal(const Surface& s, FaceId f) { return face_frame(s.topology(), s.positions(), f).normal; }

int half_turns(const Surface& s, const LineDirections& d) {
  int sum = 0;
  for (const LineSingularity& found : line_singularities(s, d)) sum += found.half_turns;
  return sum;
}

int euler_characteristic(const Topology& t) {
  return int(t.vertex_count()) - int(t.edge_count()) + int(t.face_count());
}

/// The largest turn of the field over an inner edge against parallel transport [rad].
double largest_jump(const Surface& s, const LineDirections& d) {
  const Topology& t = s.topology();
  const TangentFrames frames(t, s.positions());
  double largest = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e);
    const TangentFrame& other = frames.frame(t.face(t.twin(h)));
    const Vec3 carried = other.vector(frames.across(h, frames.frame(t.face(h)).components(d[t.face(h)])));
    largest = std::max(largest, line_angle(carried, d[t.face(t.twin(h))]));
  }
  return largest;
}

TEST(LineField, OneStrokeOnAPlaneIsAConstantField) {
  const Surface s(test::sheet(20, 15, 0.35, 3));
  const Vec3 stroke = Vec3(0.8, -0.6, 0);
  const LineField field = line_field(s, std::vector<LineSample>{{FaceId(77), 3.7 * stroke}});
  EXPECT_EQ(field.bare_parts, 0);
  for (const Vec3& d : field.directions) EXPECT_LT(line_angle(d, stroke), 1e-7);
  EXPECT_TRUE(line_singularities(s, field.directions).empty());
}

/// The cone's apex angle is 2 pi sin(half opening). A line carried both ways around from one face meets
/// itself turned by what is missing to 2 pi.
TEST(LineField, AroundAConeItTurnsByTheAngleDeficit) {
  const Surface s(test::cone(24, 6, 1.0, 0.7));
  const LineField field =
      line_field(s, std::vector<LineSample>{{FaceId(100), Vec3(0, 1, 0)}}, {.smooth = false});
  const TangentFrames frames(s.topology(), s.positions());
  const Topology& t = s.topology();
  double total = 0;
  for (CornerId c : ids<CornerId>(t.corner_count()))
    if (s.positions()[t.from(c)].isZero(0)) total += corner_angle(t, s.positions(), c);
  const double deficit = 2 * pi - total;
  ASSERT_GT(deficit, 0.5);
  // As a line, a turn is known up to half turns.
  const double expected = std::abs(std::remainder(deficit, pi));
  int on_seam = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e);
    const FaceId f = t.face(h), g = t.face(t.twin(h));
    const Vec3 carried =
        frames.frame(g).vector(frames.across(h, frames.frame(f).components(field.directions[f])));
    const double turn = line_angle(carried, field.directions[g]);
    const bool seam = turn > 1e-6;
    on_seam += seam;
    EXPECT_NEAR(turn, seam ? expected : 0, 1e-6);
    EXPECT_TRUE(!seam || std::abs(turn - expected) < 1e-12);
  }
  EXPECT_GE(on_seam, 6) << "from the apex to the rim";
}

TEST(LineField, IndicesSumToTheEulerCharacteristicOnEveryClosedFamily) {
  int closed = 0;
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Surface s(mesh);
    test::Random random(5);
    std::vector<LineSample> samples;
    for (int i = 0; i < 6; ++i)
      samples.push_back({FaceId(random.below(int(mesh.face_count()))), random.in_cube()});
    const LineField field = line_field(s, samples);
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      EXPECT_NEAR(field.directions[f].norm(), 1, 1e-12);
      EXPECT_NEAR(field.directions[f].dot(normal(s, f)), 0, 1e-12);
    }
    if (!s.topology().border_loops().empty()) continue;
    ++closed;
    EXPECT_EQ(half_turns(s, field.directions), 2 * euler_characteristic(s.topology()));
  }
  EXPECT_GE(closed, 3);
}

/// Around the axis of a sphere: one full turn at each pole, known by the samples around it.
TEST(LineField, CirclesOnASphereTurnOnceAroundEachPole) {
  const Surface s(test::icosphere(4));
  std::vector<LineSample> samples;
  for (double z : {-0.9, 0.0, 0.9})
    for (int i = 0; i < 24; ++i) {
      const double a = 2 * pi * i / 24, r = std::sqrt(1 - z * z);
      samples.push_back(
          {face_nearest(s, {r * std::cos(a), r * std::sin(a), z}), {-std::sin(a), std::cos(a), 0}});
    }
  const LineField field = line_field(s, samples);
  int north = 0, south = 0, elsewhere = 0;
  for (const LineSingularity& at : line_singularities(s, field.directions)) {
    const double z = s.positions()[at.vertex].z();
    (z > 0.9 ? north : z < -0.9 ? south : elsewhere) += at.half_turns;
  }
  EXPECT_EQ(north, 2);
  EXPECT_EQ(south, 2);
  EXPECT_EQ(elsewhere, 0);
  for (FaceId f : ids<FaceId>(s.mesh().face_count())) {
    const Vec3 c = centre(s, f);
    if (std::abs(c.z()) > 0.85) continue;
    EXPECT_LT(line_angle(field.directions[f], {-c.y(), c.x(), 0}), 0.05);
  }
}

TEST(LineField, HoldsItsSamplesAndIsSmoothBetweenThem) {
  const Surface s(test::sheet(40, 40, 0.3, 9));
  const FaceId left = face_nearest(s, {0.05, 0.5, 0}), right = face_nearest(s, {0.95, 0.5, 0});
  const std::vector<LineSample> samples = {{left, {1, 0, 0}}, {right, {0.5, 0.8, 0}}};
  const LineField rough = line_field(s, samples, {.smooth = false}), field = line_field(s, samples);
  EXPECT_LT(line_angle(field.directions[left], samples[0].direction), 1e-7);
  EXPECT_LT(line_angle(field.directions[right], samples[1].direction), 1e-7);
  const double between = line_angle(samples[0].direction, samples[1].direction);
  EXPECT_NEAR(largest_jump(s, rough.directions), between, 1e-7) << "where the two meet";
  // A point holds no harmonic function: most of the way is made close to the two samples, none in one step.
  EXPECT_LT(largest_jump(s, field.directions), 0.35 * between);
}

/// A linear ramp of the angle is harmonic: two sides held, it comes out between them.
TEST(LineField, BetweenTwoSidesTheAngleIsARamp) {
  const Surface s(test::sheet(40, 20, 0.3, 4));
  const auto angle = [](double x) { return 0.3 + 1.2 * x; };
  std::vector<LineSample> samples;
  for (FaceId f : ids<FaceId>(s.mesh().face_count())) {
    const double x = centre(s, f).x();
    if (x < 0.03 || x > 0.97) samples.push_back({f, {std::cos(angle(x)), std::sin(angle(x)), 0}});
  }
  const LineField field = line_field(s, samples);
  for (FaceId f : ids<FaceId>(s.mesh().face_count())) {
    const double a = angle(centre(s, f).x());
    EXPECT_LT(line_angle(field.directions[f], {std::cos(a), std::sin(a), 0}), 0.03);
  }
}

std::vector<LineSample> random_samples(const Surface& s) {
  test::Random random(2);
  std::vector<LineSample> samples;
  for (int i = 0; i < 40; ++i)
    samples.push_back({FaceId(random.below(int(s.mesh().face_count()))), random.in_cube()});
  return samples;
}

TEST(LineField, SignsDoNotChangeABit) {
  const Surface s(test::noisy(test::icosphere(3), 0.2, 8));
  const std::vector<LineSample> samples = random_samples(s);
  std::vector<LineSample> flipped = samples;
  for (std::size_t i = 0; i < flipped.size(); ++i)
    if (i % 3 != 0) flipped[i].direction = -flipped[i].direction;
  EXPECT_EQ(line_field(s, samples).directions, line_field(s, flipped).directions);
}

const bool line_field_bits = test::same_bits("LineField", [] {
  const Surface s(test::noisy(test::icosphere(3), 0.2, 8));
  return line_field(s, random_samples(s)).directions;
});

TEST(LineField, PartsWithoutASampleTakeTheNearest) {
  const Mesh two = test::joined(test::sheet(6, 6, 0.2, 1), test::sheet(6, 6, 0.2, 2), Vec3(0, 0, 0.3));
  const Surface s(test::joined(two, test::sheet(3, 3, 0, 3), Vec3(5, 0, 0)));
  const Vec3 stroke = Vec3(0.6, 0.8, 0);
  const LineField field = line_field(s, std::vector<LineSample>{{FaceId(10), stroke}});
  EXPECT_EQ(field.bare_parts, 2);
  for (const Vec3& d : field.directions) EXPECT_LT(line_angle(d, stroke), 1e-7);
}

TEST(LineField, FacesWithoutAreaAreNoObstacle) {
  Mesh mesh = test::sheet(12, 12, 0.2, 6);
  // Pull an inner vertex onto its neighbour, and another onto the line between two.
  mesh.positions[VertexId(30)] = mesh.positions[VertexId(31)];
  mesh.positions[VertexId(70)] = 0.5 * (mesh.positions[VertexId(69)] + mesh.positions[VertexId(71)]);
  const Surface s(mesh);
  const LineField field = line_field(s, std::vector<LineSample>{{FaceId(200), Vec3(1, 2, 0)}});
  for (const Vec3& d : field.directions) EXPECT_NEAR(d.norm(), 1, 1e-12);
  int off = 0;
  for (const Vec3& d : field.directions) off += line_angle(d, Vec3(1, 2, 0)) > 0.1;
  EXPECT_LE(off, 8) << "only flat faces may differ";
}

TEST(LineField, NeedsADirectionInTheSurface) {
  const Surface s(test::sheet(4, 4, 0, 1));
  EXPECT_THROW(line_field(s, std::vector<LineSample>{}), InputError);
  EXPECT_THROW(line_field(s, std::vector<LineSample>{{FaceId(3), Vec3(0, 0, 1)}}), InputError);
  EXPECT_THROW(
      line_field(s, std::vector<LineSample>{{FaceId(3), Vec3(NAN, 0, 1)}, {FaceId(4), Vec3::Zero()}}),
      InputError);
}

TEST(LineField, RealCharacters) {
  for (const auto& [name, mesh] : test::real_surfaces()) {
    SCOPED_TRACE(name);
    if (mesh.face_count() > 40000) continue;
    const Surface s(mesh);
    const LineField field = line_field(s, std::vector<LineSample>{{FaceId(0), Vec3(0.3, 1, 0.2)}});
    for (const Vec3& d : field.directions) ASSERT_NEAR(d.norm(), 1, 1e-12);
    if (!s.topology().border_loops().empty()) continue;
    EXPECT_EQ(half_turns(s, field.directions), 2 * euler_characteristic(s.topology()));
  }
}

/// On a plane with a smooth field the interpolated direction is second order in the edge length.
TEST(SmoothLines, FollowASmoothFieldBetweenTheCentres) {
  const auto error = [](int n) {
    const Surface s(test::sheet(n, n, 0, 7));
    const auto at = [](const Vec3& p) {
      return Vec3(std::cos(2 * p.x() + p.y()), std::sin(2 * p.x() + p.y()), 0);
    };
    LineDirections field;
    for (FaceId f : ids<FaceId>(s.mesh().face_count())) field.push_back(at(centre(s, f)));
    const SmoothLines lines(s, field);
    test::Random random(1);
    double largest = 0;
    for (FaceId f : ids<FaceId>(s.mesh().face_count())) {
      const double a = random(0, 1), b = random(0, 1 - a);
      const SurfacePoint p{f, {a, b, 1 - a - b}};
      const Vec3 x = s.position(p);
      if ((x - Vec3(0.5, 0.5, 0)).cwiseAbs().head<2>().maxCoeff() > 0.4) continue;
      const Vec3 d = lines(p, -at(x));
      EXPECT_LT(d.dot(at(x)), 0) << "the sign that was asked for";
      largest = std::max(largest, line_angle(d, at(x)));
    }
    return largest;
  };
  EXPECT_LT(error(40), 0.02);
  EXPECT_LT(error(80), 0.6 * error(40));
}

}  // namespace
}  // namespace cutis
