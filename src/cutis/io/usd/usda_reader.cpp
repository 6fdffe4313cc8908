#include "cutis/io/usd/usda_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "cutis/body/rig/choose.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/io/usd/usda_mesh.h"
#include "cutis/io/usd/usda_skeleton.h"
#include "cutis/io/usd/usda_xform.h"

namespace cutis {
namespace {

constexpr std::size_t most_coordinates = std::size_t(1) << 30;

}  // namespace

struct UsdaScene::State {
  std::string file;
  UsdLayer layer;
  std::map<std::string, UsdPlace> prims;  ///< by path
  std::vector<UsdPlace> meshes;
  double metres_per_unit = 0.01;  // USD's own default: centimetres
  double codes_a_second = 24;
  bool z_up = false;
  std::set<std::string> passed_over;

  void read_metadata();
  double number(const char* name, double otherwise) const;
  void collect(const UsdPrim& prim, const std::string& path, std::vector<const UsdPrim*> parents);
  std::vector<const UsdPlace*> chosen(const std::vector<std::string>& names) const;
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
  prims.insert_or_assign(path, UsdPlace{&prim, path, parents});
  if (prim.type == "Mesh") {
    meshes.push_back(prims.at(path));
    if (find_attribute(prim, "primvars:skel:jointIndices") && bound_skeleton(meshes.back()).empty())
      passed_over.insert("joint weights without a skeleton");
  }
  for (const UsdPrim& child : prim.children) collect(child, path + "/" + child.name, parents);
}

std::vector<const UsdPlace*> UsdaScene::State::chosen(const std::vector<std::string>& names) const {
  std::vector<const UsdPlace*> result;
  if (names.empty()) {
    const auto size = [&](const UsdPlace& m) { return UsdMeshReader(file, m).point_count(); };
    result.push_back(
        &*std::max_element(meshes.begin(), meshes.end(),
                           [&](const UsdPlace& a, const UsdPlace& b) { return size(a) < size(b); }));
    return result;
  }
  for (const std::string& name : names) {
    const std::size_t before = result.size();
    for (const UsdPlace& mesh : meshes)
      if (name == "*" || mesh.prim->name == name || mesh.path == name) result.push_back(&mesh);
    if (result.size() > before) continue;
    std::vector<std::string> there;
    for (const UsdPlace& mesh : meshes) there.push_back(one_line(mesh.prim->name));
    fail_unknown(file, "mesh", name, there);
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
  for (const UsdPlace& mesh : state_->meshes) names.push_back(mesh.prim->name);
  return names;
}

bool UsdaScene::has_skeleton() const {
  return std::any_of(state_->meshes.begin(), state_->meshes.end(),
                     [](const UsdPlace& mesh) { return !bound_skeleton(mesh).empty(); });
}

Character UsdaScene::character() const {
  Mat4 to_metres = Mat4::Identity();
  for (int i = 0; i < 3; ++i) to_metres.col(i).head<3>() = state_->to_metres(Vec3::Unit(i));
  Character character =
      usd_character({state_->file, state_->prims, state_->meshes, to_metres, state_->codes_a_second});
  character.name = std::filesystem::path(state_->file).stem().string();
  return character;
}

MeshSequence UsdaScene::read(const std::vector<std::string>& names) const {
  std::vector<UsdMeshReader> readers;
  for (const UsdPlace* mesh : state_->chosen(names)) readers.emplace_back(state_->file, *mesh);
  MeshSequence result;
  std::set<double> codes;
  std::vector<SourceVertexId> face;
  std::size_t with_uvs = 0;
  for (const UsdMeshReader& reader : readers) {
    const SourceMesh mesh = reader.topology();
    const std::size_t first = result.mesh.vertex_count();
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      face.clear();
      for (SourceVertexId v : mesh.face(f)) face.emplace_back(first + v.index());
      result.mesh.add_face(face);
    }
    const std::size_t faces = mesh.face_count(), faces_before = result.mesh.face_count() - faces;
    result.materials.append(reader.materials(), faces_before, faces);
    const bool as_part = readers.size() > 1;
    result.parts.append(
        as_part ? FaceGroups{{reader.place().prim->name}, std::vector<std::int32_t>(faces, 0)} : FaceGroups(),
        faces_before, faces);
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
  auto& coordinates = cache.coordinates.emplace<std::vector<float>>();
  for (double code : codes) {
    cache.times.push_back(code / state_->codes_a_second);
    for (const UsdMeshReader& reader : readers)
      for (const Vec3& p : reader.points(code)) {
        const Vec3 metres = state_->to_metres(p);
        for (int i = 0; i < 3; ++i) coordinates.push_back(static_cast<float>(metres[i]));
      }
  }
  result.mesh.positions = cache.frame(0);
  return result;
}

}  // namespace cutis
