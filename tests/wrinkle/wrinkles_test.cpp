#include "cutis/wrinkle/wrinkles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/wrinkle/shell/shell_face.h"
#include "wrinkle/wrinkled_strip.h"

namespace cutis {
namespace {

double farthest(const SourcePoints& a, const SourcePoints& b) {
  double most = 0;
  for (SourceVertexId v : ids<SourceVertexId>(a.size())) most = std::max(most, (a[v] - b[v]).norm());
  return most;
}

TEST(Wrinkles, AtRestTheSurfaceIsTheBodysOwn) {
  for (const bool adaptive : {false, true}) {
    WrinkleOptions options = one_layer();
    options.adaptive = adaptive;
    WrinkledStrip strip({}, options);
    EXPECT_TRUE(strip.wrinkles.advance(0).converged);
    EXPECT_LT(farthest(strip.wrinkles.positions(), strip.rest()), 1e-9 * 0.06);
  }
}

/// Above the critical strain a layer wrinkles with its own wavelength and takes up the rest of the
/// compression.
void expect_film(const Strip& strip, const WrinkleOptions& options) {
  const LayerProperties& layer = options.layers[0].reference;
  const double wavelength = wavelength_of(options, {layer}, 0);
  const double critical = critical_strain(layer.thickness, wavelength);
  WrinkledStrip film(strip, options, 5e-3, wavelength / 12);
  for (int frame = 0; frame <= 4; ++frame) {
    const StepReport report = film.wrinkles.advance(frame / 4.0);
    EXPECT_TRUE(report.converged) << report.reason;
    if (strip.strain * frame / 4 < 0.8 * critical) {
      EXPECT_LT(film.height(), 0.1 * layer.thickness) << "wrinkles before it can";
    }
  }
  EXPECT_NEAR(film.wavelength(), wavelength, 0.15 * wavelength);
  const double expected = wrinkle_height(wavelength, strip.strain, critical);
  EXPECT_GT(film.height(), 0.6 * expected);
  EXPECT_LT(film.height(), 1.0 * expected);
}

TEST(Wrinkles, AFilmHasItsWavelengthHeightAndCriticalStrain) {
  Strip strip{0.06, 0.04, 0.22};
  expect_film(strip, one_layer());
  strip.direction = 30 * kDegree;
  WrinkleOptions thin = one_layer({{64e6, 0.6e-3, 0}, 0.5, 1100, 1, {}});
  thin.seed = 7;
  strip.strain = 0.1;
  expect_film(strip, thin);
}

/// Whatever the law of its membrane.
TEST(Wrinkles, FilmsOfEveryLawHaveTheSameWavelength) {
  for (const auto model :
       {MaterialModel::StVenantKirchhoff, MaterialModel::StableNeoHookean, MaterialModel::Fung}) {
    WrinkleLayer layer{{64e6, 0.6e-3, 0}, 0.5, 1100, 1, {}};
    layer.law = {.model = model, .young = 64e6, .fung_stiffness = 1e6, .fung_exponent = 4};
    expect_film({0.06, 0.03, 0.1}, one_layer(layer));
  }
}

/// In one step from rest, too, far beyond the critical strain.
TEST(Wrinkles, OneBigStepHasTheSameWavelength) {
  const Strip strip{0.06, 0.04, 0.22};
  WrinkleOptions options = one_layer();
  WrinkledStrip small_steps(strip, options);
  options.load_step = 1;
  WrinkledStrip one_step(strip, options);
  for (WrinkledStrip* film : {&small_steps, &one_step}) {
    film->wrinkles.advance(0);
    const StepReport report = film->wrinkles.advance(1);
    EXPECT_TRUE(report.converged) << report.reason;
  }
  EXPECT_NEAR(one_step.wavelength(), small_steps.wavelength(), 0.15 * small_steps.wavelength());
  EXPECT_NEAR(one_step.height(), small_steps.height(), 0.15 * small_steps.height());
}

/// With a painted wavelength, twice the thickness needs four times the strain.
TEST(Wrinkles, APaintedWavelengthStaysAndTheOnsetFollowsTheThickness) {
  const double wavelength = 6e-3;
  std::vector<double> onsets;
  for (const double thickness : {0.4e-3, 0.8e-3}) {
    WrinkleOptions options = one_layer({{4e6, 1e-3, 0}, 0.5, 1100, 1, {}});
    options.layers[0].painted = [=](const SurfacePoint&) {
      return LayerProperties{4e6, thickness, wavelength};
    };
    options.load_step = 0.01;
    const double critical = critical_strain(thickness, wavelength);
    WrinkledStrip film({0.05, 0.03, 2 * critical}, options);
    film.wrinkles.advance(0);
    film.wrinkles.advance(0.8 / 2);
    EXPECT_LT(film.height(), 0.1 * thickness);
    std::vector<double> strains, heights;
    for (const double share : {1.4, 1.7, 2.0}) {
      const StepReport report = film.wrinkles.advance(share / 2);
      EXPECT_TRUE(report.converged) << report.reason;
      strains.push_back(share * critical);
      heights.push_back(film.height());
    }
    onsets.push_back(onset(strains, heights));
    const double expected = wrinkle_height(wavelength, 2 * critical, critical);
    EXPECT_GT(heights.back(), 0.6 * expected);
    EXPECT_LT(heights.back(), 1.0 * expected);
    EXPECT_NEAR(film.wavelength(), wavelength, 0.15 * wavelength);
  }
  EXPECT_NEAR(onsets[1] / onsets[0], 4, 0.2 * 4);
}

TEST(Wrinkles, WavesAlongFibresAreLongerThanThoseAcross) {
  const Strip strip{0.06, 0.03, 0.2};
  const AnalyticBody body(strip.shape(5e-3));
  for (const Vec3& fibres : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitZ())}) {
    WrinkleOptions options = one_layer();
    options.layers[0].fibre_ratio = 8;
    options.fibres.assign(body.triangles().mesh.face_count(), fibres);
    const std::vector<LayerProperties> layers = reference_layers(options);
    const double ratio = wavelength_ratio_along_fibres(options, layers, 0);
    EXPECT_NEAR(ratio, std::pow(1 + 7 * 0.75, 1.0 / 6), 1e-12);
    const double wavelength = wavelength_of(options, layers, 0) * (fibres.x() != 0 ? ratio : 1);
    WrinkledStrip film(strip, options);
    for (int frame = 0; frame <= 4; ++frame) {
      const StepReport report = film.wrinkles.advance(frame / 4.0);
      EXPECT_TRUE(report.converged) << report.reason;
    }
    EXPECT_NEAR(film.wavelength(), wavelength, 0.15 * wavelength);
  }
}

