#include "cutis/io/usda_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/io/usda_parser.h"
#include "cutis/io/usda_xform.h"

namespace cutis {
namespace {

constexpr std::size_t most_coordinates = std::size_t(1) << 30;

struct MeshPrim {
  const UsdPrim* prim;
  std::string path;
  std::vector<const UsdPrim*> parents;  ///< from the root to the mesh itself
};

const UsdAttribute* find(const UsdPrim& prim, const std::string& name) {
  const auto at = prim.attributes.find(name);
  return at == prim.attributes.end() ? nullptr : &at->second;
}

/// One mesh as the file has it, checked.
class MeshReader {
 public:
  MeshReader(const std::string& file, const MeshPrim& mesh) : file_(file), mesh_(mesh) {}

  /// Faces, texture coordinates, attributes; positions are those of the first sample.
  SourceMesh topology() const {
    SourceMesh result;
    const std::size_t points = point_count();
    result.positions.resize(points);
    for (Vec3& p : result.positions) p.setZero();
    const std::vector<double> counts = numbers("faceVertexCounts"), corners = numbers("faceVertexIndices");
    if (counts.empty()) fail("faceVertexCounts", "has no faces");
    const bool reversed = word("orientation") == "leftHanded";
    std::size_t at = 0;
    std::vector<SourceVertexId> face;
    for (std::size_t f = 0; f < counts.size(); ++f) {
      const double count = counts[f];
      if (!(count >= 3) || count > static_cast<double>(corners.size() - at) || count != std::floor(count))
        fail("faceVertexCounts",
             fmt::format("face {} has {} corners; {} indices are left", f, count, corners.size() - at));
      face.clear();
      for (std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at)
        face.emplace_back(index(corners[at], points, "faceVertexIndices", at));
      if (reversed) std::reverse(face.begin(), face.end());
      result.add_face(face);
    }
    if (at != corners.size())
      fail("faceVertexIndices",
           fmt::format("has {} numbers where the faces have {} corners", corners.size(), at));
    read_uvs(result, reversed);
    return result;
  }

  std::vector<VertexAttribute> attributes() const {
    std::vector<VertexAttribute> result;
    const std::size_t n = point_count();
    for (const auto& [name, attribute] : mesh_.prim->attributes) {
      const auto& values = attribute.value.numbers;
      const std::string how = interpolation(attribute);
      if (!name.starts_with("primvars:") || (how != "vertex" && how != "varying") || values.empty()) continue;
      if (values.size() % n != 0 || mesh_.prim->attributes.contains(name + ":indices")) continue;
      VertexAttribute to{name.substr(9), values.size() / n, values};
      if (to.name == "displayColor" && to.components == 3) to = color(values);
      result.push_back(std::move(to));
    }
    return result;
  }

  void add_times(std::set<double>& codes) const {
    for (const auto& [code, sample] : points_attribute().samples) codes.insert(code);
    for (const UsdPrim* prim : mesh_.parents) add_xform_times(*prim, codes);
  }

  SourcePoints points(double code) const {
    const std::vector<double> values = usd_value_at(points_attribute(), code);
    const std::size_t n = point_count();
    if (values.size() != 3 * n)
      fail("points", fmt::format("has {} numbers at time {}, where {} points were there before",
                                 values.size(), code, n));
    const Mat4 placement = usd_placement(mesh_.parents, code, file_);
    SourcePoints result(n);
    for (SourceVertexId v : ids<SourceVertexId>(n)) {
      const Vec3 p(values[3 * v.index()], values[3 * v.index() + 1], values[3 * v.index() + 2]);
      result[v] = placement.topLeftCorner<3, 3>() * p + placement.topRightCorner<3, 1>();
      if (!(result[v].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= std::numeric_limits<float>::max() / 4))
        fail("points", fmt::format("point {} at time {} is not finite, or too large", v.value, code));
    }
    return result;
  }

  std::size_t point_count() const {
    const UsdAttribute& attribute = points_attribute();
    const std::size_t count =
        (attribute.samples.empty() ? attribute.value : attribute.samples.begin()->second).numbers.size();
    if (count == 0 || count % 3 != 0)
      fail("points", fmt::format("has {} numbers; three a point expected", count));
    if (count / 3 > std::numeric_limits<std::int32_t>::max() / 4) fail("points", "are too many");
    return count / 3;
  }

 private:
  const std::string& file_;
  const MeshPrim& mesh_;

  [[noreturn]] void fail(const std::string& part, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: mesh {}: {}: {}", file_, mesh_.prim->line, mesh_.path, part, what));
  }

