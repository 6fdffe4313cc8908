#include "support/gltf_builder.h"

namespace cutis::test {
namespace {

std::string base64(const std::string& bytes) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string word(std::size_t value) {
  const auto narrow = static_cast<std::uint32_t>(value);
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &narrow, 4);
  return bytes;
}

}  // namespace

std::string GltfBuilder::glb() const {
  nlohmann::json all = root;
  if (!all.contains("buffers")) all["buffers"] = {{{"byteLength", binary.size()}}};
  std::string json = all.dump(), data = binary;
  json.resize((json.size() + 3) / 4 * 4, ' ');
  data.resize((data.size() + 3) / 4 * 4);
  return "glTF" + word(2) + word(28 + json.size() + data.size()) + word(json.size()) + "JSON" + json +
         word(data.size()) + std::string("BIN\0", 4) + data;
}

std::string GltfBuilder::gltf() const {
  nlohmann::json all = root;
  all["buffers"] = {
      {{"byteLength", binary.size()}, {"uri", "data:application/octet-stream;base64," + base64(binary)}}};
  return all.dump();
}

}  // namespace cutis::test
