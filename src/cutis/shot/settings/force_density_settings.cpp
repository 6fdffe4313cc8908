#include "cutis/shot/settings/force_density_settings.h"

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/slide_limits.h"

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
  return patches;
}

}  // namespace

ForceDensityOptions force_density_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  ForceDensityOptions options;
  options.patches = patches(settings.solved_regions(), solved);
  options.slide_limit = settings.solved(
      slide_limits(shot.skin, settings.body(), shot.place("skin.slide_limit") + "skin.slide_limit"));
  if (shot.skin.tightness.source != Painted::Source::Constant || shot.skin.tightness.value != 1)
    options.edge_density_factor = settings.at_vertices(shot.skin.tightness, "skin.tightness");
  options.density = shot.solver.edge_weights;
  options.outline = shot.solver.patch_outline;
  options.limit_surface = slides_on(shot) == SlidesOn::Limit;
  return options;
}

}  // namespace cutis
