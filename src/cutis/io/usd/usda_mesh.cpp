#include "cutis/io/usd/usda_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/one_line.h"
#include "cutis/io/usd/usda_xform.h"

namespace cutis {
namespace {

VertexAttribute color(const std::vector<double>& rgb) {
  VertexAttribute result{vertex_color_name, 4, {}};
  for (std::size_t i = 0; i < rgb.size(); i += 3)
    result.values.insert(result.values.end(), {rgb[i], rgb[i + 1], rgb[i + 2], 1});
  return result;
}

/// The last part of the path of the material that a prim names; "" without one.
std::string bound_material(const UsdPrim& prim) {
  const UsdAttribute* binding = find_attribute(prim, "material:binding");
  if (!binding || binding->value.words.empty()) return "";
  const std::string& path = binding->value.words.front();
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

const UsdAttribute* find_attribute(const UsdPrim& prim, const std::string& name) {
  const auto at = prim.attributes.find(name);
  return at == prim.attributes.end() ? nullptr : &at->second;
}

std::string usd_interpolation(const UsdAttribute& attribute) {
  const auto at = attribute.metadata.find("interpolation");
  return at == attribute.metadata.end() || at->second.words.empty() ? "constant" : at->second.words[0];
}

SourceMesh UsdMeshReader::topology() const {
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

std::vector<VertexAttribute> UsdMeshReader::attributes() const {
  std::vector<VertexAttribute> result;
  const std::size_t n = point_count();
  for (const auto& [name, attribute] : mesh_.prim->attributes) {
    const auto& values = attribute.value.numbers;
    const std::string how = usd_interpolation(attribute);
    if (!name.starts_with("primvars:") || (how != "vertex" && how != "varying") || values.empty()) continue;
    if (name.starts_with("primvars:skel:")) continue;  // joint weights, not paint
    if (values.size() % n != 0 || mesh_.prim->attributes.contains(name + ":indices")) continue;
    VertexAttribute to{name.substr(9), values.size() / n, values};
    if (to.name == "displayColor" && to.components == 3) to = color(values);
    result.push_back(std::move(to));
  }
  return result;
}

FaceGroups UsdMeshReader::materials() const {
  FaceGroups groups;
  const std::size_t faces = numbers("faceVertexCounts").size();
  const std::string whole = bound_material(*mesh_.prim);
  if (!whole.empty()) groups.of_face.assign(faces, groups.number(whole));
  for (const UsdPrim& subset : mesh_.prim->children) {
    const UsdAttribute* listed = find_attribute(subset, "indices");
    if (subset.type != "GeomSubset" || !listed) continue;
    groups.of_face.resize(faces, -1);
    const std::string bound = bound_material(subset);
    const std::int32_t group = groups.number(bound.empty() ? subset.name : bound);
    const std::vector<double>& indices = listed->value.numbers;
    for (std::size_t i = 0; i < indices.size(); ++i)
      groups.of_face[index(indices[i], faces, "GeomSubset " + subset.name, i)] = group;
  }
  return groups;
}

void UsdMeshReader::add_times(std::set<double>& codes) const {
  for (const auto& [code, sample] : points_attribute().samples) codes.insert(code);
  for (const UsdPrim* prim : mesh_.parents) add_xform_times(*prim, codes);
}

SourcePoints UsdMeshReader::local_points(double code) const {
  const std::vector<double> values = usd_value_at(points_attribute(), code);
  const std::size_t n = point_count();
  if (values.size() != 3 * n)
    fail("points",
         fmt::format("has {} numbers at time {}, where {} points were there before", values.size(), code, n));
  SourcePoints result(n);
  for (SourceVertexId v : ids<SourceVertexId>(n)) result[v] = Vec3(values.data() + 3 * v.index());
  return result;
}

SourcePoints UsdMeshReader::points(double code) const {
  SourcePoints result = local_points(code);
  const Mat4 placement = usd_placement(mesh_.parents, code, file_);
  for (SourceVertexId v : ids<SourceVertexId>(result.size())) {
    result[v] = (placement.topLeftCorner<3, 3>() * result[v] + placement.topRightCorner<3, 1>()).eval();
    if (!(result[v].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= std::numeric_limits<float>::max() / 4))
      fail("points", fmt::format("point {} at time {} is not finite, or too large", v.value, code));
  }
  return result;
}

std::size_t UsdMeshReader::point_count() const {
  const UsdAttribute& attribute = points_attribute();
  const std::size_t count =
      (attribute.samples.empty() ? attribute.value : attribute.samples.begin()->second).numbers.size();
  if (count == 0 || count % 3 != 0)
    fail("points", fmt::format("has {} numbers; three a point expected", count));
  if (count / 3 > std::numeric_limits<std::int32_t>::max() / 4) fail("points", "are too many");
  return count / 3;
}

void UsdMeshReader::fail(const std::string& part, const std::string& what) const {
  throw InputError(fmt::format("{}:{}: mesh {}: {}: {}", file_, mesh_.prim->line, one_line(mesh_.path), part,
                               one_line(what)));
}

const UsdAttribute& UsdMeshReader::points_attribute() const {
  const UsdAttribute* attribute = find_attribute(*mesh_.prim, "points");
  if (!attribute) fail("points", "missing; export the mesh with its points");
  return *attribute;
}

std::vector<double> UsdMeshReader::numbers(const std::string& name) const {
  const UsdAttribute* attribute = find_attribute(*mesh_.prim, name);
  if (!attribute) return {};
  if (attribute->samples.size() > 1)
    fail(name, "changes over time; only meshes that keep their faces are read");
  return attribute->samples.empty() ? attribute->value.numbers : attribute->samples.begin()->second.numbers;
}

std::string UsdMeshReader::word(const std::string& name) const {
  const UsdAttribute* attribute = find_attribute(*mesh_.prim, name);
  return attribute && !attribute->value.words.empty() ? attribute->value.words[0] : "";
}

int UsdMeshReader::index(double number, std::size_t limit, const std::string& part, std::size_t at) const {
  if (!(number >= 0) || number >= static_cast<double>(limit) || number != std::floor(number))
    fail(part, fmt::format("number {} is {}, where {} are there to choose from", at, number, limit));
  return static_cast<int>(number);
}

/// primvars:st of corners or vertices, with or without indices; the first sample where it moves.
void UsdMeshReader::read_uvs(SourceMesh& to, bool reversed) const {
  const UsdAttribute* st = find_attribute(*mesh_.prim, "primvars:st");
  if (!st) st = find_attribute(*mesh_.prim, "primvars:UVMap");
  if (!st) return;
  const std::vector<double>& pairs =
      (st->value.numbers.empty() && !st->samples.empty() ? st->samples.begin()->second : st->value).numbers;
  const std::string how = usd_interpolation(*st);
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
        file_, one_line(mesh_.path), indices.size(), one_line(how));
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

}  // namespace cutis