  const UsdAttribute& points_attribute() const {
    const UsdAttribute* attribute = find(*mesh_.prim, "points");
    if (!attribute) fail("points", "missing; export the mesh with its points");
    return *attribute;
  }
  std::vector<double> numbers(const std::string& name) const {
    const UsdAttribute* attribute = find(*mesh_.prim, name);
    if (!attribute) return {};
    if (attribute->samples.size() > 1)
      fail(name, "changes over time; only meshes that keep their faces are read");
    return attribute->samples.empty() ? attribute->value.numbers : attribute->samples.begin()->second.numbers;
  }
  std::string word(const std::string& name) const {
    const UsdAttribute* attribute = find(*mesh_.prim, name);
    return attribute && !attribute->value.words.empty() ? attribute->value.words[0] : "";
  }
  static std::string interpolation(const UsdAttribute& attribute) {
    const auto at = attribute.metadata.find("interpolation");
    return at == attribute.metadata.end() || at->second.words.empty() ? "constant" : at->second.words[0];
  }
  int index(double number, std::size_t limit, const char* part, std::size_t at) const {
    if (!(number >= 0) || number >= static_cast<double>(limit) || number != std::floor(number))
      fail(part, fmt::format("number {} is {}, where {} are there to choose from", at, number, limit));
    return static_cast<int>(number);
  }

  static VertexAttribute color(const std::vector<double>& rgb) {
    VertexAttribute result{vertex_color_name, 4, {}};
    for (std::size_t i = 0; i < rgb.size(); i += 3)
      result.values.insert(result.values.end(), {rgb[i], rgb[i + 1], rgb[i + 2], 1});
    return result;
  }

  /// primvars:st of corners or vertices, with or without indices; the first sample where it moves.
  void read_uvs(SourceMesh& to, bool reversed) const {
    const UsdAttribute* st = find(*mesh_.prim, "primvars:st");
    if (!st) st = find(*mesh_.prim, "primvars:UVMap");
    if (!st) return;
    const std::vector<double>& pairs =
        (st->value.numbers.empty() && !st->samples.empty() ? st->samples.begin()->second : st->value).numbers;
    const std::string how = interpolation(*st);
    std::vector<double> indices = numbers("primvars:st:indices");
    if (indices.empty()) indices = numbers("primvars:UVMap:indices");
    if (indices.empty())
      for (std::size_t i = 0; i < pairs.size() / 2; ++i) indices.push_back(static_cast<double>(i));
    const bool of_corners = how == "faceVarying", of_vertices = how == "vertex" || how == "varying";
    if ((!of_corners && !of_vertices) ||
        indices.size() != (of_corners ? to.corner_count() : to.vertex_count())) {
      log().warn(
          "{}: mesh {}: its texture coordinates ({} of interpolation {}) fit neither corners nor vertices; "
          "left out",
          file_, mesh_.path, indices.size(), how);
      return;
    }
    for (FaceId f : ids<FaceId>(to.face_count()))
      for (std::size_t i = 0; i < to.face_size(f); ++i) {
        const std::size_t first = to.first_corner(f).index(), here = first + i;
        const std::size_t in_file = reversed ? first + to.face_size(f) - 1 - i : here;
        const std::size_t at = of_corners ? in_file : to.corners[CornerId(here)].index();
        const auto k =
            static_cast<std::size_t>(index(indices[at], pairs.size() / 2, "primvars:st:indices", at));
        const Vec2 uv(pairs[2 * k], pairs[2 * k + 1]);
        if (!uv.allFinite()) fail("primvars:st", fmt::format("pair {} is not finite", k));
        to.uvs.push_back(uv);
      }
  }
};

}  // namespace

struct UsdaScene::State {
  std::string file;
  UsdLayer layer;
  std::vector<MeshPrim> meshes;
  double metres_per_unit = 0.01;  // USD's own default: centimetres
  double codes_a_second = 24;
  bool z_up = false;
  std::set<std::string> passed_over;

  void read_metadata();
  double number(const char* name, double otherwise) const;
  void collect(const UsdPrim& prim, const std::string& path, std::vector<const UsdPrim*> parents);
  std::vector<const MeshPrim*> chosen(const std::vector<std::string>& names) const;
  Vec3 to_metres(const Vec3& p) const { return metres_per_unit * (z_up ? Vec3(p.x(), p.z(), -p.y()) : p); }
};

double UsdaScene::State::number(const char* name, double otherwise) const {
  const auto at = layer.metadata.find(name);
  if (at == layer.metadata.end() || at->second.numbers.empty()) return otherwise;
  const double value = at->second.numbers[0];
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}: {} = {} cannot be; write a number above zero", file, name, value));
  return value;
}

void UsdaScene::State::read_metadata() {
  metres_per_unit = number("metersPerUnit", 0.01);
  codes_a_second = number("timeCodesPerSecond", number("framesPerSecond", 24));
  const auto up = layer.metadata.find("upAxis");
  z_up = up != layer.metadata.end() && !up->second.words.empty() && up->second.words[0] == "Z";
  if (layer.metadata.contains("subLayers")) passed_over.insert("subLayers");
}

