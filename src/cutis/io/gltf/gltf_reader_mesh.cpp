#include "cutis/io/gltf/gltf_reader_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "cutis/core/one_line.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

bool has_triangles(const tinygltf::Primitive& primitive) {
  return primitive.mode >= TINYGLTF_MODE_TRIANGLES && primitive.mode <= TINYGLTF_MODE_TRIANGLE_FAN;
}

std::optional<int> find(const std::map<std::string, int>& attributes, const std::string& name) {
  const auto it = attributes.find(name);
  return it == attributes.end() ? std::nullopt : std::optional(it->second);
}

/// Puts the primitives of one mesh together.
class MeshBuilder {
 public:
  MeshBuilder(const GltfFile& file, std::size_t index, std::size_t joint_count)
      : file_(file), mesh_(file.model().meshes[index]), joint_count_(joint_count) {
    name_ = mesh_.name.empty() ? fmt::format("mesh {}", index) : fmt::format("mesh \"{}\"", mesh_.name);
  }

  MeshInstance build() {
    for (std::size_t p = 0; p < mesh_.primitives.size(); ++p) {
      place_ = fmt::format("{}, primitive {}", name_, p);
      add(mesh_.primitives[p]);
    }
    if (unskinned_ > 0 && unskinned_ == result_.mesh.vertex_count()) {
      file_.warn(name_, "hangs on a skin but has no joint weights; it follows its node");
      result_.influences = {};
    }
    for (VertexAttribute& attribute : result_.attributes)
      attribute.values.resize(result_.mesh.vertex_count() * attribute.components, 0);
    set_morph_weights();
    turn_uvs();
    say_what_was_repaired();
    return std::move(result_);
  }

 private:
  using VertexKey = std::pair<std::map<std::string, int>, std::vector<std::map<std::string, int>>>;

  const GltfFile& file_;
  const tinygltf::Mesh& mesh_;
  std::size_t joint_count_;
  std::string name_, place_;
  MeshInstance result_;
  std::map<VertexKey, std::size_t> first_vertex_of_;  ///< primitives that share vertices in the file
  std::vector<Vec2> uvs_;                             ///< one per vertex
  bool first_primitive_ = true;
  std::size_t with_uvs_ = 0, other_primitives_ = 0, unskinned_ = 0, unnormalized_ = 0, weightless_ = 0,
              astray_ = 0;
  int largest_joint_ = 0;  ///< that a vertex hangs on with some weight

  std::string part(const std::string& name) const { return place_ + ", " + name; }

  void add(const tinygltf::Primitive& primitive) {
    if (!has_triangles(primitive)) {
      ++other_primitives_;
      return;
    }
    const auto position = find(primitive.attributes, "POSITION");
    if (!position) file_.fail(place_, "has no POSITION");
    const std::size_t count = file_.count(*position, part("POSITION"));
    const auto [known, fresh] =
        first_vertex_of_.try_emplace({primitive.attributes, primitive.targets}, result_.mesh.vertex_count());
    if (fresh) add_vertices(primitive, *position, count);
    const std::size_t faces_before = result_.mesh.face_count();
    add_faces(primitive, known->second, count);
    add_material(primitive.material, faces_before);
  }

  /// Of the faces that were added last.
  void add_material(int material, std::size_t faces_before) {
    FaceGroups& groups = result_.materials;
    const auto& materials = file_.model().materials;
    const bool known = material >= 0 && static_cast<std::size_t>(material) < materials.size();
    if (!known && groups.empty()) return;
    groups.of_face.resize(faces_before, -1);
    std::int32_t group = -1;
    if (known) {
      const std::string& name = materials[static_cast<std::size_t>(material)].name;
      group = groups.number(name.empty() ? fmt::format("material_{}", material) : name);
    }
    groups.of_face.resize(result_.mesh.face_count(), group);
  }

  std::vector<double> attribute(int accessor, std::size_t components, std::size_t count,
                                const std::string& name) const {
    if (file_.count(accessor, part(name)) != count)
      file_.fail(part(name), fmt::format("has {} elements where POSITION has {}",
                                         file_.count(accessor, part(name)), count));
    return file_.numbers(accessor, components, part(name));
  }

