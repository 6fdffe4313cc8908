#pragma once

#include "cutis/run/runner.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// Runs a shot from its files to its result folder, the formats it asks for included (written once the last
/// frame is there). Earlier stages (pipeline.h) come first, whatever RunOptions::resume says: one that is
/// finished is re-used, one that is not is gone on with, and one whose shot, inputs or version of Cutis
/// changed begins again; when one cannot be finished the report is of it. Says through log() which keys a
/// method cannot use. Throws InputError and IoError as run() does.
RunReport simulate(const Shot& shot, const RunOptions& options);

}  // namespace cutis
