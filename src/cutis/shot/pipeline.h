#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cutis/shot/shot.h"

namespace cutis {

/// One of the stages that a shot runs one after the other: each on the result of the one before it.
struct ShotStage {
  std::string name;           ///< of its folder; empty for the last one
  Shot shot;                  ///< its body is never a `body.shot`
  std::filesystem::path out;  ///< its result
  std::filesystem::path
      earlier_stage;  ///< from `out` to the result that is its body; empty for the first one
};

/// The stages in the order in which they run: the shot itself last, into `out`, the shots that lead to it by
/// `body.shot` before it, each into out/stages/NAME, where NAME is that of its file. A shot with several of
/// flesh, skin and wrinkles is as many of them: its flesh is the stage "flesh", skin below wrinkles the stage
/// "skin". Throws InputError when one of these shots cannot be read or leads back to itself.
std::vector<ShotStage> stages_of(const Shot& shot, const std::filesystem::path& out);

}  // namespace cutis
