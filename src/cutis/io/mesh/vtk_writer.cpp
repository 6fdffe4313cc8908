#include "cutis/io/mesh/vtk_writer.h"

#include <bit>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/core/log.h"
#include "cutis/io/bytes.h"
#include "cutis/io/frame_fields.h"

namespace cutis {
namespace {

// Numbers that the VTK file formats give these meanings.
constexpr std::uint8_t triangle_cell = 5, polygon_cell = 7, quad_cell = 9;

const char* vtk_type(NpyType type) {
  switch (type) {
    case NpyType::Float64:
      return "Float64";
    case NpyType::Float32:
      return "Float32";
    case NpyType::Int64:
      return "Int64";
    case NpyType::Int32:
      return "Int32";
    default:
      return "UInt8";
  }
}

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '&' || c == '<' || c == '>' || c == '"')
      result += fmt::format("&#{};", static_cast<int>(c));
    else
      result += static_cast<unsigned char>(c) < ' ' ? '_' : c;  // XML has no control characters
  }
  return result;
}

/// The XML that names the arrays, and the binary data behind it, in step.
class VtuFile {
 public:
  void open(const char* section) { xml_ += fmt::format("<{}>\n", section); }
  void close(const char* section) { xml_ += fmt::format("</{}>\n", section); }

  void array(const std::string& name, const char* type, std::size_t components, const unsigned char* values,
             std::size_t size) {
    xml_ += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type, escaped(name), components, data_.size());
    append(data_, static_cast<std::uint64_t>(size), std::endian::little);
    data_.insert(data_.end(), values, values + size);
  }
  void array(const std::string& name, const NpyArray& array, std::size_t components) {
    this->array(name, vtk_type(array.type), components, array.bytes.data(), array.bytes.size());
  }

  void save(const std::filesystem::path& path, std::size_t points, std::size_t cells) const {
    const std::string head = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n{}"
        "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
        points, cells, xml_);
    AtomicFile file(path);
    file.write(as_bytes(head));
    file.write(data_);
    file.write(as_bytes("\n</AppendedData>\n</VTKFile>\n"));
    file.commit();
  }

 private:
  static std::span<const unsigned char> as_bytes(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
  }
  std::string xml_;
  Bytes data_;
};

void add_cells(const SourceMesh& mesh, VtuFile& out) {
  std::vector<std::int32_t> corners, ends;
  std::vector<std::uint8_t> types;
  for (SourceVertexId v : mesh.corners) corners.push_back(v.value);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t size = mesh.face_size(f);
    ends.push_back(mesh.face_offsets[f.index() + 1]);
    types.push_back(size == 3 ? triangle_cell : size == 4 ? quad_cell : polygon_cell);
  }
  out.open("Cells");
  out.array("connectivity", npy_array(corners), 1);
  out.array("offsets", npy_array(ends), 1);
  out.array("types", npy_array(types), 1);
  out.close("Cells");
}

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
  out.open("Points");
  out.array("Points", "Float64", 3, reinterpret_cast<const unsigned char*>(points.data()),
            points.size() * sizeof(Vec3));
  out.close("Points");
  add_cells(mesh_, out);
  out.save(folder_.file(next_++), mesh_.vertex_count(), mesh_.face_count());
}

void VtkWriter::write_end() {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (std::size_t i = 0; i < times_.size(); ++i)
    text +=
        fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times_[i], folder_.file_name(i));
  write_file_whole(folder_ / "skin.pvd", text + "</Collection>\n</VTKFile>\n");
  folder_.remove_from(frame_count());
}

}  // namespace cutis
