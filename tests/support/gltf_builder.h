#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace cutis::test {

/// Puts small glTF files together for tests: fill in `root`, let accessor() store the numbers.
class GltfBuilder {
 public:
  nlohmann::json root = {{"asset", {{"version", "2.0"}}}};
  std::string binary;

  /// Stores numbers and returns the index of a new accessor to them.
  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, bool normalized = false) {
    nlohmann::json a = {{"bufferView", view(values)},
                        {"componentType", component_type(T())},
                        {"count", values.size() / components(type)},
                        {"type", type}};
    if (normalized) a["normalized"] = true;
    root["accessors"].push_back(a);
    return static_cast<int>(root["accessors"].size()) - 1;
  }

  template <class T>
  int view(const std::vector<T>& values) {
    binary.resize((binary.size() + 3) / 4 * 4);
    const std::size_t offset = binary.size(), length = values.size() * sizeof(T);
    binary.append(reinterpret_cast<const char*>(values.data()), length);
    root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}});
    return static_cast<int>(root["bufferViews"].size()) - 1;
  }

  std::string glb() const;   ///< the file as bytes
  std::string gltf() const;  ///< as text, with the buffer embedded

 private:
  static int component_type(std::int8_t) { return 5120; }
  static int component_type(std::uint8_t) { return 5121; }
  static int component_type(std::int16_t) { return 5122; }
  static int component_type(std::uint16_t) { return 5123; }
  static int component_type(std::uint32_t) { return 5125; }
  static int component_type(float) { return 5126; }
  static std::size_t components(const std::string& type) {
    return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
  }
};

/// A square of four vertices with indices for two triangles, on a node.
GltfBuilder gltf_square();
/// The square on two joints, with morph targets and a clip of every kind: everything at once.
GltfBuilder gltf_puppet();

}  // namespace cutis::test
