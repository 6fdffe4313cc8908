#pragma once

#include <set>
#include <string>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/io/usd/usda_parser.h"

namespace cutis {

/// The numbers of an attribute at a time code: linear between samples, still before and after them, its value
/// where there are none. Samples of different length are not blended: the earlier one counts.
std::vector<double> usd_value_at(const UsdAttribute& attribute, double code);

/// Adds the time codes at which the transform of a prim has samples.
void add_xform_times(const UsdPrim& prim, std::set<double>& codes);

/// The matrix (for column vectors) that places the last of the prims, each within the one before, in the
/// world. Throws InputError naming `file` and the prim when a transform cannot be understood.
Mat4 usd_placement(const std::vector<const UsdPrim*>& prims, double code, const std::string& file);

}  // namespace cutis
