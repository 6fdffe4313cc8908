// The figures that tracked skin must reach: on its surface whatever the stiffness costs, on its own sheet,
// the same bits, at rest on a target that changes.
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/energy/hinge_angle.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/skin/tracked/tracking_forces.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/simulation_mesh.h"
#include "cutis/surface/remesh/evenness.h"
#include "skin/tracked/tracked_bodies.h"
#include "support/meshes.h"

namespace cutis {
namespace {

using namespace test;

Mesh small_torus() { return torus(24, 12, 0.2, 0.08); }

/// Turned to and fro about an axis across it, by half a radian twice a second.
Vec3 swung(const Vec3& x, double t) {
  const double angle = 0.5 * std::sin(4 * pi * t) * rise(t, 0.1);
  return Eigen::AngleAxisd(angle, Vec3::UnitY()) * x + Vec3(0.05 * (1 - std::cos(6 * pi * t)), 0, 0);
}

struct Outcome {
  int substeps = 0;
  double distance = 0;  ///< the greatest, over the body's size
};
Outcome run_over(const Body& body, const TrackedOptions& options, int frames) {
  TrackedSlide skin(body, options);
  Outcome out;
  for (int i = 0; i <= frames; ++i) {
    const StepReport report = skin.advance(i / 24.0);
    EXPECT_TRUE(report.converged);
    out.substeps += report.iterations;
    out.distance = std::max(out.distance, report.residual);
  }
  return out;
}

/// RMS and greatest distance of the skin from where its body has it, over the body's size.
std::pair<double, double> off_target(const TrackedSlide& skin, const Body& body, double time) {
  const Points now = body.positions(time);
  double sum = 0, most = 0;
  for (VertexId v : ids<VertexId>(now.size())) {
    const double off = (skin.nodes()[v] - now[v]).norm() / body.surface()->size();
    sum += off * off;
    most = std::max(most, off);
  }
  return {std::sqrt(sum / static_cast<double>(now.size())), most};
}

TEST(TrackedFigures, SkinStaysOnItsSurface) {
  const auto body = moving_body(small_torus(), swung, 2);
  const Outcome run = run_over(*body, tracked_options(), 24);
  std::cout << run.substeps << " substeps, at most " << run.distance << " of the body's size off it\n";
  EXPECT_LT(run.distance, 1e-3);
}

TEST(TrackedFigures, AStifferHoldOnTheSurfaceCostsNoSteps) {
  const auto body = moving_body(small_torus(), swung, 2);
  TrackedOptions options = tracked_options();
  // The frequency at which skin is a thousandth of the body's size off its surface.
  double low = 1, high = 5000;
  for (int i = 0; i < 12; ++i) {
    const double middle = std::sqrt(low * high);
    options.sliding = DampedSpring::of(middle, 1);
    (run_over(*body, options, 12).distance > 1e-3 ? low : high) = middle;
  }
  options.sliding = DampedSpring::of(high, 1);
  const Outcome soft = run_over(*body, options, 12);
  options.sliding = DampedSpring::of(1000 * high, 1);
  const Outcome stiff = run_over(*body, options, 12);
  std::cout << high << " Hz: " << soft.distance << " of the size off, " << soft.substeps
            << " substeps; a million times as stiff: " << stiff.distance << ", " << stiff.substeps << "\n";
  EXPECT_NEAR(soft.distance, 1e-3, 1e-4);
  EXPECT_NEAR(stiff.substeps, soft.substeps, 0.02 * soft.substeps);
  EXPECT_LT(stiff.distance, soft.distance);
}

/// Where skin is on the swinging torus after half a second, and in how many substeps it got there.
std::pair<Points, int> swung_skin(const TrackedOptions& options) {
  const auto body = moving_body(small_torus(), swung, 2);
  TrackedSlide skin(*body, options);
  int substeps = 0;
  for (int i = 0; i <= 12; ++i) substeps += skin.advance(i / 24.0).iterations;
  return {skin.nodes(), substeps};
}

double most_apart(const Points& a, const Points& b) {
  double most = 0;
  for (VertexId v : ids<VertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

TEST(TrackedFigures, StepsAreAsShortAsDeformationAsksFor) {
  TrackedOptions options = tracked_options();
  const auto [usual, substeps] = swung_skin(options);
  options.deformation_limit = 2e-3;
  options.deformation_aim = 1e-3;
  const auto [careful, more] = swung_skin(options);
  std::cout << substeps << " substeps, " << more << " where stretches change by 0.2 % at the most\n";
  EXPECT_GT(more, 3 * substeps / 2);
  EXPECT_LT(most_apart(usual, careful), 1e-3);
}

TEST(TrackedFigures, HoweverItIsSteppedSkinIsAtTheSamePlace) {
  TrackedOptions options = tracked_options();
  options.viscosity = 5;
  const Points usual = swung_skin(options).first;
  options.material_step = MaterialStep::Explicit;
  EXPECT_LT(most_apart(usual, swung_skin(options).first), 1e-3);
  options.material_step = MaterialStep::SemiImplicit;
  options.sliding_step = SlidingStep::Frame;
  EXPECT_LT(most_apart(usual, swung_skin(options).first), 2e-2);
  const auto body = moving_body(small_torus(), swung, 2);
  EXPECT_LT(run_over(*body, options, 12).distance, 1e-3);
}

/// Two sheets joined by a bend of a quarter of a circle, which closes until they touch, while skin is dragged
/// along the first of them over five edges in one frame.
TEST(TrackedFigures, OnAFoldNoNodeJumpsToTheOtherSheet) {
  const int n = 40;
  const Mesh flat = sheet(n, 8, 0, 1);
  double width = 0;
  for (const Vec3& x : flat.positions) width = std::max(width, x.x());
  const double edge = width / n, gap = 0.02 * edge;
  // Folded about the middle: the second half lies back over the first, above it by `gap`.
  const auto folded = [=](const Vec3& x) -> Vec3 {
    const double s = x.x() - width / 2, radius = gap / 2;
    const double bend = pi * radius;
    if (s < 0) return x;
    if (s < bend)
      return {width / 2 + radius * std::sin(s / radius), x.y(), radius * (1 - std::cos(s / radius))};
    return {width / 2 - (s - bend), x.y(), gap};
  };
  Mesh mesh = flat;
  for (Vec3& x : mesh.positions) x = folded(x);
  const Surface surface(mesh);
  TargetPose target{0, mesh.positions, Points(mesh.vertex_count(), Vec3::Zero()), surface.normals()};
  const TrackedOptions options = tracked_options();
  const TrackingForces forces(surface, options);
  const ClosestPointTree tree(mesh);
  const auto flat_x = [&](const SurfacePoint& p) { return interpolate(mesh, flat.positions, p).x(); };
  int jumps = 0, global_jumps = 0, looked_at = 0;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    const double s = flat.positions[v].x();
    if (s < 6 * edge || s > width / 2 - 6 * edge) continue;
    // Dragged by five edges, and off its sheet by more than half of the gap, towards the other one.
    TrackedNode node{mesh.positions[v] + Vec3(5 * edge, 0.1 * edge, 0.7 * gap), Vec3::Zero(),
                     surface.point(v)};
    forces.bind(target, node);
    ++looked_at;
    jumps += flat_x(node.binding) > width / 2;
    EXPECT_NEAR(flat_x(node.binding), s + 5 * edge, 0.2 * edge);
    global_jumps += flat_x(tree(node.position).point) > width / 2;
  }
  std::cout << looked_at << " nodes: " << jumps << " jump, by a global search " << global_jumps << "\n";
  EXPECT_GT(looked_at, 50);
  EXPECT_EQ(jumps, 0);
  EXPECT_GT(global_jumps, looked_at / 2);
}

TEST(TrackedFigures, TheSilhouetteIsOneStepAFrame) {
  const auto body = moving_body(small_torus(), swung, 2);
  TrackedOptions options = tracked_options();
  options.material_step = MaterialStep::None;
  const Outcome run = run_over(*body, options, 24);
  EXPECT_EQ(run.substeps, 24);
  EXPECT_LT(run.distance, 1e-3);
}

TEST(TrackedFigures, TheSameBitsAtAnyNumberOfThreadsAndAfterAResume) {
  const auto body = moving_body(small_torus(), swung, 2);
  TrackedOptions options = tracked_options();
  options.viscosity = 20;
  options.bending = 1;
  options.plastic_yield = 0.02;
  options.keep_volume = true;
  TrackedSlide whole(*body, options), again(*body, options);
  State middle;
  for (int i = 0; i <= 12; ++i) {
    set_threads(2);
    whole.advance(i / 24.0);
    set_threads(1);
    again.advance(i / 24.0);
    if (i == 6) middle = whole.save();
  }
  set_threads(0);
  TrackedSlide resumed(*body, options);
  resumed.restore(middle);
  for (int i = 7; i <= 12; ++i) resumed.advance(i / 24.0);
  EXPECT_EQ(whole.positions().raw(), again.positions().raw());
  EXPECT_EQ(whole.positions().raw(), resumed.positions().raw());
  EXPECT_TRUE(whole.save() == resumed.save());
}

TEST(TrackedFigures, NoAccelerationAndNoTeleportMakesItExplode) {
  // 100 g for a tenth of a second, then on at that speed, and elsewhere at once.
  const auto body = moving_body(
      small_torus(),
      [](const Vec3& x, double t) -> Vec3 {
        const double on = std::min(t, 0.1), way = 981 * on * (t - on / 2);
        return x + Vec3(way, t > 0.3 ? 50 : 0, 0);
      },
      2);
  TrackedSlide skin(*body, tracked_options());
  double furthest = 0;
  for (int i = 0; i <= 120; ++i) {
    EXPECT_TRUE(skin.advance(i / 240.0).converged);
    for (const Vec3& x : skin.positions()) ASSERT_TRUE(x.allFinite());
    furthest = std::max(furthest, off_target(skin, *body, i / 240.0).second);
  }
  std::cout << "at 100 g skin lags by " << furthest << " of the body's size\n";
  EXPECT_GT(furthest, 0.1);
  EXPECT_LT(furthest, 1);
}

TEST(TrackedFigures, RetargetedSkinComesToRestOnItsTarget) {
  // A torus whose tube becomes half as wide again on one side.
  const auto body = moving_body(
      small_torus(),
      [](const Vec3& x, double t) -> Vec3 {
        const double share = rise(t, 0.5) * 0.5 * std::max(0.0, x.x() / 0.28);
        const double far = std::hypot(x.x(), x.y());
        const Vec3 middle(0.2 * x.x() / far, 0.2 * x.y() / far, 0);
        return middle + (1 + share) * (x - middle);
      },
      10);
  std::pair<double, double> off[2];
  for (int retargets = 0; retargets < 2; ++retargets) {
    TrackedOptions options = tracked_options();
    options.targeting = DampedSpring::of(2, 0.5);
    options.retarget_time = retargets ? 0.1 : 0;
    TrackedSlide skin(*body, options);
    for (int i = 0; i <= 72; ++i) skin.advance(i / 24.0);
    off[retargets] = off_target(skin, *body, 3);
  }
  std::cout << "off the target: RMS " << off[1].first << ", most " << off[1].second
            << " of its size; without retargeting " << off[0].first << ", " << off[0].second << "\n";
  EXPECT_LT(off[1].first, 5e-4);
  EXPECT_LT(off[1].second, 2.5e-3);
  EXPECT_GT(off[0].first, 10 * off[1].first);
}

TEST(TrackedFigures, RingingGoesOnWhileTheTargetChanges) {
  // A sheet that is stretched by 5 % within a second rings as one that is not, to 5 %.
  double swing[2];
  for (int changes = 0; changes < 2; ++changes) {
    const auto body = moving_body(
        sheet(12, 12, 0.1, 1),
        [=](const Vec3& x, double t) -> Vec3 {
          return (1 + 0.05 * changes * rise(t - 0.2, 1)) * x + Vec3(0.02 * rise(t, 0.1), 0, 0);
        },
        10);
    TrackedOptions options = tracked_options();
    options.targeting = DampedSpring::of(3, 0.05);
    TrackedSlide skin(*body, options);
    swing[changes] = 0;
    for (int i = 0; i <= 48 * 3 / 2; ++i) {
      skin.advance(i / 48.0);
      if (i < 48) continue;
      // The mean, in which stretching cancels.
      const Points now = body->positions(i / 48.0);
      Vec3 mean = Vec3::Zero();
      for (VertexId v : ids<VertexId>(now.size())) mean += (skin.nodes()[v] - now[v]) / double(now.size());
      swing[changes] = std::max(swing[changes], mean.norm());
    }
  }
  std::cout << "ringing " << swing[0] << " m, " << swing[1] << " m while the target changes\n";
  EXPECT_NEAR(swing[1], swing[0], 0.05 * swing[0]);
}

TEST(TrackedFigures, GainsScaleTheLagAndTheHold) {
  const auto body = moving_body(sheet(8, 8, 0.1, 1), shaken(Vec3(0.01, 0, 0.002), 2), 10);
  const auto lag = [&](double gain) {
    TrackedOptions options = tracked_options();
    options.lag_gain.assign(body->mesh().vertex_count(), gain);
    TrackedSlide skin(*body, options);
    double most = 0;
    for (int i = 0; i <= 48; ++i) {
      skin.advance(i / 24.0);
      most = std::max(most, off_target(skin, *body, i / 24.0).second);
    }
    return most;
  };
  const double one = lag(1);
  EXPECT_LT(lag(0), 0.01 * one);
  EXPECT_NEAR(lag(2), 2 * one, 0.1 * 2 * one);
  TrackedOptions loose = tracked_options();
  loose.sliding_gain.assign(body->mesh().vertex_count(), 1e-5);
  EXPECT_GT(run_over(*body, loose, 24).distance, 10 * run_over(*body, tracked_options(), 24).distance);
}

TEST(TrackedFigures, TrianglesThatLieOnTheirBacksTurnRound) {
  // The body crosses a node over its neighbours for a moment, faster than skin can follow: some are left
  // over.
  const Mesh mesh = sheet(8, 8, 0, 1);
  const auto body = moving_body(mesh, hold_still, 10);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(0.5, 0.5);
  options.free_border = false;
  TrackedSlide skin(*body, options);
  skin.advance(0);
  State state = skin.save();
  const VertexId middle(std::size_t{40});
  const double edge =
      (mesh.positions[VertexId(std::size_t{1})] - mesh.positions[VertexId(std::size_t{0})]).norm();
  state.numbers["positions"][3 * middle.index()] += 1.4 * edge;
  skin.restore(state);
  skin.advance(1 / 240.0);
  const std::size_t before = skin.inverted();
  for (int i = 2; i <= 120; ++i) skin.advance(i / 240.0);
  EXPECT_GT(before, 0u);
  EXPECT_EQ(skin.inverted(), 0u);
}

TEST(TrackedFigures, SliversAreSolvedOnEvenTriangles) {
  // A torus whose vertices are pushed together along the tube: slivers.
  Mesh mesh = torus(48, 24, 0.2, 0.08);
  Random random(5);
  for (Vec3& x : mesh.positions) {
    const double far = std::hypot(x.x(), x.y()), large = std::atan2(x.y(), x.x());
    double small = std::atan2(x.z(), far - 0.2);
    small += 0.9 * std::sin(small) * std::cos(5 * large);
    x = Vec3((0.2 + 0.08 * std::cos(small)) * std::cos(large),
             (0.2 + 0.08 * std::cos(small)) * std::sin(large), 0.08 * std::sin(small));
  }
  const Evenness raw = evenness(mesh);
  const auto body = moving_body(mesh, swung, 2);
  const SimulationMesh even(body->surface(), raw.edge);
  const Evenness good = evenness(even.surface()->mesh());
  TrackedOptions options = tracked_options();
  options.highest_frequency = std::numeric_limits<double>::infinity();
  const auto even_body = moving_body(even.surface()->mesh(), swung, 2);
  const int before = run_over(*body, options, 8).substeps, after = run_over(*even_body, options, 8).substeps;
  std::cout << "areas spread over " << raw.area_spread << " and " << good.area_spread << ", smallest angle "
            << raw.smallest_angle / kDegree << " and " << good.smallest_angle / kDegree << " degrees, "
            << before << " and " << after << " substeps\n";
  EXPECT_LT(good.area_spread, 3);
  EXPECT_GT(good.smallest_angle, 20 * kDegree);
  EXPECT_GE(before, 3 * after);
}

TEST(TrackedFigures, HingesHaveTheGradientOfTheirAngle) {
  Random random(2);
  std::array<Vec3, 4> x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, 0.9, 0.2), Vec3(0.6, -0.8, -0.1)};
  const std::array<Vec3, 4> exact = hinge_gradient(x);
  for (std::size_t k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) {
      auto up = x, down = x;
      up[k][i] += 1e-6;
      down[k][i] -= 1e-6;
      EXPECT_NEAR((hinge_angle(up) - hinge_angle(down)) / 2e-6, exact[k][i], 1e-8);
    }
}

TEST(TrackedFigures, OnceAFrameSkinStaysOnItsSurfaceToo) {
  const auto body = moving_body(small_torus(), swung, 2);
  const Points usual = swung_skin(tracked_options()).first;
  for (const SlidingStep sliding : {SlidingStep::Substep, SlidingStep::Frame})
    for (const TargetingStep targeting : {TargetingStep::Substep, TargetingStep::Frame}) {
      TrackedOptions options = tracked_options();
      options.sliding_step = sliding;
      options.targeting_step = targeting;
      const Outcome run = run_over(*body, options, 24);
      std::cout << run.substeps << " substeps, at most " << run.distance << " of the size off it, "
                << most_apart(usual, swung_skin(options).first)
                << " m from skin that is held in every step\n";
      EXPECT_LT(run.distance, 1e-3);
      if (targeting == TargetingStep::Substep) {
        EXPECT_LT(most_apart(usual, swung_skin(options).first), 1e-2);
      }
    }
}

TEST(TrackedFigures, SkinThatIsOffItsSurfaceHasNotConverged) {
  // The body leaves skin behind by half a size, which is no leap.
  const auto body = moving_body(
      small_torus(),
      [](const Vec3& x, double t) -> Vec3 { return x + Vec3(0, 0, 0.3 * rise(t - 0.04, 0.002)); }, 2);
  TrackedOptions options = tracked_options();
  options.sliding = DampedSpring::of(40, 1);
  for (const bool may : {false, true}) {
    if (may) options.sliding_gain.assign(body->mesh().vertex_count(), 1);
    TrackedSlide skin(*body, options);
    bool converged = true;
    for (int i = 0; i <= 12; ++i) {
      const StepReport report = skin.advance(i / 240.0);
      EXPECT_EQ(report.converged, report.reason.empty());
      converged &= report.converged;
    }
    EXPECT_EQ(converged, may);
  }
}

TEST(TrackedFigures, SkinNeverPassesItsSlideLimitAsItIsWritten) {
  // A smooth surface is not the flat triangles that nodes are held on.
  const auto body = moving_body(torus(12, 6, 0.2, 0.08), shaken(Vec3(0.1, 0.05, 0), 3), 2);
  TrackedOptions options = tracked_options();
  options.surface = SlidesOn::Cage;
  options.targeting = DampedSpring::of(1, 0.2);
  options.slide_limit.assign(body->mesh().vertex_count(), 0.02);
  TrackedSlide skin(*body, options);
  const SlideSurface rest(*body, SlidesOn::Cage);
  double most = 0;
  for (int i = 0; i <= 24; ++i) {
    skin.advance(i / 24.0);
    for (VertexId v : ids<VertexId>(body->mesh().vertex_count()))
      most = std::max(most, rest.slide(v, skin.bindings()[v]).norm() / 0.02);
  }
  EXPECT_GT(most, 0.99);
  EXPECT_LT(most, 1.002);
}

TEST(TrackedFigures, SkinSlidesNoFasterThanItMay) {
  const auto body = moving_body(small_torus(), shaken(Vec3(0.1, 0.05, 0), 3), 2);
  TrackedOptions options = tracked_options();
  options.targeting = DampedSpring::of(3, 0.2);
  double fastest[2] = {0, 0};
  for (const bool bounded : {false, true}) {
    if (bounded) options.slide_speed = 0.1;
    TrackedSlide skin(*body, options);
    Points slides;
    for (int i = 0; i <= 24; ++i) {
      skin.advance(i / 24.0);
      const Points now = body->positions(i / 24.0), before = slides;
      slides = skin.nodes();
      for (VertexId v : ids<VertexId>(slides.size())) {
        slides[v] -= now[v];
        if (i > 0) fastest[bounded] = std::max(fastest[bounded], 24 * (slides[v] - before[v]).norm());
      }
    }
  }
  std::cout << "skin slides at " << fastest[0] << " m/s, bounded to 0.1 m/s at " << fastest[1] << "\n";
  EXPECT_GT(fastest[0], 0.2);
  // Within a step it may gain what the body's 20 m/s² and the spring accelerate it by, for half of 2.4 ms.
  EXPECT_LT(fastest[1], 0.13);
}

TEST(TrackedFigures, StepsWithoutEndAreRefused) {
  const auto body = moving_body(torus(160, 80, 0.2, 0.08), hold_still);
  TrackedOptions options = tracked_options();
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e11, 0.3);
  try {
    TrackedSlide skin(*body, options);
    FAIL() << "took it";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("skin.material.young"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("skin.resolution"), std::string::npos) << error.what();
  }
  // Of frames of a second, too, where it is soft enough for those of a 24th.
  options.material = simple_material(MaterialModel::StableNeoHookean, 1e7, 0.3);
  EXPECT_NO_THROW(TrackedSlide(*body, options));
  options.frame = 1;
  EXPECT_THROW(TrackedSlide(*body, options), InputError);
}

TEST(TrackedFigures, MistakesAreNamed) {
  const auto body = moving_body(small_torus(), hold_still);
  TrackedOptions options = tracked_options();
  options.lag_gain.assign(3, 1);
  EXPECT_THROW(TrackedSlide(*body, options), InputError);
  options = tracked_options();
  options.density.assign(body->mesh().vertex_count(), -1);
  EXPECT_THROW(TrackedSlide(*body, options), InputError);
  options = tracked_options();
  options.fixed = {VertexId(std::size_t{100000})};
  EXPECT_THROW(TrackedSlide(*body, options), InputError);
}

}  // namespace
}  // namespace cutis
