#include "cutis/io/array/npz.h"
#include "fuzz/target.h"

FUZZ_TARGET(npz) {
  return cutis::fuzz::read_as_file(data, size, "a.npz", [](const auto& path) { cutis::read_npz(path); });
}
