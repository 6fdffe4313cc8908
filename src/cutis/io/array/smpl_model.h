#pragma once

#include <filesystem>

#include "cutis/body/avatar/avatar.h"

namespace cutis {

/// Reads a body model of the SMPL family: SMPL, SMPL-H, SMPL-X, MANO or STAR, saved by NumPy as .npz. It
/// needs v_template, f, shapedirs, posedirs, J_regressor, weights and kintree_table; texture coordinates vt
/// and ft are taken where they are; other arrays are not looked at. Of SMPL-X, whose shapedirs also hold
/// expressions, the shapes alone are used.
///
/// Throws InputError naming the file and the array when one is missing, has another shape than the others
/// ask for, holds numbers that are not finite, names vertices or joints that are not there, or when the
/// joints form no tree.
AvatarModel read_smpl_model(const std::filesystem::path& file);

}  // namespace cutis
