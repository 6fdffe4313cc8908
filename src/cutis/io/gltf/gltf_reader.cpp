#include "cutis/io/gltf/gltf_reader.h"

#include <cmath>
#include <map>
#include <new>
#include <set>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "cutis/body/rig/clip.h"
#include "cutis/body/rig/pose.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf/gltf_reader_file.h"
#include "cutis/io/gltf/gltf_reader_mesh.h"

namespace cutis {
namespace {

std::string called(const char* kind, std::size_t index, const std::string& name) {
  return name.empty() ? fmt::format("{} {}", kind, index) : fmt::format("{} {} \"{}\"", kind, index, name);
}

/// Gives out names that are not empty and not taken.
class Names {
 public:
  /// `wanted`, or else `other`, or else `wanted` (or `last_resort`) with a number.
  std::string unique(const std::string& wanted, const std::string& other, const std::string& last_resort) {
    for (const std::string& name : {wanted, other})
      if (!name.empty() && taken_.insert(name).second) return name;
    const std::string base = !wanted.empty() ? wanted : !other.empty() ? other : last_resort;
    std::string name = base;
    // Thousands may ask for one name, so the search goes on where it ended.
    for (int& i = next_.try_emplace(base, 2).first->second; !taken_.insert(name).second; ++i)
      name = fmt::format("{}_{}", base, i);
    return name;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> next_;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path), model_(file_.model()) {
    character_.name = path.stem().string();
  }

  Character read() {
    read_nodes();
    for (std::size_t s = 0; s < model_.skins.size(); ++s) read_skin(s);
    read_meshes();
    Names names;
    for (std::size_t a = 0; a < model_.animations.size(); ++a) read_clip(a, names);
    return std::move(character_);
  }

 private:
  GltfFile file_;
  const tinygltf::Model& model_;
  Character character_;

  void read_nodes() {
    character_.nodes.resize(model_.nodes.size());
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) read_transform(n);
    for (std::size_t n = 0; n < model_.nodes.size(); ++n)
      for (int child : model_.nodes[n].children) {
        const std::string place = called("node", n, model_.nodes[n].name);
        int& parent = character_.nodes[file_.checked(child, model_.nodes.size(), place, "node")].parent;
        if (parent >= 0)
          file_.fail(place, fmt::format("its child, node {}, has another parent already", child));
        parent = static_cast<int>(n);
      }
    try {
      parents_first(character_.nodes);
    } catch (const InputError& e) {
      file_.fail("nodes", e.what());
    }
  }

  void check_numbers(const std::vector<double>& values, std::size_t size, const std::string& place) const {
    if (values.size() != size)
      file_.fail(place, fmt::format("has {} numbers; {} expected", values.size(), size));
    for (double v : values)
      if (!std::isfinite(v)) file_.fail(place, "holds a number that is not finite");
  }

  void read_transform(std::size_t n) {
    const tinygltf::Node& from = model_.nodes[n];
    Node& node = character_.nodes[n];
    node.name = from.name;
    const std::string place = called("node", n, from.name);
    if (!from.matrix.empty()) {
      check_numbers(from.matrix, 16, place + ", matrix");
      node.has_matrix = true;
      node.matrix = Eigen::Map<const Mat4>(from.matrix.data());
      check_affine(node.matrix, place + ", matrix");
      node.local = decompose(node.matrix);
    }
    if (!from.translation.empty()) {
      check_numbers(from.translation, 3, place + ", translation");
      node.local.translation = Vec3(from.translation.data());
    }
    if (!from.scale.empty()) {
      check_numbers(from.scale, 3, place + ", scale");
      node.local.scale = Vec3(from.scale.data());
    }
    if (!from.rotation.empty()) {
      check_numbers(from.rotation, 4, place + ", rotation");
      node.local.rotation = unit(Vec4(from.rotation.data()), place + ", rotation");
    }
  }

  Quat unit(const Vec4& xyzw, const std::string& place) const {
    if (!(xyzw.norm() > 1e-6)) file_.fail(place, "is a quaternion of zeros; a unit quaternion expected");
    return Quat(xyzw.normalized());
  }

  /// A last row that is not 0 0 0 1 would be a projection; rounding is wiped off.
  void check_affine(Mat4& m, const std::string& place) const {
    if (!(m.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).isZero(1e-4))
      file_.fail(place, "its last row is not 0 0 0 1; matrices must be affine");
    m.row(3) << 0, 0, 0, 1;
  }

  void read_skin(std::size_t s) {
    const tinygltf::Skin& from = model_.skins[s];
    const std::string place = called("skin", s, from.name);
    Skin skin;
    for (int joint : from.joints) {
      file_.checked(joint, model_.nodes.size(), place + ", joints", "node");
      skin.joints.push_back(joint);
    }
    if (skin.joints.empty()) file_.fail(place, "has no joints");
    skin.inverse_bind.resize(skin.joints.size(), Mat4::Identity());
    if (from.inverseBindMatrices >= 0) {
      const std::string matrices = place + ", inverseBindMatrices";
      const std::vector<double> m = file_.numbers(from.inverseBindMatrices, 16, matrices);
      if (m.size() < 16 * skin.joints.size())
        file_.fail(matrices, fmt::format("has {} matrices for {} joints", m.size() / 16, skin.joints.size()));
      for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        skin.inverse_bind[j] = Eigen::Map<const Mat4>(m.data() + 16 * j);
        check_affine(skin.inverse_bind[j], fmt::format("{}, matrix {}", matrices, j));
      }
    }
    character_.skins.push_back(std::move(skin));
  }

