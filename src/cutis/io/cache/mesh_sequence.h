#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cutis/body/cache/point_cache.h"
#include "cutis/body/face_groups.h"
#include "cutis/body/vertex_attribute.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Whether the name stands for numbered files, such as "walk_####.obj", and is not that of a file itself.
bool is_sequence(const std::filesystem::path& pattern);

/// The files that the pattern names, in the order of their numbers: a run of # stands for at least as many
/// digits. Throws InputError when there are none, or a number is missing between the first and the last.
std::vector<std::filesystem::path> sequence_files(const std::filesystem::path& pattern);

struct MeshSequence {
  SourceMesh mesh;                          ///< of the first file
  PointCache cache;                         ///< the first file at 0 s
  std::vector<VertexAttribute> attributes;  ///< of the first file
  FaceGroups materials = {}, parts = {};    ///< of the first file
};

/// Reads numbered OBJ or PLY files, `fps` of them a second, as one mesh that moves. Throws InputError as
/// their readers do, and naming the file whose faces differ from the first one's.
MeshSequence read_mesh_sequence(const std::filesystem::path& pattern, double fps);

}  // namespace cutis
