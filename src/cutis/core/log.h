#pragma once

#include <memory>

#include <spdlog/logger.h>

namespace cutis {

/// Where the library says what it noticed ("12 vertices had weights that did not sum to one"). Silent until a
/// program installs a logger: the library itself never prints.
spdlog::logger& log();

/// Replaces the logger; null makes the library silent again.
void set_logger(std::shared_ptr<spdlog::logger> logger);

}  // namespace cutis
