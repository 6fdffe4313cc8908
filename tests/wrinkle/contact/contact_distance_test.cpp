#include "cutis/wrinkle/contact/contact_distance.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "wrinkle/contact/derivative_sweep.h"

namespace cutis::test {
namespace {

/// The least value of a convex function on [0, 1], by golden sections.
double least(const std::function<double(double)>& f) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = 0, high = 1, a = 1 - golden, b = golden, fa = f(a), fb = f(b);
  for (int i = 0; i < 55; ++i) {
    if (fa < fb) {
      high = b, b = a, fb = fa;
      fa = f(a = high - golden * (high - low));
    } else {
      low = a, a = b, fa = fb;
      fb = f(b = low + golden * (high - low));
    }
  }
  return std::min({f(0), f(1), fa, fb});
}

/// By searching both parameters.
double searched_distance(ContactKind kind, const ContactPoints& x) {
  const bool edges = kind == ContactKind::EdgeEdge;
  return least([&](double s) {
    return least([&](double t) {
      return edges ? (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).squaredNorm()
                   : (x[1] + s * (x[2] - x[1]) + t * (1 - s) * (x[3] - x[1]) - x[0]).squaredNorm();
    });
  });
}

ContactPoints random_points(Random& random) {
  ContactPoints x;
  for (Vec3& p : x) p = random.in_cube();
  return x;
}

constexpr ContactKind kKinds[] = {ContactKind::PointTriangle, ContactKind::EdgeEdge};

TEST(ContactDistance, IsTheSmallestOverAllPoints) {
  Random random(1);
  for (const ContactKind kind : kKinds)
    for (int i = 0; i < 300; ++i) {
      const ContactPoints x = random_points(random);
      EXPECT_NEAR(squared_distance(kind, x), searched_distance(kind, x), 1e-12) << i;
    }
}

/// Turns random points into something without an area, parallel, or in one plane.
ContactPoints degenerate(ContactPoints x, int how) {
  switch (how) {
    case 0:
      x[3] = x[2] + 0.7 * (x[1] - x[0]);
      break;  // parallel edges
    case 1:
      x[3] = x[2] - (1 + 1e-9) * (x[1] - x[0]);
      break;  // the other way round
    case 2:
      x[2] = x[0] + 2 * (x[1] - x[0]), x[3] = x[0] + 3 * (x[1] - x[0]);
      break;  // on one line
    case 3:
      x[2] = x[0] + 0.5 * (x[1] - x[0]), x[3] = x[0] + 3 * (x[1] - x[0]);
      break;  // overlapping on it
    case 4:
      x[1] = x[0];
      break;  // an edge without length
    case 5:
      x[3] = x[2];
      break;
    case 6:
      x[1] = x[0], x[3] = x[2];
      break;
    case 7:
      x[3] = 0.3 * x[1] + 0.7 * x[2];
      break;  // a triangle without area
    case 8:
      x[1] = x[2] = x[3];
      break;  // a triangle that is a point
    case 9:
      for (Vec3& p : x) p.z() = 0.25;
      break;  // all in one plane
    case 10:
      x[0] = (x[1] + x[2] + x[3]) / 3;
      break;  // on the triangle
    default:
      x[3] = x[2] + x[1] - x[0] + 1e-7 * x[3];
      break;  // nearly parallel
  }
  return x;
}

TEST(ContactDistance, IsRightForDegeneratePairs) {
  Random random(2);
  for (const ContactKind kind : kKinds)
    for (int how = 0; how <= 11; ++how)
      for (int i = 0; i < 20; ++i) {
        const ContactPoints x = degenerate(random_points(random), how);
        const double d2 = squared_distance(kind, x);
        EXPECT_NEAR(d2, searched_distance(kind, x), 1e-9) << how << " " << i;
        const ContactJet jet = squared_distance_jet(kind, x);
        EXPECT_EQ(jet.value, d2);
        EXPECT_TRUE(jet.gradient.allFinite() && jet.hessian.allFinite()) << how << " " << i;
      }
}

TEST(ContactDistance, KeepsItsDigitsFarFromTheOrigin) {
  const Vec3 far(1e3, -2e3, 5e2);
  const ContactPoints x = {far + Vec3(0.25, 0.25, 1.0 / 1024), far, far + Vec3(1, 0, 0), far + Vec3(0, 1, 0)};
  EXPECT_NEAR(std::sqrt(squared_distance(ContactKind::PointTriangle, x)), 1.0 / 1024, 1e-13);
}

TEST(ContactDistance, HasTheDerivativesOfFiniteDifferences) {
  Random random(3);
  for (const ContactKind kind : kKinds) {
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec12 x = vector_of(random_points(random));
      // Near parallel edges the second derivative grows beyond what differences resolve.
      const ContactPoints p = points_of(x);
      const Vec3 a = p[1] - p[0], b = p[3] - p[2], c = p[2] - p[1];
      const Vec3 across = kind == ContactKind::EdgeEdge ? a.cross(b) : c.cross(b);
      if (across.norm() < 0.3) continue;
      const DerivativeErrors errors =
          derivative_errors(x, 1, [&](const Vec12& at) { return squared_distance_jet(kind, points_of(at)); });
      EXPECT_LT(errors.gradient, 1e-8) << i;
      EXPECT_LT(errors.hessian, 1e-6) << i;
      ++checked;
    }
    EXPECT_GT(checked, 150);
  }
}

/// The gradient has no jump where the closest feature changes.
TEST(ContactDistance, IsContinuouslyDifferentiableAcrossRegions) {
  Random random(4);
  // Of nearly parallel edges the closest points run from end to end at once, and so they do on a triangle
  // that turns over.
  const auto nearly_flat = [](ContactKind kind, const ContactPoints& x) {
    const Vec3 a = kind == ContactKind::EdgeEdge ? x[1] - x[0] : x[2] - x[1];
    return a.cross(x[3] - x[2]).norm() < 0.3;
  };
  for (const ContactKind kind : kKinds)
    for (int i = 0; i < 20; ++i) {
      const Vec12 from = vector_of(random_points(random)), to = vector_of(random_points(random));
      Vec12 before = squared_distance_jet(kind, points_of(from)).gradient;
      double jump = 0, curvature = 0;
      constexpr int kSteps = 4000;
      for (int k = 1; k <= kSteps; ++k) {
        const ContactPoints at = points_of(from + (to - from) * k / kSteps);
        const ContactJet jet = squared_distance_jet(kind, at);
        if (!nearly_flat(kind, at)) {
          jump = std::max(jump, (jet.gradient - before).norm());
          curvature = std::max(curvature, jet.hessian.norm());
        }
        before = jet.gradient;
      }
      EXPECT_LT(jump, 3 * curvature * (to - from).norm() / kSteps) << i;
    }
}

}  // namespace
}  // namespace cutis::test
