#include "cutis/io/frame_fields.h"

#include <optional>

namespace cutis {
namespace {

std::optional<FrameField::Place> place_of(const std::string& name, std::size_t rows, const SourceMesh& mesh) {
  const bool on_faces = rows == mesh.face_count(), on_corners = rows == mesh.corner_count();
  if (on_faces && name.starts_with("face_")) return FrameField::Place::Face;
  if (on_corners && name.starts_with("corner_")) return FrameField::Place::Corner;
  if (rows == mesh.vertex_count()) return FrameField::Place::Vertex;
  if (on_faces) return FrameField::Place::Face;
  if (on_corners) return FrameField::Place::Corner;
  return std::nullopt;
}

bool is_moving_uvs(const NpyArray& array, const SourceMesh& mesh) {
  return array.shape == std::vector<std::size_t>{mesh.corner_count(), 2};
}

}  // namespace

std::vector<FrameField> frame_fields(const Npz& fields, const SourceMesh& mesh) {
  std::vector<FrameField> result;
  for (const auto& [name, array] : fields) {
    if (array.count() == 0 || (name == moving_uvs_name && is_moving_uvs(array, mesh))) continue;
    if (array.shape.empty()) continue;
    if (const auto place = place_of(name, array.shape[0], mesh))
      result.push_back({name, *place, array.count() / array.shape[0], &array});
  }
  return result;
}

IdVector<CornerId, Vec2> moving_uvs(const Npz& fields, const SourceMesh& mesh) {
  IdVector<CornerId, Vec2> uvs;
  const auto found = fields.find(moving_uvs_name);
  if (found == fields.end() || !is_moving_uvs(found->second, mesh)) return uvs;
  const std::vector<double> numbers = to_doubles(found->second);
  for (std::size_t i = 0; i < numbers.size(); i += 2) uvs.push_back(Vec2(numbers[i], numbers[i + 1]));
  return uvs;
}

}  // namespace cutis
