#include "cutis/io/npy.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace cutis;
  return fuzz::expect_input_error_at_most("a.npy", [&] {
    const NpyArray array = decode_npy({data, size}, "a.npy");
    to_doubles(array);
    to_int32(array, "a.npy");
  });
}
