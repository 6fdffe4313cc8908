#include "cutis/io/image/png.h"
#include "fuzz/target.h"

FUZZ_TARGET(png) {
  return cutis::fuzz::expect_input_error_at_most("a.png", [&] { cutis::decode_png({data, size}, "a.png"); });
}
