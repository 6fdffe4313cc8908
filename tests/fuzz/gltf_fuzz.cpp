#include "cutis/io/gltf/gltf_materials.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "fuzz/play.h"
#include "fuzz/target.h"

// Text and binary alike, and on to the body that the character becomes.
FUZZ_TARGET(gltf) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "hero.glb", [](const std::filesystem::path& path) {
    read_gltf_materials(path);
    fuzz::play(read_gltf(path), path);
  });
}
