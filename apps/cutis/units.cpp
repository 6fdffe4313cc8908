#include "units.h"

#include <cmath>

#include "cutis/body/rig/rig_body.h"

namespace cutis::app {
namespace {

constexpr double kSmallest = 0.1, kLargest = 5;  // [m]: from a hand to a horse, still plausible in metres

}  // namespace

UnitGuess guess_unit(const Character& character) {
  UnitGuess guess{1, "m", 0};
  RigChoice all;
  all.meshes = {"*"};
  const RigBody body(character, all);
  guess.size = bounding_diagonal(body.source().positions.raw());
  if (guess.size == 0 || (guess.size >= kSmallest && guess.size <= kLargest)) return guess;
  double best = INFINITY;
  for (const auto& [metres, name] : {std::pair(1.0, "m"), {0.01, "cm"}, {0.001, "mm"}, {0.0254, "inch"}}) {
    const double off = std::abs(std::log(guess.size * metres / 1.7));
    if (off >= best) continue;
    best = off;
    guess.metres = metres;
    guess.name = name;
  }
  return guess;
}

}  // namespace cutis::app
