#include "cutis/io/gltf/gltf_reader_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <tiny_gltf.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/io/gltf/gltf_buffers.h"
#include "cutis/io/gltf/json_depth.h"
#include "cutis/io/json_words.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;

/// How many numbers a file may unfold into, so that a small hostile one cannot ask for all the memory: some
/// freely, more for each byte that is really there (instances and sparse blend shapes are read many times
/// from few bytes), and never more than 4 GiB of them.
constexpr std::size_t free_numbers = std::size_t{1} << 22, numbers_a_byte = 32;
constexpr std::size_t max_numbers = std::size_t{1} << 29;
/// No real file nests deeper; tinygltf follows nested values by recursion.
constexpr int max_json_depth = 200;

bool skip_image(tinygltf::Image*, const int, std::string*, std::string*, int, int, const unsigned char*, int,
                void*) {
  return true;
}

std::string_view json_text(const Bytes& bytes, bool binary) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!binary) return all;
  if (bytes.size() < 20) return {};
  std::uint32_t length;
  std::memcpy(&length, bytes.data() + 12, sizeof length);
  return all.substr(20, length);
}

/// Buffers of a binary file that name no file of their own. tinygltf gives each a copy of the binary chunk,
/// though glTF 2.0, 4.4.3.2 allows one.
std::size_t unnamed_buffers(std::string_view text) {
  using Json = nlohmann::json;
  const auto only_buffers = [](int depth, Json::parse_event_t event, Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed == "buffers";
  };
  const Json json = Json::parse(text, only_buffers, false);
  if (!json.is_object() || !json.contains("buffers")) return 0;
  const Json& buffers = json["buffers"];
  return static_cast<std::size_t>(std::count_if(
      buffers.begin(), buffers.end(), [](const Json& b) { return b.is_object() && !b.contains("uri"); }));
}

/// Extensions that change neither shape nor motion, or that reading accessors in full covers.
bool understood(const std::string& extension) {
  for (const char* prefix : {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_"})
    if (extension.starts_with(prefix)) return true;
  for (const char* name : {"KHR_mesh_quantization", "KHR_xmp", "KHR_xmp_json_ld", "MSFT_texture_dds"})
    if (extension == name) return true;
  return false;
}

std::size_t component_size(int type) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return 2;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
      return 4;
    default:
      return 0;
  }
}

template <class T>
double decode_as(const unsigned char* at, bool normalized) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_integral_v<T>) {
    // glTF 2.0, 3.11: the lowest signed value lies below -1 and is clamped.
    if (normalized)
      return std::max(static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
  }
  return static_cast<double>(value);
}

double decode(const unsigned char* at, int type, bool normalized) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return decode_as<std::int8_t>(at, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return decode_as<std::uint8_t>(at, normalized);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return decode_as<std::int16_t>(at, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return decode_as<std::uint16_t>(at, normalized);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      return decode_as<std::uint32_t>(at, normalized);
    default:
      return decode_as<float>(at, normalized);
  }
}

}  // namespace

GltfFile::GltfFile(const fs::path& path) : path_(path), model_(std::make_unique<tinygltf::Model>()) {
  const Bytes bytes = read_file(path);
  const bool binary = bytes.size() >= 4 && std::memcmp(bytes.data(), "glTF", 4) == 0;
  if (bytes.empty()) fail("file", "is empty");
  if (!binary && lower_ending(path) == ".glb")
    fail("file", "does not begin with \"glTF\"; is it a GLB file?");
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max())
    fail("file", "is larger than 4 GiB, which glTF does not allow");
  const std::string_view json = json_text(bytes, binary);
  if (json_nests_deeper(json, max_json_depth))
    fail("JSON", fmt::format("is nested more than {} levels deep", max_json_depth));
  if (const std::size_t n = binary ? unnamed_buffers(json) : 0; n > 1)
    fail("buffers", fmt::format("{} of them are the binary chunk; only one can be", n));

  tinygltf::TinyGLTF loader;
  GltfBuffers buffers(path, loader);
  loader.SetImageLoader(skip_image, nullptr);
  std::string error, warning;
  bool good = false;
  const std::string folder = GltfBuffers::folder_mark();
  const auto size = static_cast<unsigned>(bytes.size());
  try {
    good = binary ? loader.LoadBinaryFromMemory(model_.get(), &error, &warning, bytes.data(), size, folder)
                  : loader.LoadASCIIFromString(model_.get(), &error, &warning,
                                               reinterpret_cast<const char*>(bytes.data()), size, folder);
  } catch (const std::exception& e) {
    error = e.what();
  }
  if (!good && !buffers.refusal().empty()) fail("buffers", buffers.refusal());
  if (!good) fail("not a readable glTF file", error.empty() ? "damaged" : one_line(json_words(error)));
  if (!error.empty()) warn("glTF", one_line(json_words(error)));
  numbers_left_ =
      std::min(max_numbers, free_numbers + numbers_a_byte * (bytes.size() + buffers.bytes_read()));
  check_extensions();
}

GltfFile::~GltfFile() = default;

void GltfFile::fail(const std::string& place, const std::string& what) const {
  // Names of the file's own parts may hold anything.
  throw InputError(fmt::format("{}: {}: {}", path_.string(), one_line(place), one_line(what)));
}

void GltfFile::warn(const std::string& place, const std::string& what) const {
  log().warn("{}: {}: {}", path_.string(), one_line(place), one_line(what));
}

