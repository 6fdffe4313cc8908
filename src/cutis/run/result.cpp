#include "cutis/run/result.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/folder.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/run/checked_arrays.h"
#include "cutis/run/checksums.h"
#include "cutis/run/skeleton_arrays.h"
#include "cutis/surface/mesh/triangulate.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

constexpr const char* kChecksums = "checksums.sha256";
constexpr const char* kMesh = "mesh.npz";
const std::string kRegionPrefix = "region_", kAttributePrefix = "attribute_";
const std::string kMaterial = "material", kPart = "part", kGroupNames = "_names", kGroupFaces = "_faces";
constexpr const char* kState = "state/slide.npz";
constexpr const char* kStateFrame = "frame";
constexpr const char* kDirections = "directions";
constexpr const char* kStrokeTriangles = "stroke_triangles";
constexpr const char* kStrokeDirections = "stroke_directions";
constexpr const char* kResidual = "residual";
constexpr const char* kBarrier = "barrier";
constexpr const char* kTime = "time";
constexpr const char* kPositions = "positions";
constexpr const char* kAnimation = "animation";
constexpr const char* kVelocities = "velocities";
constexpr const char* kJointTransforms = "joint_transforms";
constexpr const char* kJointVelocities = "joint_velocities";
constexpr const char* kMapFace = "map_face";
constexpr const char* kMapBarycentric = "map_barycentric";
constexpr const char* kMapSide = "map_side";
constexpr const char* kSkinToBody = "skin_to_body";
constexpr const char* kBodyCrc = "body_crc";
constexpr const char* kBodyBounds = "body_bounds";
const std::string kStatePrefix = "slide.";

std::string frame_name(int number) { return fmt::format("frames/{:06}.npz", number); }

/// Positions or velocities.
NpyArray points_array(const SourcePoints& points, FramePrecision precision) {
  if (precision == FramePrecision::Float64) return npy_vectors<3>(points.raw());
  std::vector<float> values;
  values.reserve(points.size() * 3);
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(p[k]));
  return npy_array(values.data(), values.size(), {points.size(), 3});
}

/// What names of arrays of a frame's i-th sample begin with.
std::string sample_prefix(std::size_t i) { return fmt::format("sample{}_", i + 1); }

void add_joints(const std::vector<JointTransform>& joints, const std::vector<JointTransform>& velocities,
                const std::string& prefix, Npz& arrays) {
  if (joints.empty()) return;
  arrays[prefix + kJointTransforms] = npy_matrices(joints);
  arrays[prefix + kJointVelocities] = npy_matrices(velocities);
}

Npz sample_arrays(const std::vector<FrameSample>& samples, FramePrecision precision) {
  Npz arrays;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const FrameSample& sample = samples[i];
    const std::string prefix = sample_prefix(i);
    arrays[prefix + kTime] = npy_scalar(sample.time);
    arrays[prefix + kPositions] = points_array(sample.positions, precision);
    if (!sample.velocities.empty()) arrays[prefix + kVelocities] = points_array(sample.velocities, precision);
    add_joints(sample.joints, sample.joint_velocities, prefix, arrays);
  }
  return arrays;
}

Npz stroke_arrays(const std::vector<LineSample>& strokes) {
  std::vector<std::int32_t> triangles;
  std::vector<Vec3> lines;
  for (const LineSample& s : strokes) {
    triangles.push_back(s.face.value);
    lines.push_back(s.direction);
  }
  Npz arrays;
  arrays[kStrokeTriangles] = npy_array(triangles);
  arrays[kStrokeDirections] = npy_vectors<3>(lines);
  return arrays;
}

/// `kind` begins the names of the arrays: "material" or "part".
void add_face_groups(const FaceGroups& groups, const std::string& kind, Npz& arrays) {
  if (groups.empty()) return;
  std::string names;
  for (const std::string& name : groups.names) names += one_line(name) + "\n";
  arrays[kind + kGroupNames] = npy_array(Bytes(names.begin(), names.end()));
  arrays[kind + kGroupFaces] = npy_array(groups.of_face);
}

