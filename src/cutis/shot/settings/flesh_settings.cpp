#include "cutis/shot/settings/flesh_settings.h"

#include <algorithm>
#include <cmath>

#include "cutis/material/biphasic_ramp.h"
#include "cutis/shot/settings/flesh_core_settings.h"
#include "cutis/shot/settings/flesh_depth.h"
#include "cutis/shot/settings/painted.h"

namespace cutis {
namespace {

/// Gravity on flesh where the scene has none of its own [m/s²].
const Vec3 kGravity(0, -9.81, 0);

bool is_even(const Painted& painted) { return painted.source == Painted::Source::Constant; }

std::optional<VolumePhase> volume_phase(std::optional<double> poisson, double start, double end) {
  if (!poisson) return std::nullopt;
  return VolumePhase{*poisson, start, end};
}

/// `young` of the flesh where it is stiffest.
std::vector<FleshPhase> phases(const FleshSection& flesh, double young) {
  std::vector<FleshPhase> out;
  if (flesh.biphasic)
    out.push_back(
        {flesh.biphasic_young.value_or(kUsualStiffening * young), flesh.biphasic_start, flesh.biphasic_end,
         volume_phase(flesh.biphasic_poisson, flesh.biphasic_volume_start, flesh.biphasic_volume_end),
         flesh.biphasic_viscosity});
  for (const FleshPhaseSection& phase : flesh.phase)
    out.push_back({phase.young, phase.start, phase.end,
                   volume_phase(phase.poisson, phase.volume_start, phase.volume_end), phase.viscosity});
  return out;
}

}  // namespace

FleshOptions flesh_options(const SkinSettings& settings) {
  const Shot& shot = settings.shot();
  const FleshSection& flesh = shot.flesh;
  const Body& body = settings.body();
  const auto at_vertices = [&](const Painted& painted, const std::string& key) {
    return welded_values(body.weld(), painted_values(painted, body, shot.place(key) + key));
  };
  FleshOptions options;
  options.tetrahedra = static_cast<std::size_t>(flesh.tetrahedra);
  options.law.model = flesh.model;
  options.law.young = flesh.young.value;
  options.law.poisson = flesh.poisson;
  options.law.viscosity = flesh.viscosity;
  if (!is_even(flesh.young)) {
    // A map may be zero where nobody painted: flesh that is a thousand times softer than elsewhere is as
    // good.
    options.stiffness = at_vertices(flesh.young, "flesh.young");
    options.law.young = *std::max_element(options.stiffness.begin(), options.stiffness.end());
    for (double& value : options.stiffness) value = std::max(1e-3, value / options.law.young);
  }
  set_flesh_depth(shot, body, options);
  options.law.phases = phases(flesh, options.law.young);
  options.density = flesh.density;
  options.retarget_time = flesh.retarget_time;
  if (!is_even(flesh.gain) || flesh.gain.value != 1) options.gain = at_vertices(flesh.gain, "flesh.gain");
  options.gravity = shot.scene.gravity.value_or(kGravity);
  options.gravity_compensation = flesh.gravity_compensation;
  options.inertia = flesh.inertia;
  if (!flesh.inertia_times.empty()) options.inertia_times = flesh.inertia_times;
  options.forces = keyed_forces(shot.scene, settings.regions(), body.mesh());
  options.resets = flesh.reset;
  options.plastic_yield = flesh.plastic_yield;
  options.plastic_rate = flesh.plastic_rate;
  options.keep_volume = flesh.keep_volume;
  options.contact = flesh.contact;
  set_flesh_core(settings, options);
  options.substeps = flesh.substeps;
  options.samples = flesh.samples;
  options.integrator = flesh.integrator;
  return options;
}

}  // namespace cutis
