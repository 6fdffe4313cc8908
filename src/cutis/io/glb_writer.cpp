#include "cutis/io/glb_writer.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/version.h"
#include "cutis/core/whole_file.h"
#include "cutis/io/bytes.h"
#include "cutis/io/glb_mesh.h"
#include "cutis/io/smooth_normals.h"

namespace cutis {
namespace {

using Json = nlohmann::json;
using Vec3f = Eigen::Vector3f;

// Numbers that the glTF 2.0 specification gives these meanings.
constexpr std::uint32_t magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
constexpr int array_buffer = 34962, element_array_buffer = 34963;
constexpr int uint32_type = 5125, float_type = 5126;
constexpr std::size_t file_header_size = 12, chunk_header_size = 8;
constexpr std::uint64_t size_limit = 1ull << 32;  // lengths are 32-bit

/// A frame that is stored: its positions, then its normals; targets as differences from the first.
struct StoredFrame {
  std::size_t frame = 0;
  Vec3f least, most;  ///< of the positions
};

/// All that the JSON part says about the binary part, which holds, in this order: indices, texture
/// coordinates, stored frames, key times, key weights.
struct Contents {
  std::string name;
  std::size_t vertex_count = 0, index_count = 0, key_count = 0;
  bool has_uvs = false;
  std::vector<StoredFrame> frames;  ///< the mesh itself, then the morph targets
  float first_time = 0, last_time = 0;

  std::size_t target_count() const { return frames.size() - 1; }
  bool moves() const { return target_count() > 0; }
  std::uint64_t index_bytes() const { return 4 * index_count; }
  std::uint64_t uv_bytes() const { return has_uvs ? 8 * vertex_count : 0; }
  std::uint64_t frame_bytes() const { return 24 * std::uint64_t(vertex_count); }
  std::uint64_t key_bytes() const { return moves() ? 4 * std::uint64_t(key_count) : 0; }
  std::uint64_t size() const {
    return index_bytes() + uv_bytes() + frame_bytes() * frames.size() + key_bytes() * (1 + target_count());
  }
};

Json to_json(const Vec3f& v) { return Json::array({double(v.x()), double(v.y()), double(v.z())}); }

/// Builds the JSON part. Views and accessors are numbered as they are made.
class DocumentMaker {
 public:
  explicit DocumentMaker(const Contents& contents) : contents_(contents) {}

  Json make() {
    document_["asset"] = {{"version", "2.0"}, {"generator", fmt::format("cutis {}", version())}};
    document_["scene"] = 0;
    document_["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    document_["nodes"] = Json::array({{{"name", contents_.name}, {"mesh", 0}}});
    document_["materials"] = Json::array(
        {{{"name", "skin"}, {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 0.6}}}}});
    add_mesh();
    if (contents_.moves()) add_animation();
    document_["buffers"] = Json::array({{{"byteLength", contents_.size()}}});
    return std::move(document_);
  }

 private:
  const Contents& contents_;
  Json document_;
  std::uint64_t offset_ = 0;

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

  Json add_frame(std::size_t view, std::size_t i) {
    const StoredFrame& frame = contents_.frames[i];
    const std::uint64_t offset = i * contents_.frame_bytes();
    const Json bounds = {{"min", to_json(frame.least)}, {"max", to_json(frame.most)}};
    const std::size_t n = contents_.vertex_count;
    return {{"POSITION", add_accessor(view, offset, float_type, n, "VEC3", bounds)},
            {"NORMAL", add_accessor(view, offset + 12 * n, float_type, n, "VEC3")}};
  }

  void add_mesh() {
    Json primitive = {{"material", 0}};
    const std::size_t indices = add_view(contents_.index_bytes(), element_array_buffer, 0);
    primitive["indices"] = add_accessor(indices, 0, uint32_type, contents_.index_count, "SCALAR");
    Json texture_coordinates = Json::object();
    if (contents_.has_uvs) {
      const std::size_t uvs = add_view(contents_.uv_bytes(), array_buffer, 0);
      texture_coordinates["TEXCOORD_0"] = add_accessor(uvs, 0, float_type, contents_.vertex_count, "VEC2");
    }
    const std::size_t frames =
        add_view(contents_.frame_bytes() * contents_.frames.size(), array_buffer, sizeof(Vec3f));
    primitive["attributes"] = add_frame(frames, 0);
    primitive["attributes"].update(texture_coordinates);
    Json names = Json::array();
    for (std::size_t i = 1; i < contents_.frames.size(); ++i) {
      primitive["targets"].push_back(add_frame(frames, i));
      names.push_back(fmt::format("frame {}", contents_.frames[i].frame));
    }
    Json mesh = {{"name", contents_.name}, {"primitives", Json::array({primitive})}};
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
    sampler["input"] = add_accessor(times, 0, float_type, keys, "SCALAR", bounds);
    sampler["output"] = add_accessor(weights, 0, float_type, keys * contents_.target_count(), "SCALAR");
    const Json channel = {{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}};
    document_["animations"] = Json::array(
        {{{"name", "shot"}, {"samplers", Json::array({sampler})}, {"channels", Json::array({channel})}}});
  }
};

std::string document(const Contents& contents) {
  return DocumentMaker(contents).make().dump(-1, ' ', false, Json::error_handler_t::replace);
}

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

void append_vector(Bytes& bytes, const Vec3f& v) {
  for (int i = 0; i < 3; ++i) append(bytes, v[i], std::endian::little);
}

}  // namespace

struct GlbWriter::State {
  State(const std::filesystem::path& path, const SourceMesh& source, std::vector<float> key_times,
        const std::string& name);

