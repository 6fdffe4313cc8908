#pragma once

#include <utility>

#include "cutis/body/body.h"

namespace cutis::test {

/// A body that does not move.
class StillBody final : public Body {
 public:
  explicit StillBody(SourceMesh mesh, double weld_tolerance = -1) {
    set_rest(std::move(mesh), weld_tolerance);
  }
  Interval duration() const override { return {}; }
  SourcePoints compute_positions(double) const override { return source().positions; }
};

}  // namespace cutis::test
