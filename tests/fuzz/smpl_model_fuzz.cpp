#include "cutis/body/avatar/avatar_body.h"
#include "cutis/io/array/smpl_model.h"
#include "fuzz/arrays.h"
#include "fuzz/target.h"

// The arrays of a body model, and on to the body it becomes.
FUZZ_TARGET(smpl_model) {
  using namespace cutis;
  return fuzz::expect_input_error_at_most("model.npz", [&] {
    std::span<const unsigned char> input(data, size);
    const auto file = fuzz::folder() / "model.npz";
    write_npz(file, fuzz::take_arrays(input, "model.npz",
                                      {"v_template", "f", "shapedirs", "posedirs", "J_regressor", "weights",
                                       "kintree_table"}));
    AvatarOptions options;
    options.betas = {0.5, -1};
    AvatarBody(read_smpl_model(file), std::nullopt, options).source_positions(0);
  });
}
