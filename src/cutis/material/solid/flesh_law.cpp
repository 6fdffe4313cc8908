#include "cutis/material/solid/flesh_law.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/material/solid/flesh_solid.h"
#include "cutis/material/solid/lame.h"

namespace cutis {
namespace {

/// Collects what is wrong with the constants of flesh.
class FleshCheck {
 public:
  void must(bool holds, const std::string& key, double value, const char* rule) {
    if (!holds || !std::isfinite(value))
      mistakes_.push_back(fmt::format("{} = {:.6g}: must be {}", key, value, rule));
  }
  void ramp(const std::string& key, double start, double end) {
    must(start >= 0, key + "start", start, "at least 0");
    must(end > start, key + "end", end, "above start");
  }
  void report() const {
    if (!mistakes_.empty()) throw InputError(mistakes_);
  }

 private:
  std::vector<std::string> mistakes_;
};

void check_flesh(const FleshLaw& law) {
  FleshCheck check;
  check.must(law.young > 0, "young", law.young, "above 0 Pa");
  check.must(law.poisson > -1 && law.poisson < 0.5, "poisson", law.poisson, "above -1 and below 0.5");
  check.must(law.viscosity >= 0, "viscosity", law.viscosity, "at least 0 Pa s");
  double young = law.young, poisson = law.poisson;
  for (std::size_t i = 0; i < law.phases.size(); ++i) {
    const FleshPhase& phase = law.phases[i];
    const std::string key = fmt::format("phases[{}].", i);
    check.must(phase.young >= young, key + "young", phase.young, "at least that of the phase before");
    check.ramp(key, phase.start, phase.end);
    check.must(phase.added_viscosity >= 0, key + "added_viscosity", phase.added_viscosity, "at least 0 Pa s");
    young = phase.young;
    if (!phase.volume) continue;
    check.must(phase.volume->poisson >= std::max(0.0, poisson) && phase.volume->poisson < 0.5,
               key + "volume.poisson", phase.volume->poisson,
               "at least 0, at least that of the phase before, and below 0.5");
    check.ramp(key + "volume.", phase.volume->start, phase.volume->end);
    poisson = phase.volume->poisson;
  }
  check.report();
}

/// Share of a phase that is reached, by the largest |ln stretch|.
double reached(const FleshPhase& phase, const Vec3& stretches) {
  const Vec3 sizes = stretches.cwiseAbs();
  const double measure = deformation_measure(std::span(sizes.data(), 3));
  const double x = std::clamp((measure - phase.start) / (phase.end - phase.start), 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

}  // namespace

std::shared_ptr<const SolidMaterial> make_material(const FleshLaw& law) {
  check_flesh(law);
  FleshSolid::Parts parts;
  switch (law.model) {
    case FleshModel::StableNeoHookean:
      parts.ground = StableNeoHookeanLaw(law.young, law.poisson);
      break;
    case FleshModel::Corotated:
      parts.ground = CorotatedLaw(law.young, law.poisson);
      break;
  }
  double young = law.young, lambda = lame(law.young, law.poisson).lambda;
  for (const FleshPhase& phase : law.phases) {
    // A bar whose sides are still soft has the tangent young + w''.
    if (phase.young > young) parts.stretch_ramps.emplace_back(phase.young - young, phase.start, phase.end);
    young = phase.young;
    if (!phase.volume) continue;
    const double stiff = lame(young, phase.volume->poisson).lambda;
    if (stiff > lambda)
      parts.volume_ramps.emplace_back(stiff - lambda, phase.volume->start, phase.volume->end);
    lambda = stiff;
  }
  return std::make_shared<FleshSolid>(std::move(parts));
}

double stiffening(const FleshLaw& law, const Vec3& stretches) {
  if (law.phases.empty()) return 0;
  double sum = 0;
  for (const FleshPhase& phase : law.phases) sum += reached(phase, stretches);
  return sum / static_cast<double>(law.phases.size());
}

double viscosity(const FleshLaw& law, const Mat3& F) {
  double sum = law.viscosity;
  const auto adds = [](const FleshPhase& phase) { return phase.added_viscosity > 0; };
  if (std::ranges::none_of(law.phases, adds)) return sum;
  const Vec3 stretches = signed_svd(F).stretches;
  for (const FleshPhase& phase : law.phases) sum += phase.added_viscosity * reached(phase, stretches);
  return sum;
}

}  // namespace cutis
