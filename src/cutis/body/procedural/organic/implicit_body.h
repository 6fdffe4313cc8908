#pragma once

#include <string>
#include <vector>

#include "cutis/body/procedural/organic/unwrap.h"
#include "cutis/core/types.h"

namespace cutis {

/// A body as a skeleton of joints with round shapes on them, melted into one surface.
///
/// Two shapes melt into each other only when one's joint is an ancestor of the other's: a finger melts into
/// the palm, but not into the next finger, however near it comes. Joints are built parents first, and every
/// joint without children carries a shape.
class ImplicitBody {
 public:
  struct Joint {
    std::string name;
    int parent = -1;
    Vec3 position;        ///< in the bind pose [m]
    double softness = 0;  ///< how far its weights fade into its neighbours' [m]
    int part = 0;         ///< which of parts() its skin is unwrapped with
  };
  /// How deep a point lies below the surface, and which way is out.
  struct Sample {
    double distance;  ///< [m], negative inside; true to first order near the surface
    Vec3 gradient;
  };

  int add_part(const Vec3& from, const Vec3& to, const Vec3& seam);
  /// `parent` is -1 for the root, which comes first.
  int add_joint(const std::string& name, int parent, const Vec3& position, double softness, int part);
  /// A capsule with two radii. Stretched by `factor` along the unit vector `wide`. `blend` is how wide the
  /// fillet is where it meets what the body has so far [m].
  void add_capsule(int joint, const Vec3& a, const Vec3& b, double radius_a, double radius_b, double blend,
                   const Vec3& wide = Vec3::UnitX(), double factor = 1);
  void add_ellipsoid(int joint, const Vec3& centre, const Vec3& radii, double blend,
                     const Quat& turn = Quat::Identity());
  /// Takes an ellipsoid away from what the joint has so far; its later shapes and those of its children may
  /// fill the hollow again.
  void carve_ellipsoid(int joint, const Vec3& centre, const Vec3& radii, double blend,
                       const Quat& turn = Quat::Identity());
  /// The fillet between branches of the skeleton, where both leave their common stem (the web between two
  /// fingers) [m].
  void set_web(double web) { web_ = web; }

  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<UnwrapPart>& parts() const { return parts_; }
  Sample sample(const Vec3& p) const;
  /// How much each joint's shapes make the surface at p; one number a joint, they sum to one.
  std::vector<double> shares(const Vec3& p) const;
  void bounds(Vec3& low, Vec3& high) const;
  double thinnest() const;  ///< smallest radius of a capsule [m]

 private:
  /// A round cone in a space where it is round: q = to_round (p - a).
  struct Shape {
    Vec3 a, axis;  ///< axis in the round space
    double radius_a, radius_b, blend;
    Mat3 to_round;
    Vec3 centre;   ///< of a ball around it
    double reach;  ///< the ball's radius
    double thickness;
    bool hollow = false;  ///< taken away, not added
  };
  struct Branch {
    std::vector<Shape> shapes;
    std::vector<int> children;
    Vec3 centre = Vec3::Zero();  ///< of a ball around all shapes of this joint and those below
    double reach = 0;
    double blend = 0;  ///< the widest of them
  };

  std::vector<Joint> joints_;
  std::vector<Branch> branches_;
  std::vector<UnwrapPart> parts_;
  double web_ = 0;

  static Shape ellipsoid(const Vec3& centre, const Vec3& radii, double blend, const Quat& turn);
  void add_shape(int joint, const Shape& shape);
  static Sample sample_shape(const Shape& shape, const Vec3& p);
  template <class Value>
  Value evaluate(int joint, const Vec3& p, Value stem) const;
};

}  // namespace cutis
