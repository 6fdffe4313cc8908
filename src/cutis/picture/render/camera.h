#pragma once

#include <optional>
#include <span>

#include "cutis/core/types.h"

namespace cutis {

/// Where a picture is taken from. y is up, as in glTF.
struct Camera {
  Vec3 eye = Vec3(0, 0, 1);
  Vec3 right = Vec3::UnitX(), up = Vec3::UnitY(), back = Vec3::UnitZ();  ///< right-handed, unit length
  double tan_y = 0.2;        ///< tangent of half the vertical field of view
  double ortho_height = 0;   ///< above 0: parallel projection, this many metres from top to bottom
  double aspect = 16.0 / 9;  ///< width / height

  /// Picture coordinates of a point: (0, 0) is the top left, (1, 1) the bottom right; z is the depth in
  /// front of the camera [m] (negative behind it).
  Vec3 project(const Vec3& point) const;
};

/// How a subject is looked at. Angles in degrees.
struct Framing {
  double azimuth = 28;        ///< 0 looks along -z at a character that faces +z; positive turns to its left
  double elevation = 10;      ///< positive looks down
  double field_of_view = 24;  ///< vertical; narrow enough that faces keep their proportions
  double zoom = 1;            ///< 2 shows half as much
  double margin = 0.08;       ///< empty border, as a part of the picture's height and width
  std::optional<Vec3> look_at = std::nullopt;  ///< what lies in the middle; else the subject's middle
};

/// From a direction that points from the subject to the camera. Throws InputError where it has no length.
Framing framing_from(const Vec3& direction);

/// Finds the camera that shows every point it was given, exactly: the smallest frustum of that direction and
/// field of view that holds them all (unless that would bring the eye too close: then a little farther away).
/// Feed it all frames of an animation.
class CameraFit {
 public:
  CameraFit(const Framing& framing, double aspect);
  void add(std::span<const Vec3> points);
  /// A plain view of the origin when nothing finite was added.
  Camera camera() const;

 private:
  Framing framing_;
  Camera camera_;
  double kx_, ky_;
  double left_, right_, bottom_, top_;  ///< the farthest reach against each side of the frustum
  Vec3 low_, high_;                     ///< bounds in camera axes
};

/// The same for one shape.
Camera fit_camera(std::span<const Vec3> points, const Framing& framing, double aspect);

}  // namespace cutis
