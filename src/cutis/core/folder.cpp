#include "cutis/core/folder.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace fs = std::filesystem;

std::string write_failure(int error) {
  const std::string words = std::generic_category().message(error);
  switch (error) {
    case EACCES:
    case EPERM:
    case EROFS:
      return words + "; choose a folder that you may write to, with --out";
    case ENOTDIR:
    case EEXIST:
      return words + "; a file lies where a folder is needed: choose another name with --out";
    case ENOSPC:
    case EDQUOT:
      return words + "; free some space, or choose another disk with --out";
    default:
      return words;
  }
}

void make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code && !fs::is_directory(folder, code)) code = std::make_error_code(std::errc::not_a_directory);
  if (code)
    throw IoError(
        fmt::format("{}: cannot be made a folder: {}", folder.string(), write_failure(code.value())));
}

void make_folder_of(const fs::path& file) {
  if (file.has_parent_path()) make_folder(file.parent_path());
}

}  // namespace cutis
