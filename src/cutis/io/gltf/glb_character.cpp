#include "cutis/io/gltf/glb_character.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/gltf/glb_format.h"
#include "cutis/io/gltf/glb_mesh.h"
#include "cutis/io/mesh/smooth_normals.h"

namespace cutis {
namespace {

using Json = nlohmann::json;

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// One vector of each vertex, those of the copies too.
template <class Vectors>
std::vector<float> vertex_floats(const GlbMesh& mesh, const Vectors& of_source) {
  std::vector<float> result;
  for (SourceVertexId v : mesh.source_of)
    for (int i = 0; i < 3; ++i) result.push_back(static_cast<float>(of_source[v][i]));
  return result;
}

/// Four joints and their weights of each vertex; a vertex with more goes on in the next set.
struct InfluenceSet {
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

std::vector<InfluenceSet> influence_sets(const GlbMesh& mesh, const Influences& influences) {
  std::int32_t most = 0;
  for (std::size_t v = 0; v + 1 < influences.offsets.size(); ++v)
    most = std::max(most, influences.offsets[v + 1] - influences.offsets[v]);
  std::vector<InfluenceSet> sets(static_cast<std::size_t>(most + 3) / 4);
  for (SourceVertexId v : mesh.source_of) {
    std::size_t next = static_cast<std::size_t>(influences.offsets[v.index()]);
    const std::size_t end = static_cast<std::size_t>(influences.offsets[v.index() + 1]);
    for (InfluenceSet& set : sets)
      for (int i = 0; i < 4; ++i, ++next) {
        set.joints.push_back(next < end ? static_cast<std::uint16_t>(influences.joints[next]) : 0);
        set.weights.push_back(next < end ? static_cast<float>(influences.weights[next]) : 0);
      }
  }
  return sets;
}

/// Builds the JSON part and the binary part side by side.
class CharacterDocument {
 public:
  explicit CharacterDocument(const Character& character) : character_(character) {
    for (const Skin& skin : character.skins) add_skin(skin);
    add_nodes();
    for (const MeshInstance& instance : character.meshes) add_mesh(instance);
    for (const Clip& clip : character.clips)
      if (!clip.tracks.empty()) add_clip(clip);
    document_["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
  }
  std::string text() const { return glb_text(document_); }
  const Bytes& binary() const { return binary_; }

 private:
  const Character& character_;
  Json document_ = new_glb_document();
  Bytes binary_;

  /// Stores numbers, `width` of them an element, and returns their accessor.
  template <class T>
  std::size_t add_numbers(const std::vector<T>& values, int component, const char* type, std::size_t width,
                          int target = 0) {
    Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", values.size() * sizeof(T)}};
    if (target) view["target"] = target;
    for (T value : values) append(binary_, value, std::endian::little);
    document_["bufferViews"].push_back(view);
    document_["accessors"].push_back({{"bufferView", document_["bufferViews"].size() - 1},
                                      {"componentType", component},
                                      {"count", values.size() / width},
                                      {"type", type}});
    return document_["accessors"].size() - 1;
  }
  std::size_t add_scalars(const std::vector<float>& values) {
    return add_numbers(values, gltf_float, "SCALAR", 1);
  }
  std::size_t add_vectors(const std::vector<float>& values) {
    return add_numbers(values, gltf_float, "VEC3", 3, gltf_array_buffer);
  }
  /// The specification wants bounds of positions and of key times.
  std::size_t with_bounds(std::size_t accessor, const std::vector<float>& values, std::size_t width) {
    std::vector<float> least(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)),
        most = least;
    for (std::size_t i = width; i < values.size(); ++i) {
      least[i % width] = std::min(least[i % width], values[i]);
      most[i % width] = std::max(most[i % width], values[i]);
    }
    document_["accessors"][accessor]["min"] = json_array(least);
    document_["accessors"][accessor]["max"] = json_array(most);
    return accessor;
  }
  std::size_t add_positions(const std::vector<float>& values) {
    return with_bounds(add_vectors(values), values, 3);
  }

  void add_skin(const Skin& skin) {
    std::vector<float> matrices;
    for (const Mat4& m : skin.inverse_bind)
      for (double x : m.reshaped()) matrices.push_back(static_cast<float>(x));
    document_["skins"].push_back(
        {{"joints", skin.joints}, {"inverseBindMatrices", add_numbers(matrices, gltf_float, "MAT4", 16)}});
  }

  void add_nodes() {
    Json nodes = Json::array(), roots = Json::array();
    for (const Node& node : character_.nodes)
      nodes.push_back({{"name", node.name},
                       {"translation", json_array(node.local.translation)},
                       {"rotation", json_array(node.local.rotation.coeffs())},
                       {"scale", json_array(node.local.scale)}});
    for (std::size_t n = 0; n < character_.nodes.size(); ++n) {
      const int parent = character_.nodes[n].parent;
      (parent < 0 ? roots : nodes[static_cast<std::size_t>(parent)]["children"]).push_back(n);
    }
    document_["nodes"] = std::move(nodes);
    document_["scenes"] = Json::array({{{"nodes", roots}}});
  }

