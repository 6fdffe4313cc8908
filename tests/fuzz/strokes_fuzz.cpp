#include "cutis/io/array/strokes_file.h"
#include "fuzz/target.h"

FUZZ_TARGET(strokes) {
  return cutis::fuzz::read_as_file(data, size, "a.json",
                                   [](const std::filesystem::path& path) { cutis::read_strokes(path); });
}
