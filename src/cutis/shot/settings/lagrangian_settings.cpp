#include "cutis/shot/settings/lagrangian_settings.h"

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/settings/skin_options.h"

namespace cutis {
namespace {

/// Of human skin. With 2 kPa s/m it forgets how a shot began half as fast, and two frame rates are further
/// apart.
constexpr double kDrag = 300;  ///< [Pa s/m]

/// On larger bodies, which slide faster, the same tension drags less.
SlideRate slide_rate(const SkinSettings& settings) {
  const SkinSection& skin = settings.shot().skin;
  const double scale = human_scale(settings.body());
  return {skin.drag.value_or(kDrag / (scale * scale)), slide_speed(skin, scale)};
}

}  // namespace

LagrangianOptions lagrangian_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  LagrangianOptions options{skin_options(settings, solved)};
  options.limit_surface = slides_on(shot) != SlidesOn::Polygon;
  options.slide_rate = slide_rate(settings);
  if (!shot.skin.free_border.value_or(true)) {
    const std::vector<VertexId> border = border_vertices(*solved.surface());
    options.fixed.insert(options.fixed.end(), border.begin(), border.end());
  }
  options.tolerance = shot.solver.tolerance;
  options.max_iterations = shot.solver.max_iterations;
  options.substeps = shot.solver.substeps;
  return options;
}

}  // namespace cutis