  void add_mesh(const MeshInstance& instance) {
    const GlbMesh mesh(instance.mesh);
    if (mesh.indices.empty())
      throw InputError(fmt::format("the mesh \"{}\" has no faces that glTF can hold", instance.name));
    Json primitive = {{"material", 0}, {"attributes", attributes_of(instance, mesh)}};
    primitive["indices"] = add_numbers(mesh.indices, gltf_uint32, "SCALAR", 1, gltf_element_array_buffer);
    Json names = Json::array();
    for (const MorphTarget& morph : instance.morphs) {
      primitive["targets"].push_back({{"POSITION", add_positions(vertex_floats(mesh, morph.offsets))}});
      names.push_back(morph.name);
    }
    Json& node = document_["nodes"][static_cast<std::size_t>(instance.node)];
    node["mesh"] = document_["meshes"].size();
    if (instance.skin >= 0) node["skin"] = instance.skin;
    Json result = {{"name", instance.name}, {"primitives", Json::array({primitive})}};
    if (!instance.morphs.empty()) {
      result["weights"] = json_array(instance.morph_weights);
      result["extras"]["targetNames"] = names;
    }
    document_["meshes"].push_back(result);
  }

  Json attributes_of(const MeshInstance& instance, const GlbMesh& mesh) {
    auto normals = smooth_normals(mesh.weld, instance.mesh.positions);
    for (Vec3& n : normals)
      if (n.isZero(0)) n = Vec3::UnitZ();
    Json attributes = {{"POSITION", add_positions(vertex_floats(mesh, instance.mesh.positions))},
                       {"NORMAL", add_vectors(vertex_floats(mesh, normals))}};
    if (instance.mesh.has_uvs()) {
      std::vector<float> uvs;
      for (const Vec2& uv : mesh.uvs(instance.mesh.uvs))
        for (double x : uv) uvs.push_back(static_cast<float>(x));
      attributes["TEXCOORD_0"] = add_numbers(uvs, gltf_float, "VEC2", 2, gltf_array_buffer);
    }
    const std::vector<InfluenceSet> sets = influence_sets(mesh, instance.influences);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      attributes[fmt::format("JOINTS_{}", i)] =
          add_numbers(sets[i].joints, gltf_uint16, "VEC4", 4, gltf_array_buffer);
      attributes[fmt::format("WEIGHTS_{}", i)] =
          add_numbers(sets[i].weights, gltf_float, "VEC4", 4, gltf_array_buffer);
    }
    return attributes;
  }

  void add_clip(const Clip& clip) {
    Json samplers = Json::array(), channels = Json::array();
    for (const Track& track : clip.tracks) {
      const std::vector<float> times = floats(track.times);
      samplers.push_back({{"input", with_bounds(add_scalars(times), times, 1)},
                          {"output", add_values(track)},
                          {"interpolation", interpolation_name(track.interpolation)}});
      channels.push_back({{"sampler", samplers.size() - 1},
                          {"target", {{"node", track.node}, {"path", path_name(track.path)}}}});
    }
    document_["animations"].push_back({{"name", clip.name}, {"samplers", samplers}, {"channels", channels}});
  }

  std::size_t add_values(const Track& track) {
    const std::vector<float> values = floats(track.values);
    switch (track.path) {
      case TrackPath::MorphWeights:
        return add_scalars(values);
      case TrackPath::Rotation:
        return add_numbers(values, gltf_float, "VEC4", 4);
      default:
        return add_numbers(values, gltf_float, "VEC3", 3);
    }
  }
  static const char* path_name(TrackPath path) {
    switch (path) {
      case TrackPath::Translation:
        return "translation";
      case TrackPath::Rotation:
        return "rotation";
      case TrackPath::Scale:
        return "scale";
      default:
        return "weights";
    }
  }
  static const char* interpolation_name(Interpolation interpolation) {
    switch (interpolation) {
      case Interpolation::Step:
        return "STEP";
      case Interpolation::Linear:
        return "LINEAR";
      default:
        return "CUBICSPLINE";
    }
  }
};

}  // namespace

void write_glb_character(const std::filesystem::path& path, const Character& character) {
  const CharacterDocument document(character);
  const Bytes head = glb_head(document.text(), document.binary().size());
  if (head.size() + document.binary().size() >= glb_size_limit)
    throw InputError(fmt::format("{}: would take more than the 4 GiB that a GLB can hold", path.string()));
  AtomicFile file(path);
  file.write(head);
  file.write(document.binary());
  file.commit();
}

}  // namespace cutis