void GltfFile::check_extensions() const {
  std::string missing;
  for (const std::string& extension : model_->extensionsRequired)
    if (!understood(extension)) missing += (missing.empty() ? "" : ", ") + extension;
  if (!missing.empty())
    fail("extensionsRequired",
         fmt::format("needs {}, which Cutis does not read; export the file again without it", missing));
}

std::size_t GltfFile::checked(int index, std::size_t size, const std::string& place, const char* kind) const {
  if (index < 0 || static_cast<std::size_t>(index) >= size)
    fail(place, fmt::format("there is no {} {}; the file has {}", kind, index, size));
  return static_cast<std::size_t>(index);
}

const tinygltf::Accessor& GltfFile::accessor(int index, const std::string& place) const {
  return model_->accessors[checked(index, model_->accessors.size(), place, "accessor")];
}

std::size_t GltfFile::count(int index, const std::string& place) const {
  return accessor(index, place).count;
}

/// The first byte of `count` elements that all lie within the view and the view within its buffer.
const unsigned char* GltfFile::locate(int view_index, std::size_t offset, std::size_t count,
                                      std::size_t element_size, std::size_t stride,
                                      const std::string& place) const {
  const auto& view =
      model_->bufferViews[checked(view_index, model_->bufferViews.size(), place, "buffer view")];
  const auto& buffer = model_->buffers[checked(view.buffer, model_->buffers.size(), place, "buffer")];
  const std::size_t size = buffer.data.size();
  if (view.byteOffset > size || view.byteLength > size - view.byteOffset)
    fail(place, fmt::format("buffer view {} reaches past its buffer of {} bytes", view_index, size));
  const std::size_t length = view.byteLength;
  const bool fits = element_size <= length && offset <= length - element_size &&
                    (count - 1) <= (length - element_size - offset) / stride;
  if (!fits)
    fail(place,
         fmt::format("{} elements do not fit into buffer view {} of {} bytes", count, view_index, length));
  return buffer.data.data() + view.byteOffset + offset;
}

void GltfFile::spend(std::size_t count, std::size_t components, const std::string& place) const {
  if (count > numbers_left_ / components)
    fail(place, fmt::format("asks for {} elements, which is more than can be read", count));
  numbers_left_ -= count * components;
}

std::vector<double> GltfFile::numbers(int index, std::size_t components, const std::string& place) const {
  const tinygltf::Accessor& a = accessor(index, place);
  const int given = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(a.type));
  if (given < 0 || static_cast<std::size_t>(given) != components)
    fail(place, fmt::format("accessor {} has {} numbers an element; {} expected", index, given, components));
  const std::size_t size = component_size(a.componentType);
  if (size == 0)
    fail(place, fmt::format("accessor {} has the unknown component type {}", index, a.componentType));
  spend(a.count, components, fmt::format("{}, accessor {}", place, index));
  if (a.count == 0) return {};

  const bool stored = a.bufferView >= 0;
  std::size_t stride = size * components;
  const unsigned char* bytes = nullptr;
  if (stored) {
    const auto& view =
        model_->bufferViews[checked(a.bufferView, model_->bufferViews.size(), place, "buffer view")];
    if (view.byteStride > 0) stride = view.byteStride;
    bytes = locate(a.bufferView, a.byteOffset, a.count, size * components, stride, place);
  }
  std::vector<double> values(a.count * components, 0.0);
  if (stored)
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] =
          decode(bytes + i / components * stride + i % components * size, a.componentType, a.normalized);
  if (a.sparse.isSparse) put_sparse(a, components, values, place);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      fail(place, fmt::format("element {} is not a finite number", i / components));
  return values;
}

void GltfFile::put_sparse(const tinygltf::Accessor& a, std::size_t components, std::vector<double>& values,
                          const std::string& place) const {
  const auto& sparse = a.sparse;
  const std::size_t index_size = component_size(sparse.indices.componentType);
  if (sparse.count < 0 || static_cast<std::size_t>(sparse.count) > a.count || sparse.indices.byteOffset < 0 ||
      sparse.values.byteOffset < 0 || index_size == 0)
    fail(place, "its sparse part is damaged");
  const auto n = static_cast<std::size_t>(sparse.count);
  if (n == 0) return;
  const std::size_t size = component_size(a.componentType);
  const unsigned char* at =
      locate(sparse.indices.bufferView, static_cast<std::size_t>(sparse.indices.byteOffset), n, index_size,
             index_size, place);
  const unsigned char* from =
      locate(sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset), n,
             size * components, size * components, place);
  for (std::size_t i = 0; i < n; ++i) {
    const double where = decode(at + i * index_size, sparse.indices.componentType, false);
    if (!(where >= 0 && where < static_cast<double>(a.count)))
      fail(place, fmt::format("sparse index {} is out of range; there are {} elements", where, a.count));
    for (std::size_t c = 0; c < components; ++c)
      values[static_cast<std::size_t>(where) * components + c] =
          decode(from + (i * components + c) * size, a.componentType, a.normalized);
  }
}

std::vector<int> GltfFile::indices(int index, std::size_t components, std::size_t limit,
                                   const std::string& place) const {
  const std::vector<double> values = numbers(index, components, place);
  std::vector<int> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] < static_cast<double>(limit) && values[i] == std::floor(values[i])))
      fail(place, fmt::format("element {} is {}; whole numbers from 0 to below {} expected", i / components,
                              values[i], limit));
    result[i] = static_cast<int>(values[i]);
  }
  return result;
}

}  // namespace cutis
