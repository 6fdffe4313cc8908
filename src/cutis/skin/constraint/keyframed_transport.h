#pragma once

#include <algorithm>
#include <vector>

#include "cutis/skin/skin_options.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {

class ClosestPointTree;

/// Skin that a keyed path carries over the body at rest as one piece. The middle goes the shortest way over
/// the surface from key to key, at an even pace. The piece goes with it, turns as the surface below it turns,
/// as little as may be, and is laid onto the surface: on a plane, a sphere, and along the circles of a torus
/// or a tube it moves as a rigid body does.
class KeyframedTransport {
 public:
  /// `body` is the tree of `rest`, which must outlive the journey. Vertices have faces; as many times as
  /// points, two at least. Throws InputError when there is no way over the surface between two keys.
  KeyframedTransport(const Surface& rest, const ClosestPointTree& body, SkinPath path);

  /// How many keys a path of so many vertices may have: their places are held in memory, 160 MB of them.
  static std::size_t most_keys(std::size_t vertices) {
    return 5'000'000 / std::max<std::size_t>(vertices, 32);
  }

  const SkinPath& path() const { return path_; }
  /// Puts the vertices where they are at `time`.
  void place(double time, IdVector<VertexId, SurfacePoint>& points) const;

 private:
  /// The piece at one place of the way.
  struct Waypoint {
    SurfacePoint middle;
    Vec3 way = Vec3::Zero();   ///< to the next waypoint, in the plane of the middle's face [m]
    Vec3 lift = Vec3::Zero();  ///< of the piece over the surface, before it is laid onto it [m]
    Quat turn = Quat::Identity();
    std::vector<SurfacePoint> places;  ///< one per vertex
    Vec3 normal = Vec3::Zero();        ///< mean over the piece: short where the piece goes round a limb
  };

  const Surface* rest_;
  double edge_;  ///< the mean one: steps are no longer, where memory allows [m]
  SkinPath path_;
  std::vector<Vec3> from_middle_;  ///< one per vertex, at home [m]
  std::vector<Waypoint> waypoints_;
  std::vector<std::size_t> waypoint_of_key_;

  /// False when there is no way.
  bool go_to(const SurfacePoint& target, const Vec3& lift, Geodesics& geodesics, double most_steps);
  Waypoint moved(const Waypoint& from, const SurfacePoint& middle, const Vec3& lift) const;
  /// The piece with its middle there and turned so, on the surface near where it was.
  std::vector<SurfacePoint> laid(const std::vector<SurfacePoint>& near, const Vec3& middle,
                                 const Quat& turn) const;
  Vec3 normal_at(const SurfacePoint& p) const;
  Vec3 mean_normal(const std::vector<SurfacePoint>& places) const;
};

}  // namespace cutis
