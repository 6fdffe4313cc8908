#include "cutis/body/rig/rig_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/body/rig/choose.h"
#include "cutis/body/rig/clip.h"
#include "cutis/body/rig/pose.h"
#include "cutis/body/rig/smooth_clip.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

const MeshInstance& find_mesh(const Character& character, const std::string& name) {
  std::vector<std::string> known;
  for (const MeshInstance& m : character.meshes) {
    if (m.name == name) return m;
    known.push_back(m.name);
  }
  for (const MeshInstance& m : character.meshes)
    if (m.node >= 0 && character.nodes[m.node].name == name) return m;
  fail_unknown(character.name, "mesh", name, known);
}

const MeshInstance& largest_mesh(const Character& character) {
  if (character.meshes.empty()) throw InputError(fmt::format("{}: has no mesh", character.name));
  const MeshInstance* best = &character.meshes.front();
  for (const MeshInstance& m : character.meshes)
    if (m.mesh.vertex_count() > best->mesh.vertex_count()) best = &m;
  std::vector<std::string> others;
  for (const MeshInstance& m : character.meshes)
    if (&m != best) others.push_back(m.name);
  if (!others.empty())
    log().info("{}: mesh \"{}\" is used, the largest; left out: {}", character.name, best->name,
               fmt::join(others, ", "));
  return *best;
}

std::vector<const MeshInstance*> choose_meshes(const Character& character,
                                               const std::vector<std::string>& names) {
  std::vector<const MeshInstance*> chosen;
  if (names.empty()) chosen.push_back(&largest_mesh(character));
  for (const std::string& name : names) {
    if (name == "*") {
      for (const MeshInstance& m : character.meshes) chosen.push_back(&m);
      continue;
    }
    chosen.push_back(&find_mesh(character, name));
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen[i]) !=
        chosen.begin() + static_cast<std::ptrdiff_t>(i))
      throw InputError(fmt::format("{}: mesh \"{}\" is chosen twice", character.name, chosen[i]->name));
  if (chosen.empty()) throw InputError(fmt::format("{}: has no mesh", character.name));
  return chosen;
}

/// Null for the word "none" and where there are no clips to take the first of.
const Clip* choose_clip(const Character& character, const std::string& name) {
  if (name.empty()) return character.clips.empty() ? nullptr : &character.clips.front();
  std::vector<std::string> known;
  for (const Clip& clip : character.clips) {
    if (clip.name == name) return &clip;
    known.push_back(clip.name);
  }
  if (name == "none") return nullptr;
  fail_unknown(character.name, "clip", name, known);
}

/// The clip and the time that "NAME@0.5s" means.
std::pair<const Clip*, double> named_pose(const Character& character, const Clip& chosen,
                                          const std::string& rest) {
  const auto [name, time] = parse_named_pose(character.name, rest);
  const Clip* clip = name.empty() ? &chosen : choose_clip(character, name);
  const Interval range = clip ? clip->duration() : Interval{};
  if (!clip || time < range.begin || time > range.end)
    throw InputError(fmt::format("{}: rest \"{}\": the clip runs from {} s to {} s", character.name, rest,
                                 range.begin, range.end));
  return {clip, time};
}

/// Appends faces and texture coordinates; positions are set elsewhere. A mirror turns the faces inside out,
/// so their corners are taken backwards.
void append_faces(const SourceMesh& from, std::size_t first_vertex, bool with_uvs, bool mirrored,
                  SourceMesh& to) {
  std::vector<SourceVertexId> face;
  for (FaceId f : ids<FaceId>(from.face_count())) {
    const std::size_t n = from.face_size(f);
    face.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const CornerId c(from.first_corner(f).index() + (mirrored ? n - 1 - i : i));
      face.emplace_back(first_vertex + from.corners[c].index());
      if (with_uvs) to.uvs.push_back(from.has_uvs() ? from.uvs[c] : Vec2(Vec2::Zero()));
    }
    to.add_face(face);
  }
}

