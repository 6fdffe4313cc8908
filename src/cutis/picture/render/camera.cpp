#include "cutis/picture/render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// The eye keeps this much of the subject's size away from it.
constexpr double kClosest = 0.25;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
double radians(double degrees) { return degrees * std::numbers::pi / 180; }

}  // namespace

Vec3 Camera::project(const Vec3& point) const {
  const Vec3 p = point - eye;
  const double depth = -p.dot(back);
  const double half = ortho_height > 0 ? ortho_height / 2 : depth * tan_y;
  return {0.5 + 0.5 * p.dot(right) / (half * aspect), 0.5 - 0.5 * p.dot(up) / half, depth};
}

Framing framing_from(const Vec3& direction) {
  if (!(direction.norm() > 0)) throw InputError("picture.camera: a direction of length zero points nowhere");
  const Vec3 d = direction.normalized();
  Framing framing;
  framing.azimuth = std::atan2(d.x(), d.z()) * 180 / std::numbers::pi;
  framing.elevation = std::asin(std::clamp(d.y(), -1.0, 1.0)) * 180 / std::numbers::pi;
  return framing;
}

CameraFit::CameraFit(const Framing& framing, double aspect)
    : framing_(framing),
      left_(-kInfinity),
      right_(-kInfinity),
      bottom_(-kInfinity),
      top_(-kInfinity),
      low_(Vec3::Constant(kInfinity)),
      high_(Vec3::Constant(-kInfinity)) {
  const double a = radians(framing.azimuth), e = radians(std::clamp(framing.elevation, -89.9, 89.9));
  camera_.back = Vec3(std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e));
  camera_.right = Vec3(std::cos(a), 0, -std::sin(a));
  camera_.up = camera_.back.cross(camera_.right);
  camera_.aspect = aspect;
  camera_.tan_y = std::tan(radians(std::clamp(framing.field_of_view, 1.0, 120.0)) / 2);
  const double inside = 1 - 2 * std::clamp(framing.margin, 0.0, 0.45);
  ky_ = camera_.tan_y * inside;
  kx_ = camera_.tan_y * aspect * inside;
}

void CameraFit::add(std::span<const Vec3> points) {
  for (const Vec3& point : points) {
    const Vec3 p(point.dot(camera_.right), point.dot(camera_.up), point.dot(camera_.back));
    if (!p.allFinite()) continue;
    // A point is inside a side plane when x - ex <= kx (ez - z): what matters is the maximum of x + kx z.
    right_ = std::max(right_, p.x() + kx_ * p.z());
    left_ = std::max(left_, -p.x() + kx_ * p.z());
    top_ = std::max(top_, p.y() + ky_ * p.z());
    bottom_ = std::max(bottom_, -p.y() + ky_ * p.z());
    low_ = low_.cwiseMin(p);
    high_ = high_.cwiseMax(p);
  }
}

Camera CameraFit::camera() const {
  Camera camera = camera_;
  if (low_.x() > high_.x()) {
    camera.eye = camera.back;
    return camera;
  }
  // Opposite planes through the extremes meet at the eye; the tighter pair decides how far back it stands.
  Vec3 eye((right_ - left_) / 2, (top_ - bottom_) / 2,
           std::max((right_ + left_) / (2 * kx_), (top_ + bottom_) / (2 * ky_)));
  // A wide view of a pointed thing would put the eye onto its tip.
  const double extent = (high_ - low_).norm();
  eye.z() = std::max(eye.z(), high_.z() + (extent > 0 ? kClosest * extent : 1));
  const double distance = eye.z() - (low_.z() + high_.z()) / 2;
  if (framing_.look_at) {
    const Vec3& at = *framing_.look_at;
    eye = Vec3(at.dot(camera.right), at.dot(camera.up), at.dot(camera.back) + distance);
  }
  // Zooming narrows the view rather than walking closer, so that it never ends inside the subject.
  camera.tan_y /= std::max(framing_.zoom, 1e-3);
  camera.eye = eye.x() * camera.right + eye.y() * camera.up + eye.z() * camera.back;
  return camera;
}

Camera fit_camera(std::span<const Vec3> points, const Framing& framing, double aspect) {
  CameraFit fit(framing, aspect);
  fit.add(points);
  return fit.camera();
}

}  // namespace cutis