FaceGroups take_face_groups(CheckedArrays& in, const std::string& kind, std::size_t faces) {
  FaceGroups groups;
  if (!in.has(kind + kGroupNames)) return groups;
  const Bytes bytes = in.take_bytes(kind + kGroupNames);
  std::istringstream names(std::string(bytes.begin(), bytes.end()));
  for (std::string name; std::getline(names, name);) groups.names.push_back(name);
  groups.of_face = in.take_integers(kind + kGroupFaces, {faces});
  for (std::int32_t group : groups.of_face)
    in.require(group >= -1 && group < static_cast<std::int32_t>(groups.names.size()), kind + kGroupFaces,
               "lines of the names, or -1");
  in.require(!groups.names.empty(), kind + kGroupNames, "a name a line");
  return groups;
}

Npz mesh_arrays(const ResultMesh& m) {
  std::vector<std::int32_t> offsets = m.mesh.face_offsets, corners, welded;
  if (offsets.empty()) offsets.push_back(0);
  for (SourceVertexId v : m.mesh.corners) corners.push_back(v.value);
  for (VertexId v : m.welded) welded.push_back(v.value);
  Npz arrays;
  arrays["rest"] = npy_vectors<3>(m.mesh.positions.raw());
  arrays["face_offsets"] = npy_array(offsets);
  arrays["face_corners"] = npy_array(corners);
  if (m.mesh.has_uvs()) arrays["uvs"] = npy_vectors<2>(m.mesh.uvs.raw());
  arrays["welded"] = npy_array(welded);
  arrays["triangles"] = npy_array(reinterpret_cast<const std::int32_t*>(m.triangles.data()),
                                  m.triangles.size() * 3, {m.triangles.size(), 3});
  arrays["triangle_faces"] = npy_array(m.triangle_faces);
  if (!m.directions.empty()) arrays[kDirections] = npy_vectors<3>(m.directions.raw());
  if (!m.strokes.empty()) arrays.merge(stroke_arrays(m.strokes));
  if (m.skeleton) arrays.merge(skeleton_arrays(*m.skeleton));
  add_face_groups(m.materials, kMaterial, arrays);
  add_face_groups(m.parts, kPart, arrays);
  for (const auto& [name, inside] : m.regions)
    arrays[kRegionPrefix + name] = npy_array(Bytes(inside.begin(), inside.end()));
  for (const VertexAttribute& attribute : m.attributes)
    arrays[kAttributePrefix + attribute.name] =
        npy_array(attribute.values.data(), attribute.values.size(),
                  {attribute.values.size() / attribute.components, attribute.components});
  return arrays;
}

/// Faces go as differences from vertex to vertex: neighbours lie on neighbouring faces, and what is small and
/// recurs is deflated better.
Npz map_arrays(const FrameMap& map) {
  std::vector<std::int32_t> differences;
  std::vector<std::uint16_t> barycentrics;
  std::int32_t before = 0;
  for (const QuantizedPoint& p : map.points) {
    differences.push_back(p.face - std::exchange(before, p.face));
    barycentrics.insert(barycentrics.end(), {p.second, p.third});
  }
  Npz arrays;
  arrays[kMapFace] = npy_array(differences);
  arrays[kMapBarycentric] = npy_array(barycentrics.data(), barycentrics.size(), {map.points.size(), 2});
  arrays[kMapSide] = npy_text(kSkinToBody);
  arrays[kBodyCrc] = npy_scalar(static_cast<std::int64_t>(map.body.crc));
  arrays[kBodyBounds] = npy_vectors<3>({map.body.low, map.body.high});
  return arrays;
}

