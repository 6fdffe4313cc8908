#pragma once

#include <string>

#include "cutis/body/body.h"
#include "cutis/flesh/flesh_options.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// Gives the options the thickness of the soft tissue and its stiffness where the shot says nothing of them:
/// by body part where the rig is known (see anatomic_flesh), thin on a face without a rig, else by how thick
/// the body is, thinner in its thin parts. Nothing where the shot gives `flesh.depth`; a painted
/// `flesh.young` stays as it is.
void set_flesh_by_part(const Shot& shot, const Body& body, FleshOptions& options);

/// "depth and stiffness by body part, 31 of 31 joints recognised by name: ...", or what they follow else.
std::string describe_flesh_depth(const Shot& shot, const Body& body);

}  // namespace cutis
