#include "cutis/shot/slide_factories.h"

#include <string>
#include <utility>

#include "cutis/core/error.h"

#include "cutis/shot/settings/eulerian_settings.h"
#include "cutis/shot/settings/force_density_settings.h"
#include "cutis/shot/settings/lagrangian_settings.h"
#include "cutis/shot/settings/tracked_settings.h"
#include "cutis/skin/eulerian/eulerian.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/skin/lagrangian/lagrangian.h"
#include "cutis/skin/none.h"
#include "cutis/skin/tracked/tracked.h"

namespace cutis {

std::unique_ptr<Slide> no_slide(const SkinSettings&, const Body& solved) {
  return std::make_unique<NoSlide>(solved);
}

std::unique_ptr<Slide> force_density_slide(const SkinSettings& settings, const Body& solved) {
  return std::make_unique<ForceDensitySlide>(solved, force_density_options(settings, solved));
}

std::unique_ptr<Slide> eulerian_slide(const SkinSettings& settings, const Body& solved) {
  return std::make_unique<EulerianSlide>(solved, eulerian_options(settings, solved));
}

std::unique_ptr<Slide> lagrangian_slide(const SkinSettings& settings, const Body& solved) {
  return std::make_unique<LagrangianSlide>(solved, lagrangian_options(settings, solved));
}

std::unique_ptr<Slide> tracked_slide(const SkinSettings& settings, const Body& solved) {
  TrackedOptions options = tracked_options(settings, solved);
  try {
    return std::make_unique<TrackedSlide>(solved, std::move(options));
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(settings.shot().place(what.substr(0, what.find(':'))) + what);
  }
}

}  // namespace cutis
