#pragma once

#include "cutis/run/runner.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// Runs a shot from its files to its result folder, the formats it asks for included (written once the last
/// frame is there). Says through log() which keys the method cannot use. Throws InputError and IoError as
/// run() does.
RunReport simulate(const Shot& shot, const RunOptions& options);

}  // namespace cutis