/// Where the bind pose puts each chosen mesh.
std::vector<Mat4> bind_placements(const Character& character, std::span<const int> order,
                                  const std::vector<const MeshInstance*>& chosen) {
  const BindPose pose = bind_pose(character, order);
  std::vector<Mat4> placements;
  for (const MeshInstance* m : chosen)
    placements.push_back(m->skin >= 0   ? pose.placements[m->skin]
                         : m->node >= 0 ? pose.globals[m->node]
                                        : Mat4(Mat4::Identity()));
  return placements;
}

/// Attributes of the chosen meshes one after another; a mesh without one of them has zeros there.
std::vector<VertexAttribute> merged_attributes(const std::vector<const MeshInstance*>& chosen) {
  std::vector<VertexAttribute> merged;
  std::size_t first_vertex = 0, total = 0;
  for (const MeshInstance* m : chosen) total += m->mesh.vertex_count();
  for (const MeshInstance* m : chosen) {
    for (const VertexAttribute& from : m->attributes) {
      auto to = std::find_if(merged.begin(), merged.end(), [&](const VertexAttribute& known) {
        return known.name == from.name && known.components == from.components;
      });
      if (to == merged.end())
        to = merged.insert(to, {from.name, from.components, std::vector<double>(total * from.components, 0)});
      std::copy(from.values.begin(), from.values.end(),
                to->values.begin() + static_cast<std::ptrdiff_t>(first_vertex * from.components));
    }
    first_vertex += m->mesh.vertex_count();
  }
  return merged;
}

/// `groups(mesh)` of all of them.
template <class Groups>
FaceGroups merged_groups(const std::vector<const MeshInstance*>& chosen, const Groups& groups) {
  FaceGroups merged;
  std::size_t faces = 0;
  for (const MeshInstance* m : chosen) {
    merged.append(groups(*m), faces, m->mesh.face_count());
    faces += m->mesh.face_count();
  }
  return merged;
}

FaceGroups merged_materials(const std::vector<const MeshInstance*>& chosen) {
  return merged_groups(chosen, [](const MeshInstance& m) { return m.materials; });
}

/// Each mesh is a part of its own where several are chosen and the file names no parts within it.
FaceGroups merged_parts(const std::vector<const MeshInstance*>& chosen) {
  return merged_groups(chosen, [&](const MeshInstance& m) {
    const bool as_one = m.parts.empty() && chosen.size() > 1;
    return as_one ? FaceGroups{{m.name}, std::vector<std::int32_t>(m.mesh.face_count(), 0)} : m.parts;
  });
}

Vec3 transformed(const Mat4& m, const Vec3& p) {
  return m.topLeftCorner<3, 3>() * p + m.topRightCorner<3, 1>();
}

}  // namespace

RigBody::RigBody(const Character& character, const RigChoice& choice)
    : nodes_(character.nodes), order_(parents_first(character.nodes)), scale_(choice.scale) {
  if (!(scale_ > 0) || !std::isfinite(scale_))
    throw InputError(fmt::format("{}: scale {} is not above zero", character.name, scale_));
  const std::vector<const MeshInstance*> chosen = choose_meshes(character, choice.meshes);
  if (const Clip* clip = choose_clip(character, choice.clip)) clip_ = *clip;
  smooth_clip_ = smoothed(clip_);
  duration_ = clip_.duration();
  for (const MeshInstance* instance : chosen) add(character, *instance);
  set_rest(rest_shape(character, chosen, choice), choice.weld_tolerance);
  set_attributes(merged_attributes(chosen));
  set_face_groups(merged_materials(chosen), merged_parts(chosen));
  if (std::any_of(chosen.begin(), chosen.end(), [](const MeshInstance* m) { return m->skin >= 0; }))
    rest_globals_ = rest_globals(character, choice.rest);
  warn_of_tears();
}

std::optional<Skeleton> RigBody::skeleton() const {
  if (rest_globals_.empty()) return std::nullopt;
  std::vector<Vec3> places;
  for (const Mat4& m : rest_globals_) places.push_back(scale_ * m.topRightCorner<3, 1>());
  return make_skeleton(nodes_, order_, places, skin_nodes(), influences_);
}

