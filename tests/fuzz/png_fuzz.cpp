#include "cutis/io/png.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return cutis::fuzz::expect_input_error_at_most("a.png", [&] { cutis::decode_png({data, size}, "a.png"); });
}
