#include "cutis/shot/slide_factories.h"

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
  return std::make_unique<TrackedSlide>(solved, tracked_options(settings, solved));
}

}  // namespace cutis
