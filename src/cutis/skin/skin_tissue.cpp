#include "cutis/skin/skin_tissue.h"

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The turn in the plane that is nearest to a matrix.
Mat2 nearest_turn(const Mat2& m) {
  const Vec2 direction(m(0, 0) + m(1, 1), m(1, 0) - m(0, 1));
  if (!(direction.norm() > 0)) return Mat2::Identity();
  const Vec2 unit = direction.normalized();
  Mat2 turn;
  turn << unit.x(), -unit.y(), unit.y(), unit.x();
  return turn;
}

Mat32 identity_deformation() {
  Mat32 F = Mat32::Zero();
  F.topRows<2>().setIdentity();
  return F;
}

}  // namespace

void SkinTissue::strain(const Mesh& triangles, const Points& positions, SkinState& state) const {
  state.deformation.assign(rest.size(), identity_deformation());
  state.stress.assign(rest.size(), Mat32::Zero());
  state.slack.assign(rest.size(), 0);
  state.thickness = thickness;
  parallel_for(rest.size(), [&](std::size_t i) {
    if (rest[i].degenerate()) return;
    const auto c = triangles.face(FaceId(i));
    Mat32& F = state.deformation[i];
    F = deformation_gradient(rest[i], positions[c[0]], positions[c[1]], positions[c[2]]) * prestretch[i];
    state.stress[i] = thickness[i] * stiffness[i] * material->stress(F, compression[i]).stress;
    if (compression[i] < 1) state.slack[i] = material->slack(F);
  });
}

SkinTissue SkinTissue::on_source(const SimulationMesh& mesh) const {
  const Mesh& source = mesh.source()->mesh();
  SkinTissue out;
  out.material = material;
  out.rest = rest_triangles(source.positions.raw(), index_triangles(source));
  for (FaceId f : ids<FaceId>(source.face_count())) {
    const std::size_t below = mesh.on_simulation_mesh()[source.face(f)[0]].face.index();
    const Mat2 turn = nearest_turn(out.rest[f.index()].axes.transpose() * rest[below].axes);
    out.prestretch.push_back(turn * prestretch[below]);
    out.thickness.push_back(thickness[below]);
    out.stiffness.push_back(stiffness[below]);
    out.compression.push_back(compression[below]);
  }
  return out;
}

}  // namespace cutis
