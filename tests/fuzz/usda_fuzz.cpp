#include "cutis/io/usda_reader.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::read_as_file(data, size, "a.usda",
                                   [](const std::filesystem::path& path) { cutis::UsdaScene(path).read(); });
}
