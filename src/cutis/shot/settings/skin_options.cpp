#include "cutis/shot/settings/skin_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/body/anatomy/anatomy.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/skin_law.h"
#include "cutis/shot/settings/slide_limits.h"

namespace cutis {
namespace {

/// ligament.sharpness is that of a ligament of this length [m]; all give way by the same share of their own.
constexpr double kReferenceLigament = 0.02;

/// m2 over young times thickness. The paper's 0.0025 N/m belongs to a far softer skin: limits give way to
/// the tension of measured skins with it.
constexpr double kLigamentStrength = 0.02;

constexpr int kRestPoseEvery = 10;  ///< frames (ViSkin, 4.3)
/// Of fewer poses one that is far from the others decides the rest shapes.
constexpr std::size_t kFewestRestPoses = 10;

/// A vertex may slide when all faces around it may: everything outside of the regions sticks.
IdVector<VertexId, char> free_vertices(const std::vector<Region>& regions, const Body& solved) {
  const IdVector<FaceId, char> slides = sliding_faces(regions, solved);
  IdVector<VertexId, char> free(solved.mesh().vertex_count(), 1);
  for (FaceId f : ids<FaceId>(slides.size()))
    if (!slides[f])
      for (VertexId v : solved.mesh().face(f)) free[v] = 0;
  return free;
}

/// Polynomial, with the exponential, with fibres (ViSkin, 5.3): each a law that a solve may start from.
std::vector<std::shared_ptr<const MembraneMaterial>> simpler_laws(const SkinLaw& law) {
  SkinLaw polynomial = law, exponential = law;
  polynomial.fibres = exponential.fibres = 0;
  polynomial.fung_stiffness = 0;
  std::vector<std::shared_ptr<const MembraneMaterial>> laws;
  if (polynomial != exponential) laws.push_back(make_material(polynomial));
  if (exponential != law) laws.push_back(make_material(exponential));
  return laws;
}

bool is_one(const Painted& painted) {
  return painted.source == Painted::Source::Constant && painted.value == 1;
}

/// Skin of the head has no pre-stretch (ViSkin, 5.3) unless it is painted on.
IdVector<VertexId, double> prestretch(const SkinSettings& settings, const Painted& painted,
                                      const std::string& key) {
  if (is_one(painted)) return {};
  if (painted.source != Painted::Source::Constant) return settings.at_vertices(painted, key);
  IdVector<VertexId, double> values = head_share(settings.body());
  for (double& v : values) v = 1 + (painted.value - 1) * (1 - v);
  return settings.solved(values);
}

/// Painted Young's modulus over the one that the law is made for.
IdVector<VertexId, double> stiffness(const SkinSettings& settings) {
  const auto& young = settings.shot().skin.material.young;
  if (!young || young->source == Painted::Source::Constant) return {};
  IdVector<VertexId, double> values = settings.at_vertices(*young, "skin.material.young");
  for (double& v : values) v /= reference_value(*young);
  return values;
}

IdVector<FaceId, Vec3> directions(const SkinSettings& settings) {
  const LineDirections& field = settings.directions().field;
  if (!settings.simulation_mesh() || field.empty()) return field;
  const SimulationMesh& simulation_mesh = *settings.simulation_mesh();
  LineDirections carried;
  for (FaceId f : ids<FaceId>(simulation_mesh.surface()->mesh().face_count()))
    carried.push_back(field[simulation_mesh.on_source()[simulation_mesh.surface()->mesh().face(f)[0]].face]);
  return carried;
}

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

void add_constraints(const Shot& shot, const std::vector<Region>& regions, const Mesh& mesh,
                     SkinOptions& options) {
  for (std::size_t i = 0; i < shot.skin.constraint.size(); ++i) {
    const ConstraintSection& constraint = shot.skin.constraint[i];
    const std::string key = fmt::format("skin.constraint[{}]", i);
    const std::vector<VertexId> vertices = vertices_of(region_named(regions, constraint.region), mesh);
    switch (constraint.kind) {
      case ConstraintKind::Fixed:
        options.fixed.insert(options.fixed.end(), vertices.begin(), vertices.end());
        break;
      case ConstraintKind::Curve:
        options.curves.push_back({vertices, constraint.points, shot.place(key) + key});
        break;
      case ConstraintKind::Path:
        options.paths.push_back({vertices, constraint.points, constraint.times, shot.place(key) + key});
        break;
    }
  }
}

}  // namespace

SkinOptions skin_options(const SkinSettings& settings, const Body& solved) {
  const Shot& shot = settings.shot();
  const SkinSection& skin = shot.skin;
  const std::vector<Region> regions = settings.solved_regions();
  SkinOptions options;
  options.free = free_vertices(regions, solved);
  const SkinLaw law = skin_law(skin);
  options.material = make_material(law);
  options.ramp = simpler_laws(law);
  options.thickness = settings.at_vertices(skin.thickness, "skin.thickness");
  options.stiffness = stiffness(settings);
  options.compression = settings.at_vertices(skin.material.compression, "skin.material.compression");
  options.area_preserving = skin.material.area_preserving;
  options.prestretch = prestretch(settings, skin.direction.prestretch, "skin.direction.prestretch");
  options.prestretch_across =
      prestretch(settings, skin.direction.prestretch_across, "skin.direction.prestretch_across");
  options.direction = directions(settings);
  options.rest_poses = rest_poses(settings);
  options.use_ligaments = skin.ligament.use;
  options.ligament = {
      skin.ligament.stiffness,
      skin.ligament.strength.value_or(kLigamentStrength * law.young * reference_value(skin.thickness)),
      skin.ligament.sharpness, kReferenceLigament};
  options.slide_limit = settings.solved(
      slide_limits(skin, settings.body(), shot.place("skin.slide_limit") + "skin.slide_limit"));
  options.ligament_density = settings.at_vertices(skin.ligament.density, "skin.ligament.density");
  add_constraints(shot, regions, solved.mesh(), options);
  return options;
}

}  // namespace cutis
