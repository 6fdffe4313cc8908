#pragma once

#include <filesystem>
#include <optional>

#include "cutis/material/fit/fit.h"

namespace cutis {

/// A test of skin as a table (.csv): a first line with the names of the columns, which may begin with #, then
/// one line a measurement. Names, in any order and in either case:
///   biaxial   lambda_x, P_x, lambda_y, P_y   (also stretch_x, stress_x ...; Xlam, PX ...)
///   uniaxial  lambda, P                      (also stretch, stress), and angle [deg] of the pull to the
///   fibres
/// lambda is length over length at rest, P force over area at rest (first Piola-Kirchhoff). A unit stands in
/// brackets after the name: "P_x [MPa]". Columns of other names, and later lines that begin with #, are
/// passed over. `stress_unit` is for files that do not say. Throws InputError with file, line, column and
/// remedy; warns in the log where the stress falls with stretch (find_stress_fall).
StretchTest read_stretch_test(const std::filesystem::path& path,
                              const std::optional<std::string>& stress_unit);

}  // namespace cutis
