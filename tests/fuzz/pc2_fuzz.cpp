#include "cutis/io/cache/pc2.h"
#include "fuzz/target.h"

FUZZ_TARGET(pc2) {
  return cutis::fuzz::read_as_file(data, size, "a.pc2", [](const auto& path) { cutis::read_pc2(path); });
}
