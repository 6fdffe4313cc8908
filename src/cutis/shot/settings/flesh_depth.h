#pragma once

#include <string>

#include "cutis/body/body.h"
#include "cutis/flesh/flesh_options.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// Gives the options the thickness of the soft tissue: what flesh.depth says, or else with its stiffness by
/// body part where the rig is known (see anatomic_flesh), thin on a face without a rig, otherwise by how
/// thick the body is, thinner in its thin parts; a painted flesh.young stays as it is. Nothing where the core
/// is bones or a region. Throws InputError where flesh.depth is more than the body has anywhere, and warns
/// where that is so in places.
void set_flesh_depth(const Shot& shot, const Body& body, FleshOptions& options);

/// "depth and stiffness by body part, 31 of 31 joints recognised by name: ...", or what they follow else.
std::string describe_flesh_depth(const Shot& shot, const Body& body);

}  // namespace cutis
