#include "cutis/io/gltf/glb_assembly.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/rig/clip.h"
#include "cutis/core/atomic_file.h"
#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/gltf/glb_format.h"
#include "cutis/io/gltf/gltf_materials.h"

namespace cutis {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Binary parts are as long as a multiple of four.
std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

/// Of each node whether it is a joint or lies above one.
std::vector<char> nodes_of_joints(const Character& character) {
  std::vector<char> kept(character.nodes.size(), 0);
  for (const Skin& skin : character.skins)
    for (int joint : skin.joints)
      for (int n = joint; n >= 0 && !kept[n]; n = character.nodes[n].parent) kept[n] = 1;
  return kept;
}

/// Builds the JSON part and what comes into the binary part behind that of the parts.
class Assembly {
 public:
  explicit Assembly(const GlbSurroundings& surroundings) : surroundings_(surroundings) {
    plain_ = document_["materials"][0];
    document_["materials"] = Json::array();
    document_["nodes"] = Json::array();
    document_["meshes"] = Json::array();
    if (!surroundings.materials.empty()) given_ = read_gltf_materials(surroundings.materials);
  }

  void add_part(Json part, std::uint64_t binary_size) {
    const std::size_t views = size("bufferViews"), accessors = size("accessors"), meshes = size("meshes"),
                      nodes = size("nodes");
    for (Json& view : part["bufferViews"]) {
      view["byteOffset"] = view.value("byteOffset", std::uint64_t(0)) + binary_size_;
      document_["bufferViews"].push_back(view);
    }
    for (Json& accessor : part["accessors"]) {
      shift(accessor["bufferView"], views);
      document_["accessors"].push_back(accessor);
    }
    for (Json& mesh : part["meshes"]) {
      for (Json& primitive : mesh["primitives"]) {
        shift(primitive["indices"], accessors);
        for (Json& attribute : primitive["attributes"]) shift(attribute, accessors);
        if (primitive.contains("targets"))
          for (Json& target : primitive["targets"])
            for (Json& attribute : target) shift(attribute, accessors);
        primitive["material"] = material(part["materials"][primitive["material"].get<std::size_t>()]);
      }
      document_["meshes"].push_back(mesh);
    }
    for (Json& node : part["nodes"]) {
      shift(node["mesh"], meshes);
      roots_.push_back(size("nodes"));
      document_["nodes"].push_back(node);
    }
    if (part.contains("animations"))
      for (Json& animation : part["animations"]) {
        for (Json& channel : animation["channels"]) {
          shift(channel["sampler"], shot_samplers_.size());
          shift(channel["target"]["node"], nodes);
          shot_channels_.push_back(channel);
        }
        for (Json& sampler : animation["samplers"]) {
          shift(sampler["input"], accessors);
          shift(sampler["output"], accessors);
          shot_samplers_.push_back(sampler);
        }
      }
    binary_size_ += binary_size;
  }

  void finish() {
    add_images();
    std::vector<Json> others;
    if (surroundings_.character) {
      add_nodes(*surroundings_.character);
      for (const Skin& skin : surroundings_.character->skins) add_skin(skin);
      for (const Clip& clip : surroundings_.character->clips) {
        if (clip.name == surroundings_.clip)
          add_shot(clip);
        else if (Json other = animation_of(clip); !other["channels"].empty())
          others.push_back(std::move(other));
      }
    }
    if (!shot_channels_.empty())
      document_["animations"].push_back(
          {{"name", "shot"}, {"samplers", shot_samplers_}, {"channels", shot_channels_}});
    for (Json& other : others) document_["animations"].push_back(std::move(other));
    document_["scenes"] = Json::array({{{"nodes", roots_}}});
    document_["buffers"] = Json::array({{{"byteLength", binary_size_ + extra_.size()}}});
  }

  std::string text() const { return glb_text(document_); }
  const Bytes& extra() const { return extra_; }

 private:
  const GlbSurroundings& surroundings_;
  GltfMaterials given_;
  Json document_ = new_glb_document(), plain_;
  Json roots_ = Json::array(), shot_samplers_ = Json::array(), shot_channels_ = Json::array();
  std::uint64_t binary_size_ = 0;  ///< of the parts so far
  Bytes extra_;
  std::map<std::string, std::size_t> materials_;  ///< that are in the document
  bool has_given_ = false;
  std::map<int, std::size_t> node_of_;  ///< of the character's nodes

