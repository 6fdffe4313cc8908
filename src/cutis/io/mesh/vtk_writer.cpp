#include "cutis/io/mesh/vtk_writer.h"

#include <utility>

#include "cutis/core/log.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/mesh/vtu_file.h"

namespace cutis {
namespace {

void add_fields(const std::vector<FrameField>& fields, FrameField::Place place, VtuFile& out) {
  for (const FrameField& field : fields)
    if (field.place == place) out.array(field.name, *field.array, field.components);
}

}  // namespace

VtkWriter::VtkWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::vector<double> times)
    : FrameWriter(folder, mesh.vertex_count(), times.size()),
      folder_(folder, "skin", ".vtu"),
      mesh_(mesh),
      times_(std::move(times)) {}

/// One pair per vertex, or nothing where a vertex has two that differ.
std::vector<double> VtkWriter::vertex_uvs(const Npz& fields) {
  const auto moving = moving_uvs(fields, mesh_);
  const auto& uvs = moving.empty() ? mesh_.uvs : moving;
  if (uvs.empty()) return {};
  std::vector<double> result(2 * mesh_.vertex_count(), 0);
  std::vector<bool> set(mesh_.vertex_count(), false);
  for (CornerId c : ids<CornerId>(mesh_.corner_count())) {
    const std::size_t v = mesh_.corners[c].index();
    if (set[v] && (result[2 * v] != uvs[c].x() || result[2 * v + 1] != uvs[c].y())) {
      if (!std::exchange(said_several_uvs_, true))
        log().warn("{}: texture coordinates are left out: vertex {} has several, and VTK knows one a vertex",
                   path().string(), v);
      return {};
    }
    set[v] = true;
    result[2 * v] = uvs[c].x();
    result[2 * v + 1] = uvs[c].y();
  }
  return result;
}

void VtkWriter::write_frame(const SourcePoints& points, const Npz& fields) {
  const std::vector<FrameField> found = frame_fields(fields, mesh_);
  const std::vector<double> uvs = vertex_uvs(fields);
  VtuFile out;
  out.open(uvs.empty() ? "PointData" : "PointData TCoords=\"uv\"");
  if (!uvs.empty()) out.array("uv", npy_array(uvs), 2);
  add_fields(found, FrameField::Place::Vertex, out);
  out.close("PointData");
  out.open("CellData");
  add_fields(found, FrameField::Place::Face, out);
  out.close("CellData");
  out.points(points.raw());
  out.cells(mesh_);
  out.save(folder_.file(next_++));
}

void VtkWriter::write_end() {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < times_.size(); ++i) files.push_back(folder_.file_name(i));
  write_pvd(folder_ / "skin.pvd", times_, files);
  folder_.remove_from(frame_count());
}

}  // namespace cutis
