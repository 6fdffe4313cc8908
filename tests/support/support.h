#pragma once

#include <filesystem>
#include <optional>

namespace cutis::test {

/// The folder of real characters: $CUTIS_DATA, else shared/data beside the checkout; nothing where it is
/// missing.
std::optional<std::filesystem::path> data_folder();

/// A fresh empty folder, removed when the object goes.
class TemporaryFolder {
 public:
  /// Below the system's folder for temporary files, or below another.
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cutis::test
