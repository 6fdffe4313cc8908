#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutis {

/// The formats that a result can be written in for other programs: "pc2", "mdd", "glb".
const std::vector<std::string>& export_formats();

/// Writes all finished frames of a result as one file, RESULT/NAME.FORMAT unless `file` says otherwise, and
/// returns its path. Throws InputError for an unknown format or a damaged result, IoError when the disk
/// fails.
std::filesystem::path export_result(const std::filesystem::path& result, const std::string& format,
                                    std::filesystem::path file = {});

}  // namespace cutis
