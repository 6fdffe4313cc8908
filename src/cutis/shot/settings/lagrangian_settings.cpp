#include "cutis/shot/settings/lagrangian_settings.h"

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/settings/skin_options.h"

namespace cutis {
namespace {

/// Of human skin: its creases do not snap. With 2 kPa s/m it forgets how a shot began half as fast, and two
/// frame rates are further apart.
constexpr double kDrag = 300;         ///< [Pa s/m]
constexpr double kSlideSpeed = 0.15;  ///< [m/s]
constexpr int kRestPoseEvery = 10;    ///< frames (ViSkin, 4.3)
/// Of fewer poses one that is far from the others decides the rest shapes.
constexpr std::size_t kFewestRestPoses = 10;

std::unique_ptr<Body> body_with_clip(const Shot& shot, const std::string& clip) {
  BodySection section = shot.body;
  section.clip = clip;
  try {
    return open_body(section);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}skin.rest_from: {}", shot.place("skin.rest_from"), error.what()));
  }
}

/// Poses of the named clips; "shot" is the motion of the shot itself.
std::vector<Points> rest_poses(const SkinSettings& settings) {
  const Shot& shot = settings.shot();
  std::vector<Points> poses;
  const auto add = [&](const Body& body, const Interval& motion) {
    const double step = kRestPoseEvery / shot.time.fps.value_or(24);
    for (int i = 0; motion.begin + i * step <= motion.end; ++i) {
      const Points pose = body.positions(motion.begin + i * step);
      poses.push_back(settings.simulation_mesh() ? settings.simulation_mesh()->simulation_positions(pose)
                                                 : pose);
    }
  };
  for (const std::string& clip : shot.skin.rest_from) {
    if (clip == "shot") {
      const Interval motion = settings.body().duration();
      add(settings.body(), {shot.time.start.value_or(motion.begin), shot.time.end.value_or(motion.end)});
      continue;
    }
    const std::unique_ptr<Body> body = body_with_clip(shot, clip);
    add(*body, body->duration());
  }
  if (!poses.empty() && poses.size() < kFewestRestPoses)
    log().warn(
        "{}skin.rest_from: the rest shapes are fitted to {} poses only, one for every tenth frame; name more "
        "clips, or raise time.fps, to have {} or more",
        shot.place("skin.rest_from"), poses.size(), kFewestRestPoses);
  return poses;
}

/// Larger bodies slide faster by the same share of their size; the same tension then drags them less.
SlideRate slide_rate(const SkinSettings& settings) {
  const SkinSection& skin = settings.shot().skin;
  const double scale = human_scale(settings.body());
  return {skin.drag.value_or(kDrag / (scale * scale)), skin.slide_speed.value_or(kSlideSpeed * scale)};
}

}  // namespace

LagrangianOptions lagrangian_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  LagrangianOptions options{skin_options(settings, solved)};
  options.limit_surface = slides_on(shot) != SlidesOn::Polygon;
  options.rest_poses = rest_poses(settings);
  options.slide_rate = slide_rate(settings);
  options.tolerance = shot.solver.tolerance;
  options.max_iterations = shot.solver.max_iterations;
  options.substeps = shot.solver.substeps;
  return options;
}

}  // namespace cutis
