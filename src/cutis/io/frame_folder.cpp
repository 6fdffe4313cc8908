#include "cutis/io/frame_folder.h"

#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace fs = std::filesystem;

FrameFolder::FrameFolder(fs::path folder, std::string name, std::string ending)
    : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)) {
  std::error_code code;
  fs::create_directories(folder_, code);
  if (!code && fs::is_directory(folder_, code)) return;
  throw IoError(fmt::format("{}: cannot be made a folder: {}", folder_.string(),
                            code ? code.message() : "a file has this name"));
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
