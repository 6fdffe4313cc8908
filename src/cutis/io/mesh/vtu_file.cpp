#include "cutis/io/mesh/vtu_file.h"

#include <bit>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/io/bytes.h"

namespace cutis {
namespace {

// Numbers that the VTK file formats give these meanings.
constexpr std::uint8_t triangle_cell = 5, polygon_cell = 7, quad_cell = 9, tetra_cell = 10;

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

/// "PointData" or "CellData".
void add_section(VtuFile& out, const char* section, const std::vector<VertexAttribute>& attributes) {
  out.open(section);
  for (const VertexAttribute& attribute : attributes)
    out.array(attribute.name, npy_array(attribute.values), attribute.components);
  out.close(section);
}

std::span<const unsigned char> as_bytes(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

}  // namespace

void VtuFile::open(const char* section) { xml_ += fmt::format("<{}>\n", section); }
void VtuFile::close(const char* section) { xml_ += fmt::format("</{}>\n", section); }

void VtuFile::array(const std::string& name, const char* type, std::size_t components,
                    const unsigned char* values, std::size_t size) {
  xml_ += fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
      type, escaped(name), components, data_.size());
  append(data_, static_cast<std::uint64_t>(size), std::endian::little);
  data_.insert(data_.end(), values, values + size);
}

void VtuFile::array(const std::string& name, const NpyArray& array, std::size_t components) {
  this->array(name, vtk_type(array.type), components, array.bytes.data(), array.bytes.size());
}

void VtuFile::points(std::span<const Vec3> positions) {
  open("Points");
  array("Points", "Float64", 3, reinterpret_cast<const unsigned char*>(positions.data()),
        positions.size() * sizeof(Vec3));
  close("Points");
  point_count_ = positions.size();
}

void VtuFile::cells(const std::vector<std::int32_t>& corners, const std::vector<std::int32_t>& ends) {
  std::vector<std::uint8_t> types;
  std::int32_t begin = 0;
  for (const std::int32_t end : ends) {
    const std::int32_t size = end - std::exchange(begin, end);
    types.push_back(size == 3 ? triangle_cell : size == 4 ? quad_cell : polygon_cell);
  }
  cells(corners, ends, types);
}

void VtuFile::cells(std::span<const std::array<std::int32_t, 4>> tets) {
  std::vector<std::int32_t> corners, ends;
  for (const std::array<std::int32_t, 4>& tet : tets) {
    corners.insert(corners.end(), tet.begin(), tet.end());
    ends.push_back(static_cast<std::int32_t>(corners.size()));
  }
  cells(corners, ends, std::vector<std::uint8_t>(tets.size(), tetra_cell));
}

void VtuFile::cells(const std::vector<std::int32_t>& corners, const std::vector<std::int32_t>& ends,
                    const std::vector<std::uint8_t>& types) {
  open("Cells");
  array("connectivity", npy_array(corners), 1);
  array("offsets", npy_array(ends), 1);
  array("types", npy_array(types), 1);
  close("Cells");
  cell_count_ = ends.size();
}

void VtuFile::save(const std::filesystem::path& path) const {
  const std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n{}"
      "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
      point_count_, cell_count_, xml_);
  AtomicFile file(path);
  file.write(as_bytes(head));
  file.write(data_);
  file.write(as_bytes("\n</AppendedData>\n</VTKFile>\n"));
  file.commit();
}

void write_vtu(const std::filesystem::path& path, const Mesh& mesh,
               const std::vector<VertexAttribute>& attributes) {
  VtuFile out;
  add_section(out, "PointData", attributes);
  out.points(mesh.positions.raw());
  out.cells(mesh);
  out.save(path);
}

void write_vtu(const std::filesystem::path& path, std::span<const Vec3> positions,
               std::span<const std::array<std::int32_t, 4>> tets,
               const std::vector<VertexAttribute>& point_attributes,
               const std::vector<VertexAttribute>& tet_attributes) {
  VtuFile out;
  add_section(out, "PointData", point_attributes);
  add_section(out, "CellData", tet_attributes);
  out.points(positions);
  out.cells(tets);
  out.save(path);
}

void write_pvd(const std::filesystem::path& path, std::span<const double> times,
               const std::vector<std::string>& files) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (std::size_t i = 0; i < files.size(); ++i)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", times[i], files[i]);
  write_file_whole(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace cutis
