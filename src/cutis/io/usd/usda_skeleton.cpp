#include "cutis/io/usd/usda_skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/io/usd/usda_xform.h"

namespace cutis {
namespace {

/// The target of a relationship that holds for a prim and all below it: the nearest one counts.
std::string inherited_target(const std::vector<const UsdPrim*>& parents, const std::string& name) {
  for (auto prim = parents.rbegin(); prim != parents.rend(); ++prim) {
    const UsdAttribute* relation = find_attribute(**prim, name);
    if (relation && !relation->value.words.empty()) return relation->value.words[0];
  }
  return "";
}

const std::vector<std::string>& words(const UsdPrim& prim, const std::string& name) {
  static const std::vector<std::string> none;
  const UsdAttribute* attribute = find_attribute(prim, name);
  return attribute ? attribute->value.words : none;
}

/// A skeleton's joints among the nodes of a character.
struct Bones {
  int first_node = 0;
  std::vector<std::string> joints;  ///< paths such as "Hips/Spine"
  std::vector<Mat4> bind;           ///< in the skeleton's space
};

class SkeletonReader {
 public:
  SkeletonReader(const UsdRigSource& source, const UsdPlace& place, Character& character)
      : source_(source), place_(place), character_(character) {}

  Bones read() {
    bones_.joints = words(*place_.prim, "joints");
    if (bones_.joints.empty()) fail("joints", "missing; export the skeleton with its joints");
    bones_.bind = matrices("bindTransforms");
    if (bones_.bind.empty()) fail("bindTransforms", "missing; export the skeleton with its bind pose");
    for (std::size_t j = 0; j < bones_.bind.size(); ++j)
      if (const double d = bones_.bind[j].determinant(); !(std::abs(d) > 1e-300) || !std::isfinite(d))
        fail("bindTransforms", fmt::format("that of joint {} has no inverse", bones_.joints[j]));
    add_nodes(add_root());
    const std::string animation = inherited_target(place_.parents, "skel:animationSource");
    if (!animation.empty()) add_tracks(animation);
    return bones_;
  }

 private:
  const UsdRigSource& source_;
  const UsdPlace& place_;
  Character& character_;
  Bones bones_;

  [[noreturn]] void fail(const std::string& part, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: skeleton {}: {}: {}", source_.file, place_.prim->line,
                                 one_line(place_.path), one_line(part), one_line(what)));
  }

  /// One per joint, or none where the attribute is missing.
  std::vector<Mat4> matrices(const std::string& name) const {
    const UsdAttribute* attribute = find_attribute(*place_.prim, name);
    const std::vector<double> numbers = attribute ? attribute->value.numbers : std::vector<double>();
    if (!numbers.empty() && numbers.size() != 16 * bones_.joints.size())
      fail(name, fmt::format("has {} numbers for {} joints; 16 each expected", numbers.size(),
                             bones_.joints.size()));
    std::vector<Mat4> result;
    for (std::size_t i = 0; i < numbers.size(); i += 16) {
      result.emplace_back(Eigen::Map<const Mat4>(numbers.data() + i));  // USD multiplies rows
      if (!result.back().allFinite()) fail(name, fmt::format("number {} is not finite", i / 16));
    }
    return result;
  }

  /// Where the skeleton stands in the world.
  int add_root() {
    std::set<double> codes;
    for (const UsdPrim* prim : place_.parents) add_xform_times(*prim, codes);
    if (codes.size() > 1)
      fail("xformOpOrder", "the skeleton is moved as a whole; export that motion on its topmost joint");
    const double code = codes.empty() ? 0 : *codes.begin();
    add_node(place_.prim->name, -1, source_.to_metres * usd_placement(place_.parents, code, source_.file));
    return static_cast<int>(character_.nodes.size()) - 1;
  }
  void add_node(const std::string& name, int parent, const Mat4& matrix) {
    if (!matrix.allFinite()) fail(name, "a transform is not finite");
    Node& node = character_.nodes.emplace_back();
    node.name = name;
    node.parent = parent;
    node.local = decompose(matrix);
    node.has_matrix = true;
    node.matrix = matrix;
  }

  void add_nodes(int root) {
    bones_.first_node = root + 1;
    std::map<std::string, std::size_t> numbers;
    for (std::size_t j = 0; j < bones_.joints.size(); ++j)
      if (!numbers.emplace(bones_.joints[j], j).second)
        fail("joints", fmt::format("{} is there twice", bones_.joints[j]));
    const std::vector<Mat4> rest = matrices("restTransforms");
    for (std::size_t j = 0; j < bones_.joints.size(); ++j) {
      const std::size_t slash = bones_.joints[j].rfind('/');
      auto parent = numbers.end();
      for (std::size_t end = slash; end != std::string::npos && end > 0 && parent == numbers.end();
           end = bones_.joints[j].rfind('/', end - 1))
        parent = numbers.find(bones_.joints[j].substr(0, end));
      const bool top = parent == numbers.end();
      // Without a rest pose the bind pose is one.
      const Mat4 local = !rest.empty() ? rest[j]
                         : top         ? bones_.bind[j]
                                       : Mat4(bones_.bind[parent->second].inverse() * bones_.bind[j]);
      add_node(bones_.joints[j].substr(slash == std::string::npos ? 0 : slash + 1),
               top ? root : bones_.first_node + static_cast<int>(parent->second), local);
    }
  }

