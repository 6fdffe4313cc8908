#include "length_argument.h"

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/quantity.h"

namespace cutis::app {

double length_argument(const std::string& option, const std::string& text) {
  double length = 0;
  try {
    length = parse_quantity(text, Dimension::Length);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
  if (length < 0) throw InputError(fmt::format("{}: {}: give a length of 0 or more", option, text));
  return length;
}

}  // namespace cutis::app
