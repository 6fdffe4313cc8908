// Parallels: where skin that is led by a curve may go.

#include "cutis/skin/constraint/curve_constraint.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "skin/lagrangian/lagrangian_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using std::numbers::pi;
using namespace test;

SlideSurface skin_surface(const Mesh& mesh) {
  const TriangleMesh triangles = triangulated(mesh);
  return SlideSurface(mesh, triangles, std::make_shared<const Surface>(triangles.mesh), SlidesOn::Cage);
}

/// `count` places from angle `begin` to `end` [rad], all but the last different.
template <class F>
std::vector<Vec3> places(int count, double begin, double end, const F& place) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(place(begin + (end - begin) * i / (count - 1)));
  return points;
}

Vec3 on_circle(double radius, double height, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle), height};
}

std::shared_ptr<const GuideCurve> guide(const SlideSurface& skin, const std::vector<Vec3>& points) {
  const ClosestPointTree body(skin.rest().mesh());
  std::vector<Vec3> normals;
  for (const Vec3& x : points) normals.push_back(skin.evaluate(body(x).point).normal);
  return std::make_shared<const GuideCurve>(points, normals, 0.02);
}

/// Slides by `length` from p, `steps` times a straight step that the parallel takes back to itself; calls
/// `see(place)` after each.
template <class F>
SurfacePoint slide(const SlideSurface& skin, const CurveConstraint& parallel, const SurfacePoint& start,
                   double length, int steps, const F& see) {
  CurveConstraint::Place place = parallel.beside(skin, start);
  for (int i = 0; i < steps; ++i) {
    const SurfaceJet jet = skin.evaluate(place.point);
    const Vec2 way = (jet.to_barycentric.inverse() * place.rates).normalized();
    place = parallel.beside(skin, skin.retract(place.point, jet, length / steps * way));
    see(place, skin.evaluate(place.point).position);
  }
  return place.point;
}

TEST(CubicSpline, IsSmoothAndOfFourthOrderAroundACircle) {
  const auto error = [](int n) {
    std::vector<double> knots;
    for (int i = 0; i <= n; ++i) knots.push_back(2 * pi * i / n);
    auto values = places(n + 1, 0, 2 * pi, [](double a) { return on_circle(1, 0.3, a); });
    values.back() = values.front();
    const CubicSpline spline(knots, values, true);
    const CubicSpline::Jet begin = spline(0), end = spline(2 * pi);
    EXPECT_LT((begin.first - end.first).norm() + (begin.second - end.second).norm(), 1e-12);
    double worst = 0;
    for (int i = 0; i < 1000; ++i)
      worst =
          std::max(worst, (spline(i * 2 * pi / 1000).value - on_circle(1, 0.3, i * 2 * pi / 1000)).norm());
    return worst;
  };
  EXPECT_LT(error(12), 1e-3);
  EXPECT_GT(std::log2(error(12) / error(24)), 3.8);
}

TEST(GuideCurve, CarriesItsFrameWithTheDerivativesItSays) {
  const SlideSurface skin = skin_surface(cylinder(40, 20, 0.5, 2));
  const auto flat = places(9, 0, pi, [](double a) { return on_circle(0.5, 1, a); });
  const auto helix = places(30, 0, 3, [](double a) { return on_circle(0.5, 0.4 + 0.3 * a, a); });
  for (const auto& curve : {guide(skin, flat), guide(skin, helix)}) {
    for (double s : {0.01, 0.3, 0.777, curve->length() - 0.01}) {
      const GuideCurve::Place at = curve->at(s);
      EXPECT_LT((at.frame.transpose() * at.frame - Mat3::Identity()).norm(), 1e-12);
      const double h = 1e-5;
      const GuideCurve::Place before = curve->at(s - h), after = curve->at(s + h);
      EXPECT_LT(((after.position - before.position) / (2 * h) - at.derivative).norm(), 1e-8) << s;
      EXPECT_LT(((after.frame - before.frame) / (2 * h) - at.frame_derivative).norm(), 1e-8) << s;
    }
  }
  EXPECT_TRUE(guide(skin, flat)->plane().has_value());
  EXPECT_FALSE(guide(skin, helix)->plane().has_value());
}

