#include "cutis/io/cache/mesh_sequence.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/ply.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// "walk_####.obj" as "walk_", 4, ".obj".
struct Pattern {
  std::string before, after;
  std::size_t digits = 0;

  explicit Pattern(const std::string& name) {
    const std::size_t first = name.find('#'), end = std::min(name.find_first_not_of('#', first), name.size());
    before = name.substr(0, first);
    after = name.substr(end);
    digits = end - first;
  }

  std::optional<long> number(const std::string& name) const {
    if (name.size() < before.size() + digits + after.size() || !name.starts_with(before) ||
        !name.ends_with(after))
      return std::nullopt;
    const char* begin = name.data() + before.size();
    const char* end = name.data() + name.size() - after.size();
    if (std::any_of(begin, end, [](char c) { return c < '0' || c > '9'; })) return std::nullopt;
    if (end - begin > static_cast<std::ptrdiff_t>(digits) && *begin == '0') return std::nullopt;
    long value = 0;
    if (std::from_chars(begin, end, value).ec != std::errc()) return std::nullopt;
    return value;
  }
};

/// One file as a sequence that has no motion yet.
MeshSequence read_mesh(const fs::path& file) {
  const std::string ending = lower_ending(file);
  if (ending == ".obj") {
    ObjMesh obj = read_obj_groups(file);
    return {std::move(obj.mesh), {}, {}, std::move(obj.materials), std::move(obj.parts)};
  }
  if (ending == ".ply") {
    PlyMesh ply = read_ply(file);
    return {std::move(ply.mesh), {}, color_attributes(ply.colors)};
  }
  throw InputError(fmt::format("{}: a sequence is made of .obj or .ply files", file.string()));
}

void append(const fs::path& file, const SourcePoints& points, std::vector<double>& coordinates) {
  for (SourceVertexId v : ids<SourceVertexId>(points.size()))
    for (int i = 0; i < 3; ++i) {
      if (!(std::abs(points[v][i]) <= std::numeric_limits<float>::max()))
        throw InputError(fmt::format("{}: vertex {} has a coordinate {}, which is too large", file.string(),
                                     v.value, points[v][i]));
      coordinates.push_back(points[v][i]);
    }
}

}  // namespace

bool is_sequence(const fs::path& pattern) {
  std::error_code code;
  return pattern.filename().string().find('#') != std::string::npos && !fs::exists(pattern, code);
}

std::vector<fs::path> sequence_files(const fs::path& pattern) {
  const Pattern wanted(pattern.filename().string());
  const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
  std::map<long, fs::path> found;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (const auto number = wanted.number(at->path().filename().string())) found.emplace(*number, at->path());
  if (code || found.empty())
    throw InputError(fmt::format("{}: no file of this kind; each # stands for a digit", pattern.string()));
  std::vector<fs::path> files;
  for (const auto& [number, file] : found) {
    const long expected = found.begin()->first + static_cast<long>(files.size());
    if (number != expected)
      throw InputError(
          fmt::format("{}: number {} is missing, though {} is there; number the files without gaps",
                      pattern.string(), expected, file.filename().string()));
    files.push_back(file);
  }
  return files;
}

MeshSequence read_mesh_sequence(const fs::path& pattern, double fps) {
  if (!(fps > 0) || !std::isfinite(fps))
    throw InputError(fmt::format("{}: {} frames a second; write a number above zero", pattern.string(), fps));
  const std::vector<fs::path> files = sequence_files(pattern);
  MeshSequence sequence = read_mesh(files.front());
  auto& coordinates = sequence.cache.coordinates.emplace<std::vector<double>>();
  for (const fs::path& file : files) {
    const SourceMesh mesh = file == files.front() ? sequence.mesh : read_mesh(file).mesh;
    if (mesh.vertex_count() != sequence.mesh.vertex_count() ||
        mesh.face_offsets != sequence.mesh.face_offsets || mesh.corners != sequence.mesh.corners)
      throw InputError(
          fmt::format("{}: has {} vertices and {} faces that are not those of the first file ({} and "
                      "{}); a sequence is one mesh that moves",
                      file.string(), mesh.vertex_count(), mesh.face_count(), sequence.mesh.vertex_count(),
                      sequence.mesh.face_count()));
    sequence.cache.times.push_back(static_cast<double>(sequence.cache.times.size()) / fps);
    append(file, mesh.positions, coordinates);
  }
  sequence.cache.file = pattern.string();
  sequence.cache.vertex_count = sequence.mesh.vertex_count();
  return sequence;
}

}  // namespace cutis