ResultMesh read_mesh(const fs::path& path) {
  CheckedArrays in(read_npz(path), path.string());
  ResultMesh m;
  m.mesh.positions = SourcePoints(in.take_vectors<3>("rest"));
  const std::size_t n = m.mesh.vertex_count();
  for (std::int32_t v : in.indices("face_corners", n)) m.mesh.corners.push_back(SourceVertexId(v));
  m.mesh.face_offsets = in.offsets("face_offsets", m.mesh.corner_count());
  for (FaceId f : ids<FaceId>(m.mesh.face_count()))
    in.require(m.mesh.face_size(f) >= 3, "face_offsets", "three corners or more a face");
  if (in.has("uvs")) {
    m.mesh.uvs = IdVector<CornerId, Vec2>(in.take_vectors<2>("uvs"));
    in.require(m.mesh.uvs.size() == m.mesh.corner_count(), "uvs", "one a corner");
  }
  for (std::int32_t v : in.indices("welded", n)) m.welded.push_back(VertexId(v));
  in.require(m.welded.size() == n, "welded", "one a vertex");
  const std::vector<std::int32_t> corners = in.indices("triangles", n);
  in.require(corners.size() % 3 == 0, "triangles", "rows of 3 numbers");
  for (std::size_t i = 0; i < corners.size(); i += 3)
    m.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  m.triangle_faces = in.indices("triangle_faces", m.mesh.face_count());
  in.require(m.triangle_faces.size() == m.triangles.size(), "triangle_faces", "one a triangle");
  if (in.has(kDirections)) {
    m.directions = LineDirections(in.take_vectors<3>(kDirections));
    in.require(m.directions.size() == m.triangles.size(), kDirections, "one a triangle");
  }
  if (in.has(kStrokeTriangles)) {
    const std::vector<std::int32_t> faces = in.indices(kStrokeTriangles, m.triangles.size());
    const std::vector<Vec3> lines = in.take_vectors<3>(kStrokeDirections);
    in.require(lines.size() == faces.size() && !m.directions.empty(), kStrokeDirections,
               "one a row of stroke_triangles, beside directions");
    for (std::size_t i = 0; i < lines.size(); ++i) m.strokes.push_back({FaceId(faces[i]), lines[i]});
  }
  m.skeleton = take_skeleton(in, n);
  m.materials = take_face_groups(in, kMaterial, m.mesh.face_count());
  m.parts = take_face_groups(in, kPart, m.mesh.face_count());
  for (const std::string& name : in.names())
    if (name.starts_with(kRegionPrefix)) {
      const Bytes inside = in.take_bytes(name);
      in.require(inside.size() == n, name, "one a vertex");
      m.regions[name.substr(kRegionPrefix.size())].assign(inside.begin(), inside.end());
    } else if (name.starts_with(kAttributePrefix)) {
      VertexAttribute& attribute = m.attributes.emplace_back();
      attribute.name = name.substr(kAttributePrefix.size());
      attribute.values = in.take_table(name, n, attribute.components);
    }
  return m;
}

/// Positions or velocities of all vertices.
SourcePoints take_points(CheckedArrays& in, const std::string& name, const ResultMesh& mesh) {
  SourcePoints points(in.take_vectors<3>(name));
  in.require(points.size() == mesh.mesh.vertex_count(), name, "as many as mesh.npz has vertices");
  return points;
}

/// Of a frame, or with its prefix of one of its samples.
void take_joints(CheckedArrays& in, const std::string& prefix, const ResultMesh& mesh,
                 std::vector<JointTransform>& joints, std::vector<JointTransform>& velocities) {
  if (!mesh.skeleton) return;
  joints = in.take_matrices(prefix + kJointTransforms, mesh.skeleton->joints.size());
  velocities = in.take_matrices(prefix + kJointVelocities, mesh.skeleton->joints.size());
}

std::vector<FrameSample> take_samples(CheckedArrays& in, const ResultMesh& mesh, double frame_time) {
  std::vector<FrameSample> samples;
  for (std::string prefix = sample_prefix(0); in.has(prefix + kTime);
       prefix = sample_prefix(samples.size())) {
    FrameSample sample;
    sample.time = in.take_number(prefix + kTime);
    in.require(sample.time < frame_time && (samples.empty() || sample.time > samples.back().time),
               prefix + kTime, "before the frame, after the sample before it");
    sample.positions = take_points(in, prefix + kPositions, mesh);
    if (in.has(prefix + kVelocities)) sample.velocities = take_points(in, prefix + kVelocities, mesh);
    take_joints(in, prefix, mesh, sample.joints, sample.joint_velocities);
    samples.push_back(std::move(sample));
  }
  return samples;
}

int finished_frames(const Checksums& sums) {
  int count = 0;
  while (sums.contains(frame_name(count + 1))) ++count;
  return count;
}

/// The face of each point is the sum of the differences up to it.
std::vector<std::int32_t> take_map_faces(CheckedArrays& in, std::size_t points, std::size_t faces) {
  std::vector<std::int32_t> values = in.take_integers(kMapFace, {points});
  std::int64_t face = 0;
  for (std::size_t i = 0; i < points; ++i) {
    face += values[i];
    if (face < 0 || face >= static_cast<std::int64_t>(faces))
      in.wrong(kMapFace, fmt::format("differences that sum to triangles below {}, but row {} comes to {}",
                                     faces, i, face));
    values[i] = static_cast<std::int32_t>(face);
  }
  return values;
}

