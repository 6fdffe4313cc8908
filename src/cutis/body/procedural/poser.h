#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cutis/body/rig/character.h"

namespace cutis {

/// Poses a character whose joints all stand unturned in the bind pose, so that rotations are about the
/// body's own axes. Angles in radians, places in metres.
class Poser {
 public:
  explicit Poser(const Character& character);

  int joint(const std::string& name) const;  ///< by name; it must be there
  /// Turns a joint about an axis, after what it was turned by already.
  void turn(int joint, const Vec3& axis, double angle);
  void move(int joint, const Vec3& offset) { offsets_[joint] += offset; }
  void set_morph(std::size_t target, double weight) { morphs_[target] = weight; }

  Vec3 position(int joint) const;
  Quat orientation(int joint) const;  ///< in the world
  /// Turns a joint so that it stands like this in the world.
  void orient(int joint, const Quat& world);
  /// Turns `upper` and its child `lower` so that the child `end` of that comes to `target`, or as near as the
  /// limb reaches, bending towards `bend` (which the limb would bend towards in the bind pose at
  /// `rest_bend`).
  void reach(int upper, int lower, int end, const Vec3& target, const Vec3& bend, const Vec3& rest_bend);

  const Quat& rotation(int joint) const { return rotations_[joint]; }
  const Vec3& offset(int joint) const { return offsets_[joint]; }
  std::span<const double> morphs() const { return morphs_; }
  void reset();

 private:
  const std::vector<Node>& nodes_;
  std::vector<Quat> rotations_;
  std::vector<Vec3> offsets_;
  std::vector<double> morphs_;
};

/// A clip with 60 keys a second, straight between them, of what `pose` does to a Poser that stands in the
/// bind pose. It has tracks for what moves.
Clip make_clip(const Character& character, const std::string& name, double duration,
               const std::function<void(double time, Poser&)>& pose);

/// 0 before `begin`, 1 after `end`, smooth to the second derivative.
double ease(double begin, double end, double time);

/// Rises over [a, b], stays, falls over [c, d].
inline double pulse(double a, double b, double c, double d, double time) {
  return ease(a, b, time) - ease(c, d, time);
}

}  // namespace cutis
