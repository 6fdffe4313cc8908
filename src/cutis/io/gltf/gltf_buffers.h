#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tinygltf {
class TinyGLTF;
}

namespace cutis {

/// Lets tinygltf read the buffers that lie beside a glTF file or below its folder, and nothing else: no
/// absolute path, none that climbs out, no address on a network, nothing from the working folder, no
/// pictures. Must live as long as the loading goes on.
class GltfBuffers {
 public:
  GltfBuffers(const std::filesystem::path& gltf_file, tinygltf::TinyGLTF& loader);
  GltfBuffers(const GltfBuffers&) = delete;
  GltfBuffers& operator=(const GltfBuffers&) = delete;

  /// What must be given to the loader as the folder of the file: a mark that tells a URI from a path.
  static const char* folder_mark();
  /// Why a buffer was refused; empty when none was.
  const std::string& refusal() const { return refusal_; }
  std::size_t bytes_read() const { return bytes_read_; }

  /// The path of a URI (decoded), or an empty path, with refusal() set, when it may not be read.
  std::filesystem::path resolve(const std::string& uri);

 private:
  std::filesystem::path folder_;
  std::set<std::string> asked_;  ///< one buffer a file: a small file cannot be read a thousand times
  std::string refusal_;
  std::size_t bytes_read_ = 0;

  bool read(std::vector<unsigned char>& bytes, std::string& error, const std::filesystem::path& file);
};

}  // namespace cutis
