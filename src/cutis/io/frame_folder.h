#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace cutis {

/// A folder of numbered files, one per frame: NAME_000001.ENDING and so on. Throws IoError naming the folder.
class FrameFolder {
 public:
  /// Makes the folder where needed; other files in it stay.
  FrameFolder(std::filesystem::path folder, std::string name, std::string ending);

  std::filesystem::path operator/(const std::string& file) const { return folder_ / file; }
  std::string file_name(std::size_t frame) const;  ///< frames count from 0, files from 1
  std::filesystem::path file(std::size_t frame) const { return folder_ / file_name(frame); }
  /// Takes away what a longer shot has left behind: numbered files from `frame_count` on.
  void remove_from(std::size_t frame_count) const;

 private:
  std::filesystem::path folder_;
  std::string name_, ending_;
};

}  // namespace cutis
