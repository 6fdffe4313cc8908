#include "cutis/shot/summary.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "summary.json",
                                   [](const auto& path) { to_json(cutis::read_summary(path)); });
}
