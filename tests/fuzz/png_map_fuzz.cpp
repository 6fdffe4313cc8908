#include "cutis/io/image/png_read.h"
#include "fuzz/target.h"

FUZZ_TARGET(png_map) {
  return cutis::fuzz::read_as_file(data, size, "a.png",
                                   [](const std::filesystem::path& path) { cutis::read_png_map(path); });
}
