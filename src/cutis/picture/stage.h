#pragma once

#include <optional>
#include <vector>

#include "cutis/picture/render/camera.h"
#include "cutis/picture/render/ray_set.h"
#include "cutis/picture/render/render.h"
#include "cutis/picture/render/scene.h"

namespace cutis {

/// A scene object made ready for one picture.
struct StageObject {
  const SceneObject* source = nullptr;
  const std::vector<Vec2>* uvs = nullptr;  ///< one per corner, or null
  std::vector<Vec3f> points, normals;      ///< in stage units
  std::vector<Vec2f> screen;               ///< in pixels; not a number behind the camera
};

/// A place on an object's surface as a ray found it.
struct Spot {
  const StageObject* object = nullptr;
  const DrawMesh::Triangle* triangle = nullptr;
  float weights[3] = {1, 0, 0};  ///< barycentrics
  Vec3f position = Vec3f::Zero();
  Vec3f normal = Vec3f::UnitY();  ///< smooth, unit, on the side that is seen
  /// Where shadow rays start: the position, moved out to the smooth surface that the normals suggest.
  Vec3f lifted = Vec3f::Zero();
  float pixel = 0;  ///< width of a pixel there, across the ray
  float slant = 1;  ///< cosine between the surface's normal and the ray
};

struct PixelRay {
  Vec3f origin, direction;
};

/// The scene in the units that rays are traced in: the objects' middle at the origin, their bounding sphere
/// of radius one, single precision. Checks everything render() promises to check.
class Stage {
 public:
  Stage(const Scene& scene, const Camera& camera, const RenderOptions& options);

  PixelRay ray(float x, float y) const;  ///< through a place in the picture, in pixels
  Spot spot(const StageObject& object, const PixelRay& ray, const RayHit& hit) const;
  /// Whether an object or a trail can show at a place in the picture; where not, no ray need look for one.
  bool occupied(float x, float y) const { return occupied_.contains(Vec2f(x, y)); }
  /// Whether a solid can be in the way of a ray: its bounding box is.
  bool may_block(const Vec3f& origin, const Vec3f& direction) const {
    const Eigen::Array3f inverse = direction.array().inverse();
    const Eigen::Array3f a = (box_.min() - origin).array() * inverse,
                         b = (box_.max() - origin).array() * inverse;
    // Comparisons with a NaN (a ray within a side of the box) leave the ray in.
    return !(a.min(b).maxCoeff() > a.max(b).minCoeff()) && !(a.max(b).minCoeff() < 0);
  }
  /// Where a ray meets the floor, or nothing.
  std::optional<float> floor_hit(const PixelRay& ray) const;

  std::vector<StageObject> solids, ghosts;
  RaySet solid_rays, ghost_rays, trail_rays;
  std::vector<const Trail*> trails;
  std::optional<float> floor;  ///< its height
  Vec3f camera_right, camera_up, camera_back;

 private:
  Vec3 center_ = Vec3::Zero();
  double scale_ = 1;
  Vec3f eye_;
  float tan_x_, tan_y_;
  bool parallel_;
  float width_, height_;
  Eigen::AlignedBox2f occupied_;  ///< [pixels]
  Eigen::AlignedBox3f box_;       ///< of the solids

  void measure_picture();
  void measure(const Scene& scene);
  Vec3f place(const Vec3& p) const { return ((p - center_) * scale_).cast<float>(); }
  StageObject prepare(const SceneObject& object, const Camera& camera) const;
};

}  // namespace cutis
