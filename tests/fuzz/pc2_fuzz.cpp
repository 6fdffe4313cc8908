#include "cutis/io/pc2.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "a.pc2", [](const auto& path) { cutis::read_pc2(path); });
}
