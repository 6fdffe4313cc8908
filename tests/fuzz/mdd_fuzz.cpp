#include "cutis/io/cache/mdd.h"
#include "fuzz/target.h"

FUZZ_TARGET(mdd) {
  return cutis::fuzz::read_as_file(data, size, "a.mdd", [](const auto& path) { cutis::read_mdd(path); });
}
