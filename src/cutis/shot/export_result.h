#pragma once

#include <filesystem>
#include <string>

namespace cutis {

/// Writes all finished frames of a result in one of export_formats(): as one file, RESULT/skin.FORMAT, or for
/// "obj", "vtk", "exr" and "png" as a folder of numbered files, RESULT/FORMAT; `file` says otherwise. Maps
/// (exr, png) have `map_size` pixels each way. Returns the path. Throws InputError for an unknown format, a
/// damaged result, or one that lacks what the format needs, IoError when the disk fails.
std::filesystem::path export_result(const std::filesystem::path& result, const std::string& format,
                                    std::filesystem::path file = {}, int map_size = 1024);

}  // namespace cutis