  void add_tracks(const std::string& path) {
    const auto at = source_.prims.find(path);
    if (at == source_.prims.end() || at->second.prim->type != "SkelAnimation")
      fail("skel:animationSource", fmt::format("there is no SkelAnimation at {} in this file", path));
    const UsdPrim& animation = *at->second.prim;
    const std::vector<std::string>& moved = words(animation, "joints");
    if (character_.clips.empty()) character_.clips.emplace_back().name = animation.name;
    for (const auto& [name, track, count] :
         {std::tuple{"translations", TrackPath::Translation, std::size_t(3)},
          std::tuple{"rotations", TrackPath::Rotation, std::size_t(4)},
          std::tuple{"scales", TrackPath::Scale, std::size_t(3)}}) {
      const UsdAttribute* attribute = find_attribute(animation, name);
      if (attribute) add_tracks(*attribute, path + "." + name, moved, track, count);
    }
    if (find_attribute(animation, "blendShapeWeights"))
      log().warn("{}: {}: blend shapes are left out; export them as points, or as glTF", source_.file,
                 one_line(path));
  }

  void add_tracks(const UsdAttribute& attribute, const std::string& name,
                  const std::vector<std::string>& moved, TrackPath path, std::size_t count) {
    std::map<double, const std::vector<double>*> keys;
    for (const auto& [code, sample] : attribute.samples)
      keys.emplace(code / source_.codes_a_second, &sample.numbers);
    if (keys.empty()) keys.emplace(0, &attribute.value.numbers);
    for (const auto& [time, numbers] : keys)
      if (!std::isfinite(time) || numbers->size() != count * moved.size() ||
          !std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); }))
        fail(name, fmt::format("at {} s there are not {} finite numbers for each of {} joints", time, count,
                               moved.size()));
    for (std::size_t m = 0; m < moved.size(); ++m) {
      const auto joint = std::find(bones_.joints.begin(), bones_.joints.end(), moved[m]);
      if (joint == bones_.joints.end()) continue;  // an animation may be for a larger skeleton
      Track& track = character_.clips.front().tracks.emplace_back();
      track.node = bones_.first_node + static_cast<int>(joint - bones_.joints.begin());
      track.path = path;
      for (const auto& [time, numbers] : keys) {
        track.times.push_back(time);
        const double* value = numbers->data() + count * m;
        if (path == TrackPath::Rotation)  // USD has the real part first
          track.values.insert(track.values.end(), {value[1], value[2], value[3], value[0]});
        else
          track.values.insert(track.values.end(), value, value + count);
      }
    }
  }
};

/// Joint weights of a mesh; `joints` are the ones that its indices count.
Influences read_influences(const UsdMeshReader& reader, std::size_t joints) {
  const std::string part = "primvars:skel:jointIndices";
  const std::vector<double> indices = reader.numbers(part),
                            weights = reader.numbers("primvars:skel:jointWeights");
  const UsdAttribute* attribute = find_attribute(*reader.place().prim, part);
  const bool rigid = attribute && usd_interpolation(*attribute) == "constant";
  const std::size_t points = reader.point_count(), rows = rigid ? 1 : points, each = indices.size() / rows;
  if (each == 0 || indices.size() != weights.size() || indices.size() % rows != 0)
    reader.fail(part, fmt::format("has {} numbers, jointWeights has {}; as many of both for each of {} "
                                  "points expected",
                                  indices.size(), weights.size(), points));
  if (each > std::numeric_limits<std::int32_t>::max() / points) reader.fail(part, "are too many");
  Influences result;
  result.offsets.push_back(0);
  for (std::size_t v = 0; v < points; ++v) {
    const std::size_t row = rigid ? 0 : v * each, first = result.weights.size();
    double sum = 0;
    for (std::size_t k = row; k < row + each; ++k) {
      const int joint = reader.index(indices[k], joints, part, k);
      if (!(weights[k] > 0) || !std::isfinite(weights[k])) continue;
      result.joints.push_back(joint);
      result.weights.push_back(weights[k]);
      sum += weights[k];
    }
    if (!(sum > 0) || !std::isfinite(sum))
      reader.fail("primvars:skel:jointWeights", fmt::format("those of point {} are all zero", v));
    for (std::size_t k = first; k < result.weights.size(); ++k) result.weights[k] /= sum;
    result.offsets.push_back(static_cast<std::int32_t>(result.weights.size()));
  }
  return result;
}

