#include "cutis/io/array/stretch_test_file.h"
#include "fuzz/target.h"

FUZZ_TARGET(stretch_test) {
  return cutis::fuzz::read_as_file(
      data, size, "a.csv", [](const std::filesystem::path& path) { cutis::read_stretch_test(path, "kPa"); });
}
