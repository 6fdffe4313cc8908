#include "cutis/io/gltf_reader.h"
#include "fuzz/play.h"
#include "fuzz/target.h"

// Text and binary alike, and on to the body that the character becomes.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "hero.glb",
                            [](const std::filesystem::path& path) { fuzz::play(read_gltf(path), path); });
}
