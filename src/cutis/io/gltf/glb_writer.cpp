#include "cutis/io/gltf/glb_writer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/core/error.h"
#include "cutis/io/bytes.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/gltf/glb_format.h"
#include "cutis/io/gltf/glb_mesh.h"
#include "cutis/io/mesh/smooth_normals.h"

namespace cutis {
namespace {

using Json = nlohmann::json;
using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using CornerUvs = IdVector<CornerId, Vec2>;

/// A frame that is stored: its positions, its normals, and its texture coordinates where they move; targets
/// as differences from the first.
struct StoredFrame {
  std::size_t frame = 0;
  Vec3f least, most;  ///< of the positions
};

/// Triangles that follow one another in the file and have one material.
struct MaterialRange {
  std::string material;  ///< empty: none
  std::size_t index_count = 0;
};

/// All that the JSON part says about the binary part, which holds, in this order: indices, texture
/// coordinates that hold still, stored frames, key times, key weights.
struct Contents {
  std::string name;
  std::size_t vertex_count = 0, index_count = 0, key_count = 0;
  bool has_uvs = false, uvs_move = false;
  std::vector<MaterialRange> ranges;  ///< of the indices; at least one
  std::vector<StoredFrame> frames;    ///< the mesh itself, then the morph targets
  float first_time = 0, last_time = 0;

  std::size_t target_count() const { return frames.size() - 1; }
  bool moves() const { return target_count() > 0; }
  std::uint64_t index_bytes() const { return 4 * index_count; }
  std::uint64_t uv_bytes() const { return has_uvs ? 8 * std::uint64_t(vertex_count) : 0; }
  std::uint64_t vector_bytes() const { return 24 * std::uint64_t(vertex_count); }
  std::uint64_t frame_bytes() const { return vector_bytes() + (uvs_move ? uv_bytes() : 0); }
  std::uint64_t key_bytes() const { return moves() ? 4 * std::uint64_t(key_count) : 0; }
  std::uint64_t size() const {
    return index_bytes() + (uvs_move ? 0 : uv_bytes()) + frame_bytes() * frames.size() +
           key_bytes() * (1 + target_count());
  }
};

Json to_json(const Vec3f& v) { return Json::array({double(v.x()), double(v.y()), double(v.z())}); }

/// Builds the JSON part. Views and accessors are numbered as they are made.
class DocumentMaker {
 public:
  explicit DocumentMaker(const Contents& contents) : contents_(contents) {}

