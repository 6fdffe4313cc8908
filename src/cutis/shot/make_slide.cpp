#include "cutis/shot/make_slide.h"

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/lagrangian_settings.h"
#include "cutis/skin/force_density/force_density.h"
#include "cutis/skin/lagrangian/lagrangian.h"
#include "cutis/skin/none.h"
#include "cutis/skin/simulation_mesh_slide.h"

namespace cutis {
namespace {

/// Included regions as patches, each with the excluded faces; the whole body when none is included.
std::vector<SlidePatch> patches(const std::vector<Region>& regions, const Body& body) {
  std::vector<FaceId> excluded;
  for (const Region& region : regions)
    if (region.use == RegionUse::Exclude)
      excluded.insert(excluded.end(), region.faces.begin(), region.faces.end());
  std::vector<SlidePatch> patches;
  for (const Region& region : regions)
    if (region.use == RegionUse::Include)
      patches.push_back({region.name, region.faces, excluded, region.corners});
  if (!patches.empty()) return patches;
  SlidePatch whole{"the whole body", {}, excluded, {}};
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) whole.polygons.push_back(f);
  return {whole};
}

std::unique_ptr<Slide> force_density(const SkinSettings& settings, const Body& body) {
  const Shot& shot = settings.shot();
  ForceDensityOptions options;
  options.patches = patches(settings.solved_regions(), body);
  if (shot.skin.slide_limit)
    options.slide_limit = settings.at_vertices(*shot.skin.slide_limit, "skin.slide_limit");
  if (shot.skin.tightness.source != Painted::Source::Constant || shot.skin.tightness.value != 1)
    options.edge_density_factor = settings.at_vertices(shot.skin.tightness, "skin.tightness");
  constexpr EdgeDensity densities[] = {EdgeDensity::Cotangent, EdgeDensity::MeanValue,
                                       EdgeDensity::InverseLength, EdgeDensity::Fast};
  options.density = densities[static_cast<int>(shot.solver.edge_weights)];
  options.outline =
      shot.solver.patch_outline == PatchOutline::Square ? OutlineShape::Square : OutlineShape::Developed;
  options.limit_surface = slides_on(shot) == SlidesOn::Limit;
  return std::make_unique<ForceDensitySlide>(body, std::move(options));
}

std::unique_ptr<Slide> on_body(const SkinSettings& settings, const Body& body) {
  switch (settings.shot().skin.method) {
    case SkinMethod::ForceDensity:
      return force_density(settings, body);
    case SkinMethod::Lagrangian:
      return std::make_unique<LagrangianSlide>(body, lagrangian_options(settings, body));
    default:
      return std::make_unique<NoSlide>(body);
  }
}

}  // namespace

std::unique_ptr<Slide> make_slide(const SkinSettings& settings) {
  if (!settings.proxy()) return on_body(settings, settings.body());
  return std::make_unique<SimulationMeshSlide>(settings.body(), settings.proxy(), slides_on(settings.shot()),
                                               [&](const Body& proxy) { return on_body(settings, proxy); });
}

}  // namespace cutis
