#include "cutis/io/usd/usda_writer.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/version.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/mesh/smooth_normals.h"

namespace cutis {
namespace {

using Buffer = fmt::memory_buffer;
auto end_of(Buffer& out) { return std::back_inserter(out); }

std::span<const unsigned char> as_bytes(const Buffer& out) {
  return {reinterpret_cast<const unsigned char*>(out.data()), out.size()};
}

/// A text that grows on the disk until it has its place in the file: USD wants all samples of one attribute
/// together, and frames come with one sample of each. The file has no name, so that it goes with the program.
class Spool {
 public:
  explicit Spool(const std::filesystem::path& beside) : place_(beside.string() + ".samples.part") {
    file_ = std::fopen(place_.c_str(), "w+b");
    if (!file_) fail();
    std::remove(place_.c_str());
  }
  ~Spool() {
    if (file_) std::fclose(file_);
  }
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void write(const Buffer& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void copy_to(AtomicFile& out) {
    if (std::fflush(file_) != 0 || std::fseek(file_, 0, SEEK_SET) != 0) fail();
    std::vector<unsigned char> block(1 << 20);
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), file_))
      out.write(std::span(block.data(), n));
    if (std::ferror(file_)) fail();
  }

 private:
  std::string place_;
  std::FILE* file_ = nullptr;
  [[noreturn]] void fail() const {
    throw IoError(fmt::format("{}: cannot be written: {}", place_, std::strerror(errno)));
  }
};

/// One attribute over time: its declaration, and its samples so far.
struct Attribute {
  std::string type, name, interpolation;
  std::size_t element_size = 1;  ///< numbers an element where no USD type has as many
  Spool samples;

  void declare(Buffer& out) const {
    if (interpolation.empty()) return;
    fmt::format_to(end_of(out), "    {} {} (\n", type, name);
    if (element_size > 1) fmt::format_to(end_of(out), "        elementSize = {}\n", element_size);
    fmt::format_to(end_of(out), "        interpolation = \"{}\"\n    )\n", interpolation);
  }
  void write_to(AtomicFile& file) {
    Buffer out;
    declare(out);
    fmt::format_to(end_of(out), "    {} {}.timeSamples = {{\n", type, name);
    file.write(as_bytes(out));
    samples.copy_to(file);
    out.clear();
    fmt::format_to(end_of(out), "    }}\n");
    file.write(as_bytes(out));
  }
};

/// Numbers in groups: [(1, 2), (3, 4)], or [1, 2] where a group is one.
template <class Number, class At>
void write_list(Buffer& out, std::size_t count, std::size_t group, const At& at) {
  out.push_back('[');
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out.append(std::string_view(", "));
    if (group == 1) {
      fmt::format_to(end_of(out), "{}", static_cast<Number>(at(i, std::size_t(0))));
      continue;
    }
    for (std::size_t k = 0; k < group; ++k)
      fmt::format_to(end_of(out), "{}{}", k == 0 ? "(" : ", ", static_cast<Number>(at(i, k)));
    out.push_back(')');
  }
  out.push_back(']');
}

template <class Vectors>
void write_vectors(Buffer& out, const Vectors& vectors) {
  const auto& raw = vectors.raw();
  write_list<float>(out, raw.size(), raw.empty() ? 1 : static_cast<std::size_t>(raw[0].size()),
                    [&](std::size_t i, std::size_t k) { return raw[i][static_cast<Eigen::Index>(k)]; });
}

/// A name that USD takes: letters, digits and underscores, no digit first.
std::string identifier(const std::string& name) {
  std::string result;
  for (char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result.insert(0, 1, '_');
  return result;
}

const char* interpolation_of(FrameField::Place place) {
  return place == FrameField::Place::Vertex ? "vertex"
         : place == FrameField::Place::Face ? "uniform"
                                            : "faceVarying";
}

}  // namespace

struct UsdaWriter::State {
  State(const std::filesystem::path& path, const SourceMesh& mesh, const std::vector<double>& times,
        double fps);

  const std::filesystem::path path;
  const SourceMesh mesh;
  const Weld weld;
  std::vector<double> codes;  ///< time codes of the frames
  std::size_t next = 0;
  AtomicFile file;
  std::map<std::string, std::unique_ptr<Attribute>> attributes;  ///< by name

  void write_head(double fps);
  void write_faces();
  void write_st();
  Attribute& attribute(const std::string& type, const std::string& name, const std::string& interpolation,
                       std::size_t element_size = 1);
  template <class Vectors>
  void sample(Attribute& attribute, const Vectors& vectors);
  void sample_field(const FrameField& field);
};

UsdaWriter::State::State(const std::filesystem::path& p, const SourceMesh& m,
                         const std::vector<double>& times, double fps)
    : path(p), mesh(m), weld(cutis::weld(m, default_weld_tolerance(m))), file(p) {
  for (double t : times) {
    const double code = t * fps, whole = std::round(code);
    codes.push_back(std::abs(code - whole) < 1e-6 ? whole : code);  // 1, not 1.0000000000000002
  }
  write_head(fps);
  write_faces();
}

void UsdaWriter::State::write_head(double fps) {
  Buffer out;
  fmt::format_to(end_of(out),
                 "#usda 1.0\n(\n    doc = \"cutis {}\"\n    defaultPrim = \"skin\"\n    metersPerUnit = 1\n"
                 "    upAxis = \"Y\"\n    timeCodesPerSecond = {}\n    framesPerSecond = {}\n"
                 "    startTimeCode = {}\n    endTimeCode = {}\n)\n\ndef Mesh \"skin\"\n{{\n",
                 version(), fps, fps, codes.front(), codes.back());
  file.write(as_bytes(out));
}