TEST(GuideCurve, RefusesTooFewPoints) {
  const Vec3 x(1, 0, 0);
  const auto make = [](std::vector<Vec3> points) {
    const std::vector<Vec3> normals(points.size(), Vec3::UnitZ());
    GuideCurve(points, normals, 0.1);
  };
  EXPECT_THROW(make({x}), InputError);
  EXPECT_THROW(make({x, x}), InputError);
  EXPECT_THROW(make({x, Vec3::Zero(), x}), InputError);
  EXPECT_NO_THROW(make({x, x, Vec3::Zero()}));
}

/// How far vertices between two heights leave their own height, and miss home after a whole turn.
void expect_latitudes(const Mesh& mesh, double lowest, double highest, const std::vector<Vec3>& points) {
  const SlideSurface skin = skin_surface(mesh);
  const auto curve = guide(skin, points);
  ASSERT_TRUE(curve->closed());
  for (VertexId v : vertices_where(mesh, [&](const Vec3& x) { return x.z() > lowest && x.z() < highest; })) {
    const auto parallel = CurveConstraint::through(skin, skin.home(v), curve);
    ASSERT_TRUE(parallel) << mesh.positions[v].transpose();
    const Vec3 home = skin.evaluate(skin.home(v)).position;
    const double girth = 2 * pi * home.head<2>().norm();
    double turned = 0, height = 0;
    Vec3 last = home;
    slide(skin, *parallel, skin.home(v), 0.6 * girth, 40,
          [&](const CurveConstraint::Place& place, const Vec3& x) {
            EXPECT_FALSE(place.begins || place.ends);
            turned += std::atan2(last.x() * x.y() - last.y() * x.x(), last.head<2>().dot(x.head<2>()));
            height = std::max(height, std::abs(x.z() - home.z()));
            last = x;
          });
    EXPECT_GT(turned, 1.15 * pi);
    EXPECT_LT(height, 1e-12) << home.transpose();
  }
}

TEST(CurveConstraint, VerticesKeepTheirLatitudeAroundASphereAndACylinder) {
  // Five points are enough to say which circle is meant.
  const auto circle = [](double radius, double height) {
    return places(6, 0.2, 0.2 + 2 * pi, [=](double a) { return on_circle(radius, height, a); });
  };
  expect_latitudes(icosphere(2), 0.2, 0.8, circle(0.8, 0.6));
  expect_latitudes(uv_sphere(12, 20), 0.2, 0.8, circle(0.8, 0.6));
  expect_latitudes(cylinder(24, 12, 0.5, 1), 0.4, 0.8, circle(0.5, 0.6));
}

TEST(CurveConstraint, ParallelsOfACircleOnASheetAreConcentric) {
  const Mesh mesh = sheet(20, 20, 0.3, 3);
  const SlideSurface skin = skin_surface(mesh);
  const Vec3 centre(0.5, 0.5, 0);
  const auto curve =
      guide(skin, places(400, 0, 2 * pi, [&](double a) -> Vec3 { return centre + on_circle(0.3, 0, a); }));
  const auto radius = [&](const Vec3& x) { return (x - centre).norm(); };
  int led = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const auto parallel = CurveConstraint::through(skin, skin.home(v), curve);
    const double home = radius(skin.evaluate(skin.home(v)).position);
    if (home < 0.01 || home > 0.45) continue;  // a parallel of no length; a parallel over the border
    ASSERT_TRUE(parallel) << home;
    ++led;
    slide(skin, *parallel, skin.home(v), 2, 60,
          [&](const CurveConstraint::Place&, const Vec3& x) { EXPECT_NEAR(radius(x), home, 1e-9); });
  }
  EXPECT_GT(led, 200);
}

