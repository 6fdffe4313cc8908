#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cutis/body/rig/character.h"
#include "cutis/io/cache/mesh_sequence.h"

namespace cutis {

/// The meshes of a USD ASCII file (.usda): polygons, points and transforms with their time samples (linear in
/// between), `primvars:st`, and primvars of vertices as attributes ("displayColor" as colours). Lengths come
/// out in metres with y up, as the file's metersPerUnit and upAxis say; times in seconds by
/// timeCodesPerSecond. Not followed, with a word: references, payloads, sublayers, variants.
class UsdaScene {
 public:
  /// Throws InputError naming file and place when it is missing, damaged, binary, or has no mesh.
  explicit UsdaScene(const std::filesystem::path& path);
  ~UsdaScene();
  UsdaScene(const UsdaScene&) = delete;
  UsdaScene& operator=(const UsdaScene&) = delete;

  std::vector<std::string> mesh_names() const;
  /// The meshes of these names as one, in this order; none: the one with the most vertices; "*": all. Frames
  /// are at every time that any of them has a sample for, one at 0 where nothing moves. Throws InputError
  /// when there is no such mesh or its numbers do not fit together.
  MeshSequence read(const std::vector<std::string>& names = {}) const;

  /// Whether a mesh is bound to a skeleton; then read() gives it as it is without.
  bool has_skeleton() const;
  /// All meshes, moved by their skeletons, in metres; io/usda_skeleton.h says what is kept.
  Character character() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cutis
