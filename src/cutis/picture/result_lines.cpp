#include "cutis/picture/result_lines.h"

#include <algorithm>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/repair_weld.h"

namespace cutis {
namespace {

constexpr double kStreakPixels = 2.3;  // width of a streak in a still that the body fills
constexpr double kMostRows = 1600;     // in larger pictures streaks get wider, not more

/// The triangles of the skin at rest, joined where the source was welded; Weld::source_face is the triangle
/// of the result's mesh that each was.
Weld welded_triangles(const ResultMesh& mesh) {
  Weld weld;
  weld.vertex_of = mesh.welded;
  weld.mesh.positions.assign(mesh.welded_count(), Vec3::Zero());
  weld.representative.assign(mesh.welded_count(), SourceVertexId(0));
  for (std::size_t i = mesh.welded.size();
       i-- > 0;) {  // backwards: the first source vertex has the last word
    const SourceVertexId source(i);
    weld.mesh.positions[mesh.welded[source]] = mesh.mesh.positions[source];
    weld.representative[mesh.welded[source]] = source;
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::vector<VertexId> corners;
    for (std::int32_t v : mesh.triangles[t]) corners.push_back(mesh.welded[SourceVertexId(v)]);
    weld.mesh.add_face(corners);
    weld.source_face.push_back(FaceId(t));
  }
  return weld;
}

}  // namespace

std::shared_ptr<const LinePattern> result_lines(const ResultMesh& mesh, const DrawMesh& drawn, double rows) {
  if (mesh.directions.empty())
    throw InputError(
        "picture.look: \"lines\" shows the line field of the skin, and this shot has none: give "
        "skin.direction.langer, .axis or .file");
  // Where vertices of the body were split for the skin, the stored triangles share them again.
  const Weld weld = repaired_weld(welded_triangles(mesh));
  LineDirections directions;
  for (FaceId f : weld.source_face) directions.push_back(mesh.directions[f]);
  const Surface surface(weld.mesh);
  const double width = kStreakPixels * surface.size() / std::min(rows, kMostRows);
  return std::make_shared<LinePattern>(surface, directions, drawn, mesh.mesh.positions.raw(), width);
}

}  // namespace cutis
