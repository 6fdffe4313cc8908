#include "cutis/run/summary.h"
#include "fuzz/target.h"

FUZZ_TARGET(summary) {
  return cutis::fuzz::read_as_file(data, size, "summary.json",
                                   [](const auto& path) { to_json(cutis::read_summary(path)); });
}
