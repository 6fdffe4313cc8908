#include "cutis/io/mesh/obj.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

constexpr std::size_t most_mistakes = 10;
constexpr std::int32_t no_uv = -1;

/// The file as words and line ends. A backslash before a line end joins the two lines.
class Words {
 public:
  explicit Words(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
    if (text.starts_with("\xEF\xBB\xBF")) at_ += 3;
  }
  bool at_end() const { return at_ == end_; }
  std::int32_t line() const { return line_; }

  /// The next word of this line; empty at its end and before a comment.
  std::string_view next() {
    skip_blanks();
    const char* first = at_;
    while (at_ != end_ && !ends_word()) ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }
  void next_line() {
    bool comment = false;  // a backslash that ends a comment, perhaps a folder's, joins nothing
    while (at_ != end_ && *at_ != '\n') {
      comment = comment || *at_ == '#';
      if (comment || !join_lines()) ++at_;
    }
    if (at_ == end_) return;
    ++at_;
    ++line_;
  }

 private:
  const char* at_;
  const char* end_;
  std::int32_t line_ = 1;

  /// Length of a backslash with its line end, "\\\n" or "\\\r\n"; 0 when there is none here.
  int joint() const {
    if (*at_ != '\\') return 0;
    if (end_ - at_ > 1 && at_[1] == '\n') return 2;
    return end_ - at_ > 2 && at_[1] == '\r' && at_[2] == '\n' ? 3 : 0;
  }
  bool join_lines() {
    const int length = joint();
    at_ += length;
    line_ += length > 0;
    return length > 0;
  }
  bool ends_word() const {
    return *at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n' || *at_ == '#' || joint() > 0;
  }
  void skip_blanks() {
    while (at_ != end_) {
      if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')
        ++at_;
      else if (!join_lines())
        return;
    }
  }
};

/// A word as a message shows it.
std::string shown(std::string_view word) { return one_line(word, 40); }

class ObjReader {
 public:
  ObjReader(std::string name, std::string_view text) : name_(std::move(name)), words_(text) {}

  ObjMesh read() {
    while (!words_.at_end()) {
      read_statement();
      words_.next_line();
    }
    check_indices();
    if (!mistakes_.empty()) throw InputError(mistakes_);
    if (mesh_.face_count() == 0)
      throw InputError(
          fmt::format("{}: has no faces ({} vertices); is it an OBJ file, exported with its polygons?", name_,
                      mesh_.vertex_count()));
    attach_uvs();
    return {std::move(mesh_), groups_from(face_materials_), groups_from(face_parts_)};
  }

 private:
  std::string name_;
  Words words_;
  SourceMesh mesh_;
  std::vector<Vec2> uvs_;
  std::vector<std::int32_t> corner_uvs_;  ///< index into uvs_ or no_uv
  std::vector<std::int32_t> face_lines_;
  std::vector<SourceVertexId> face_;
  std::int64_t normal_count_ = 0;
  std::vector<std::string> mistakes_;
  /// What the statements so far have named; face_*: of each face, empty where none had been named.
  std::string material_, object_, group_;
  std::vector<std::string> face_materials_, face_parts_;

  void mistake(std::int32_t line, const std::string& what) {
    mistakes_.push_back(fmt::format("{}:{}: {}", name_, line, what));
    if (mistakes_.size() == most_mistakes) throw InputError(mistakes_);
  }

  void read_statement() {
    const std::string_view keyword = words_.next();
    if (keyword == "v") {
      Vec3 p = Vec3::Zero();
      const std::int32_t line = words_.line();
      if (read_numbers(p.data(), 3, 3, "a position") && !is_place(p))
        mistake(line, fmt::format("a position at ({}, {}, {}), beyond {:g}; look at its scale", p.x(), p.y(),
                                  p.z(), largest_coordinate));
      mesh_.positions.push_back(p);
    } else if (keyword == "vt") {
      Vec2 uv = Vec2::Zero();
      read_numbers(uv.data(), 1, 2, "a texture coordinate");
      uvs_.push_back(uv);
    } else if (keyword == "vn") {
      ++normal_count_;
    } else if (keyword == "f") {
      read_face();
    } else if (keyword == "usemtl") {
      material_ = read_name();
    } else if (keyword == "o") {
      object_ = read_name();
      group_.clear();
    } else if (keyword == "g") {
      group_ = read_name();
    }
  }

