#include "cutis/shot/settings/force_density_settings.h"

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/slide_limits.h"

namespace cutis {
namespace {

std::vector<FaceId> excluded_faces(const std::vector<Region>& regions) {
  std::vector<FaceId> faces;
  for (const Region& region : regions)
    if (region.use == RegionUse::Exclude) faces.insert(faces.end(), region.faces.begin(), region.faces.end());
  return faces;
}

/// Included regions as patches, each with the excluded faces; none is included: the whole body is one net.
std::vector<SlidePatch> patches(const std::vector<Region>& regions, const std::vector<FaceId>& excluded) {
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
  const std::vector<FaceId> excluded = excluded_faces(settings.solved_regions());
  options.patches = patches(settings.solved_regions(), excluded);
  options.slide_limit = settings.solved(
      slide_limits(shot.skin, settings.body(), shot.place("skin.slide_limit") + "skin.slide_limit"));
  if (options.patches.empty())
    for (FaceId f : excluded)
      for (VertexId v : solved.mesh().face(f)) options.slide_limit[v] = 0;
  if (shot.skin.tightness.source != Painted::Source::Constant || shot.skin.tightness.value != 1)
    options.edge_density_factor = settings.at_vertices(shot.skin.tightness, "skin.tightness");
  options.density = shot.solver.edge_weights;
  options.outline = shot.solver.patch_outline;
  options.limit_surface = slides_on(shot) == SlidesOn::Limit;
  return options;
}

}  // namespace cutis