TEST(CurveConstraint, FollowsACurveThatLiesInNoPlane) {
  const Mesh mesh = quad_torus(40, 20, 1, 0.4);
  const SlideSurface skin = skin_surface(mesh);
  // Twice around the hole, once around the tube: never far from any vertex.
  const auto knot = [](double a) {
    const double out = 1 + 0.4 * std::cos(a);
    return Vec3(out * std::cos(2 * a), out * std::sin(2 * a), 0.4 * std::sin(a));
  };
  const auto curve = guide(skin, places(201, 0, 2 * pi, knot));
  ASSERT_TRUE(curve->closed());
  ASSERT_FALSE(curve->plane());
  const auto off = [&](const Vec3& x) {
    double nearest = 1;
    for (int i = 0; i < 4000; ++i) {
      const Vec3 a = knot(2 * pi * i / 4000), b = knot(2 * pi * (i + 1) / 4000) - a;
      nearest = std::min(nearest, (x - a - std::clamp(b.dot(x - a) / b.squaredNorm(), 0.0, 1.0) * b).norm());
    }
    return nearest;
  };
  // On the curve: as far off as the smooth body is off the torus. Beside it: at the same distance all the
  // way, up to the bend of the body over that distance.
  const SurfacePoint on = skin.home(VertexId(0));
  ASSERT_LT(off(mesh.positions[VertexId(0)]), 1e-9);
  const SurfaceJet jet = skin.evaluate(on);
  const auto itself = CurveConstraint::through(skin, on, curve);
  ASSERT_TRUE(itself);
  slide(skin, *itself, on, 12, 200,
        [&](const CurveConstraint::Place&, const Vec3& x) { EXPECT_LT(off(x), 1e-3); });
  const SurfacePoint beside = skin.retract(on, jet, 0.05 * Vec2::UnitX());
  const double distance = off(skin.evaluate(beside).position);
  const auto parallel = CurveConstraint::through(skin, beside, curve);
  ASSERT_TRUE(parallel);
  slide(skin, *parallel, beside, 12, 200,
        [&](const CurveConstraint::Place&, const Vec3& x) { EXPECT_NEAR(off(x), distance, 2e-3); });
}

TEST(CurveConstraint, ItsDirectionIsThatOfItsPlacesAndAPlaceOnItStays) {
  const Mesh mesh = quad_torus(40, 20, 1, 0.4);
  const SlideSurface skin = skin_surface(mesh);
  const auto wave = [](double a) {
    const double b = 0.8 + 0.3 * std::sin(3 * a), out = 1 + 0.4 * std::cos(b);
    return Vec3(out * std::cos(a), out * std::sin(a), 0.4 * std::sin(b));
  };
  const auto curve = guide(skin, places(61, 0, 2 * pi, wave));
  int led = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const auto parallel = CurveConstraint::through(skin, skin.home(v), curve);
    if (!parallel ||
        (mesh.positions[v] - wave(std::atan2(mesh.positions[v].y(), mesh.positions[v].x()))).norm() > 0.08)
      continue;
    ++led;
    EXPECT_LT((skin.evaluate(parallel->beside(skin, skin.home(v)).point).position -
               skin.evaluate(skin.home(v)).position)
                  .norm(),
              1e-12)
        << v.value << " " << mesh.positions[v].transpose();
    const SurfacePoint p = slide(skin, *parallel, skin.home(v), 0.2, 4, [](auto&&...) {});
    const CurveConstraint::Place here = parallel->beside(skin, p);
    const SurfaceJet jet = skin.evaluate(here.point);
    EXPECT_LT((skin.evaluate(p).position - jet.position).norm(), 1e-13);
    const Vec2 way = (jet.to_barycentric.inverse() * here.rates).normalized();
    const double h = 1e-4;
    const auto at = [&](double q) {
      return skin.evaluate(parallel->beside(skin, skin.retract(here.point, jet, q * way)).point).position;
    };
    EXPECT_LT(((at(h) - at(-h)) / (2 * h) - jet.tangent * way).norm(), 1e-5);
  }
  EXPECT_GT(led, 50);
}

TEST(CurveConstraint, EndsAtABorderOrFollowsIt) {
  // Along a tube: up to its two ends.
  const Mesh tube = cylinder(24, 12, 0.5, 1);
  const SlideSurface skin = skin_surface(tube);
  const auto axis = guide(skin, {Vec3(0, 0, -0.5), Vec3(0, 0, 1.5)});
  for (VertexId v : ids<VertexId>(tube.vertex_count())) {
    const auto parallel = CurveConstraint::through(skin, skin.home(v), axis);
    ASSERT_TRUE(parallel) << tube.positions[v].transpose();
    const auto last = [&](double length) {
      CurveConstraint::Place place;
      slide(skin, *parallel, skin.home(v), length, 30,
            [&](const CurveConstraint::Place& p, const Vec3&) { place = p; });
      return place;
    };
    const CurveConstraint::Place top = last(1.2), bottom = last(-1.2);
    EXPECT_TRUE(top.ends && bottom.begins) << v.value;
    EXPECT_NEAR(skin.evaluate(top.point).position.z(), 1, 1e-6);
    EXPECT_NEAR(skin.evaluate(bottom.point).position.z(), 0, 1e-6);
  }
  // Around a hole in a sheet: the smooth border is no circle, but near one.
  Mesh sheet = cylinder(24, 6, 0.5, 0.3);
  for (Vec3& x : sheet.positions) x = Vec3(x.x(), x.y(), 0) * ((0.5 - x.z()) / 0.5);
  const SlideSurface flat = skin_surface(sheet);
  const auto lip = guide(flat, places(9, 0, 2 * pi, [](double a) { return on_circle(0.2, 0, a); }));
  for (VertexId v : vertices_where(sheet, [](const Vec3& x) { return x.norm() < 0.21; })) {
    const auto parallel = CurveConstraint::through(flat, flat.home(v), lip);
    ASSERT_TRUE(parallel) << v.value;
    double turned = 0;
    Vec3 last = flat.evaluate(flat.home(v)).position;
    slide(flat, *parallel, flat.home(v), 0.2 * 2 * pi, 60,
          [&](const CurveConstraint::Place& place, const Vec3& x) {
            EXPECT_FALSE(place.begins || place.ends);
            EXPECT_NEAR(x.norm(), 0.2, 2e-3);
            turned += std::atan2(last.x() * x.y() - last.y() * x.x(), last.dot(x));
            last = x;
          });
    EXPECT_NEAR(turned, 2 * pi, 0.1);
  }
}