QuantizedMap take_map(CheckedArrays& in, const ResultMesh& mesh) {
  const std::size_t points = mesh.welded_count();
  in.require(in.take_text(kMapSide) == kSkinToBody, kMapSide, fmt::format("\"{}\"", kSkinToBody));
  const std::vector<std::int32_t> faces = take_map_faces(in, points, mesh.triangles.size());
  const std::vector<std::int32_t> barycentrics = in.take_integers(kMapBarycentric, {points, 2});
  QuantizedMap map(points);
  for (std::size_t i = 0; i < points; ++i) {
    const std::int32_t second = barycentrics[2 * i], third = barycentrics[2 * i + 1];
    if (second < 0 || third < 0 || second > kMapSteps || third > kMapSteps - second)
      in.wrong(kMapBarycentric, fmt::format("numbers from 0 that sum to {} at most, but row {} has {} and {}",
                                            kMapSteps, i, second, third));
    map[i] = {faces[i], static_cast<std::uint16_t>(second), static_cast<std::uint16_t>(third)};
  }
  return map;
}

BodyCheck take_body_check(CheckedArrays& in) {
  BodyCheck check;
  const double crc = in.take_number(kBodyCrc);
  in.require(crc >= 0 && crc <= std::numeric_limits<std::uint32_t>::max(), kBodyCrc, "a 32-bit number");
  check.crc = static_cast<std::uint32_t>(crc);
  const std::vector<Vec3> bounds = in.take_vectors<3>(kBodyBounds);
  in.require(bounds.size() == 2, kBodyBounds, "two points");
  check.low = bounds[0];
  check.high = bounds[1];
  return check;
}

struct SavedState {
  int frame = 0;
  State state;
};

/// Nothing when there is none or it is damaged: then a run begins again, which costs time but no truth.
std::optional<SavedState> read_state(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    CheckedArrays in(read_npz(path), path.string());
    SavedState saved;
    saved.frame = in.take_frame_number(kStateFrame);
    for (const auto& [name, array] : std::move(in).rest()) {
      if (!name.starts_with(kStatePrefix)) continue;
      const std::string own = name.substr(kStatePrefix.size());
      if (array.type == NpyType::Int32)
        saved.state.integers[own] = to_int32(array, path.string());
      else
        saved.state.numbers[own] = to_doubles(array);
    }
    return saved;
  } catch (const InputError& error) {
    log().warn("{}", error.what());
    return std::nullopt;
  }
}

Bytes encode_state(int frame, const State& state) {
  Npz arrays;
  arrays[kStateFrame] = npy_scalar(static_cast<std::int32_t>(frame));
  for (const auto& [name, values] : state.numbers) arrays[kStatePrefix + name] = npy_array(values);
  for (const auto& [name, values] : state.integers) {
    assert(!state.numbers.contains(name));  // one of the two would be lost
    arrays[kStatePrefix + name] = npy_array(values);
  }
  return encode_npz(arrays);
}

bool matches(const fs::path& path, const std::string& sum) {
  return fs::is_regular_file(path) && sha256(read_file(path)) == sum;
}

/// Filesystem calls of the standard library, with errors that name the file.
template <class F>
void on_disk(const fs::path& path, const F& f) {
  try {
    f();
  } catch (const fs::filesystem_error& error) {
    throw IoError(fmt::format("{}: {}", path.string(), write_failure(error.code().value())));
  }
}

/// Whether the folder is there with something in it; a summary torn at the very first moment is nothing.
bool occupied(const fs::path& folder) {
  if (!fs::exists(folder)) return false;
  if (!fs::is_directory(folder)) return true;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path name = entry.path().filename();
    if (name != std::string(kSummaryFile) + ".part" && name != kStagesFolder) return true;
  }
  return false;
}

void remove_after(const fs::path& folder, int last) {
  for (const auto& entry : fs::directory_iterator(folder / "frames")) {
    const std::string name = "frames/" + entry.path().filename().string();
    const bool kept = std::atoi(entry.path().stem().c_str()) <= last && entry.path().extension() == ".npz";
    if (!kept) fs::remove_all(folder / name);
  }
}

}  // namespace

