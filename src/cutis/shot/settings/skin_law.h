#pragma once

#include "cutis/material/membrane/skin_law.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// The value that a law is made for where a stiffness is painted: the constant itself, or the map's `high`.
/// An element's law is this law times (its painted value / reference).
double reference_value(const Painted& painted);

/// What [skin.material] says, with the preset's constants where it says nothing. The preset's stiffnesses
/// scale with `young`, and its fung_stiffness is cut to what the other constants allow. Fibres that only the
/// preset asks for need a skin.direction to lie along. A painted young counts as its reference_value().
SkinLaw skin_law(const SkinSection& skin);

/// The law as a [skin.material] block that gives it back, whatever the preset.
std::string to_toml(const SkinLaw& law);

}  // namespace cutis
