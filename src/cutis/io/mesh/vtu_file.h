#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cutis/body/vertex_attribute.h"
#include "cutis/io/array/npy.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// An unstructured grid of VTK (.vtu) in the making: the XML that names the arrays, and the binary data
/// behind it, in step. Each array belongs between open() and close() of its section.
class VtuFile {
 public:
  void open(const char* section);
  void close(const char* section);
  void array(const std::string& name, const NpyArray& array, std::size_t components);
  void points(std::span<const Vec3> positions);  ///< the section "Points"
  /// The section "Cells".
  template <class V>
  void cells(const PolygonMesh<V>& mesh) {
    std::vector<std::int32_t> corners, ends;
    for (const V v : mesh.corners) corners.push_back(v.value);
    for (FaceId f : ids<FaceId>(mesh.face_count())) ends.push_back(mesh.face_offsets[f.index() + 1]);
    cells(corners, ends);
  }
  void cells(std::span<const std::array<std::int32_t, 4>> tets);
  /// Written whole; throws IoError.
  void save(const std::filesystem::path& path) const;

 private:
  std::string xml_;
  Bytes data_;
  std::size_t point_count_ = 0, cell_count_ = 0;

  void array(const std::string& name, const char* type, std::size_t components, const unsigned char* values,
             std::size_t size);
  /// The corners of one polygon after the other, and where each ends.
  void cells(const std::vector<std::int32_t>& corners, const std::vector<std::int32_t>& ends);
  void cells(const std::vector<std::int32_t>& corners, const std::vector<std::int32_t>& ends,
             const std::vector<std::uint8_t>& types);
};

/// Tetrahedra with numbers at their corners and of their own.
void write_vtu(const std::filesystem::path& path, std::span<const Vec3> positions,
               std::span<const std::array<std::int32_t, 4>> tets,
               const std::vector<VertexAttribute>& point_attributes,
               const std::vector<VertexAttribute>& tet_attributes);

/// A mesh with numbers at its vertices.
void write_vtu(const std::filesystem::path& path, const Mesh& mesh,
               const std::vector<VertexAttribute>& attributes);

/// The collection that gives each of the files, which lie beside it, its time [s].
void write_pvd(const std::filesystem::path& path, std::span<const double> times,
               const std::vector<std::string>& files);

}  // namespace cutis
