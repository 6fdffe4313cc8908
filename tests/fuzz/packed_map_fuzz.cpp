#include "cutis/io/array/packed_map.h"

#include "fuzz/target.h"
#include "support/samples.h"

FUZZ_TARGET(packed_map) {
  using namespace cutis;
  static const test::MapFrames sample = test::map_frames();
  static const MapPacker packer(sample.triangles);
  return fuzz::expect_input_error_at_most("000003.npz", [&] {
    const std::span<const QuantizedMap> before = std::span(sample.newest_first).subspan(1);
    packer.unpack({data, size}, before[0].size(), before, "000003.npz");
  });
}
