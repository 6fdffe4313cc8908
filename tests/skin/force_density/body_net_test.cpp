// Skin of a whole body as one net: its densities, the paths of its vertices, and what it makes of a pose.
#include "cutis/skin/force_density/body_net.h"

#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"

namespace cutis::test {
namespace {

const RestTriangle kTriangle = rest_triangle(Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0.5, 1.5, 0));

Mat32 stretched(double along, double across, double turn) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>() = Eigen::Rotation2Dd(turn) * Eigen::Vector2d(along, across).asDiagonal() *
                   Eigen::Rotation2Dd(-turn).toRotationMatrix();
  return F;
}

TEST(NetLaw, PullsNothingAtRestHoweverItIsTurned) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>() = Eigen::Rotation2Dd(0.7).toRotationMatrix();
  EXPECT_LT(net_pull(kTriangle, F, 25).forces.norm(), 1e-14);
}

TEST(NetLaw, ForcesDeriveFromAnEnergyWithinItsStiffness) {
  // Along any line through the deformations, the derivative of the work by the step is at most the stiffness.
  for (double along : {0.4, 0.9, 1.05, 1.6, 3.0}) {
    const Mat32 F = stretched(along, 1.2, 0.3), direction = Mat32::Ones() / std::sqrt(6.0);
    const double h = 1e-5;
    const auto work = [&](const Mat32& at, const Mat32& way) {
      const Mat32 sides = way * kTriangle.inverse.inverse();
      return net_pull(kTriangle, at, 25).forces.cwiseProduct(sides).sum();
    };
    const double curvature =
        (work(F + h * direction, direction) - work(F - h * direction, direction)) / (2 * h);
    EXPECT_LE(curvature, net_pull(kTriangle, F, 25).stiffness * 1.0001) << along;
    // An energy has symmetric second derivatives.
    Mat32 other = Mat32::Zero();
    other(1, 0) = 1;
    const auto mixed = [&](const Mat32& step, const Mat32& way) {
      return (work(F + h * step, way) - work(F - h * step, way)) / (2 * h);
    };
    EXPECT_NEAR(mixed(direction, other), mixed(other, direction), 1e-6) << along;
  }
}

TEST(NetLaw, TautSkinPullsHarder) {
  const auto density = [](double stretch) {
    return net_pull(kTriangle, stretched(stretch, 1, 0), 25).forces.norm() / (stretch - 1);
  };
  EXPECT_NEAR(density(1.0001), 0.3 / 1.8 * density(100), 0.01 * density(100));
  EXPECT_LT(density(1.1), density(1.4));
}

TEST(StraightPaths, RunStraightOverAPlane) {
  const Mesh mesh = triangulated(sheet(8, 8, 0.3, 3)).mesh;
  const Topology topology(mesh);
  const StraightPaths paths(topology, mesh.positions);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    if (topology.is_border(v)) {
      EXPECT_TRUE(paths.tangent(v).isZero(0));
      continue;
    }
    for (double angle = 0; angle < 6; angle += 0.5) {
      const Vec2 way = 0.05 * Vec2(std::cos(angle), std::sin(angle));
      const StraightPaths::End end = paths.walk(v, way);
      const Vec3 expected = mesh.positions[v] + paths.tangent(v) * way;
      EXPECT_LT((interpolate(mesh, mesh.positions, end.point) - expected).norm(), 1e-12);
      EXPECT_LT((end.frame - paths.tangent(v)).norm(), 1e-12);
    }
  }
}

TEST(StraightPaths, AreThoseOfTheShapeNotOfItsNumbers) {
  const Mesh mesh = icosphere(2);
  // The same sphere, each face begun at another corner, faces in the reverse order.
  Mesh rolled;
  rolled.positions = mesh.positions;
  std::vector<std::vector<VertexId>> faces;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto c = mesh.face(f);
    faces.insert(faces.begin(), {c[1], c[2], c[0]});
  }
  for (const auto& face : faces) rolled.add_face(std::span<const VertexId>(face));
  const Topology topology(mesh), other_topology(rolled);
  const StraightPaths paths(topology, mesh.positions), others(other_topology, rolled.positions);
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const Vec3 direction = mesh.positions[v].unitOrthogonal() * 0.6;
    const auto end = [&](const StraightPaths& of, const Mesh& on) {
      return interpolate(on, on.positions, of.walk(v, of.tangent(v).transpose() * direction).point);
    };
    EXPECT_LT((end(paths, mesh) - end(others, rolled)).norm(), 1e-10);
    // A great circle, up to the facets of the mesh.
    const Vec3 to = end(paths, mesh).normalized(), from = mesh.positions[v].normalized();
    EXPECT_NEAR(std::acos(to.dot(from)), 0.6, 0.03);
    EXPECT_LT(std::abs(to.dot(from.cross(direction).normalized())), 0.05);
  }
}