  std::size_t size(const char* array) const {
    return document_.contains(array) ? document_[array].size() : 0;
  }
  static void shift(Json& index, std::size_t by) { index = index.get<std::size_t>() + by; }

  std::size_t add_view(const void* data, std::size_t bytes) {
    extra_.resize((extra_.size() + 3) / 4 * 4);
    document_["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", binary_size_ + extra_.size()}, {"byteLength", bytes}});
    const auto* first = static_cast<const unsigned char*>(data);
    extra_.insert(extra_.end(), first, first + bytes);
    return size("bufferViews") - 1;
  }
  std::size_t add_floats(const std::vector<float>& values, const char* type, std::size_t width) {
    Bytes bytes;
    for (float value : values) append(bytes, value, std::endian::little);
    document_["accessors"].push_back({{"bufferView", add_view(bytes.data(), bytes.size())},
                                      {"componentType", gltf_float},
                                      {"count", values.size() / width},
                                      {"type", type}});
    return size("accessors") - 1;
  }
  std::size_t add_times(const std::vector<float>& times) {
    const std::size_t accessor = add_floats(times, "SCALAR", 1);
    document_["accessors"][accessor]["min"] = Json::array({double(times.front())});
    document_["accessors"][accessor]["max"] = Json::array({double(times.back())});
    return accessor;
  }

  /// The material of the file with the name of a part's plain one, else this.
  std::size_t material(const Json& plain) {
    const std::string name = plain["name"];
    const auto [known, fresh] = materials_.try_emplace(name, size("materials"));
    if (!fresh) return known->second;
    document_["materials"].push_back(plain);
    if (!given_.document.contains("materials")) return known->second;
    for (const Json& given : given_.document["materials"]) {
      if (given["name"] != name) continue;
      document_["materials"].back() = given;
      add_given();
      break;
    }
    return known->second;
  }
  /// The textures of the given materials, once.
  void add_given() {
    if (std::exchange(has_given_, true)) return;
    for (const char* part : {"textures", "images", "samplers", "extensionsUsed"})
      if (given_.document.contains(part)) document_[part] = given_.document[part];
  }

  /// Their views come behind those of the parts.
  void add_images() {
    if (!has_given_ || !document_.contains("images")) return;
    for (Json& image : document_["images"])
      if (image.contains("bufferView")) {
        const Bytes& bytes = given_.image_bytes[image["bufferView"].get<std::size_t>()];
        image["bufferView"] = add_view(bytes.data(), bytes.size());
      }
  }

  void add_nodes(const Character& character) {
    const std::vector<char> kept = nodes_of_joints(character);
    for (std::size_t n = 0; n < kept.size(); ++n)
      if (kept[n]) node_of_.emplace(static_cast<int>(n), size("nodes") + node_of_.size());
    for (const auto& [n, number] : node_of_) {
      const Node& node = character.nodes[n];
      document_["nodes"].push_back({{"name", node.name},
                                    {"translation", json_array(node.local.translation)},
                                    {"rotation", json_array(node.local.rotation.coeffs())},
                                    {"scale", json_array(node.local.scale)}});
    }
    for (const auto& [n, number] : node_of_) {
      const int parent = character.nodes[n].parent;
      if (parent < 0)
        roots_.push_back(number);
      else
        document_["nodes"][node_of_.at(parent)]["children"].push_back(number);
    }
  }

  void add_skin(const Skin& skin) {
    std::vector<float> matrices;
    for (const Mat4& m : skin.inverse_bind)
      for (double x : m.reshaped()) matrices.push_back(static_cast<float>(x));
    Json joints = Json::array();
    for (int joint : skin.joints) joints.push_back(node_of_.at(joint));
    document_["skins"].push_back(
        {{"joints", joints}, {"inverseBindMatrices", add_floats(matrices, "MAT4", 16)}});
  }

  static const char* path_name(TrackPath path) {
    return path == TrackPath::Translation ? "translation"
           : path == TrackPath::Rotation  ? "rotation"
                                          : "scale";
  }
  bool moves_joint(const Track& track) const {
    return track.path != TrackPath::MorphWeights && node_of_.contains(track.node);
  }
  void add_channel(Json& samplers, Json& channels, const Track& track, std::size_t input,
                   const std::vector<float>& values, const char* interpolation) {
    const bool turns = track.path == TrackPath::Rotation;
    samplers.push_back({{"input", input},
                        {"output", add_floats(values, turns ? "VEC4" : "VEC3", turns ? 4 : 3)},
                        {"interpolation", interpolation}});
    channels.push_back({{"sampler", samplers.size() - 1},
                        {"target", {{"node", node_of_.at(track.node)}, {"path", path_name(track.path)}}}});
  }

  /// The joints go with the meshes: from the first frame to the last, with a key for each.
  void add_shot(const Clip& clip) {
    if (surroundings_.times.empty()) return;
    const double shift = std::max(0.0, -surroundings_.times.front());  // as GlbWriter moves its keys
    std::vector<float> times;
    for (double t : surroundings_.times) times.push_back(static_cast<float>(t + shift));
    std::optional<std::size_t> input;
    for (const Track& track : clip.tracks) {
      if (!moves_joint(track)) continue;
      if (!input) input = add_times(times);
      std::vector<double> value(component_count(track));
      std::vector<float> values;
      for (double t : surroundings_.times) {
        sample(track, t, value);
        values.insert(values.end(), value.begin(), value.end());
      }
      add_channel(shot_samplers_, shot_channels_, track, *input, values, "LINEAR");
    }
  }

  Json animation_of(const Clip& clip) {
    Json samplers = Json::array(), channels = Json::array();
    for (const Track& track : clip.tracks) {
      if (!moves_joint(track)) continue;
      const char* interpolation = track.interpolation == Interpolation::Step     ? "STEP"
                                  : track.interpolation == Interpolation::Linear ? "LINEAR"
                                                                                 : "CUBICSPLINE";
      const std::vector<float> times(track.times.begin(), track.times.end());
      add_channel(samplers, channels, track, add_times(times), {track.values.begin(), track.values.end()},
                  interpolation);
    }
    return {{"name", clip.name}, {"samplers", samplers}, {"channels", channels}};
  }
};

