#include "cutis/wrinkle/layer/carrier.h"

#include <Eigen/SVD>

#include "cutis/core/parallel.h"

namespace cutis {

Carrier carried_by_body(const LayerSurface& layer, const Mesh& body, const Points& pose) {
  const IdVector<VertexId, Vec3> normals = angle_weighted_normals(body, pose);
  Carrier carrier{Points(layer.body.size()), Points(layer.body.size())};
  parallel_for(layer.body.size(), [&](std::size_t i) {
    const VertexId v(i);
    carrier.normals[v] = interpolate(body, normals, layer.body[v]).normalized();
    carrier.positions[v] = interpolate(body, pose, layer.body[v]) - layer.depth[v] * carrier.normals[v];
  });
  return carrier;
}

/// The rotation nearest to how a patch has deformed: that of its tangents, weighted, and of its normal.
Mat3 turn_of(const ConstraintFunction& constraint, const Carrier& rest, const Carrier& now) {
  Vec3 middle_rest = Vec3::Zero(), middle_now = Vec3::Zero(), normal_rest = Vec3::Zero(),
       normal_now = Vec3::Zero();
  for (std::size_t i = 0; i < constraint.vertices.size(); ++i) {
    const VertexId v = constraint.vertices[i];
    const double w = constraint.weights[i];
    middle_rest += w * rest.positions[v];
    middle_now += w * now.positions[v];
    normal_rest += w * rest.normals[v];
    normal_now += w * now.normals[v];
  }
  Mat3 moment = Mat3::Zero();
  double spread = 0;
  for (std::size_t i = 0; i < constraint.vertices.size(); ++i) {
    const VertexId v = constraint.vertices[i];
    const Vec3 from = rest.positions[v] - middle_rest;
    moment += constraint.weights[i] * (now.positions[v] - middle_now) * from.transpose();
    spread += constraint.weights[i] * from.squaredNorm();
  }
  moment += spread * normal_now.normalized() * normal_rest.normalized().transpose();
  const Eigen::JacobiSVD<Mat3> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 turn = svd.matrixU() * svd.matrixV().transpose();
  if (turn.determinant() < 0) {
    Mat3 U = svd.matrixU();
    U.col(2) = -U.col(2);
    turn = U * svd.matrixV().transpose();
  }
  return turn;
}

}  // namespace cutis