bool is_result(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / kSummaryFile, ignored)) return false;
  try {
    read_summary(folder / kSummaryFile);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool is_whole(const fs::path& folder) {
  const Summary summary = read_summary(folder / kSummaryFile);
  const Checksums sums = read_checksums(folder / kChecksums);
  return summary.complete && sums.contains(kMesh) && finished_frames(sums) == summary.frames &&
         std::all_of(sums.begin(), sums.end(),
                     [&](const auto& sum) { return matches(folder / sum.first, sum.second); });
}

void check_free(const fs::path& folder) {
  on_disk(folder, [&] {
    if (!is_result(folder) && occupied(folder))
      throw InputError(folder.string() +
                       ": holds something that is not a Cutis result; choose another folder or empty it");
  });
}

/// Held while a run writes; the system lets go of it when the process ends, however it ends.
class ResultWriter::FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ < 0)
      throw IoError(fmt::format("{}: cannot be opened: {}", folder.string(), std::strerror(errno)));
    // Any other error means a filesystem without locks: go on without.
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(fd_);
    throw InputError(folder.string() +
                     ": another run is writing there; wait for it or choose another folder");
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

ResultWriter::ResultWriter(const fs::path& folder, const ResultMesh& mesh, const Summary& summary,
                           Start start)
    : folder_(folder), precision_(summary.precision), storage_(summary.storage) {
  on_disk(folder_, [&] {
    check_free(folder_);
    const bool earlier = is_result(folder_);
    make_folder(folder_);
    lock_ = std::make_unique<FolderLock>(folder_);
    const Bytes mesh_bytes = encode_npz(mesh_arrays(mesh));
    if (earlier && start == Start::Resume) {
      const Summary before = read_summary(folder_ / kSummaryFile);
      const std::string changed = difference(before, summary);
      if (!changed.empty())
        throw InputError(fmt::format("{}: cannot go on: {}; run without --resume to begin again",
                                     folder_.string(), changed));
      if (before.machine.cpu != summary.machine.cpu)
        log().warn("the run began on another processor ({}): the last bits may differ", before.machine.cpu);
      if (go_on(mesh_bytes)) {
        for (const UnconvergedFrame& frame : before.unconverged)
          if (frame.frame <= frames_) unconverged_.push_back(frame);
        for (const FoldedFrame& frame : before.folded)
          if (frame.frame <= frames_) folded_.push_back(frame);
        for (const FrameNote& note : before.notes)
          if (note.frame <= frames_) notes_.push_back(note);
        return;
      }
      log().warn("{}: no frame to go on from: beginning again", folder_.string());
    }
    begin(mesh_bytes, summary);
  });
}

ResultWriter::~ResultWriter() = default;

void ResultWriter::begin(const Bytes& mesh, const Summary& summary) {
  // In this order, so that a kill in between never leaves frames of one run under the name of another: first
  // what makes old frames count, then the new name, then the old frames themselves.
  fs::remove_all(folder_ / "state");
  fs::remove(folder_ / kChecksums);
  write_summary(summary);
  fs::remove_all(folder_ / "frames");
  fs::remove_all(folder_ / kLayersFolder);
  fs::create_directories(folder_ / "frames");
  fs::create_directories(folder_ / "state");
  write_file_whole(folder_ / kMesh, mesh);
  append_checksum(folder_ / kChecksums, kMesh, sha256(mesh));
}

bool ResultWriter::go_on(const Bytes& mesh_bytes) {
  std::optional<SavedState> saved = read_state(folder_ / kState);
  const Checksums sums = read_checksums(folder_ / kChecksums);
  const auto mesh_sum = sums.find(kMesh);
  if (!saved || mesh_sum == sums.end()) return false;
  if (mesh_sum->second != sha256(mesh_bytes))
    throw InputError(folder_.string() +
                     ": cannot go on: the body's mesh changed; run without --resume to begin again");
  std::vector<std::string> good{kMesh};
  for (int i = 1; i <= saved->frame; ++i) {
    const std::string name = frame_name(i);
    const auto sum = sums.find(name);
    if (sum == sums.end() || !matches(folder_ / name, sum->second)) {
      log().warn("{}: is missing or does not match its checksum", (folder_ / name).string());
      return false;
    }
    good.push_back(name);
  }
  // Frames beyond the saved state are made again: they come out the same.
  if (!matches(folder_ / kMesh, mesh_sum->second)) write_file_whole(folder_ / kMesh, mesh_bytes);
  write_checksums(folder_ / kChecksums, good, sums);
  remove_after(folder_, saved->frame);
  frames_ = saved->frame;
  state_ = std::move(saved->state);
  return true;
}

