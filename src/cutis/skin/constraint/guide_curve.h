#pragma once

#include <optional>
#include <vector>

#include "cutis/skin/constraint/cubic_spline.h"

namespace cutis {

/// A smooth curve in space through given points, with a frame that goes along: what skin is led by. Closed
/// when the last point is the first.
class GuideCurve {
 public:
  struct Place {
    Vec3 position = Vec3::Zero(), derivative = Vec3::Zero();
    Mat3 frame = Mat3::Zero(), frame_derivative = Mat3::Zero();  ///< columns: along the curve and two across
  };

  /// `normals` of the body near each of `points`. Where the points lie in a plane (to 1e-4 of their extent),
  /// so does the curve, and the frame stands on that plane; else the frame turns with the normals. `spacing`
  /// [m] is that of its samples. Throws InputError when there are too few different points.
  GuideCurve(std::vector<Vec3> points, std::vector<Vec3> normals, double spacing);

  /// s from 0 to length(), any when it is closed.
  Place at(double s) const;
  /// Where the curve is nearest to x; on an open one maybe at an end.
  double nearest(const Vec3& x) const;
  double length() const { return length_; }  ///< [m], of the chords; s runs from 0 to it
  bool closed() const { return closed_; }
  bool straight() const { return straight_; }
  /// Unit normal of the plane that the curve lies in.
  const std::optional<Vec3>& plane() const { return plane_; }

 private:
  bool closed_ = false, straight_ = false;
  double length_ = 0, spacing_ = 0;
  std::optional<Vec3> plane_;
  CubicSpline curve_, normal_;
  std::vector<Vec3> samples_;  ///< every spacing_ from 0 on; where it is closed, the last is left out

  void find_plane(const std::vector<Vec3>& points, const std::vector<Vec3>& normals);
};

}  // namespace cutis