  Json make() {
    document_["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    document_["nodes"] = Json::array({{{"name", contents_.name}, {"mesh", 0}}});
    add_mesh();
    if (contents_.moves()) add_animation();
    document_["buffers"] = Json::array({{{"byteLength", contents_.size()}}});
    return std::move(document_);
  }

 private:
  const Contents& contents_;
  Json document_ = new_glb_document();
  std::uint64_t offset_ = 0;
  std::size_t vectors_ = 0;  ///< the view of the frame that was added last

  std::size_t add_view(std::uint64_t size, int target, int stride) {
    Json view = {{"buffer", 0}, {"byteOffset", offset_}, {"byteLength", size}};
    if (target) view["target"] = target;
    if (stride) view["byteStride"] = stride;
    offset_ += size;
    document_["bufferViews"].push_back(view);
    return document_["bufferViews"].size() - 1;
  }
  std::size_t add_accessor(std::size_t view, std::uint64_t offset, int component, std::size_t count,
                           const char* type, const Json& bounds = Json::object()) {
    Json accessor = {{"bufferView", view},
                     {"byteOffset", offset},
                     {"componentType", component},
                     {"count", count},
                     {"type", type}};
    accessor.update(bounds);
    document_["accessors"].push_back(accessor);
    return document_["accessors"].size() - 1;
  }

  std::size_t add_uvs() {
    const std::size_t view = add_view(contents_.uv_bytes(), gltf_array_buffer, 0);
    return add_accessor(view, 0, gltf_float, contents_.vertex_count, "VEC2");
  }

  /// Frames of vectors alone share one view; texture coordinates, of another stride, part them.
  Json add_frame(std::size_t i) {
    const std::size_t frames_in_view = contents_.uvs_move ? 1 : contents_.frames.size();
    if (i % frames_in_view == 0)
      vectors_ = add_view(contents_.vector_bytes() * frames_in_view, gltf_array_buffer, sizeof(Vec3f));
    const StoredFrame& frame = contents_.frames[i];
    const std::uint64_t offset = i % frames_in_view * contents_.vector_bytes();
    const Json bounds = {{"min", to_json(frame.least)}, {"max", to_json(frame.most)}};
    const std::size_t n = contents_.vertex_count;
    Json attributes = {{"POSITION", add_accessor(vectors_, offset, gltf_float, n, "VEC3", bounds)},
                       {"NORMAL", add_accessor(vectors_, offset + 12 * n, gltf_float, n, "VEC3")}};
    if (contents_.uvs_move) attributes["TEXCOORD_0"] = add_uvs();
    return attributes;
  }

  /// A primitive with indices and a material for each range.
  Json add_ranges() {
    const Json plain = document_["materials"][0];
    document_["materials"].clear();
    Json primitives = Json::array();
    const std::size_t view = add_view(contents_.index_bytes(), gltf_element_array_buffer, 0);
    std::uint64_t offset = 0;
    for (const MaterialRange& range : contents_.ranges) {
      primitives.push_back(
          {{"material", document_["materials"].size()},
           {"indices", add_accessor(view, offset, gltf_uint32, range.index_count, "SCALAR")}});
      offset += 4 * std::uint64_t(range.index_count);
      document_["materials"].push_back(plain);
      if (!range.material.empty()) document_["materials"].back()["name"] = range.material;
    }
    return primitives;
  }

  void add_mesh() {
    Json primitive, primitives = add_ranges(), still = Json::object();
    if (contents_.has_uvs && !contents_.uvs_move) still["TEXCOORD_0"] = add_uvs();
    primitive["attributes"] = add_frame(0);
    primitive["attributes"].update(still);
    Json names = Json::array();
    for (std::size_t i = 1; i < contents_.frames.size(); ++i) {
      primitive["targets"].push_back(add_frame(i));
      names.push_back(fmt::format("frame {}", contents_.frames[i].frame));
    }
    for (Json& range : primitives) range.update(primitive);
    Json mesh = {{"name", contents_.name}, {"primitives", primitives}};
    if (contents_.moves()) mesh["extras"]["targetNames"] = names;
    document_["meshes"] = Json::array({mesh});
  }

  void add_animation() {
    const std::size_t keys = contents_.key_count;
    const Json bounds = {{"min", Json::array({double(contents_.first_time)})},
                         {"max", Json::array({double(contents_.last_time)})}};
    const std::size_t times = add_view(contents_.key_bytes(), 0, 0);
    const std::size_t weights = add_view(contents_.key_bytes() * contents_.target_count(), 0, 0);
    Json sampler = {{"interpolation", "LINEAR"}};
    sampler["input"] = add_accessor(times, 0, gltf_float, keys, "SCALAR", bounds);
    sampler["output"] = add_accessor(weights, 0, gltf_float, keys * contents_.target_count(), "SCALAR");
    const Json channel = {{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}};
    document_["animations"] = Json::array(
        {{{"name", "shot"}, {"samplers", Json::array({sampler})}, {"channels", Json::array({channel})}}});
  }
};

std::string document(const Contents& contents) { return glb_text(DocumentMaker(contents).make()); }

/// Room for the JSON part, which stands before the frames but knows their bounds only after them: as long as
/// it gets when every frame is stored and every number takes the most digits.
std::size_t document_room(Contents contents) {
  const float longest = -std::numeric_limits<float>::min();  // -1.1754943508222875e-38
  const StoredFrame frame{contents.key_count, Vec3f::Constant(longest), Vec3f::Constant(longest)};
  contents.frames.assign(contents.key_count, frame);
  contents.first_time = contents.last_time = longest;
  const std::size_t length = document(contents).size();
  return (length + 3) / 4 * 4;
}

std::uint64_t largest_size(Contents contents) {
  contents.frames.resize(contents.key_count);
  return contents.size();
}

template <class Vector>
void append_vector(Bytes& bytes, const Vector& v) {
  for (int i = 0; i < v.size(); ++i) append(bytes, v[i], std::endian::little);
}

template <int n>
using Floats = std::vector<Eigen::Vector<float, n>>;
template <int n>
using Doubles = std::vector<Eigen::Vector<double, n>>;

template <int n>
Floats<n> rounded(const Doubles<n>& values) {
  Floats<n> result;
  result.reserve(values.size());
  for (const auto& value : values) result.push_back(value.template cast<float>());
  return result;
}

/// The differences are taken from the numbers as they were rounded, so that their sum is off by no more than
/// one rounding; zero where both are rounded alike.
template <int n>
Floats<n> differences(const Doubles<n>& values, const Floats<n>& from) {
  Floats<n> result(values.size(), Eigen::Vector<float, n>::Zero());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].template cast<float>() != from[i])
      result[i] = (values[i] - from[i].template cast<double>()).template cast<float>();
  return result;
}

template <int n>
bool all_zero(const Floats<n>& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& v) { return v.isZero(0); });
}

