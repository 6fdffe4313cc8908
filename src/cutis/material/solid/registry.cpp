#include "cutis/material/solid/registry.h"

#include <algorithm>

#include "cutis/material/solid/flesh_law.h"
#include "cutis/material/solid/flesh_solid.h"

namespace cutis {
namespace {

SolidSample sample(const std::string& name, const FleshLaw& law) {
  SolidSample s;
  s.name = name;
  s.material = make_material(law);
  s.scale = s.young = law.young;
  s.poisson = law.poisson;
  s.smooth_inverted = law.model == FleshModel::StableNeoHookean;
  double young = law.young;
  for (const FleshPhase& phase : law.phases) {
    s.scale = std::max(s.scale, phase.young);
    if (phase.young > young) {
      s.smooth_inverted = false;
      s.narrowest = std::min(s.narrowest, phase.end - phase.start);
    }
    if (phase.volume) s.narrowest = std::min(s.narrowest, phase.volume->end - phase.volume->start);
    young = phase.young;
  }
  return s;
}

/// A ramp on its own, with no stiffness at rest.
SolidSample part(const std::string& name, const FleshSolid::Parts& parts, double scale) {
  SolidSample s;
  s.name = name;
  s.material = std::make_shared<FleshSolid>(parts);
  s.scale = scale;
  s.narrowest = 0.2;
  s.smooth_inverted = parts.stretch_ramps.empty();
  return s;
}

FleshPhase phase(double young, double start, double end, std::optional<VolumePhase> volume) {
  return {young, start, end, volume, 0};
}

}  // namespace

std::vector<SolidSample> solid_samples() {
  std::vector<SolidSample> samples;
  for (const auto& [name, model] : {std::pair("stable_neo_hookean", FleshModel::StableNeoHookean),
                                    std::pair("corotated", FleshModel::Corotated)}) {
    const std::string ground = name;
    FleshLaw law;
    law.model = model;
    law.young = 5e3;
    law.poisson = 0.45;
    samples.push_back(sample(ground, law));
    law.poisson = 0.3;
    law.phases = {phase(5e4, 0.1, 0.3, {})};
    samples.push_back(sample(ground + "_biphasic", law));
    law.phases = {phase(law.young, 0.1, 0.3, VolumePhase{0.45, 0.05, 0.2})};
    samples.push_back(sample(ground + "_volume_ramp", law));
    law.phases = {phase(2e4, 0.05, 0.2, {}), phase(1e5, 0.3, 0.5, VolumePhase{0.45, 0.1, 0.3}),
                  phase(2e5, 0.6, 0.8, VolumePhase{0.49, 0.4, 0.6})};
    samples.push_back(sample(ground + "_multiphasic", law));
    law.phases = {phase(5e4, 0.2, 0.202, VolumePhase{0.45, 0.1, 0.11})};
    samples.push_back(sample(ground + "_narrow_ramps", law));
  }
  samples.push_back(part("stretch_ramp", {{}, {BiphasicRamp(5e4, 0.1, 0.3)}, {}}, 5e4));
  samples.push_back(part("volume_ramp", {{}, {}, {BiphasicRamp(5e4, 0.1, 0.3)}}, 5e4));
  return samples;
}

}  // namespace cutis
