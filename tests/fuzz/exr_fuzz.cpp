#include "cutis/io/exr.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "a.exr",
                                   [](const std::filesystem::path& path) { cutis::read_exr(path); });
}
