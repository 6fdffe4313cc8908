#include "cutis/body/rig_body.h"
#include "cutis/io/gltf_reader.h"
#include "fuzz/target.h"

// Text and binary alike, and on to the body that the character becomes.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "hero.glb", [](const std::filesystem::path& path) {
    const Character character = read_gltf(path);
    RigChoice all;
    all.meshes = {"*"};
    try {
      const RigBody body(character, all);
      body.source_positions(body.duration().begin + 0.5 * body.duration().length());
    } catch (const InputError& error) {
      throw InputError(path.filename().string() + ": " + error.what());  // a body has no file to name
    }
  });
}
