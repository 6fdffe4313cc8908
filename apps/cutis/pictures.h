#pragma once

#include <filesystem>

#include "cutis/shot/shot.h"

namespace cutis::app {

/// Makes the pictures of one result in RESULT/pictures, naming each file as it comes.
void make_pictures(const std::filesystem::path& result, const PictureSection& settings);

}  // namespace cutis::app
