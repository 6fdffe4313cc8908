#pragma once

#include "cutis/body/body.h"

namespace cutis {

enum class BodyKind { Unknown, TwoLegs, FourLegs, Face, Hand };

/// What a body is, as its rig tells: a body on two or four legs, a head without any, a hand alone. A body
/// without joints that has blend shapes is taken for a face.
BodyKind body_kind(const Body& body);

}  // namespace cutis
