#pragma once

#include <string>
#include <vector>

#include "cutis/io/array/npz.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// An array of a frame as a field on the mesh: `components` numbers for each vertex, face or face corner.
struct FrameField {
  enum class Place { Vertex, Face, Corner };
  std::string name;
  Place place = Place::Vertex;
  std::size_t components = 1;
  const NpyArray* array = nullptr;  ///< of the frame it was found in
};

/// The arrays that are fields on the mesh, told apart by their number of rows; where the mesh has as many
/// faces or corners as vertices, names that begin with "face_" or "corner_" go there. Other arrays are left
/// out. The moving texture coordinates of moving_uvs() are not among them.
std::vector<FrameField> frame_fields(const Npz& fields, const SourceMesh& mesh);

/// What frames call the texture coordinates that move with the skin: one pair per corner, v upwards.
inline constexpr const char* moving_uvs_name = "uvs";
/// Those of this frame; empty when it has none.
IdVector<CornerId, Vec2> moving_uvs(const Npz& fields, const SourceMesh& mesh);

}  // namespace cutis
