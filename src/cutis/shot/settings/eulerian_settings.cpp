#include "cutis/shot/settings/eulerian_settings.h"

#include "cutis/shot/methods.h"
#include "cutis/shot/settings/skin_options.h"

namespace cutis {

EulerianOptions eulerian_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  const SkinSection& skin = shot.skin;
  EulerianOptions options{skin_options(settings, solved)};
  options.limit_surface = slides_on(shot) != SlidesOn::Polygon;
  options.density = settings.at_vertices(skin.density, "skin.density");
  options.stickiness = settings.at_vertices(skin.stickiness, "skin.stickiness");
  if (skin.stickiness_limit)
    options.stickiness_limit = settings.at_vertices(*skin.stickiness_limit, "skin.stickiness_limit");
  options.damping = skin.damping;
  options.viscosity = skin.material.viscosity;
  options.gravity = shot.scene.gravity.value_or(Vec3::Zero());
  options.free_border = skin.free_border.value_or(false);
  options.forces = keyed_forces(shot.scene, settings.solved_regions(), solved.mesh());
  options.integrator = shot.solver.integrator;
  options.advection = shot.solver.advection;
  options.time_step = shot.solver.time_step;
  options.substeps = shot.solver.substeps;
  options.tolerance = shot.solver.tolerance;
  options.max_iterations = shot.solver.max_iterations;
  return options;
}

}  // namespace cutis