/// Positions and normals of the source's vertices; texture coordinates of all, where they move.
struct FrameVectors {
  std::vector<Vec3f> positions, normals;
  std::vector<Vec2f> uvs;
};

}  // namespace

struct GlbWriter::State {
  State(const std::filesystem::path& path, const SourceMesh& source, std::vector<float> key_times,
        const std::string& name, FaceGroups materials);

  std::filesystem::path path;
  SourceMesh source;
  FaceGroups materials;
  GlbMesh mesh;
  Contents contents;
  std::vector<float> times;
  std::size_t room;  ///< bytes kept for the JSON part
  AtomicFile file;
  FrameVectors base, last;             ///< the first frame; the differences that were stored last
  std::vector<std::size_t> target_of;  ///< of each frame: 0 the mesh itself, else 1 + a morph target

  void lay_out();
  void sort_by_material();
  void check(const CornerUvs& uvs) const;
  void write_static();
  void store(const FrameVectors& frame);
  void add_first(const SourcePoints& points, const CornerUvs& uvs);
  void add_later(const SourcePoints& points, const CornerUvs& uvs);
  void write_keys();
  void write_document();
};

GlbWriter::State::State(const std::filesystem::path& to, const SourceMesh& from, std::vector<float> key_times,
                        const std::string& name, FaceGroups face_materials)
    : path(to),
      source(from),
      materials(std::move(face_materials)),
      mesh(source),
      times(std::move(key_times)),
      room(0),
      file(path) {
  contents.name = name;
  contents.has_uvs = source.has_uvs();
  contents.key_count = times.size();
  if (mesh.indices.empty())
    throw InputError(fmt::format("{}: the mesh has no faces that glTF can hold", path.string()));
  contents.first_time = times.front();
  contents.last_time = times.back();
  lay_out();
}

/// Triangles without a material come first.
void GlbWriter::State::sort_by_material() {
  std::vector<std::vector<std::uint32_t>> indices(materials.names.size() + 1);
  for (std::size_t t = 0; t < mesh.face_of.size(); ++t) {
    const std::int32_t group = materials.empty() ? -1 : materials.of_face[mesh.face_of[t].index()];
    std::vector<std::uint32_t>& to = indices[static_cast<std::size_t>(group + 1)];
    to.insert(to.end(), mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * t),
              mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * t + 3));
  }
  mesh.indices.clear();
  contents.ranges.clear();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].empty()) continue;
    contents.ranges.push_back({i == 0 ? "" : materials.names[i - 1], indices[i].size()});
    mesh.indices.insert(mesh.indices.end(), indices[i].begin(), indices[i].end());
  }
}

/// Takes the sizes from the mesh and keeps room for the JSON part.
void GlbWriter::State::lay_out() {
  contents.vertex_count = mesh.vertex_count();
  contents.index_count = mesh.indices.size();
  sort_by_material();
  const std::uint64_t most = largest_size(contents);
  if (most < glb_size_limit) room = document_room(contents);
  const std::uint64_t total = glb_head_size(room) + most;
  if (total >= glb_size_limit)
    throw InputError(
        fmt::format("{}: {} frames of {} vertices would take {:.1f} GiB, and a GLB ends at 4; write a {} "
                    "instead, or fewer frames",
                    path.string(), times.size(), mesh.vertex_count(),
                    static_cast<double>(total) / (1ull << 30), contents.uvs_move ? "USD" : "PC2 or MDD"));
}

/// Texture coordinates move in all frames or in none, since the first decides which vertices get copies.
void GlbWriter::State::check(const CornerUvs& uvs) const {
  const std::size_t frame = target_of.size();
  if (frame > 0 && uvs.empty() == contents.uvs_move)
    throw InputError(fmt::format(
        "{}: frame {} {} moving texture coordinates (\"{}\"), unlike the frames before it; a GLB needs "
        "them in all frames or in none",
        path.string(), frame, uvs.empty() ? "has no" : "has", moving_uvs_name));
  for (CornerId c : ids<CornerId>(uvs.size())) {
    // As for positions: also false for a NaN, and with room for differences.
    if (uvs[c].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= std::numeric_limits<float>::max() / 4) continue;
    throw InputError(fmt::format(
        "{}: frame {}, vertex {} has the texture coordinate ({}, {}), which a 32-bit float cannot hold",
        path.string(), frame, source.corners[c].value, uvs[c].x(), uvs[c].y()));
  }
}

