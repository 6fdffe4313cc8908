#include "cutis/io/strokes_file.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "a.json",
                                   [](const std::filesystem::path& path) { cutis::read_strokes(path); });
}