void expect_the_same_in_a_turned_scene(const WrinkleOptions& options, const Strip& strip) {
  WrinkledStrip straight(strip, options);
  advance(straight.wrinkles, {0.0, 0.5, 1.0});
  EXPECT_GT(straight.height(), 1e-4);
  const Mat3 turn = Eigen::AngleAxisd(37 * kDegree, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  SourcePoints expected = straight.wrinkles.positions();
  for (Vec3& x : expected) x = turn * x;
  for (const bool turned_at_rest : {false, true}) {
    Strip turned = strip;
    (turned_at_rest ? turned.rest_turn : turned.turn) = turn;
    WrinkledStrip around(turned, options);
    advance(around.wrinkles, {0.0, 0.5, 1.0});
    EXPECT_LT(farthest(around.wrinkles.positions(), expected), 1e-6 * 6.2e-3);
  }
}

TEST(Wrinkles, AreTheSameInATurnedScene) {
  WrinkleOptions options = one_layer();
  expect_the_same_in_a_turned_scene(options, {0.03, 0.02});
  options.adaptive = true;
  expect_the_same_in_a_turned_scene(options, {0.03, 0.02});
  options.layers.push_back({{60e6, 0.4e-3, 0}, 0.5, 1100, 1, {}});
  options.adaptive = false;
  expect_the_same_in_a_turned_scene(options, {0.012, 0.006});
}

/// A shot may begin with a body that is far from its rest pose and pressed together there.
TEST(Wrinkles, BeginFarFromRestAsIfTheyHadComeThere) {
  Strip strip;
  strip.turn = Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  WrinkledStrip all_the_way(strip, one_layer()), begun(strip, one_layer());
  advance(all_the_way.wrinkles, {0, 0.25, 0.5, 0.75, 1});
  advance(begun.wrinkles, {1});
  EXPECT_NEAR(begun.wavelength(), all_the_way.wavelength(), 0.05 * all_the_way.wavelength());
  EXPECT_NEAR(begun.height(), all_the_way.height(), 0.05 * all_the_way.height());
}

/// Deep folds, so that contact is looked for; within its surface, so that heights stay what they are.
TEST(Wrinkles, OnAFastBodyAreThoseOfASlowOne) {
  Strip slow{0.03, 0.02, 0.35}, fast = slow;
  fast.velocity = Vec3(3, 0, 2);
  WrinkledStrip standing(slow, one_layer()), moving(fast, one_layer());
  for (int frame = 0; frame <= 4; ++frame) {
    standing.wrinkles.advance(frame / 4.0);
    const StepReport report = moving.wrinkles.advance(frame / 4.0);
    EXPECT_TRUE(report.converged) << report.reason;
  }
  EXPECT_NEAR(moving.wavelength(), standing.wavelength(), 0.02 * standing.wavelength());
  EXPECT_NEAR(moving.height(), standing.height(), 0.02 * standing.height());
}

TEST(Wrinkles, GoBackToRest) {
  for (const bool adaptive : {false, true}) {
    WrinkleOptions options = one_layer();
    options.adaptive = adaptive;
    WrinkledStrip strip({0.03, 0.02}, options);
    double highest = 0;
    for (const double time : {0.0, 0.5, 1.0, 1.5, 2.0}) {
      advance(strip.wrinkles, {time});
      highest = std::max(highest, strip.height());
    }
    EXPECT_GT(highest, 2e-4);
    EXPECT_LT(farthest(strip.wrinkles.positions(), strip.rest()), 1e-6);
  }
}

TEST(Wrinkles, MeshesThatAdaptGiveTheSameWrinkles) {
  WrinkleOptions options = one_layer();
  WrinkledStrip even({0.045, 0.03, 0.24}, options);
  options.adaptive = true;
  WrinkledStrip adaptive({0.045, 0.03, 0.24}, options);
  for (int frame = 0; frame <= 4; ++frame) {
    EXPECT_TRUE(even.wrinkles.advance(frame / 4.0).converged);
    EXPECT_TRUE(adaptive.wrinkles.advance(frame / 4.0).converged);
  }
  EXPECT_NEAR(adaptive.height(), even.height(), 0.05 * even.height());
  EXPECT_NEAR(adaptive.wavelength(), even.wavelength(), 0.05 * even.wavelength());
}

/// Runs it at once, and with one thread from a saved state on.
void expect_same_bits(const Strip& strip, const WrinkleOptions& options) {
  WrinkledStrip whole(strip, options), resumed(strip, options);
  State saved;
  for (const double time : {0.0, 0.4, 0.7, 1.0}) {
    advance(whole.wrinkles, {time});
    if (time == 0.4) saved = whole.wrinkles.save();
  }
  set_threads(1);
  resumed.wrinkles.restore(saved);
  for (const double time : {0.7, 1.0}) resumed.wrinkles.advance(time);
  set_threads(0);
  EXPECT_EQ(resumed.wrinkles.positions(), whole.wrinkles.positions());
  EXPECT_GT(whole.height(), 1e-4);
}

TEST(Wrinkles, GoOnWithTheSameBitsAtAnyNumberOfThreads) {
  for (const bool adaptive : {false, true}) {
    WrinkleOptions options = one_layer();
    options.adaptive = adaptive;
    expect_same_bits({0.03, 0.02}, options);
  }
  // With velocities, on meshes that follow how fast wrinkles grow.
  WrinkleOptions moving = one_layer();
  moving.adaptive = true;
  moving.solver = WrinkleSolver::Dynamic;
  moving.damping = 20;
  expect_same_bits({0.03, 0.02}, moving);
  // A layer above another, from which it is kept off and to which it gives way, in folds that touch.
  WrinkleOptions stacked = one_layer();
  stacked.layers.push_back({{60e6, 0.4e-3, 0}, 0.5, 1100, 1, {}});
  stacked.edge = 0.25;
  stacked.give = 1e-10;
  expect_same_bits({0.0125, 0.006, 0.4}, stacked);
  WrinkleOptions together = one_layer();
  together.layers.push_back({{60e6, 0.4e-3, 0}, 0.5, 1100, 1, {}});
  together.coupling = LayerCoupling::Both;
  together.adaptive = true;
  together.edge = 0.25;
  together.law = WavelengthLaw::Layer;
  expect_same_bits({0.02, 0.008, 0.08}, together);
}

/// Small wrinkles on large ones, where the lower layer alone has none that are small.
TEST(Wrinkles, TwoLayersHaveWrinklesOnWrinkles) {
  const Strip strip{0.0125, 0.004, 0.22};
  const double edge = 1e-4;
  WrinkleOptions options = one_layer();
  WrinkledStrip one(strip, options, 2e-3, edge);
  options.layers = {kDermis, kEpidermis};
  WrinkledStrip two(strip, options, 2e-3, edge);
  for (int frame = 0; frame <= 3; ++frame) {
    for (WrinkledStrip* film : {&one, &two}) {
      const StepReport report = film->wrinkles.advance(frame / 3.0);
      EXPECT_TRUE(report.converged) << report.reason;
    }
  }
  const double wavelength = thesis_wavelength({kEpidermis.reference, kDermis.reference});
  const auto spectrum_of = [&](const WrinkledStrip& film) {
    const HeightGrid grid = film.grid();
    return WaveSpectrum(wavelength / 2, 2 * wavelength, [&](double k) { return slope_power(grid, k); });
  };
  const WaveSpectrum small = spectrum_of(two), none = spectrum_of(one);
  EXPECT_GT(small.most(wavelength / 2, 1.5 * wavelength), 10 * none.most(wavelength / 2, 1.5 * wavelength));
  EXPECT_NEAR(small.peak(wavelength / 2, 1.5 * wavelength), wavelength, 0.15 * wavelength);
  const double large = thesis_wavelength({kDermis.reference, options.substrate});
  EXPECT_NEAR(one.wavelength(), large, 0.15 * large);
  EXPECT_GT(two.height(), 0.8 * one.height());
}

/// Two layers that are solved for together buckle as a laminate does. By themselves they would need more: the
/// stiff upper one presses, and the thick lower one has to hold it.
TEST(Wrinkles, LayersThatAreSolvedForTogetherBuckleAsALaminate) {
  const Strip strip{0.025, 0.00625, 0.1};
  const WrinkleLayer stiff{{60e6, 0.3e-3, 2e-3}, 0.5, 1100, 1, {}};
  WrinkleOptions options = one_layer();
  options.layers = {kDermis, stiff};
  const double wavelength = wavelength_of(options, reference_layers(options), 0);
  const double h1 = kDermis.reference.thickness, h2 = stiff.reference.thickness;
  const double A1 = plate_modulus(4e6, 0.5) * h1, A2 = plate_modulus(60e6, 0.5) * h2;
  // The upper layer lies its own thickness above the lower one.
  const double D = A1 * h1 * h1 / 12 + A2 * h2 * h2 / 12 + A1 * A2 / (A1 + A2) * h2 * h2;
  const double critical = D / (A1 + A2) * std::pow(2 * pi / wavelength, 2);
  ASSERT_LT(critical, 0.5 * critical_strain(h1, wavelength));
  for (const LayerCoupling coupling : {LayerCoupling::BottomUp, LayerCoupling::Both}) {
    options.coupling = coupling;
    WrinkledStrip film(strip, options, 2e-3, 1e-4);
    for (const double time : {0.0, 0.5, 1.0}) {
      const StepReport report = film.wrinkles.advance(time);
      EXPECT_TRUE(report.converged) << report.reason;
    }
    const double expected = wrinkle_height(wavelength, strip.strain, critical);
    if (coupling == LayerCoupling::BottomUp) {
      EXPECT_LT(film.height(), 0.2 * expected);
    } else {
      EXPECT_GT(film.height(), 0.6 * expected);
      EXPECT_LT(film.height(), 1.0 * expected);
      EXPECT_NEAR(film.wavelength(), wavelength, 0.15 * wavelength);
    }
  }
}

/// When skin that is pressed together within a thousandth of a second, and held, has half of the height that
/// it ends with [s].
double buckling_time(double density) {
  WrinkleOptions options = one_layer({kDermis.reference, 0.5, density, 1, {}});
  options.solver = WrinkleSolver::Dynamic;
  options.damping = 1e6;
  options.load_step = 1;
  WrinkledStrip strip({0.02, 0.0125, 0.22, 0, Mat3::Identity(), 1e-3}, options);
  const double dt = 5e-4;
  std::vector<double> heights;
  for (int step = 0; step < 100; ++step) {
    strip.wrinkles.advance(step * dt);
    heights.push_back(strip.height());
  }
  EXPECT_NEAR(heights[99], heights[95], 0.01 * heights[99]) << "not at rest yet";
  const auto half =
      std::find_if(heights.begin(), heights.end(), [&](double h) { return h > heights.back() / 2; });
  const double above = *half, below = *(half - 1);
  return dt * (static_cast<double>(half - heights.begin()) - (above - heights.back() / 2) / (above - below));
}

/// Where damping is strong, forces bear damping times mass times velocity: half the mass takes half the time.
TEST(Wrinkles, WithInertiaLighterSkinBucklesSooner) {
  EXPECT_NEAR(buckling_time(1100) / buckling_time(550), 2, 0.3);
}

/// A dynamic layer that is hardly damped, pressed together slowly, has the wrinkles of a static one; its
/// meshes adapt, also to how fast they grow.
TEST(Wrinkles, WithInertiaMeshesThatAdaptGiveTheSameWrinkles) {
  WrinkleOptions options = one_layer();
  options.adaptive = true;
  WrinkledStrip still({0.03, 0.02, 0.24}, options);
  advance(still.wrinkles, {0, 0.25, 0.5, 0.75, 1});
  options.solver = WrinkleSolver::Dynamic;
  options.damping = 20;
  WrinkledStrip moving({0.03, 0.02, 0.24}, options);
  advance(moving.wrinkles, {0, 0.25, 0.5, 0.75, 1});
  EXPECT_NEAR(moving.height(), still.height(), 0.05 * still.height());
  EXPECT_NEAR(moving.wavelength(), still.wavelength(), 0.05 * still.wavelength());
}

TEST(Wrinkles, ARegionFadesIntoTheBody) {
  Strip strip{0.05, 0.03, 0.2};
  AnalyticBody body(strip.shape(2.5e-3));
  WrinkleOptions options = one_layer();
  for (FaceId f : ids<FaceId>(body.triangles().mesh.face_count())) {
    const auto v = body.triangles().mesh.face(f);
    const Vec3 middle =
        (body.mesh().positions[v[0]] + body.mesh().positions[v[1]] + body.mesh().positions[v[2]]) / 3;
    options.region.push_back(std::abs(middle.x()) < 0.015);
  }
  WrinkledStrip part(strip, options, 2.5e-3);
  part.wrinkles.advance(0);
  part.wrinkles.advance(1);
  const std::vector<double> heights = part.heights();
  double inside = 0, outside = 0;
  for (SourceVertexId v : ids<SourceVertexId>(part.rest().size())) {
    double& most = std::abs(part.rest()[v].x()) < 0.0151 ? inside : outside;
    most = std::max(most, std::abs(heights[v.index()]));
  }
  EXPECT_GT(inside, 2e-4);
  EXPECT_LT(outside, 1e-9);
}

}  // namespace
}  // namespace cutis