class BentArm : public testing::Test {
 protected:
  BentArm() {
    options_.slide_limit.assign(body_->mesh().vertex_count(), kLimit);
    rest_ = rest_triangles(body_->mesh().positions.raw(), index_triangles(body_->triangles().mesh));
  }

  /// 99th percentile of the tensile strain.
  double strain(const SourcePoints& at) const {
    const Points points = body_->weld().gather(at);
    std::vector<double> strains, areas;
    for (FaceId f : ids<FaceId>(rest_.size())) {
      const auto c = body_->triangles().mesh.face(f);
      strains.push_back(
          tensile_strain(deformation_gradient(rest_[f.index()], points[c[0]], points[c[1]], points[c[2]])));
      areas.push_back(rest_[f.index()].area);
    }
    return weighted_percentile(strains, areas, 0.99);
  }

  static constexpr double kLimit = 0.02;
  std::unique_ptr<Body> body_ = open_cast_member("arm", 0.012, {});
  ForceDensityOptions options_;
  std::vector<RestTriangle> rest_;
};

TEST_F(BentArm, StaysAtHomeAtRest) {
  for (bool limit_surface : {false, true}) {
    options_.limit_surface = limit_surface;
    ForceDensitySlide slide(*body_, options_);
    slide.advance(0);
    const SourcePoints plain = body_->source_positions(0);
    for (SourceVertexId v : ids<SourceVertexId>(plain.size()))
      EXPECT_LT((slide.positions()[v] - plain[v]).norm(), 1e-12);
  }
}

TEST_F(BentArm, IsStrainedLessWithinItsLimits) {
  ForceDensitySlide slide(*body_, options_);
  slide.advance(1);
  EXPECT_LT(strain(slide.positions()), 0.85 * strain(body_->source_positions(1)));
  const SlideSurface rest(*body_, SlidesOn::Limit);
  const auto map = slide.skin().map;
  double furthest = 0;
  for (VertexId v : ids<VertexId>(body_->mesh().vertex_count()))
    furthest = std::max(furthest, rest.slide(v, map->points()[v]).norm());
  EXPECT_LT(furthest, 1.01 * kLimit);
  EXPECT_GT(furthest, 0.2 * kLimit);
}

TEST_F(BentArm, DependsOnThePoseAlone) {
  ForceDensitySlide alone(*body_, options_), after_others(*body_, options_);
  for (double time : {0.0, 0.4, 0.9, 0.7}) after_others.advance(time);
  set_threads(1);
  alone.advance(0.7);
  set_threads(0);
  EXPECT_EQ(alone.positions(), after_others.positions());
}

TEST_F(BentArm, MovesNoFurtherInATenthOfATime) {
  ForceDensitySlide slide(*body_, options_);
  const auto furthest = [&](double step) {
    slide.advance(0.6);
    const SourcePoints before = slide.positions();
    slide.advance(0.6 + step);
    double far = 0;
    for (SourceVertexId v : ids<SourceVertexId>(before.size()))
      far = std::max(far, (slide.positions()[v] - before[v]).norm());
    return far;
  };
  EXPECT_LT(furthest(0.0004), 0.2 * furthest(0.004));
}

TEST_F(BentArm, HoldsWhatItsLimitHolds) {
  for (VertexId v : ids<VertexId>(options_.slide_limit.size()))
    if (v.value % 3 == 0) options_.slide_limit[v] = 0;
  ForceDensitySlide slide(*body_, options_);
  slide.advance(1);
  const SourcePoints plain = body_->source_positions(1);
  for (SourceVertexId s : ids<SourceVertexId>(plain.size()))
    if (body_->weld().vertex_of[s].value % 3 == 0) EXPECT_EQ(slide.positions()[s], plain[s]);
}

}  // namespace
}  // namespace cutis::test
