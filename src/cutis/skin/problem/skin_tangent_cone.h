#pragma once

#include <optional>

#include "cutis/skin/problem/skin_configuration.h"

namespace cutis {

/// Where skin may go from its place: all ways within the surface, along its curve only, or, on a border that
/// it is pushed over, along the border only.
class SkinTangentCone {
 public:
  /// The references must outlive it.
  SkinTangentCone(const SlideSurface& surface, const SkinConstraints& constraints)
      : surface_(surface), constraints_(constraints) {}

  /// The only direction (unit, in the tangent plane) in which a vertex that is pushed this way may move; zero
  /// when there is none; nothing when all are open.
  std::optional<Vec2> active_direction(VertexId v, const SkinConfiguration& at, const Vec2& push) const;

 private:
  const SlideSurface& surface_;
  const SkinConstraints& constraints_;
};

}  // namespace cutis
