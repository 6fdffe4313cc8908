#include "cutis/io/mesh/ply.h"
#include "fuzz/target.h"

FUZZ_TARGET(ply) {
  return cutis::fuzz::read_as_file(data, size, "a.ply",
                                   [](const std::filesystem::path& path) { cutis::read_ply(path); });
}