void GlbWriter::State::write_static() {
  Bytes bytes(glb_head_size(room));
  for (std::uint32_t i : mesh.indices) append(bytes, i, std::endian::little);
  if (!contents.uvs_move)
    for (const Vec2f& uv : rounded<2>(mesh.uvs(source.uvs))) append_vector(bytes, uv);
  file.write(bytes);
}

/// Writes vectors of the source's vertices, then those of their copies.
void GlbWriter::State::store(const FrameVectors& frame) {
  Bytes bytes;
  bytes.reserve(contents.frame_bytes());
  for (const auto* values : {&frame.positions, &frame.normals})
    for (SourceVertexId v : mesh.source_of) append_vector(bytes, (*values)[v.index()]);
  for (const Vec2f& uv : frame.uvs) append_vector(bytes, uv);
  file.write(bytes);
  StoredFrame stored{target_of.size(), frame.positions[0], frame.positions[0]};
  for (const Vec3f& p : frame.positions) {
    stored.least = stored.least.cwiseMin(p);
    stored.most = stored.most.cwiseMax(p);
  }
  contents.frames.push_back(stored);
  target_of.push_back(contents.target_count());
}

/// Which corners of a vertex stay together is known only after the last frame, so where texture coordinates
/// move every corner gets a vertex of its own.
void GlbWriter::State::add_first(const SourcePoints& points, const CornerUvs& uvs) {
  if (!uvs.empty()) {
    contents.has_uvs = contents.uvs_move = true;
    mesh = GlbMesh(source, GlbMesh::Copy::EveryCorner);
    lay_out();
  }
  write_static();
  base.positions = rounded<3>(points.raw());
  for (const Vec3& n : smooth_normals(mesh.weld, points))
    base.normals.push_back(n.isZero(0) ? Vec3f::UnitZ() : Vec3f(n.cast<float>()));
  base.uvs = rounded<2>(mesh.uvs(uvs));
  store(base);
}

/// A frame like the one stored last shares its target.
void GlbWriter::State::add_later(const SourcePoints& points, const CornerUvs& uvs) {
  FrameVectors offsets;
  offsets.positions = differences<3>(points.raw(), base.positions);
  offsets.uvs = differences<2>(mesh.uvs(uvs), base.uvs);
  if (all_zero<3>(offsets.positions) && all_zero<2>(offsets.uvs)) {
    target_of.push_back(0);
    return;
  }
  if (offsets.positions == last.positions && offsets.uvs == last.uvs) {
    target_of.push_back(contents.target_count());
    return;
  }
  const auto normals = smooth_normals(mesh.weld, points);
  offsets.normals.assign(base.normals.size(), Vec3f::Zero());
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    if (!normals[v].isZero(0))
      offsets.normals[v.index()] = (normals[v] - base.normals[v.index()].cast<double>()).cast<float>();
  store(offsets);
  last = std::move(offsets);
}

/// At each key one target has the weight 1, or none where the frame is the mesh itself.
void GlbWriter::State::write_keys() {
  Bytes bytes;
  for (float t : times) append(bytes, t, std::endian::little);
  file.write(bytes);
  for (std::size_t target : target_of) {
    bytes.clear();
    for (std::size_t i = 1; i <= contents.target_count(); ++i)
      append(bytes, i == target ? 1.0f : 0.0f, std::endian::little);
    file.write(bytes);
  }
}

void GlbWriter::State::write_document() {
  std::string json = document(contents);
  if (json.size() > room) throw std::logic_error("the room kept for the JSON part of a GLB is too small");
  json.resize(room, ' ');
  file.overwrite(0, glb_head(std::move(json), contents.size()));
}

GlbWriter::GlbWriter(const std::filesystem::path& path, const SourceMesh& mesh,
                     const std::vector<double>& times, const std::string& name, const FaceGroups& materials)
    : FrameWriter(path, mesh.vertex_count(), times.size()),
      state_(std::make_unique<State>(
          path, mesh, float_times(path, times, times.front() < 0 ? -times.front() : 0), name, materials)) {}

GlbWriter::~GlbWriter() = default;

void GlbWriter::write_frame(const SourcePoints& points, const Npz& fields) {
  const CornerUvs uvs = moving_uvs(fields, state_->source);
  state_->check(uvs);
  state_->target_of.empty() ? state_->add_first(points, uvs) : state_->add_later(points, uvs);
}

void GlbWriter::write_end() {
  if (state_->contents.moves()) state_->write_keys();
  state_->write_document();
  state_->file.commit();
}

}  // namespace cutis
