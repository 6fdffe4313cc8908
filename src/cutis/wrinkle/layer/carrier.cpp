#include "cutis/wrinkle/layer/carrier.h"

#include "cutis/core/parallel.h"
#include "cutis/material/solid/signed_svd.h"

namespace cutis {

Carrier carried_by(const Mesh& mesh, const Points& positions, const IdVector<VertexId, SurfacePoint>& places,
                   const IdVector<VertexId, double>& heights) {
  const IdVector<VertexId, Vec3> normals = angle_weighted_normals(mesh, positions);
  Carrier carrier{Points(places.size()), Points(places.size())};
  parallel_for(places.size(), [&](std::size_t i) {
    const VertexId v(i);
    carrier.normals[v] = interpolate(mesh, normals, places[v]).normalized();
    carrier.positions[v] = interpolate(mesh, positions, places[v]) + heights[v] * carrier.normals[v];
  });
  return carrier;
}

/// The rotation nearest to how a patch has deformed: that of its tangents, weighted, and of its normal.
Mat3 turn_of(const ConstraintFunction& constraint, const Carrier& rest, const Carrier& now) {
  const VertexStencil& samples = constraint.samples;
  const Vec3 middle_rest = weighted_mean<Vec3>(samples, rest.positions);
  const Vec3 middle_now = weighted_mean<Vec3>(samples, now.positions);
  Mat3 moment = Mat3::Zero();
  double spread = 0;
  for (const VertexWeight& w : samples) {
    const Vec3 from = rest.positions[w.vertex] - middle_rest;
    moment += w.weight * (now.positions[w.vertex] - middle_now) * from.transpose();
    spread += w.weight * from.squaredNorm();
  }
  moment += spread * weighted_mean<Vec3>(samples, now.normals).normalized() *
            weighted_mean<Vec3>(samples, rest.normals).normalized().transpose();
  const SignedSvd svd = signed_svd(moment);
  return svd.U * svd.V.transpose();
}

}  // namespace cutis
