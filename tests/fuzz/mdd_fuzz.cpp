#include "cutis/io/mdd.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "a.mdd", [](const auto& path) { cutis::read_mdd(path); });
}
