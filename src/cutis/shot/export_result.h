#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutis {

/// The formats that a result can be written in for other programs; docs/formats.md says what each keeps.
const std::vector<std::string>& export_formats();

/// Writes all finished frames of a result: as one file, RESULT/skin.FORMAT, or for "obj" and "vtk" as a
/// folder of numbered files, RESULT/FORMAT; `file` says otherwise. Returns its path. Throws InputError for an
/// unknown format or a damaged result, IoError when the disk fails.
std::filesystem::path export_result(const std::filesystem::path& result, const std::string& format,
                                    std::filesystem::path file = {});

}  // namespace cutis
