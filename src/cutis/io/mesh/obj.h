#pragma once

#include <filesystem>

#include "cutis/body/face_groups.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// The polygons of a Wavefront OBJ: every object and group of the file as one mesh, with the file's own
/// vertex count and order, in the file's own units. Any number of corners a face, negative indices, `v/vt/vn`
/// in all its forms. Normals, colours, lines and curves are passed over; corners without a texture coordinate
/// get (0, 0) where others have one.
/// Throws InputError with up to ten mistakes at once, each with file and line, and when there is no face.
SourceMesh read_obj(const std::filesystem::path& path);

/// The same with the materials of its faces (usemtl) and the groups (g), or else the objects (o), they are
/// in.
struct ObjMesh {
  SourceMesh mesh;
  FaceGroups materials, parts;
};
ObjMesh read_obj_groups(const std::filesystem::path& path);

/// The texture coordinates of an OBJ that has the faces of `mesh`, corner for corner. Throws InputError as
/// read_obj() does, when it has other faces (naming the first) or no texture coordinates.
IdVector<CornerId, Vec2> read_obj_uvs(const std::filesystem::path& path, const SourceMesh& mesh);

/// Writes positions, polygons and texture coordinates so that read_obj() gives the same bits back. All or
/// nothing; throws IoError.
void write_obj(const std::filesystem::path& path, const SourceMesh& mesh);

}  // namespace cutis
