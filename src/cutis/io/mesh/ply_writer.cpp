#include "cutis/io/mesh/ply_writer.h"

#include <bit>
#include <cassert>
#include <cstdint>

#include <fmt/format.h>

#include "cutis/io/bytes.h"

namespace cutis {
namespace {

std::string property_name(const VertexAttribute& attribute, std::size_t component) {
  if (attribute.components == 1) return attribute.name;
  if (attribute.components == 3) return fmt::format("{}_{}", attribute.name, "xyz"[component]);
  return fmt::format("{}_{}", attribute.name, component);
}

std::string header(const Mesh& mesh, const std::vector<VertexAttribute>& attributes) {
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\n"
      "property double x\nproperty double y\nproperty double z\n",
      mesh.vertex_count());
  for (const VertexAttribute& attribute : attributes)
    for (std::size_t k = 0; k < attribute.components; ++k)
      text += fmt::format("property double {}\n", property_name(attribute, k));
  return text + fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                            mesh.face_count());
}

}  // namespace

void write_ply(const std::filesystem::path& path, const Mesh& mesh,
               const std::vector<VertexAttribute>& attributes) {
  const std::string head = header(mesh, attributes);
  Bytes bytes(head.begin(), head.end());
  const auto put = [&](auto value) { append(bytes, value, std::endian::little); };
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    for (const double x : mesh.positions[v]) put(x);
    for (const VertexAttribute& attribute : attributes) {
      assert(attribute.values.size() == attribute.components * mesh.vertex_count());
      for (std::size_t k = 0; k < attribute.components; ++k)
        put(attribute.values[attribute.components * v.index() + k]);
    }
  }
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    assert(mesh.face_size(f) < 256);
    put(static_cast<std::uint8_t>(mesh.face_size(f)));
    for (VertexId v : mesh.face(f)) put(static_cast<std::int32_t>(v.value));
  }
  write_file_whole(path, bytes);
}

}  // namespace cutis
