#include "cutis/io/array/npy.h"
#include "fuzz/target.h"

FUZZ_TARGET(npy) {
  using namespace cutis;
  return fuzz::expect_input_error_at_most("a.npy", [&] {
    const NpyArray array = decode_npy({data, size}, "a.npy");
    to_doubles(array);
    to_int32(array, "a.npy");
  });
}