std::vector<int> RigBody::skin_nodes() const {
  std::vector<int> nodes;
  for (const Joint& joint : joints_) nodes.push_back(joint.node);
  return nodes;
}

std::vector<JointTransform> RigBody::joint_transforms(double time) const {
  if (rest_globals_.empty()) return {};
  const std::vector<Mat4> globals = global_matrices(nodes_, order_, &smooth_clip_, time);
  std::vector<JointTransform> transforms;
  for (int n : joint_nodes(order_, skin_nodes())) {
    Mat4 rest = rest_globals_[n];
    // A joint that is flat at rest carries nothing there; it is taken to stand upright. One that overflows
    // can carry nothing either: positions would not be finite.
    if (!invertible(rest)) rest.topLeftCorner<3, 3>().setIdentity();
    transforms.push_back((globals[n] * rest.inverse()).topRows<3>());
    transforms.back().col(3) *= scale_;
    if (!transforms.back().allFinite()) transforms.back().setIdentity();
  }
  return transforms;
}

std::optional<VertexAttribute> RigBody::attribute(const std::string& name) const {
  if (auto found = Body::attribute(name)) return found;
  bool known = false;
  VertexAttribute weights{name, 1, std::vector<double>(base_.size(), 0)};
  for (std::size_t v = 0; v < base_.size(); ++v)
    for (auto k = influences_.offsets[v]; k < influences_.offsets[v + 1]; ++k) {
      const int node = joints_[influences_.joints[k]].node;
      if (node < 0 || !same_attribute(nodes_[node].name, name)) continue;
      weights.values[v] += influences_.weights[k];
      known = true;
    }
  return known ? std::optional(weights) : std::nullopt;
}

