#include "cutis/io/cache/amass.h"
#include "fuzz/arrays.h"
#include "fuzz/target.h"

FUZZ_TARGET(amass) {
  using namespace cutis;
  return fuzz::expect_input_error_at_most("motion.npz", [&] {
    std::span<const unsigned char> input(data, size);
    const auto file = fuzz::folder() / "motion.npz";
    write_npz(file, fuzz::take_arrays(input, "motion.npz",
                                      {"poses", "trans", "betas", "gender", "mocap_framerate"}));
    read_amass(file);
  });
}
