#pragma once

#include "cutis/io/array/npz.h"
#include "cutis/measure/result_mesh.h"

namespace cutis {

/// What can be measured of one frame.
struct MeasuredFrame {
  int number = 0;   ///< from 1
  double time = 0;  ///< [s]
  SourcePoints positions;
  Npz fields;           ///< further arrays by name; not those that docs/results.md lists
  double residual = 0;  ///< what the method left open: StepReport::residual
  double barrier = 0;   ///< energy of barriers over the elastic one: StepReport::barrier
};

/// Frames of one mesh, by number, wherever they come from.
class MeasuredFrames {
 public:
  virtual ~MeasuredFrames() = default;
  virtual const ResultMesh& mesh() const = 0;
  virtual int frame_count() const = 0;  ///< finished frames, numbered from 1
  /// Throws InputError when the frame cannot be had.
  virtual MeasuredFrame measured_frame(int number) const = 0;
};

}  // namespace cutis
