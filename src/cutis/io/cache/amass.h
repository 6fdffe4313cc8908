#pragma once

#include <filesystem>

#include "cutis/body/avatar/avatar.h"

namespace cutis {

/// Reads a motion as AMASS has it (.npz): poses (frames x 66, 72, 156 or 165: axis times angle [rad] of 22,
/// 24, 52 or 55 joints) and trans (frames x 3 [m]); betas, gender and the frame rate, mocap_framerate or
/// mocap_frame_rate, where they are. Other arrays are not looked at. Betas given for every frame count from
/// the first.
///
/// Throws InputError naming the file and the array when one is missing, has a shape that does not fit, or
/// holds numbers that are not finite or are no angles, places or rates.
AvatarMotion read_amass(const std::filesystem::path& file);

}  // namespace cutis
