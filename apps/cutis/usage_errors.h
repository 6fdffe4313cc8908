#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace cutis::app {

/// What is wrong with the words after `cutis`, in one line: which word, the nearest one that there is, where
/// help is.
std::string usage_error(const CLI::App* app, const CLI::Error& error);

}  // namespace cutis::app