  /// The rest of the line: names of materials may have blanks.
  std::string read_name() {
    std::string name;
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next())
      name += (name.empty() ? "" : " ") + std::string(word);
    return name;
  }

  static FaceGroups groups_from(const std::vector<std::string>& of_faces) {
    FaceGroups groups;
    if (std::ranges::all_of(of_faces, &std::string::empty)) return groups;
    for (const std::string& name : of_faces)
      groups.of_face.push_back(name.empty() ? -1 : groups.number(name));
    return groups;
  }

  /// Reads up to `most` numbers; what follows them on the line (a weight, a colour) is passed over. False
  /// after a mistake.
  bool read_numbers(double* values, int least, int most, const char* what) {
    for (int i = 0; i < most; ++i) {
      const std::string_view word = words_.next();
      if (word.empty() && i >= least) return true;
      if (!word.empty() && parse(word, values[i])) continue;
      mistake(words_.line(), word.empty()
                                 ? fmt::format("{} of {} numbers; it needs {}", what, i, least)
                                 : fmt::format("\"{}\" in {}; write a finite number", shown(word), what));
      return false;
    }
    return true;
  }

  static bool parse(std::string_view word, double& value) {
    const char* end = word.data() + word.size();
    const char* begin = word.data() + (word.size() > 1 && word[0] == '+' ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (stop != end || error == std::errc::invalid_argument) return false;
    if (error != std::errc::result_out_of_range) return std::isfinite(value);
    // Too small for a double is zero, too large is nothing that can be drawn.
    value = 0;
    return word.find("e-") != word.npos || word.find("E-") != word.npos;
  }

  void read_face() {
    face_.clear();
    const std::int32_t line = words_.line();
    const std::size_t first = corner_uvs_.size();
    for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
      if (!read_corner(word)) {
        corner_uvs_.resize(first);
        return;
      }
    }
    if (face_.size() < 3) {
      corner_uvs_.resize(first);
      return mistake(line, fmt::format("a face of {} corners; it needs three or more", face_.size()));
    }
    if (corner_uvs_.size() > std::numeric_limits<std::int32_t>::max())
      throw InputError(fmt::format("{}:{}: more than 2^31 face corners; split the mesh", name_, line));
    mesh_.add_face(face_);
    face_lines_.push_back(line);
    face_materials_.push_back(material_);
    face_parts_.push_back(group_.empty() ? object_ : group_);
  }

  /// One corner, "v", "v/vt", "v//vn" or "v/vt/vn".
  bool read_corner(std::string_view word) {
    const char* at = word.data();
    const char* end = at + word.size();
    std::int32_t vertex = -1, uv = no_uv, normal = -1;
    bool good = read_index(at, end, mesh_.positions.size(), vertex);
    if (good && at != end && *at == '/') {
      ++at;
      if (at != end && *at != '/') good = read_index(at, end, uvs_.size(), uv);
      if (good && at != end && *at == '/') {
        ++at;
        if (at != end) good = read_index(at, end, static_cast<std::size_t>(normal_count_), normal);
      }
    }
    if (!good || at != end) {
      mistake(words_.line(),
              fmt::format("\"{}\" in a face; write v, v/vt, v//vn or v/vt/vn, with indices that count from 1 "
                          "or back from -1 (so far there are {} v, {} vt, {} vn)",
                          shown(word), mesh_.positions.size(), uvs_.size(), normal_count_));
      return false;
    }
    face_.emplace_back(static_cast<int>(vertex));
    corner_uvs_.push_back(uv);
    return true;
  }

  /// Indices count from 1, or back from the last element read so far. One that points ahead is checked when
  /// the whole file is known.
  static bool read_index(const char*& at, const char* end, std::size_t so_far, std::int32_t& index) {
    std::int32_t given = 0;
    const auto [stop, error] = std::from_chars(at, end, given);
    if (error != std::errc() || given == 0) return false;
    at = stop;
    const std::int64_t resolved =
        given > 0 ? std::int64_t(given) - 1 : static_cast<std::int64_t>(so_far) + given;
    index = static_cast<std::int32_t>(resolved);
    return resolved >= 0;
  }

  void check_indices() {
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      const std::size_t first = mesh_.first_corner(f).index();
      for (std::size_t c = first; c < first + mesh_.face_size(f); ++c) {
        check_index(f, mesh_.corners[CornerId(c)].value, mesh_.positions.size(), "vertex");
        check_index(f, corner_uvs_[c], uvs_.size(), "texture coordinate");
      }
    }
  }
  void check_index(FaceId f, std::int32_t index, std::size_t count, const char* what) {
    if (index < static_cast<std::int64_t>(count)) return;
    mistake(face_lines_[f.index()], fmt::format("{} {} in a face, but the file has {}; export it again", what,
                                                std::int64_t(index) + 1, count));
  }

  void attach_uvs() {
    std::size_t missing = 0;
    for (std::int32_t uv : corner_uvs_) missing += uv == no_uv;
    if (missing == corner_uvs_.size()) return;
    if (missing > 0)
      log().warn("{}: {} of {} face corners have no texture coordinate; they get (0, 0)", name_, missing,
                 corner_uvs_.size());
    mesh_.uvs.reserve(corner_uvs_.size());
    for (std::int32_t uv : corner_uvs_)
      mesh_.uvs.push_back(uv == no_uv ? Vec2(0, 0) : uvs_[static_cast<std::size_t>(uv)]);
  }
};

