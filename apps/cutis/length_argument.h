#pragma once

#include <string>

namespace cutis::app {

/// A length that is not negative, given to an option: "2 cm" [m]. Throws InputError naming the option.
double length_argument(const std::string& option, const std::string& text);

}  // namespace cutis::app