std::vector<std::string> RigBody::attribute_names() const {
  std::vector<std::string> names = Body::attribute_names();
  for (const Joint& joint : joints_) {
    if (joint.node < 0 || nodes_[joint.node].name.empty()) continue;
    const std::string& name = nodes_[joint.node].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void RigBody::add(const Character& character, const MeshInstance& instance) {
  mesh_names_.push_back(instance.name);
  const std::size_t first_vertex = base_.size();
  const auto first_joint = static_cast<std::int32_t>(joints_.size());
  for (const Vec3& p : instance.mesh.positions) base_.push_back(p);
  if (influences_.empty()) influences_.offsets.push_back(0);
  if (instance.skin >= 0) {
    const Skin& skin = character.skins[instance.skin];
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
      joints_.push_back({skin.joints[j], skin.inverse_bind[j]});
    const auto first_weight = static_cast<std::int32_t>(influences_.weights.size());
    for (std::int32_t joint : instance.influences.joints) influences_.joints.push_back(first_joint + joint);
    for (double weight : instance.influences.weights) influences_.weights.push_back(weight);
    for (std::size_t v = 1; v < instance.influences.offsets.size(); ++v)
      influences_.offsets.push_back(first_weight + instance.influences.offsets[v]);
  } else {
    joints_.push_back({instance.node, Mat4::Identity()});
    for (std::size_t v = 0; v < instance.mesh.vertex_count(); ++v) {
      influences_.joints.push_back(first_joint);
      influences_.weights.push_back(1);
      influences_.offsets.push_back(static_cast<std::int32_t>(influences_.weights.size()));
    }
  }
  for (std::size_t t = 0; t < instance.morphs.size(); ++t) {
    Morph morph{instance.node, t, instance.morph_weights[t], {}, {}};
    for (SourceVertexId v : ids<SourceVertexId>(instance.morphs[t].offsets.size())) {
      const Vec3& offset = instance.morphs[t].offsets[v];
      if (offset.isZero(0)) continue;
      morph.vertices.emplace_back(first_vertex + v.index());
      morph.offsets.push_back(offset);
    }
    morphs_.push_back(std::move(morph));
  }
}

SourceMesh RigBody::rest_shape(const Character& character, const std::vector<const MeshInstance*>& chosen,
                               const RigChoice& choice) const {
  SourceMesh rest;
  std::size_t with_uvs = 0, first_vertex = 0;
  for (const MeshInstance* m : chosen) with_uvs += m->mesh.has_uvs();
  if (with_uvs > 0 && with_uvs < chosen.size())
    log().warn("{}: {} of {} chosen meshes have no texture coordinates; they get (0, 0)", character.name,
               chosen.size() - with_uvs, chosen.size());
  const std::vector<Mat4> placements = bind_placements(character, order_, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool mirrored = placements[i].topLeftCorner<3, 3>().determinant() < 0;
    append_faces(chosen[i]->mesh, first_vertex, with_uvs > 0, mirrored, rest);
    first_vertex += chosen[i]->mesh.vertex_count();
  }
  const auto [clip, time] = rest_moment(character, choice.rest);
  rest.positions = clip ? posed(*clip, time) : bind_positions(chosen, placements);
  for (const Vec3& p : rest.positions)
    if (!is_place(p))
      throw InputError(
          fmt::format("{}: the rest shape is too large to compute with; look for a node whose scale "
                      "or translation is off",
                      character.name));
  return rest;
}

std::pair<const Clip*, double> RigBody::rest_moment(const Character& character,
                                                    const std::string& rest) const {
  if (rest.empty() || rest == "bind") return {nullptr, 0};
  if (rest == "first") return {&clip_, duration_.begin};
  return named_pose(character, clip_, rest);
}

std::vector<Mat4> RigBody::rest_globals(const Character& character, const std::string& rest) const {
  const auto [clip, time] = rest_moment(character, rest);
  return clip ? global_matrices(nodes_, order_, clip, time) : bind_pose(character, order_).globals;
}

SourcePoints RigBody::bind_positions(const std::vector<const MeshInstance*>& chosen,
                                     const std::vector<Mat4>& placements) const {
  SourcePoints points = morphed(Clip(), 0);
  std::size_t v = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t end = v + chosen[i]->mesh.vertex_count(); v < end; ++v)
      points[SourceVertexId(v)] = scale_ * transformed(placements[i], points[SourceVertexId(v)]);
  return points;
}

SourcePoints RigBody::morphed(const Clip& clip, double time) const {
  SourcePoints points = base_;
  std::vector<double> weights;
  int sampled = -1;  // targets of one node follow one another: its track is read once
  for (const Morph& morph : morphs_) {
    if (morph.node != sampled) {
      weights.clear();
      sampled = morph.node;
      for (const Track& track : clip.tracks)
        if (track.path == TrackPath::MorphWeights && track.node == morph.node) {
          weights.resize(component_count(track));
          sample(track, time, weights);
        }
    }
    const double weight = morph.index < weights.size() ? weights[morph.index] : morph.weight;
    if (weight == 0) continue;
    parallel_for(
        morph.vertices.size(), [&](std::size_t i) { points[morph.vertices[i]] += weight * morph.offsets[i]; },
        4096);
  }
  return points;
}

std::vector<Mat4> RigBody::joint_matrices(const Clip& clip, double time) const {
  const std::vector<Mat4> globals = global_matrices(nodes_, order_, &clip, time);
  std::vector<Mat4> matrices(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    matrices[j] =
        joints_[j].node < 0 ? joints_[j].inverse_bind : globals[joints_[j].node] * joints_[j].inverse_bind;
    matrices[j].topRows<3>() *= scale_;
  }
  return matrices;
}

SourcePoints RigBody::posed(const Clip& clip, double time) const {
  const std::vector<Mat4> matrices = joint_matrices(clip, time);
  // x = sum_k w_k (G_k B_k^-1) p: linear blend skinning (glTF 2.0, 3.7.3.3).
  SourcePoints points = morphed(clip, time);
  const std::int32_t* offsets = influences_.offsets.data();
  const std::int32_t* joints = influences_.joints.data();
  const double* weights = influences_.weights.data();
  parallel_for(
      points.size(),
      [&](std::size_t v) {
        Vec3& p = points.raw()[v];
        Vec4 sum = Vec4::Zero();
        for (std::int32_t k = offsets[v]; k < offsets[v + 1]; ++k) {
          const Mat4& m = matrices[joints[k]];
          sum += weights[k] * (m.col(0) * p.x() + m.col(1) * p.y() + m.col(2) * p.z() + m.col(3));
        }
        p = sum.head<3>();
      },
      2048);
  return points;
}

SourcePoints RigBody::compute_positions(double time) const { return posed(clip_, time); }

SourcePoints RigBody::smooth_positions(double time) const { return posed(smooth_clip_, time); }

/// In the file's own pose: joints turn what shapes do, but seldom stretch it.
std::vector<IdVector<VertexId, double>> RigBody::shape_lengths() const {
  const std::vector<Mat4> matrices = joint_matrices(Clip(), 0);
  std::vector<IdVector<VertexId, double>> lengths;
  for (const Morph& morph : morphs_) {
    IdVector<VertexId, double>& of_shape = lengths.emplace_back(mesh().vertex_count(), 0);
    for (std::size_t i = 0; i < morph.vertices.size(); ++i) {
      const std::size_t v = morph.vertices[i].index();
      Vec3 moved = Vec3::Zero();
      for (auto k = influences_.offsets[v]; k < influences_.offsets[v + 1]; ++k)
        moved +=
            influences_.weights[k] * matrices[influences_.joints[k]].topLeftCorner<3, 3>() * morph.offsets[i];
      double& length = of_shape[weld().vertex_of[morph.vertices[i]]];
      length = std::max(length, moved.norm());
    }
  }
  return lengths;
}

void RigBody::warn_of_tears() const {
  // What moves a vertex: its weight on each node and its offset in each blend shape.
  const double weight_tolerance = 1e-3;
  const double offset_tolerance = default_weld_tolerance(source()) / scale_;
  std::vector<bool> torn(base_.size(), false);
  std::vector<double> difference(nodes_.size() + 1);
  const auto add_weights = [&](SourceVertexId v, double sign) {
    for (auto k = influences_.offsets[v.index()]; k < influences_.offsets[v.index() + 1]; ++k)
      difference[joints_[influences_.joints[k]].node + 1] += sign * influences_.weights[k];
  };
  const auto largest = [&](SourceVertexId v) {
    double most = 0;
    for (auto k = influences_.offsets[v.index()]; k < influences_.offsets[v.index() + 1]; ++k) {
      double& d = difference[joints_[influences_.joints[k]].node + 1];
      most = std::max(most, std::abs(std::exchange(d, 0)));
    }
    return most;
  };
  for (SourceVertexId v : ids<SourceVertexId>(base_.size())) {
    const SourceVertexId first = weld().representative[weld().vertex_of[v]];
    if (first == v) continue;
    add_weights(v, 1);
    add_weights(first, -1);
    torn[v.index()] = std::max(largest(v), largest(first)) > weight_tolerance;
  }
  std::vector<Vec3> offsets(base_.size(), Vec3::Zero());
  for (const Morph& morph : morphs_) {
    for (std::size_t i = 0; i < morph.vertices.size(); ++i)
      offsets[morph.vertices[i].index()] = morph.offsets[i];
    for (SourceVertexId v : ids<SourceVertexId>(base_.size())) {
      const SourceVertexId first = weld().representative[weld().vertex_of[v]];
      if ((offsets[v.index()] - offsets[first.index()]).norm() > offset_tolerance) torn[v.index()] = true;
    }
    for (SourceVertexId v : morph.vertices) offsets[v.index()].setZero();
  }
  const auto count = std::count(torn.begin(), torn.end(), true);
  if (count > 0)
    log().warn(
        "{}: {} vertices lie on others at rest but have other weights or blend shapes: they are one vertex "
        "here and follow the first",
        fmt::join(mesh_names_, ", "), count);
}

}  // namespace cutis