/// Numbers texture coordinates by their bits, from 1, in the order of first use.
class UvNumbers {
 public:
  std::size_t number(const Vec2& uv, fmt::memory_buffer& out) {
    const std::array key{std::bit_cast<std::uint64_t>(uv.x()), std::bit_cast<std::uint64_t>(uv.y())};
    const auto [entry, is_new] = numbers_.try_emplace(key, numbers_.size() + 1);
    if (is_new) fmt::format_to(std::back_inserter(out), "vt {} {}\n", uv.x(), uv.y());
    return entry->second;
  }

 private:
  std::map<std::array<std::uint64_t, 2>, std::size_t> numbers_;
};

}  // namespace

SourceMesh read_obj(const std::filesystem::path& path) { return read_obj_groups(path).mesh; }

ObjMesh read_obj_groups(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return ObjReader(path.string(), text).read();
}

IdVector<CornerId, Vec2> read_obj_uvs(const std::filesystem::path& path, const SourceMesh& mesh) {
  SourceMesh found = read_obj(path);
  if (!found.has_uvs()) throw InputError(fmt::format("{}: has no texture coordinates", path.string()));
  if (found.face_count() != mesh.face_count())
    throw InputError(fmt::format("{}: has {} faces, the character has {}", path.string(), found.face_count(),
                                 mesh.face_count()));
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (!std::ranges::equal(found.face(f), mesh.face(f)))
      throw InputError(
          fmt::format("{}: face {} has other vertices than that of the character", path.string(), f.value));
  return std::move(found.uvs);
}

void write_obj(const std::filesystem::path& path, const SourceMesh& mesh) {
  fmt::memory_buffer points, uvs, faces;
  for (const Vec3& p : mesh.positions)
    fmt::format_to(std::back_inserter(points), "v {} {} {}\n", p.x(), p.y(), p.z());
  UvNumbers numbers;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    faces.push_back('f');
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i);
      fmt::format_to(std::back_inserter(faces), " {}", mesh.corners[c].index() + 1);
      if (mesh.has_uvs()) fmt::format_to(std::back_inserter(faces), "/{}", numbers.number(mesh.uvs[c], uvs));
    }
    faces.push_back('\n');
  }
  points.append(uvs);
  points.append(faces);
  write_file_whole(path, std::string_view(points.data(), points.size()));
}

}  // namespace cutis
