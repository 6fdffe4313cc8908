#pragma once

#include <filesystem>
#include <string>

namespace cutis {

/// Makes the folder and those above it, where they are not there. Throws IoError with what to do.
void make_folder(const std::filesystem::path& folder);
/// The same for the folder that `file` is to lie in.
void make_folder_of(const std::filesystem::path& file);

/// What the system says of a write that failed (an errno), and what to do about it where that is known.
std::string write_failure(int error);

}  // namespace cutis