void UsdaWriter::State::write_faces() {
  Buffer out;
  fmt::format_to(end_of(out),
                 "    uniform token orientation = \"rightHanded\"\n"
                 "    uniform token subdivisionScheme = \"none\"\n    int[] faceVertexCounts = ");
  write_list<int>(out, mesh.face_count(), 1,
                  [&](std::size_t f, std::size_t) { return mesh.face_size(FaceId(f)); });
  fmt::format_to(end_of(out), "\n    int[] faceVertexIndices = ");
  write_list<int>(out, mesh.corner_count(), 1,
                  [&](std::size_t c, std::size_t) { return mesh.corners[CornerId(c)].value; });
  out.push_back('\n');
  file.write(as_bytes(out));
}

/// Texture coordinates that hold still: each pair once, and an index a corner.
void UsdaWriter::State::write_st() {
  std::map<std::array<float, 2>, std::size_t> numbers;
  IdVector<CornerId, Vec2> values;
  std::vector<std::size_t> indices;
  for (const Vec2& uv : mesh.uvs) {
    const std::array key{static_cast<float>(uv.x()), static_cast<float>(uv.y())};
    const auto [entry, is_new] = numbers.try_emplace(key, numbers.size());
    if (is_new) values.push_back(uv);
    indices.push_back(entry->second);
  }
  Buffer out;
  fmt::format_to(end_of(out), "    texCoord2f[] primvars:st = ");
  write_vectors(out, values);
  fmt::format_to(end_of(out),
                 " (\n        interpolation = \"faceVarying\"\n    )\n    int[] primvars:st:indices = ");
  write_list<int>(out, indices.size(), 1, [&](std::size_t i, std::size_t) { return indices[i]; });
  out.push_back('\n');
  file.write(as_bytes(out));
}

Attribute& UsdaWriter::State::attribute(const std::string& type, const std::string& name,
                                        const std::string& interpolation, std::size_t element_size) {
  auto& entry = attributes[name];
  if (!entry) entry.reset(new Attribute{type, name, interpolation, element_size, Spool(path)});
  return *entry;
}

template <class Vectors>
void UsdaWriter::State::sample(Attribute& attribute, const Vectors& vectors) {
  Buffer out;
  fmt::format_to(end_of(out), "        {}: ", codes[next]);
  write_vectors(out, vectors);
  out.append(std::string_view(",\n"));
  attribute.samples.write(out);
}

void UsdaWriter::State::sample_field(const FrameField& field) {
  const bool is_vector = field.components >= 2 && field.components <= 4;
  const std::string type = is_vector ? fmt::format("float{}[]", field.components) : "float[]";
  const std::size_t element_size = is_vector ? 1 : field.components, group = is_vector ? field.components : 1;
  const char* interpolation = interpolation_of(field.place);
  Attribute& to = attribute(type, "primvars:" + identifier(field.name), interpolation, element_size);
  if (to.type != type || to.interpolation != interpolation || to.element_size != element_size)
    throw InputError(fmt::format("{}: the field \"{}\" has another shape in frame {} than before",
                                 path.string(), field.name, next));
  const std::vector<double> values = to_doubles(*field.array);
  Buffer out;
  fmt::format_to(end_of(out), "        {}: ", codes[next]);
  write_list<float>(out, values.size() / group, group,
                    [&](std::size_t i, std::size_t k) { return values[group * i + k]; });
  out.append(std::string_view(",\n"));
  to.samples.write(out);
}

UsdaWriter::UsdaWriter(const std::filesystem::path& path, const SourceMesh& mesh,
                       const std::vector<double>& times, double fps)
    : FrameWriter(path, mesh.vertex_count(), times.size()) {
  float_times(path, times);
  if (!(fps > 0) || !std::isfinite(fps))
    throw InputError(fmt::format("{}: {} frames a second; write a number above zero", path.string(), fps));
  state_ = std::make_unique<State>(path, mesh, times, fps);
}

UsdaWriter::~UsdaWriter() = default;

void UsdaWriter::write_frame(const SourcePoints& points, const Npz& fields) {
  State& s = *state_;
  IdVector<SourceVertexId, Vec3> extent(2, points[SourceVertexId(0)]);
  for (const Vec3& p : points) {
    extent.raw()[0] = extent.raw()[0].cwiseMin(p);
    extent.raw()[1] = extent.raw()[1].cwiseMax(p);
  }
  s.sample(s.attribute("float3[]", "extent", ""), extent);
  s.sample(s.attribute("point3f[]", "points", ""), points);
  s.sample(s.attribute("normal3f[]", "normals", "vertex"), smooth_normals(s.weld, points));
  const auto uvs = moving_uvs(fields, s.mesh);
  if (!uvs.empty()) s.sample(s.attribute("texCoord2f[]", "primvars:st", "faceVarying"), uvs);
  for (const FrameField& field : frame_fields(fields, s.mesh)) s.sample_field(field);
  ++s.next;
}

void UsdaWriter::write_end() {
  State& s = *state_;
  if (s.mesh.has_uvs() && !s.attributes.contains("primvars:st")) s.write_st();
  for (auto& [name, attribute] : s.attributes) attribute->write_to(s.file);
  Buffer out;
  fmt::format_to(end_of(out), "}}\n");
  s.file.write(as_bytes(out));
  s.file.commit();
}

}  // namespace cutis
