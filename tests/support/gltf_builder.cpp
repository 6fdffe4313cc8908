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

using Floats = std::vector<float>;
using Bytes8 = std::vector<std::uint8_t>;
using Shorts = std::vector<std::uint16_t>;

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

GltfBuilder gltf_square() {
  GltfBuilder b;
  const int p = b.accessor(Floats{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
  const int i = b.accessor(Shorts{0, 1, 2, 0, 2, 3}, "SCALAR");
  b.root["meshes"] = {
      {{"name", "square"}, {"primitives", {{{"attributes", {{"POSITION", p}}}, {"indices", i}}}}}};
  b.root["nodes"] = {{{"name", "root"}, {"mesh", 0}}};
  return b;
}

GltfBuilder gltf_puppet() {
  GltfBuilder b = gltf_square();
  nlohmann::json& p = b.root["meshes"][0]["primitives"][0];
  p["attributes"]["TEXCOORD_0"] = b.accessor(Shorts{0, 0, 65535, 0, 65535, 65535, 0, 65535}, "VEC2", true);
  p["attributes"]["JOINTS_0"] = b.accessor(Bytes8{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4");
  p["attributes"]["WEIGHTS_0"] =
      b.accessor(Bytes8{255, 0, 0, 0, 51, 204, 0, 0, 0, 255, 0, 0, 102, 153, 0, 0}, "VEC4", true);
  p["targets"] = {{{"POSITION", b.accessor(Floats{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2}, "VEC3")}}};
  b.root["meshes"][0]["weights"] = {0.25};
  b.root["meshes"][0]["extras"] = {{"targetNames", {"smile"}}};
  b.root["nodes"] = {{{"name", "root"}, {"mesh", 0}, {"skin", 0}},
                     {{"name", "hip"}, {"children", {2}}, {"translation", {0, 1, 0}}},
                     {{"name", "knee"}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1}}}};
  Floats matrices(32, 0);
  for (int i : {0, 5, 10, 15, 16, 21, 26, 31}) matrices[i] = 1;
  matrices[29] = -2;
  b.root["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", b.accessor(matrices, "MAT4")}}};
  const int times = b.accessor(Floats{0, 1}, "SCALAR");
  const int turns = b.accessor(Floats{0, 0, 0, 1, 0, 0, 1, 0}, "VEC4");
  const int moves = b.accessor(Floats(18, 0.5f), "VEC3");
  const int weights = b.accessor(Floats{0, 1}, "SCALAR");
  b.root["animations"] = {{{"name", "walk"},
                           {"samplers",
                            {{{"input", times}, {"output", turns}},
                             {{"input", times}, {"output", moves}, {"interpolation", "CUBICSPLINE"}},
                             {{"input", times}, {"output", weights}, {"interpolation", "STEP"}}}},
                           {"channels",
                            {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                             {{"sampler", 1}, {"target", {{"node", 1}, {"path", "translation"}}}},
                             {{"sampler", 2}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
  return b;
}

}  // namespace cutis::test
