#include "character_shot.h"

#include <algorithm>
#include <optional>

#include <Eigen/Geometry>

#include "cutis/body/anatomy/body_parts.h"
#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/body/not_skin.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/body/rig/skeleton.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/spec/starter.h"
#include "units.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

/// The names that are no skin's, unless all are.
std::vector<std::string> not_skin(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (named_as(name) != NamedAs::Unknown) found.push_back(name);
  if (found.size() == names.size()) found.clear();
  return found;
}

/// The vertex that the blend shapes move most; nothing without any.
std::optional<VertexId> most_expressive(const Body& body) {
  std::optional<VertexId> best;
  double most = 0;
  for (const IdVector<VertexId, double>& lengths : body.shape_lengths())
    for (VertexId v : ids<VertexId>(lengths.size()))
      if (lengths[v] > most) {
        most = lengths[v];
        best = v;
      }
  return best;
}

/// The mean of a part of the body; nothing where it has none of that name.
std::optional<Vec3> middle_of(const Body& body, const std::string& part) {
  const BodyParts parts = body_parts(body);
  const auto found = std::ranges::find(parts.names, part);
  if (found == parts.names.end()) return std::nullopt;
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (VertexId v : ids<VertexId>(parts.part_of.size()))
    // Of one side, where there are two.
    if (parts.part_of[v] == found - parts.names.begin() && body.mesh().positions[v].x() >= 0) {
      sum += body.mesh().positions[v];
      ++count;
    }
  return count > 0 ? std::optional<Vec3>(sum / count) : std::nullopt;
}

VertexId nearest_vertex(const Body& body, const Vec3& p) {
  VertexId best(0);
  for (VertexId v : ids<VertexId>(body.mesh().vertex_count()))
    if ((body.mesh().positions[v] - p).squaredNorm() < (body.mesh().positions[best] - p).squaredNorm())
      best = v;
  return best;
}

void choose_place(const Body& body, StarterFacts& facts) {
  const auto anatomy = read_parts(body);
  const auto& points = body.mesh().positions;
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points.raw()) box.extend(p);
  VertexId at = nearest_vertex(body, box.center());
  facts.place = "middle";
  if (facts.kind == BodyKind::Face) {
    facts.place = "face";
    if (const auto v = most_expressive(body)) at = *v;
  } else if (facts.kind == BodyKind::Hand) {
    facts.place = "hand";
  } else if (facts.kind == BodyKind::FourLegs) {
    if (const auto middle = middle_of(body, "upper arms")) {
      facts.place = "shoulder";
      at = nearest_vertex(body, *middle);
    }
  } else if (facts.kind == BodyKind::TwoLegs) {
    for (const Landmark& mark : anatomy->landmarks)
      if (mark.kind == LandmarkKind::ElbowCrease) {
        facts.place = "elbow";
        at = nearest_vertex(body, mark.from);
      }
  }
  facts.center = points[at];
  facts.radius = 0.08 * box.diagonal().norm();
}

/// `file` as it is to stand in the shot.
StarterFacts facts_of(const Character& character, const std::string& file, SkinMethod method) {
  StarterFacts facts;
  facts.file = file;
  facts.method = method;
  std::vector<std::string> names;
  for (const MeshInstance& mesh : character.meshes) names.push_back(mesh.name);
  const std::vector<std::string> others = not_skin(names);
  std::size_t most = 0;
  for (const MeshInstance& mesh : character.meshes) {
    facts.meshes.push_back(mesh.name);
    if (std::ranges::find(others, mesh.name) != others.end()) continue;
    if (mesh.mesh.vertex_count() <= most) continue;
    most = mesh.mesh.vertex_count();
    facts.mesh = mesh.name;
    facts.has_uvs = mesh.mesh.has_uvs();
    facts.other_materials = not_skin(mesh.materials.names);
    facts.other_parts = not_skin(mesh.parts.names);
    facts.rig = mesh.skin < 0 ? "" : describe_joints(bind_skeleton(character, mesh));
  }
  for (const Clip& clip : character.clips) facts.clips.push_back({clip.name, clip.duration().end});
  const UnitGuess unit = guess_unit(character);
  facts.scale = unit.metres;
  if (unit.size > 0) facts.size = unit.size * unit.metres;
  if (most == 0) return facts;
  RigChoice choice;
  choice.meshes = {facts.mesh};
  choice.scale = facts.scale;
  const RigBody body(character, choice);
  facts.kind = body_kind(body);
  choose_place(body, facts);
  return facts;
}

}  // namespace

std::string character_shot_text(const fs::path& character, const fs::path& shot, SkinMethod method) {
  const fs::path folder = fs::absolute(shot).parent_path();
  const std::string file = fs::proximate(fs::absolute(character), folder).generic_string();
  return starter_shot(facts_of(read_character(character), file, method));
}

Shot character_shot(const fs::path& character) {
  Shot shot = parse_shot(character_shot_text(character, character, SkinMethod::Lagrangian), character);
  shot.written.clear();  // no line of it stands in a file
  return shot;
}

}  // namespace cutis::app
