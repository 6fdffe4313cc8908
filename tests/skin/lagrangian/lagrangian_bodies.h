#pragma once

#include <functional>
#include <memory>

#include "cutis/body/analytic_body.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/skin/lagrangian/lagrangian.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis::test {

inline SourceMesh source_mesh(const Mesh& mesh) {
  SourceMesh source;
  source.positions = SourcePoints(mesh.positions.raw());
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.index()));
  return source;
}

using Motion = std::function<Vec3(const Vec3& rest, double time)>;

/// A body of this mesh that moves by a formula.
inline std::unique_ptr<Body> moving_body(const Mesh& mesh, const Motion& motion, double seconds = 1) {
  return std::make_unique<AnalyticBody>(
      AnalyticShape{"body", source_mesh(mesh), {AnalyticMotion{"motion", seconds, motion}}});
}

inline Vec3 hold_still(const Vec3& rest, double) { return rest; }

inline std::shared_ptr<const MembraneMaterial> simple_material(MaterialModel model, double young,
                                                               double poisson) {
  SkinLaw law;
  law.model = model;
  law.young = young;
  law.poisson = poisson;
  return make_material(law);
}

/// Vertices for which `chosen` holds at rest.
template <class F>
std::vector<VertexId> vertices_where(const Mesh& mesh, const F& chosen) {
  std::vector<VertexId> out;
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (chosen(mesh.positions[v])) out.push_back(v);
  return out;
}

}  // namespace cutis::test
