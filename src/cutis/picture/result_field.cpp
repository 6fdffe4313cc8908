#include "cutis/picture/result_field.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// ln(area / rest area) around each vertex: 0 is as at rest, 0.1 a tenth larger. Vertices in one place share
/// it.
std::vector<double> log_area(const ResultMesh& mesh, const ResultFrame& frame) {
  const std::vector<double> rest = triangle_areas(mesh.mesh.positions.raw(), mesh.triangles);
  const std::vector<double> now = triangle_areas(frame.positions.raw(), mesh.triangles);
  const std::size_t n = mesh.mesh.vertex_count();
  std::vector<double> rest_around(n, 0), now_around(n, 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::int32_t corner : mesh.triangles[t]) {
      const std::size_t place = mesh.welded[SourceVertexId(corner)].index();
      rest_around[place] += rest[t];
      now_around[place] += now[t];
    }
  const std::vector<double> by_place = log_area_ratios(rest_around, now_around);
  std::vector<double> values(n);
  for (SourceVertexId v : ids<SourceVertexId>(n)) values[v.index()] = by_place[mesh.welded[v].index()];
  return values;
}

std::vector<double> displacement(const ResultMesh& mesh, const ResultFrame& frame) {
  std::vector<double> values;
  for (SourceVertexId v : ids<SourceVertexId>(mesh.mesh.vertex_count()))
    values.push_back(100 * (frame.positions[v] - mesh.mesh.positions[v]).norm());
  return values;
}

}  // namespace

const std::vector<ResultField>& derived_fields() {
  static const std::vector<ResultField> fields = {
      {"log_area", "log area", "ln", ColorMap::Diverging},
      {"displacement", "displacement", "cm", ColorMap::Viridis},
  };
  return fields;
}

ResultField find_field(const ResultReader& result, const std::string& name) {
  std::vector<std::string> names;
  for (const ResultField& field : derived_fields()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  for (const auto& [stored, array] : result.frame(1).fields) {
    if (stored == name) return {name, name, "", ColorMap::Viridis};
    names.push_back(stored);
  }
  throw InputError(fmt::format("picture.field: \"{}\": no such field in this result; there are: {}", name,
                               fmt::join(names, ", ")));
}

std::vector<double> field_values(const ResultMesh& mesh, const ResultFrame& frame, const std::string& name) {
  if (name == "log_area") return log_area(mesh, frame);
  if (name == "displacement") return displacement(mesh, frame);
  const NpyArray& array = member(frame.fields, name, fmt::format("frame {}", frame.number));
  if (array.count() != mesh.mesh.vertex_count())
    throw InputError(fmt::format("frame {}: {}: has {} numbers for {} vertices", frame.number, name,
                                 array.count(), mesh.mesh.vertex_count()));
  return to_doubles(array);
}

}  // namespace cutis
