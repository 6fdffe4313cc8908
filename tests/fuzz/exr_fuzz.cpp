#include "cutis/io/image/exr.h"
#include "fuzz/target.h"

FUZZ_TARGET(exr) {
  return cutis::fuzz::read_as_file(data, size, "a.exr",
                                   [](const std::filesystem::path& path) { cutis::read_exr(path); });
}
