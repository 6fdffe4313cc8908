#pragma once

#include <optional>
#include <vector>

#include "cutis/slide/cubic_spline.h"

namespace cutis {

/// A smooth curve in space through given points, with a frame that goes along: what skin is led by. Closed
/// when the last point is the first.
class GuideCurve {
 public:
  struct Place {
    Vec3 position = Vec3::Zero(), derivative = Vec3::Zero();
    Mat3 frame = Mat3::Zero(), frame_derivative = Mat3::Zero();  ///< columns: along the curve and two across
    /// Of a point that the frame carries.
    Vec3 carried(const Vec3& offset) const { return position + frame * offset; }
    Vec3 carried_derivative(const Vec3& offset) const { return derivative + frame_derivative * offset; }
  };

  /// `normals` of the body near each of `points`. Where the points lie in a plane (to 1e-4 of their extent),
  /// so does the curve, and the frame stands on that plane; else the frame turns with the normals. `spacing`
  /// [m] is that of its samples. Throws InputError when there are too few different points.
  GuideCurve(std::vector<Vec3> points, std::vector<Vec3> normals, double spacing);

  /// s from 0 to length(), any when it is closed.
  Place at(double s) const;
  /// Evenly from 0 to length(); the last one is left out when it is closed.
  const std::vector<Place>& samples() const { return samples_; }
  double sample_spacing() const { return spacing_; }  ///< [m]
  double length() const { return length_; }           ///< [m], of the chords; s runs from 0 to it
  bool closed() const { return closed_; }
  bool straight() const { return straight_; }
  /// Unit normal of the plane that the curve lies in.
  const std::optional<Vec3>& plane() const { return plane_; }

 private:
  bool closed_ = false, straight_ = false;
  double length_ = 0, spacing_ = 0;
  std::optional<Vec3> plane_;
  CubicSpline curve_, normal_;
  std::vector<Place> samples_;

  void find_plane(const std::vector<Vec3>& points, const std::vector<Vec3>& normals);
};

}  // namespace cutis
