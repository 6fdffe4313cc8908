#include "cutis/wrinkle/shell/shell_face.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace cutis {

double plate_modulus(double young, double poisson, double fibre_ratio) {
  return young / (1 - poisson * poisson) + (fibre_ratio - 1) * young;
}

void ShellMean::add(const ShellFace& face, double area) {
  const double stretching = area * face.young * face.thickness;
  stretching_ += stretching;
  bending_ += stretching * face.thickness * face.thickness;
  area_ += area;
  if (!face.fibres.isZero())
    fibres_ += (face.fibre_ratio - 1) * stretching * face.fibres * face.fibres.transpose();
}

ShellFace ShellMean::face() const {
  ShellFace mean;
  mean.thickness = std::sqrt(bending_ / stretching_);
  mean.young = stretching_ / area_ / mean.thickness;
  if (fibres_.isZero()) return mean;
  const Eigen::SelfAdjointEigenSolver<Mat3> lines(fibres_);
  mean.fibres = lines.eigenvectors().col(2);
  mean.fibre_ratio = 1 + lines.eigenvalues()[2] / stretching_;
  return mean;
}

}  // namespace cutis
