#include "character_shot.h"

#include <algorithm>

#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/body/not_skin.h"
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

/// `file` as it is to stand in the shot.
StarterFacts facts_of(const Character& character, const std::string& file) {
  StarterFacts facts;
  facts.file = file;
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
  return facts;
}

}  // namespace

std::string character_shot_text(const fs::path& character, const fs::path& shot) {
  const fs::path folder = fs::absolute(shot).parent_path();
  return starter_shot(
      facts_of(read_character(character), fs::proximate(fs::absolute(character), folder).generic_string()));
}

Shot character_shot(const fs::path& character) {
  Shot shot = parse_shot(character_shot_text(character, character), character);
  shot.written.clear();  // no line of it stands in a file
  return shot;
}

}  // namespace cutis::app