/// Appends the binary part of a GLB, filled up to four bytes, a piece at a time.
void copy_binary(const fs::path& from, const GlbHead& head, AtomicFile& to) {
  constexpr std::uint64_t kPiece = 1 << 20;
  std::ifstream in(from, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(head.binary_begin));
  Bytes piece;
  for (std::uint64_t left = head.binary_size; left > 0; left -= piece.size()) {
    piece.resize(std::min(left, kPiece));
    if (!in.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size())))
      throw IoError(fmt::format("{}: cannot be read", from.string()));
    to.write(piece);
  }
  to.write(Bytes(padded(head.binary_size) - head.binary_size));
}

}  // namespace

void assemble_glb(const fs::path& path, const std::vector<fs::path>& parts,
                  const GlbSurroundings& surroundings) {
  Assembly assembly(surroundings);
  std::vector<GlbHead> heads;
  std::uint64_t size = 0;
  for (const fs::path& part : parts) {
    GlbHead& head = heads.emplace_back(read_glb_head(part));
    assembly.add_part(std::exchange(head.document, {}), padded(head.binary_size));
    size += padded(head.binary_size);
  }
  assembly.finish();
  Bytes extra = assembly.extra();
  extra.resize(padded(extra.size()));
  const Bytes head = glb_head(assembly.text(), size + extra.size());
  if (head.size() + size + extra.size() >= glb_size_limit)
    throw InputError(fmt::format(
        "{}: would take {:.1f} GiB, and a GLB ends at 4; write a PC2 or MDD instead, or fewer frames",
        path.string(), static_cast<double>(size + extra.size()) / (1ull << 30)));
  AtomicFile file(path);
  file.write(head);
  for (std::size_t i = 0; i < parts.size(); ++i) copy_binary(parts[i], heads[i], file);
  file.write(extra);
  file.commit();
}

}  // namespace cutis