  void read_meshes() {
    Names names;
    std::vector<bool> placed(model_.meshes.size(), false);
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      const tinygltf::Node& node = model_.nodes[n];
      if (node.mesh < 0) continue;
      placed[file_.checked(node.mesh, model_.meshes.size(), called("node", n, node.name), "mesh")] = true;
      MeshInstance instance = read_instance(n);
      if (instance.mesh.face_count() == 0) {
        file_.warn(called("mesh", static_cast<std::size_t>(node.mesh), model_.meshes[node.mesh].name),
                   "has no triangles; left out");
        continue;
      }
      instance.name =
          names.unique(model_.meshes[node.mesh].name, node.name, fmt::format("mesh_{}", node.mesh));
      character_.meshes.push_back(std::move(instance));
    }
    for (std::size_t m = 0; m < placed.size(); ++m)
      if (!placed[m]) file_.warn(called("mesh", m, model_.meshes[m].name), "no node carries it; left out");
    if (character_.meshes.empty()) file_.fail("meshes", "no node carries a mesh of triangles");
  }

  MeshInstance read_instance(std::size_t n) {
    const tinygltf::Node& node = model_.nodes[n];
    const std::string place = called("node", n, node.name);
    std::size_t joints = 0;
    if (node.skin >= 0)
      joints = character_.skins[file_.checked(node.skin, model_.skins.size(), place, "skin")].joints.size();
    MeshInstance instance = read_gltf_mesh(file_, static_cast<std::size_t>(node.mesh), joints);
    instance.node = static_cast<int>(n);
    instance.skin = instance.influences.empty() ? -1 : node.skin;
    if (!node.weights.empty()) {
      check_numbers(node.weights, instance.morphs.size(), place + ", weights");
      instance.morph_weights = node.weights;
    }
    return instance;
  }

  void read_clip(std::size_t a, Names& names) {
    const tinygltf::Animation& from = model_.animations[a];
    Clip clip;
    for (std::size_t c = 0; c < from.channels.size(); ++c) {
      const std::string place = fmt::format("{}, channel {}", called("animation", a, from.name), c);
      const tinygltf::AnimationChannel& channel = from.channels[c];
      if (channel.target_node < 0) continue;
      const std::size_t node = file_.checked(channel.target_node, model_.nodes.size(), place, "node");
      const std::size_t s = file_.checked(channel.sampler, from.samplers.size(), place, "sampler");
      Track track;
      track.node = static_cast<int>(node);
      const std::size_t components = read_path(channel.target_path, node, place, track.path);
      if (components == 0) continue;
      read_sampler(from.samplers[s], components, place, track);
      clip.tracks.push_back(std::move(track));
    }
    clip.name = names.unique(from.name, "", fmt::format("clip_{}", a));
    if (clip.tracks.empty()) {
      file_.warn(called("animation", a, from.name), "moves nothing that Cutis reads; left out");
      return;
    }
    character_.clips.push_back(std::move(clip));
  }

  /// Numbers a key, or zero (with a word) when the channel moves nothing that is known.
  std::size_t read_path(const std::string& name, std::size_t node, const std::string& place,
                        TrackPath& path) const {
    if (name == "translation" || name == "scale") {
      path = name == "scale" ? TrackPath::Scale : TrackPath::Translation;
      return 3;
    }
    if (name == "rotation") {
      path = TrackPath::Rotation;
      return 4;
    }
    path = TrackPath::MorphWeights;
    if (name == "weights")
      for (const MeshInstance& instance : character_.meshes)
        if (instance.node == static_cast<int>(node) && !instance.morphs.empty())
          return instance.morphs.size();
    file_.warn(place, fmt::format("moves \"{}\" of node {}, which it does not have; left out", name, node));
    return 0;
  }

  void read_sampler(const tinygltf::AnimationSampler& sampler, std::size_t components,
                    const std::string& place, Track& track) const {
    if (sampler.interpolation == "STEP")
      track.interpolation = Interpolation::Step;
    else if (sampler.interpolation == "CUBICSPLINE")
      track.interpolation = Interpolation::CubicSpline;
    else if (sampler.interpolation != "LINEAR")
      file_.fail(place, fmt::format("unknown interpolation \"{}\"; STEP, LINEAR or CUBICSPLINE expected",
                                    sampler.interpolation));
    track.times = file_.numbers(sampler.input, 1, place + ", input");
    if (track.times.empty()) file_.fail(place + ", input", "has no keys");
    for (std::size_t k = 1; k < track.times.size(); ++k)
      if (track.times[k] < track.times[k - 1])
        file_.fail(place + ", input", fmt::format("key {} at {} s comes before key {} at {} s", k,
                                                  track.times[k], k - 1, track.times[k - 1]));
    // Weights are stored as single numbers, everything else as vectors.
    track.values = file_.numbers(sampler.output, track.path == TrackPath::MorphWeights ? 1 : components,
                                 place + ", output");
    const std::size_t expected =
        track.times.size() * components * (track.interpolation == Interpolation::CubicSpline ? 3 : 1);
    if (track.values.size() != expected)
      file_.fail(place + ", output", fmt::format("has {} numbers; {} keys need {}", track.values.size(),
                                                 track.times.size(), expected));
    check_rotations(track, place);
  }

  void check_rotations(const Track& track, const std::string& place) const {
    if (track.path != TrackPath::Rotation) return;
    const bool cubic = track.interpolation == Interpolation::CubicSpline;
    for (std::size_t k = 0; k < track.times.size(); ++k)
      unit(Vec4(track.values.data() + 4 * (cubic ? 3 * k + 1 : k)),
           fmt::format("{}, output, key {}", place, k));
  }
};

}  // namespace

Character read_gltf(const std::filesystem::path& path) {
  try {
    return Reader(path).read();
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: needs more memory than there is", path.string()));
  }
}

}  // namespace cutis
