#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace cutis {

/// "1 frame", "12 frames"; `many` where the plural has no s of its own.
inline std::string counted(std::size_t n, std::string_view one, std::string_view many = "") {
  return many.empty() ? fmt::format("{} {}{}", n, one, n == 1 ? "" : "s")
                      : fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace cutis