/// The skeleton's joints that the mesh's indices count: its own list, or all.
std::vector<int> joints_of(const UsdMeshReader& reader, const Bones& bones) {
  std::vector<int> joints;
  const std::vector<std::string>& own = words(*reader.place().prim, "skel:joints");
  for (const std::string& name : own.empty() ? bones.joints : own) {
    const auto at = std::find(bones.joints.begin(), bones.joints.end(), name);
    if (at == bones.joints.end())
      reader.fail("skel:joints", fmt::format("{} is no joint of its skeleton", name));
    joints.push_back(static_cast<int>(at - bones.joints.begin()));
  }
  return joints;
}

void warn_of_what_is_left_out(const std::string& file, const UsdMeshReader& reader) {
  std::set<double> codes;
  reader.add_times(codes);
  const std::string path = one_line(reader.place().path);
  if (codes.size() > 1)
    log().warn("{}: mesh {}: it has a skeleton: its time-sampled points and transforms are left out", file,
               path);
  if (reader.word("primvars:skel:skinningMethod") == "dualQuaternion")
    log().warn("{}: mesh {}: asks for dual quaternions; it is skinned linearly", file, path);
  if (!words(*reader.place().prim, "skel:blendShapes").empty())
    log().warn("{}: mesh {}: blend shapes are left out; export them as points, or as glTF", file, path);
}

void add_skinned(const UsdMeshReader& reader, const Bones& bones, Character& character) {
  const std::vector<double> numbers = reader.numbers("primvars:skel:geomBindTransform");
  if (!numbers.empty() && numbers.size() != 16)
    reader.fail("primvars:skel:geomBindTransform", "16 numbers expected");
  const Mat4 placed = numbers.empty() ? Mat4(Mat4::Identity()) : Mat4(Eigen::Map<const Mat4>(numbers.data()));
  MeshInstance& instance = character.meshes.emplace_back();
  instance.skin = static_cast<int>(character.skins.size());
  Skin& skin = character.skins.emplace_back();
  for (int j : joints_of(reader, bones)) {
    skin.joints.push_back(bones.first_node + j);
    skin.inverse_bind.push_back(bones.bind[static_cast<std::size_t>(j)].inverse() * placed);
    if (!skin.inverse_bind.back().allFinite())
      reader.fail("primvars:skel:geomBindTransform", "is not finite, or too large");
  }
  instance.name = reader.place().prim->name;
  instance.mesh = reader.topology();
  instance.mesh.positions = reader.local_points(0);
  for (const Vec3& p : instance.mesh.positions)
    if (!p.allFinite()) reader.fail("points", "a coordinate is not finite");
  instance.influences = read_influences(reader, skin.joints.size());
  instance.attributes = reader.attributes();
  instance.materials = reader.materials();
}

void add_still(const UsdRigSource& source, const UsdMeshReader& reader, Character& character) {
  std::set<double> codes;
  reader.add_times(codes);
  if (codes.size() > 1)
    log().warn("{}: mesh {}: others have skeletons, this one has none: it stands still", source.file,
               one_line(reader.place().path));
  MeshInstance& instance = character.meshes.emplace_back();
  instance.name = reader.place().prim->name;
  instance.node = static_cast<int>(character.nodes.size());
  character.nodes.emplace_back().name = instance.name;
  instance.mesh = reader.topology();
  instance.mesh.positions = reader.points(codes.empty() ? 0 : *codes.begin());
  for (Vec3& p : instance.mesh.positions) p = (source.to_metres * p.homogeneous()).head<3>().eval();
  instance.attributes = reader.attributes();
  instance.materials = reader.materials();
}

}  // namespace

std::string bound_skeleton(const UsdPlace& mesh) {
  if (!find_attribute(*mesh.prim, "primvars:skel:jointIndices")) return "";
  return inherited_target(mesh.parents, "skel:skeleton");
}

Character usd_character(const UsdRigSource& source) {
  Character character;
  std::map<std::string, Bones> skeletons;
  for (const UsdPlace& mesh : source.meshes) {
    const UsdMeshReader reader(source.file, mesh);
    const std::string path = bound_skeleton(mesh);
    if (path.empty()) {
      add_still(source, reader, character);
      continue;
    }
    if (!skeletons.contains(path)) {
      const auto at = source.prims.find(path);
      if (at == source.prims.end() || at->second.prim->type != "Skeleton")
        reader.fail("skel:skeleton", fmt::format("there is no Skeleton at {} in this file", path));
      skeletons.emplace(path, SkeletonReader(source, at->second, character).read());
    }
    warn_of_what_is_left_out(source.file, reader);
    add_skinned(reader, skeletons.at(path), character);
  }
  return character;
}

}  // namespace cutis
