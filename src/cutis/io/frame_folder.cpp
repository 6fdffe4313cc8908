#include "cutis/io/frame_folder.h"

#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/folder.h"

namespace cutis {
namespace fs = std::filesystem;

FrameFolder::FrameFolder(fs::path folder, std::string name, std::string ending)
    : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)) {
  make_folder(folder_);
}

std::string FrameFolder::file_name(std::size_t frame) const {
  return fmt::format("{}_{:06}{}", name_, frame + 1, ending_);
}

void FrameFolder::remove_from(std::size_t frame_count) const {
  std::error_code code;
  for (std::size_t i = frame_count; fs::remove(file(i), code); ++i) continue;
  if (code)
    throw IoError(fmt::format("{}: old files cannot be removed: {}", folder_.string(), code.message()));
}

}  // namespace cutis
