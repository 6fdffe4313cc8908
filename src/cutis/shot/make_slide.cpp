#include "cutis/shot/make_slide.h"

#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/flesh/flesh.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/settings/flesh_settings.h"
#include "cutis/shot/settings/wrinkle_settings.h"
#include "cutis/skin/carried_by_stage.h"
#include "cutis/skin/simulation_mesh_slide.h"
#include "cutis/wrinkle/wrinkles.h"

namespace cutis {

std::unique_ptr<Slide> make_slide(const SkinSettings& settings) {
  if (settings.shot().flesh.use)
    return std::make_unique<CarriedByStage>(
        std::make_unique<Flesh>(settings.body(), flesh_options(settings)));
  const SlideFactory make = method_of(settings.shot()).make;
  if (!settings.simulation_mesh()) return make(settings, settings.body());
  return std::make_unique<SimulationMeshSlide>(
      settings.body(), settings.simulation_mesh(), slides_on(settings.shot()),
      [&](const Body& simulation_mesh) { return make(settings, simulation_mesh); });
}

std::unique_ptr<Slide> make_wrinkles(const SkinSettings& settings, WrinkleOptions options,
                                     const SubdividedBody& shown, const std::vector<Region>& regions) {
  const bool smooth = settings.shot().wrinkle.surface == SubdividedSurface::Limit;
  if (smooth) options = options_on(shown, settings, regions, std::move(options));
  try {
    return std::make_unique<CarriedByStage>(
        smooth ? std::make_unique<Wrinkles>(shown, shown, shown.own_places(), std::move(options))
               : std::make_unique<Wrinkles>(settings.body(), shown, shown.places(), std::move(options)));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}wrinkle: {}", settings.shot().place("wrinkle"), error.what()));
  }
}

}  // namespace cutis
