#include "cutis/body/rig/morph_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

void check_names(const Character& character, const MorphTable& table) {
  std::vector<std::string> known;
  for (const MeshInstance& mesh : character.meshes)
    for (const MorphTarget& morph : mesh.morphs)
      if (std::find(known.begin(), known.end(), morph.name) == known.end()) known.push_back(morph.name);
  for (const std::string& name : table.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_word(name, known);
    throw InputError(fmt::format("{}: \"{}\" is no blend shape of {}{}; it has {}", table.file, name,
                                 character.name,
                                 near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

Clip& clip_to_change(Character& character, const MorphTable& table, const std::string& name) {
  if (name == "none" || (name.empty() && character.clips.empty())) {
    Clip& fresh = character.clips.emplace_back();
    fresh.name = "weights";
    while (std::count_if(character.clips.begin(), character.clips.end(),
                         [&](const Clip& clip) { return clip.name == fresh.name; }) > 1)
      fresh.name += "_";
    return fresh;
  }
  std::vector<std::string> names;
  for (Clip& clip : character.clips) {
    if (name.empty() || clip.name == name) return clip;
    names.push_back(clip.name);
  }
  throw InputError(fmt::format("{}: {} has no clip \"{}\" for it to go with; it has {}", table.file,
                               character.name, name,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// The weights of all blend shapes of a mesh at all times of the table; empty when it has none of them.
std::vector<double> track_values(const MeshInstance& mesh, const MorphTable& table) {
  const std::size_t count = mesh.morphs.size();
  std::vector<double> values;
  for (std::size_t i = 0; i < table.times.size(); ++i)
    values.insert(values.end(), mesh.morph_weights.begin(), mesh.morph_weights.end());
  bool moved = false;
  for (std::size_t column = 0; column < table.names.size(); ++column)
    for (std::size_t m = 0; m < count; ++m) {
      if (mesh.morphs[m].name != table.names[column]) continue;
      moved = true;
      for (std::size_t i = 0; i < table.times.size(); ++i) values[i * count + m] = table.weights[column][i];
    }
  return moved ? values : std::vector<double>{};
}

}  // namespace

std::string drive_morphs(Character& character, const MorphTable& table, const std::string& name) {
  check_names(character, table);
  Clip& clip = clip_to_change(character, table, name);
  for (const MeshInstance& mesh : character.meshes) {
    std::vector<double> values = track_values(mesh, table);
    if (values.empty()) continue;
    std::erase_if(clip.tracks, [&](const Track& track) {
      return track.path == TrackPath::MorphWeights && track.node == mesh.node;
    });
    clip.tracks.push_back(
        {mesh.node, TrackPath::MorphWeights, Interpolation::Linear, table.times, std::move(values)});
  }
  return clip.name;
}

}  // namespace cutis