void UsdaScene::State::collect(const UsdPrim& prim, const std::string& path,
                               std::vector<const UsdPrim*> parents) {
  for (const char* name : {"references", "payload", "inherits", "specializes", "variants"})
    if (prim.metadata.contains(name)) passed_over.insert(name);
  if (prim.specifier != "def") return;
  parents.push_back(&prim);
  if (prim.type == "Mesh") {
    meshes.push_back({&prim, path, parents});
    if (find(prim, "skel:skeleton") || find(prim, "primvars:skel:jointIndices"))
      passed_over.insert("skeletons");
  }
  for (const UsdPrim& child : prim.children) collect(child, path + "/" + child.name, parents);
}

std::vector<const MeshPrim*> UsdaScene::State::chosen(const std::vector<std::string>& names) const {
  std::vector<const MeshPrim*> result;
  if (names.empty()) {
    const auto size = [&](const MeshPrim& m) { return MeshReader(file, m).point_count(); };
    result.push_back(
        &*std::max_element(meshes.begin(), meshes.end(),
                           [&](const MeshPrim& a, const MeshPrim& b) { return size(a) < size(b); }));
    return result;
  }
  for (const std::string& name : names) {
    const std::size_t before = result.size();
    for (const MeshPrim& mesh : meshes)
      if (name == "*" || mesh.prim->name == name || mesh.path == name) result.push_back(&mesh);
    if (result.size() > before) continue;
    std::vector<std::string> there;
    for (const MeshPrim& mesh : meshes) there.push_back(mesh.prim->name);
    throw InputError(
        fmt::format("{}: has no mesh \"{}\"; there are: {}", file, name, fmt::join(there, ", ")));
  }
  return result;
}

UsdaScene::UsdaScene(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->file = path.string();
  const Bytes bytes = read_file(path);
  state_->layer = parse_usda({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, state_->file);
  state_->read_metadata();
  for (const UsdPrim& prim : state_->layer.prims) state_->collect(prim, "/" + prim.name, {});
  const auto& passed_over = state_->passed_over;
  if (!passed_over.empty())
    log().warn("{}: {} are not followed; export meshes with time-sampled points where something is missing",
               state_->file, fmt::join(passed_over, ", "));
  if (state_->meshes.empty())
    throw InputError(
        fmt::format("{}: has no mesh of its own{}", state_->file,
                    passed_over.empty() ? "" : "; flatten it, so that what it refers to is in it"));
}

UsdaScene::~UsdaScene() = default;

std::vector<std::string> UsdaScene::mesh_names() const {
  std::vector<std::string> names;
  for (const MeshPrim& mesh : state_->meshes) names.push_back(mesh.prim->name);
  return names;
}

MeshSequence UsdaScene::read(const std::vector<std::string>& names) const {
  std::vector<MeshReader> readers;
  for (const MeshPrim* mesh : state_->chosen(names)) readers.emplace_back(state_->file, *mesh);
  MeshSequence result;
  std::set<double> codes;
  std::vector<SourceVertexId> face;
  std::size_t with_uvs = 0;
  for (const MeshReader& reader : readers) {
    const SourceMesh mesh = reader.topology();
    const std::size_t first = result.mesh.vertex_count();
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      face.clear();
      for (SourceVertexId v : mesh.face(f)) face.emplace_back(first + v.index());
      result.mesh.add_face(face);
    }
    for (const Vec3& p : mesh.positions) result.mesh.positions.push_back(p);
    for (CornerId c : ids<CornerId>(mesh.corner_count()))
      result.mesh.uvs.push_back(mesh.has_uvs() ? mesh.uvs[c] : Vec2(Vec2::Zero()));
    with_uvs += mesh.has_uvs();
    reader.add_times(codes);
  }
  if (with_uvs == 0) result.mesh.uvs = {};
  if (readers.size() == 1) result.attributes = readers[0].attributes();
  if (codes.empty()) codes.insert(0);
  PointCache& cache = result.cache;
  cache.file = state_->file;
  cache.vertex_count = result.mesh.vertex_count();
  if (codes.size() > most_coordinates / (3 * cache.vertex_count))
    throw InputError(fmt::format("{}: {} times of {} points are more than can be held; export fewer",
                                 state_->file, codes.size(), cache.vertex_count));
  for (double code : codes) {
    cache.times.push_back(code / state_->codes_a_second);
    for (const MeshReader& reader : readers)
      for (const Vec3& p : reader.points(code)) {
        const Vec3 metres = state_->to_metres(p);
        for (int i = 0; i < 3; ++i) cache.coordinates.push_back(static_cast<float>(metres[i]));
      }
  }
  result.mesh.positions = cache.frame(0);
  return result;
}

}  // namespace cutis