  GlbMesh mesh;
  Contents contents;
  std::vector<float> times;
  std::size_t room;  ///< bytes kept for the JSON part
  WholeFile file;
  std::vector<Vec3f> base, base_normals;  ///< the first frame, of the source's vertices
  std::vector<Vec3f> last;                ///< differences of the last frame that was stored
  std::vector<std::size_t> target_of;     ///< of each frame: 0 the mesh itself, else 1 + a morph target

  void write_static();
  void store(const std::vector<Vec3f>& positions, const std::vector<Vec3f>& normals);
  void add_first(const SourcePoints& points);
  void add_later(const SourcePoints& points);
  void write_keys();
  void write_document();
};

GlbWriter::State::State(const std::filesystem::path& path, const SourceMesh& source,
                        std::vector<float> key_times, const std::string& name)
    : mesh(source), times(std::move(key_times)), room(0), file(path) {
  contents.name = name;
  contents.vertex_count = mesh.vertex_count();
  contents.index_count = mesh.indices.size();
  contents.has_uvs = !mesh.uvs.empty();
  contents.key_count = times.size();
  if (mesh.indices.empty())
    throw InputError(fmt::format("{}: the mesh has no faces that glTF can hold", path.string()));
  contents.first_time = times.front();
  contents.last_time = times.back();
  const std::uint64_t most = largest_size(contents);
  if (most < size_limit) room = document_room(contents);
  const std::uint64_t total = file_header_size + 2 * chunk_header_size + room + most;
  if (total >= size_limit)
    throw InputError(fmt::format(
        "{}: {} frames of {} vertices would take {:.1f} GiB, and a GLB ends at 4; write a PC2 or MDD "
        "instead, or fewer frames",
        path.string(), times.size(), mesh.vertex_count(), static_cast<double>(total) / (1ull << 30)));
}

void GlbWriter::State::write_static() {
  Bytes bytes(file_header_size + chunk_header_size + room + chunk_header_size);
  for (std::uint32_t i : mesh.indices) append(bytes, i, std::endian::little);
  for (const auto& uv : mesh.uvs)
    for (int i = 0; i < 2; ++i) append(bytes, uv[i], std::endian::little);
  file.write(bytes);
}

/// Writes vectors of the source's vertices, then those of their copies.
void GlbWriter::State::store(const std::vector<Vec3f>& positions, const std::vector<Vec3f>& normals) {
  Bytes bytes;
  bytes.reserve(contents.frame_bytes());
  for (const auto* values : {&positions, &normals})
    for (SourceVertexId v : mesh.source_of) append_vector(bytes, (*values)[v.index()]);
  file.write(bytes);
  StoredFrame frame{target_of.size(), positions[0], positions[0]};
  for (const Vec3f& p : positions) {
    frame.least = frame.least.cwiseMin(p);
    frame.most = frame.most.cwiseMax(p);
  }
  contents.frames.push_back(frame);
  target_of.push_back(contents.target_count());
}

void GlbWriter::State::add_first(const SourcePoints& points) {
  write_static();
  for (const Vec3& p : points) base.push_back(p.cast<float>());
  for (const Vec3& n : smooth_normals(mesh.weld, points))
    base_normals.push_back(n.isZero(0) ? Vec3f::UnitZ() : Vec3f(n.cast<float>()));
  store(base, base_normals);
  last.assign(base.size(), Vec3f::Zero());
}

/// A frame like the one stored last shares its target. The differences are taken from the positions as they
/// were rounded, so that their sum is off by no more than one rounding.
void GlbWriter::State::add_later(const SourcePoints& points) {
  std::vector<Vec3f> offsets(base.size(), Vec3f::Zero()), normal_offsets(base.size(), Vec3f::Zero());
  bool moved = false;
  for (SourceVertexId v : ids<SourceVertexId>(points.size())) {
    const Vec3f& from = base[v.index()];
    if (points[v].cast<float>() == from) continue;
    offsets[v.index()] = (points[v] - from.cast<double>()).cast<float>();
    moved = true;
  }
  if (!moved) {
    target_of.push_back(0);
    return;
  }
  if (offsets == last) {
    target_of.push_back(contents.target_count());
    return;
  }
  const auto normals = smooth_normals(mesh.weld, points);
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    if (!normals[v].isZero(0))
      normal_offsets[v.index()] = (normals[v] - base_normals[v.index()].cast<double>()).cast<float>();
  store(offsets, normal_offsets);
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
  const auto size = static_cast<std::uint32_t>(contents.size());
  Bytes head;
  const auto add = [&head](std::uint64_t value) {
    append(head, static_cast<std::uint32_t>(value), std::endian::little);
  };
  add(magic);
  add(2);
  add(file_header_size + 2 * chunk_header_size + room + size);
  add(room);
  add(json_chunk);
  head.insert(head.end(), json.begin(), json.end());
  add(size);
  add(binary_chunk);
  file.overwrite(0, head);
}

GlbWriter::GlbWriter(const std::filesystem::path& path, const SourceMesh& mesh,
                     const std::vector<double>& times, const std::string& name)
    : FrameWriter(path, mesh.vertex_count(), times.size()),
      state_(std::make_unique<State>(
          path, mesh, float_times(path, times, times.front() < 0 ? -times.front() : 0), name)) {}

GlbWriter::~GlbWriter() = default;

void GlbWriter::write_frame(const SourcePoints& points, const Npz&) {
  state_->target_of.empty() ? state_->add_first(points) : state_->add_later(points);
}

void GlbWriter::write_end() {
  if (state_->contents.moves()) state_->write_keys();
  state_->write_document();
  state_->file.commit();
}

}  // namespace cutis
