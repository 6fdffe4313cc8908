#pragma once

#include <string>
#include <vector>

#include "cutis/core/types.h"
#include "cutis/surface/mesh.h"
#include "cutis/surface/weld.h"

namespace cutis {

/// What the animator gave: one surface that moves. Knows its rest shape and its positions at any time, in
/// metres. Flesh is a Body that wraps a Body, so what comes after never asks where the motion is from.
class Body {
 public:
  virtual ~Body() = default;

  const SourceMesh& source() const { return source_; }  ///< at rest, in the file's own vertex order
  const Mesh& mesh() const { return weld_.mesh; }       ///< at rest, welded
  const Weld& weld() const { return weld_; }

  /// When it moves [s]; before and after, it holds still.
  virtual Interval duration() const = 0;
  /// Exact at any time, also between frames; thread-safe.
  virtual SourcePoints source_positions(double time) const = 0;
  Points positions(double time) const { return weld_.gather(source_positions(time)); }

 protected:
  Body() = default;
  /// To be called once by the constructor of a subclass, with the rest shape; tolerance below zero means the
  /// default.
  void set_rest(SourceMesh rest, double weld_tolerance = -1);

 private:
  SourceMesh source_;
  Weld weld_;
};

}  // namespace cutis
