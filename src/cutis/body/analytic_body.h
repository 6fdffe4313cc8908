#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/body/rig/rig_body.h"

namespace cutis {

/// A motion given by a formula: where a point that lies at `rest` is at a time from 0 to `seconds`. At 0 it
/// is at rest; a pure function with a continuous velocity.
struct AnalyticMotion {
  std::string name;
  double seconds;
  std::function<Vec3(const Vec3& rest, double time)> place;
};

/// A mesh and the motions it can make, in metres.
struct AnalyticShape {
  std::string name;
  SourceMesh mesh;
  std::vector<AnalyticMotion> motions;
};

/// Plays one motion of a shape: exact at any time, where a rig would blend.
class AnalyticBody final : public Body {
 public:
  /// The choice means what it means for a character whose clips are the motions and whose only mesh has the
  /// shape's name. Throws InputError as RigBody does.
  explicit AnalyticBody(AnalyticShape shape, const RigChoice& choice = {});

  Interval duration() const override { return {0, motion_.seconds}; }
  SourcePoints compute_positions(double time) const override;
  const std::string& clip_name() const { return motion_.name; }  ///< "" when it holds still

 private:
  SourcePoints base_;  ///< as modelled, in the shape's own units
  AnalyticMotion motion_;
  double scale_;

  SourcePoints posed(const AnalyticMotion& motion, double time) const;
  SourcePoints rest_positions(const AnalyticShape& shape, const std::string& rest) const;
};

}  // namespace cutis