void ResultWriter::write_frame(const ResultFrame& frame, const State& state) {
  const bool as_map = storage_ == FrameStorage::Map;
  assert(frame.number == frames_ + 1 && frame.map.has_value() == as_map);
  Npz arrays = frame.fields;
  arrays["frame"] = npy_scalar(static_cast<std::int32_t>(frame.number));
  arrays[kTime] = npy_scalar(frame.time);
  arrays[kResidual] = npy_scalar(frame.residual);
  arrays[kBarrier] = npy_scalar(frame.barrier);
  if (as_map)
    arrays.merge(map_arrays(*frame.map));
  else
    arrays[kPositions] = points_array(frame.positions, precision_);
  if (!frame.velocities.empty()) arrays[kVelocities] = points_array(frame.velocities, precision_);
  if (!frame.animation.empty()) arrays[kAnimation] = points_array(frame.animation, precision_);
  // The body that a map needs tells where its joints are.
  if (!as_map) add_joints(frame.joints, frame.joint_velocities, "", arrays);
  arrays.merge(sample_arrays(frame.samples, precision_));
  // Positions are noise to a compressor; maps are stored for their size.
  const Bytes bytes = encode_npz(arrays, as_map ? Compression::Deflated : Compression::Stored);
  const std::string name = frame_name(frame.number);
  write_file_whole(folder_ / name, bytes);
  append_checksum(folder_ / kChecksums, name, sha256(bytes));
  write_file_whole(folder_ / kState, encode_state(frame.number, state));
  frames_ = frame.number;
}

void ResultWriter::write_summary(const Summary& summary) {
  write_file_whole(folder_ / kSummaryFile, to_json(summary));
}

ResultReader::ResultReader(const fs::path& folder, BodyOpener open)
    : ResultReader(folder, nullptr, std::move(open)) {}

ResultReader::ResultReader(const fs::path& folder, std::shared_ptr<const Body> body)
    : ResultReader(folder, std::move(body), nullptr) {}

ResultReader::ResultReader(const fs::path& folder, std::shared_ptr<const Body> body, BodyOpener open)
    : folder_(folder) {
  on_disk(folder, [&] {
    if (!fs::is_directory(folder)) throw InputError(folder.string() + ": no such result folder");
    summary_ = read_summary(folder / kSummaryFile);
    mesh_ = read_mesh(folder / kMesh);
    frame_count_ = finished_frames(read_checksums(folder / kChecksums));
    if (summary_.storage == FrameStorage::Positions) return;
    expander_ =
        std::make_unique<MapExpander>(mesh_, summary_, folder.string(), std::move(body), std::move(open));
  });
}

ResultFrame ResultReader::frame(int number) const {
  const fs::path path = folder_ / frame_name(number);
  CheckedArrays in(read_npz(path), path.string());
  ResultFrame frame;
  frame.number = in.take_frame_number("frame");
  frame.time = in.take_number(kTime);
  if (in.has(kResidual)) frame.residual = in.take_number(kResidual);
  if (in.has(kBarrier)) frame.barrier = in.take_number(kBarrier);
  in.require(frame.number == number, "frame", fmt::format("{}", number));
  if (expander_) {
    frame.map = {take_map(in, mesh_), take_body_check(in)};
    frame.positions = (*expander_)(*frame.map, frame.time);
    if (mesh_.skeleton) {
      frame.joints = expander_->body().joint_transforms(frame.time);
      frame.joint_velocities = expander_->body().joint_velocities(frame.time);
    }
  } else {
    frame.positions = take_points(in, kPositions, mesh_);
    take_joints(in, "", mesh_, frame.joints, frame.joint_velocities);
    frame.samples = take_samples(in, mesh_, frame.time);
  }
  if (in.has(kVelocities)) frame.velocities = take_points(in, kVelocities, mesh_);
  if (in.has(kAnimation)) frame.animation = take_points(in, kAnimation, mesh_);
  frame.fields = std::move(in).rest();
  return frame;
}

}  // namespace cutis
