#include "cutis/skin/eulerian/tissue_field.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "cutis/surface/mesh/deformation.h"

namespace cutis {
namespace {

constexpr double kDensity = 1100;      ///< [kg/m³]
constexpr double kThickness = 1.5e-3;  ///< [m]

double value_at(const IdVector<VertexId, double>& values, VertexId v, double otherwise) {
  return values.empty() ? otherwise : values[v];
}

}  // namespace

TissueField::TissueField(const Surface& rest, const SkinElements& elements, const EulerianOptions& options)
    : mesh_(rest.mesh()) {
  for (VertexId v : ids<VertexId>(mesh_.vertex_count())) {
    const double thickness = value_at(options.thickness, v, kThickness);
    stiff_thickness_.push_back(thickness * value_at(options.stiffness, v, 1));
    mass_.push_back(thickness * value_at(options.density, v, kDensity));
    compression_.push_back(value_at(options.compression, v, 1));
  }
  even_ = std::all_of(stiff_thickness_.begin(), stiff_thickness_.end(),
                      [&](double t) { return t == stiff_thickness_.raw().front(); });
  if (options.direction.empty() && options.prestretch.empty() && options.prestretch_across.empty() &&
      options.rest_poses.empty())
    return;
  const std::vector<RestTriangle> triangles = rest_triangles(mesh_.positions.raw(), index_triangles(mesh_));
  for (std::size_t i = 0; i < triangles.size(); ++i)
    frames_.push_back(triangles[i].degenerate() ? Mat32(Mat32::Zero())
                                                : Mat32(triangles[i].axes * elements.prestretch[i]));
}

Vec2 TissueField::stiff_thickness_slope(const SurfacePoint& p) const {
  const auto c = mesh_.face(p.face);
  return {stiff_thickness_[c[1]] - stiff_thickness_[c[0]], stiff_thickness_[c[2]] - stiff_thickness_[c[0]]};
}

/// Directions are lines, without a sign, and a metric has no direction where there is none: so means are
/// taken of m mᵀ, for the first column, and of M Mᵀ, and M is put together from both. Its columns are
/// conjugate in the metric.
Mat32 TissueField::to_rest(const Corners& corners) const {
  Mat3 metric = Mat3::Zero(), lines = Mat3::Zero();
  Vec3 normal = Vec3::Zero();
  for (const SurfacePoint& p : corners) {
    const Mat32& frame = frames_[p.face.index()];
    metric += frame * frame.transpose() / 3;
    lines += frame.col(0) * frame.col(0).transpose();
    normal += frame.col(0).cross(frame.col(1));
  }
  Mat32 axes;
  const Vec3 line = Eigen::SelfAdjointEigenSolver<Mat3>(lines).eigenvectors().col(2);
  axes.col(0) = (line - line.dot(normal) * normal / normal.squaredNorm()).normalized();
  axes.col(1) = normal.normalized().cross(axes.col(0));
  const Mat2 A = axes.transpose() * metric * axes;
  // In these axes d = (1, 0): G = [d / sqrt(dᵀ A⁻¹ d), the rest], upper triangular with G Gᵀ = A.
  const double g11 = std::sqrt(A(1, 1)), g01 = A(0, 1) / g11;
  Mat2 G;
  G << std::sqrt(std::max(A(0, 0) - g01 * g01, 0.0)), g01, 0, g11;
  return axes * G;
}

}  // namespace cutis
