#pragma once

#include <string>
#include <vector>

#include "cutis/core/file.h"

namespace cutis::test {

/// Small valid inputs for one reader, made here: what tests damage and what fuzzers start from. The name is
/// that of a target, tests/fuzz/NAME_fuzz.cpp; throws for one that has no samples.
std::vector<Bytes> samples(const std::string& target);

/// The targets that have samples.
std::vector<std::string> sample_targets();

}  // namespace cutis::test