TEST(CurveConstraint, EndsWithItsCurveAndWhereItWouldTurnBack) {
  const Mesh mesh = sheet(20, 20, 0.3, 3);
  const SlideSurface skin = skin_surface(mesh);
  const auto line = guide(skin, {Vec3(0.2, 0.5, 0), Vec3(0.7, 0.5, 0)});
  const auto slid = [&](const CurveConstraint& parallel, const SurfacePoint& home, double length) {
    CurveConstraint::Place last;
    slide(skin, parallel, home, length, 40,
          [&](const CurveConstraint::Place& place, const Vec3&) { last = place; });
    return last;
  };
  int led = 0, beyond = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const SurfacePoint home = skin.home(v);
    const Vec3 x = skin.evaluate(home).position;
    const auto parallel = CurveConstraint::through(skin, home, line);
    EXPECT_EQ(parallel.has_value(), x.x() > 0.2 - 1e-9 && x.x() < 0.7 + 1e-9) << x.transpose();
    ++(parallel ? led : beyond);
    if (!parallel) continue;
    const CurveConstraint::Place end = slid(*parallel, home, 0.6), begin = slid(*parallel, home, -0.6);
    EXPECT_TRUE(end.ends && !end.begins && begin.begins && !begin.ends);
    EXPECT_LT((skin.evaluate(end.point).position - Vec3(0.7, x.y(), 0)).norm(), 1e-12);
    EXPECT_LT((skin.evaluate(begin.point).position - Vec3(0.2, x.y(), 0)).norm(), 1e-12);
  }
  EXPECT_GT(led, 100);
  EXPECT_GT(beyond, 100);
  // Over a ball along a chord: it ends before it would run down the side.
  const SlideSurface ball = skin_surface(icosphere(3));
  const auto chord = guide(ball, {Vec3(-1, 0, 0.2), Vec3(1, 0, 0.2)});
  const SurfacePoint top = ClosestPointTree(ball.rest().mesh())(Vec3(0.02, 0.03, 1)).point;
  const auto over = CurveConstraint::through(ball, top, chord);
  ASSERT_TRUE(over);
  for (double length : {2.0, 4.0}) {
    CurveConstraint::Place last;
    slide(ball, *over, top, length, 40,
          [&](const CurveConstraint::Place& place, const Vec3&) { last = place; });
    EXPECT_TRUE(last.ends);
    const Vec3 x = ball.evaluate(last.point).position;
    EXPECT_GT(x.x(), 0.95);
    EXPECT_GT(x.z(), 0.01);
    EXPECT_NEAR(x.y(), 0, 0.01);
  }
  // An arch: beyond its centre, on the inside, it has no parallels.
  const auto arch = guide(
      skin, places(30, 0, pi, [](double a) -> Vec3 { return Vec3(0.5, 0.3, 0) + on_circle(0.2, 0, a); }));
  for (VertexId v :
       vertices_where(mesh, [](const Vec3& x) { return x.x() > 0.4 && x.x() < 0.6 && x.y() < 0.25; }))
    EXPECT_FALSE(CurveConstraint::through(skin, skin.home(v), arch)) << mesh.positions[v].transpose();
}

}  // namespace
}  // namespace cutis
