#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cutis {

constexpr std::int64_t most_exr_pixels = std::int64_t(1) << 26;

/// What is wrong with the header of an EXR file, in words for a message; empty where it is sound. OpenEXR
/// allocates what a header says before it looks whether that can be: so attributes must have the size of
/// their type and lie in the file, and the image, its blocks and their table must be of a size that the file
/// can hold. Deep images and files of several parts are refused.
std::string exr_header_defect(std::span<const unsigned char> file);

}  // namespace cutis