  std::vector<double> positions(int accessor, std::size_t count, const std::string& name) const {
    std::vector<double> values = attribute(accessor, 3, count, name);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::abs(values[i]) > largest_coordinate)
        file_.fail(part(name), fmt::format("element {} has a coordinate {}, beyond {:g}; look at its scale",
                                           i / 3, values[i], largest_coordinate));
    return values;
  }

  void add_vertices(const tinygltf::Primitive& primitive, int position, std::size_t count) {
    if (count > std::numeric_limits<std::int32_t>::max() / 4 - result_.mesh.vertex_count())
      file_.fail(place_, "has too many vertices");
    const std::vector<double> p = positions(position, count, "POSITION");
    for (std::size_t v = 0; v < count; ++v)
      result_.mesh.positions.push_back(Vec3(p[3 * v], p[3 * v + 1], p[3 * v + 2]));
    add_uvs(primitive, count);
    add_morphs(primitive, count);
    if (joint_count_ > 0) add_influences(primitive, count);
    for (const auto& [name, accessor] : primitive.attributes)
      if (name == "COLOR_0" || name.starts_with('_')) add_attribute(name, accessor, count);
    first_primitive_ = false;
  }

  void add_uvs(const tinygltf::Primitive& primitive, std::size_t count) {
    const auto accessor = find(primitive.attributes, "TEXCOORD_0");
    if (accessor) {
      const std::vector<double> uv = attribute(*accessor, 2, count, "TEXCOORD_0");
      // glTF counts v downwards from the top of the picture.
      for (std::size_t v = 0; v < count; ++v) uvs_.emplace_back(uv[2 * v], 1 - uv[2 * v + 1]);
      with_uvs_ += count;
    } else {
      uvs_.resize(uvs_.size() + count, Vec2::Zero());
    }
  }

  /// Vertex colours and custom attributes. Vertices of primitives that lack one have zeros.
  void add_attribute(const std::string& name, int accessor, std::size_t count) {
    file_.count(accessor, part(name));  // there is such an accessor
    const int type = file_.model().accessors[static_cast<std::size_t>(accessor)].type;
    const int components = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type));
    const bool is_color = name == "COLOR_0";
    if (components < 1 || (is_color && components != 3 && components != 4))
      file_.fail(part(name), "has elements of a kind that cannot be");
    const std::size_t from = static_cast<std::size_t>(components), to = is_color ? 4 : from;
    const std::vector<double> values = attribute(accessor, from, count, name);
    VertexAttribute& attribute = attribute_called(is_color ? vertex_color_name : name, to);
    if (attribute.components != to) {
      file_.warn(part(name),
                 fmt::format("has {} numbers a vertex where the primitives before it have {}; left out", to,
                             attribute.components));
      return;
    }
    attribute.values.resize((result_.mesh.vertex_count() - count) * to, 0);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t k = 0; k < to; ++k) attribute.values.push_back(k < from ? values[v * from + k] : 1);
  }

  VertexAttribute& attribute_called(const std::string& name, std::size_t components) {
    for (VertexAttribute& attribute : result_.attributes)
      if (attribute.name == name) return attribute;
    return result_.attributes.emplace_back(VertexAttribute{name, components, {}});
  }

  void add_morphs(const tinygltf::Primitive& primitive, std::size_t count) {
    auto& morphs = result_.morphs;
    if (first_primitive_) morphs.resize(primitive.targets.size());
    if (primitive.targets.size() != morphs.size())
      file_.fail(place_, fmt::format("has {} morph targets where the primitives before it have {}",
                                     primitive.targets.size(), morphs.size()));
    for (std::size_t t = 0; t < morphs.size(); ++t) {
      const auto accessor = find(primitive.targets[t], "POSITION");
      std::vector<double> d;
      const std::string name = fmt::format("morph target {}, POSITION", t);
      if (accessor)
        d = positions(*accessor, count, name);
      else
        file_.spend(count, 3, part(name));
      for (std::size_t v = 0; v < count; ++v)
        morphs[t].offsets.push_back(d.empty() ? Vec3::Zero() : Vec3(d[3 * v], d[3 * v + 1], d[3 * v + 2]));
    }
  }

  void add_influences(const tinygltf::Primitive& primitive, std::size_t count) {
    std::vector<std::vector<int>> joints;
    std::vector<std::vector<double>> weights;
    for (int set = 0; find(primitive.attributes, fmt::format("JOINTS_{}", set)); ++set) {
      const std::string joints_name = fmt::format("JOINTS_{}", set),
                        weights_name = fmt::format("WEIGHTS_{}", set);
      const auto accessor = find(primitive.attributes, weights_name);
      if (!accessor) file_.fail(place_, fmt::format("has {} but no {}", joints_name, weights_name));
      const int joint_accessor = *find(primitive.attributes, joints_name);
      if (file_.count(joint_accessor, part(joints_name)) != count)
        file_.fail(part(joints_name), fmt::format("does not have {} elements, as POSITION has", count));
      joints.push_back(file_.indices(joint_accessor, 4, std::numeric_limits<int>::max(), part(joints_name)));
      weights.push_back(attribute(*accessor, 4, count, weights_name));
    }
    if (joints.empty()) unskinned_ += count;
    for (std::size_t v = 0; v < count; ++v) add_influence(v, joints, weights);
  }

  void add_influence(std::size_t v, const std::vector<std::vector<int>>& joints,
                     const std::vector<std::vector<double>>& weights) {
    Influences& all = result_.influences;
    if (all.offsets.empty()) all.offsets.push_back(0);
    const std::size_t first = all.weights.size();
    double sum = 0;
    bool negative = false, astray = false;
    for (std::size_t set = 0; set < joints.size(); ++set)
      for (std::size_t i = 4 * v; i < 4 * v + 4; ++i) {
        negative |= weights[set][i] < 0;
        if (!(weights[set][i] > 0)) continue;
        // A joint that carries no weight may be anything: exporters leave rubbish there.
        if (static_cast<std::size_t>(joints[set][i]) >= joint_count_) {
          largest_joint_ = std::max(largest_joint_, joints[set][i]);
          astray = true;
          continue;
        }
        all.joints.push_back(joints[set][i]);
        all.weights.push_back(weights[set][i]);
        sum += weights[set][i];
      }
    astray_ += astray;
    if (sum > 0) {
      for (std::size_t k = first; k < all.weights.size(); ++k) all.weights[k] /= sum;
      if (!astray && (negative || std::abs(sum - 1) > 1e-3)) ++unnormalized_;
    } else {
      all.joints.push_back(0);
      all.weights.push_back(1);
      if (!joints.empty() && !astray) ++weightless_;
    }
    all.offsets.push_back(static_cast<std::int32_t>(all.weights.size()));
  }

  void add_faces(const tinygltf::Primitive& primitive, std::size_t first_vertex, std::size_t count) {
    std::vector<int> corners;
    if (primitive.indices >= 0) {
      corners = file_.indices(primitive.indices, 1, count, part("indices"));
    } else {
      file_.spend(count, 1, place_);
      for (std::size_t v = 0; v < count; ++v) corners.push_back(static_cast<int>(v));
    }
    const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c, bool stitched) {
      const int i = corners[a], j = corners[b], k = corners[c];
      // Strips and fans are stitched together with triangles that have no area.
      if (stitched && (i == j || j == k || k == i)) return;
      const SourceVertexId face[3] = {SourceVertexId(first_vertex + i), SourceVertexId(first_vertex + j),
                                      SourceVertexId(first_vertex + k)};
      result_.mesh.add_face(face);
    };
    const std::size_t n = corners.size();
    if (primitive.mode == TINYGLTF_MODE_TRIANGLES) {
      if (n % 3 != 0) file_.fail(part("indices"), fmt::format("{} corners do not make whole triangles", n));
      for (std::size_t i = 0; i + 2 < n; i += 3) triangle(i, i + 1, i + 2, false);
    } else if (primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP) {
      for (std::size_t i = 0; i + 2 < n; ++i) triangle(i, i + 1 + i % 2, i + 2 - i % 2, true);
    } else {
      for (std::size_t i = 1; i + 1 < n; ++i) triangle(i, i + 1, 0, true);
    }
  }

  void set_morph_weights() {
    result_.morph_weights =
        mesh_.weights.empty() ? std::vector<double>(result_.morphs.size(), 0) : mesh_.weights;
    if (result_.morph_weights.size() != result_.morphs.size())
      file_.fail(name_ + ", weights", fmt::format("has {} numbers for {} morph targets",
                                                  result_.morph_weights.size(), result_.morphs.size()));
    for (std::size_t t = 0; t < result_.morphs.size(); ++t) {
      result_.morphs[t].name = fmt::format("morph_{}", t);
      if (!mesh_.extras.IsObject() || !mesh_.extras.Has("targetNames")) continue;
      const tinygltf::Value& names = mesh_.extras.Get("targetNames");
      if (names.IsArray() && t < names.ArrayLen() && names.Get(t).IsString())
        result_.morphs[t].name = names.Get(t).Get<std::string>();
    }
  }

  /// From one texture coordinate per vertex to one per corner.
  void turn_uvs() {
    if (with_uvs_ == 0) return;
    if (with_uvs_ < uvs_.size())
      file_.warn(name_, fmt::format("{} of {} vertices have no texture coordinates; they get (0, 0)",
                                    uvs_.size() - with_uvs_, uvs_.size()));
    result_.mesh.uvs.reserve(result_.mesh.corner_count());
    for (SourceVertexId v : result_.mesh.corners) result_.mesh.uvs.push_back(uvs_[v.index()]);
  }

  void repaired(const std::string& what) {
    result_.repairs.push_back(fmt::format("{}: {}", one_line(name_), what));
  }

  void say_what_was_repaired() {
    const std::size_t n = result_.mesh.vertex_count();
    if (other_primitives_ > 0)
      file_.warn(name_, fmt::format("{} primitives of points or lines left out", other_primitives_));
    if (unskinned_ > 0 && unskinned_ < n)
      repaired(fmt::format("{} of {} vertices have no joint weights; they follow the skin's first joint",
                           unskinned_, n));
    if (astray_ > 0)
      repaired(
          fmt::format("{} of {} vertices hang on joints that its skin does not have (up to joint {} of {}); "
                      "those weights are left out, and who has no other follows the skin's first joint",
                      astray_, n, largest_joint_, joint_count_));
    if (unnormalized_ > 0)
      repaired(fmt::format("{} of {} vertices had joint weights that did not sum to one; normalised",
                           unnormalized_, n));
    if (weightless_ > 0)
      repaired(
          fmt::format("{} of {} vertices had joint weights of zero only; they follow the skin's "
                      "first joint",
                      weightless_, n));
  }
};

}  // namespace

MeshInstance read_gltf_mesh(const GltfFile& file, std::size_t mesh, std::size_t joint_count) {
  return MeshBuilder(file, mesh, joint_count).build();
}

}  // namespace cutis
