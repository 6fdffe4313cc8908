#include "cutis/shot/shot.h"
#include "fuzz/target.h"

// What is accepted must come back from its own text.
FUZZ_TARGET(shot) {
  using namespace cutis;
  return fuzz::expect_input_error_at_most("s.toml", [&] {
    const Shot shot = parse_shot(std::string(data, data + size), "s.toml");
    to_json(shot);
    if (!(parse_shot(to_toml(shot), "s.toml") == shot)) std::abort();
  });
}
