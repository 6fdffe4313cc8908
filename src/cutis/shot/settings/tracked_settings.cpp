#include "cutis/shot/settings/tracked_settings.h"

#include <algorithm>
#include <cmath>

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/settings/skin_options.h"

namespace cutis {
namespace {

/// Empty where it is 1 everywhere.
IdVector<VertexId, double> gain(const SkinSettings& settings, const Painted& painted,
                                const std::string& key) {
  if (painted.source == Painted::Source::Constant && painted.value == 1) return {};
  return settings.at_vertices(painted, key);
}

/// The share of its slide limit that skin lags by at 1 g where nobody says: 1 cm on belly and thighs, a
/// millimetre on head and hands, and limits are reached at 2.5 g.
constexpr double kLagAt1g = 0.4;
constexpr double kGravity = 9.81;  ///< [m/s²]
constexpr double kFastest = 30;    ///< where it sticks [Hz]

/// Its natural frequency at each vertex [Hz]. A spring lags by a / (2 π f)² under an acceleration a.
IdVector<VertexId, double> targeting_frequencies(const SkinSettings& settings,
                                                 const IdVector<VertexId, double>& slide_limit) {
  if (const auto& painted = settings.shot().skin.tracked.targeting_frequency)
    return settings.at_vertices(*painted, "skin.tracked.targeting_frequency");
  IdVector<VertexId, double> out;
  for (const double limit : slide_limit)
    out.push_back(std::min(kFastest, std::sqrt(kGravity / (kLagAt1g * limit)) / (2 * pi)));
  return out;
}

}  // namespace

TrackedOptions tracked_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  const TrackedSection& tracked = shot.skin.tracked;
  TrackedOptions options{skin_options(settings, solved)};
  options.surface = slides_on(shot);
  options.density = settings.at_vertices(shot.skin.density, "skin.density");
  options.viscosity = shot.skin.material.viscosity;
  options.bending = tracked.bending;
  options.free_border = shot.skin.free_border.value_or(false);
  options.gravity = shot.scene.gravity.value_or(Vec3::Zero());
  options.forces = keyed_forces(shot.scene, settings.solved_regions(), solved.mesh());
  options.sliding = DampedSpring::of(tracked.sliding_frequency, tracked.sliding_damping);
  options.targeting = DampedSpring::of(1, tracked.targeting_damping);
  options.targeting_gain = targeting_frequencies(settings, options.slide_limit);
  const double speed = slide_speed(shot.skin, human_scale(settings.body()));
  if (speed > 0) options.slide_speed = speed;
  options.sliding_gain = gain(settings, tracked.sliding_gain, "skin.tracked.sliding_gain");
  options.lag_gain = gain(settings, tracked.lag_gain, "skin.tracked.lag_gain");
  options.retarget_time = tracked.retarget_time;
  options.plastic_yield = tracked.plastic_yield;
  options.plastic_rate = tracked.plastic_rate;
  options.keep_volume = tracked.keep_volume;
  options.sliding_step = shot.solver.sliding_step;
  options.targeting_step = shot.solver.targeting_step;
  options.material_step = tracked.silhouette ? MaterialStep::None : shot.solver.material_step;
  options.frame = 1 / shot.time.fps.value_or(shot.body.cache_fps.value_or(24));
  options.deformation_limit = shot.solver.deformation_limit;
  options.deformation_aim = shot.solver.deformation_aim;
  return options;
}

}  // namespace cutis
