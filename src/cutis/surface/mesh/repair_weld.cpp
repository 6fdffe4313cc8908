#include "cutis/surface/mesh/repair_weld.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/surface/mesh/repair.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

bool is_manifold(const Mesh& mesh) {
  try {
    const Topology topology(mesh);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

Weld repaired_weld(Weld weld) {
  if (is_manifold(weld.mesh)) return weld;
  RepairResult repaired = repair(weld.mesh, &weld);
  IdVector<VertexId, VertexId> number;
  for (VertexId v : ids<VertexId>(repaired.old_vertex.size())) {
    const VertexId old = repaired.old_vertex[v];
    if (repaired.new_vertex[old] == v) {
      number.push_back(old);
      continue;
    }
    number.push_back(weld.mesh.positions.push_back(weld.mesh.positions[old]));
    weld.representative.push_back(weld.representative[old]);
  }
  IdVector<FaceId, FaceId> source_face;
  for (FaceId f : repaired.old_face) source_face.push_back(weld.source_face[f]);
  weld.source_face = std::move(source_face);
  for (VertexId& v : repaired.mesh.corners) v = number[v];
  weld.mesh.face_offsets = std::move(repaired.mesh.face_offsets);
  weld.mesh.corners = std::move(repaired.mesh.corners);
  weld.mesh.uvs = std::move(repaired.mesh.uvs);
  log().warn(
      "the mesh is repaired for the skin, which sticks where vertices are split; results keep the mesh as "
      "it came. {}",
      fmt::join(repaired.notes, "; "));
  return weld;
}

}  // namespace cutis
