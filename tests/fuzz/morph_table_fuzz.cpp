#include "cutis/io/cache/morph_table_file.h"
#include "fuzz/target.h"

FUZZ_TARGET(morph_table) {
  return cutis::fuzz::read_as_file(data, size, "a.csv",
                                   [](const std::filesystem::path& path) { cutis::read_morph_table(path); });
}
