#include "cutis/io/usd/usda_reader.h"
#include "fuzz/play.h"
#include "fuzz/target.h"

// Meshes with their samples, and on to the body where they have skeletons.
FUZZ_TARGET(usda) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "a.usda", [](const std::filesystem::path& path) {
    const UsdaScene scene(path);
    scene.read();
    if (scene.has_skeleton()) fuzz::play(scene.character(), path);
  });
}
