#pragma once

namespace cutis {

/// The program's version, "major.minor.patch".
const char* version();

}  // namespace cutis
