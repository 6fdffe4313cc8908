#pragma once

#include <vector>

#include "cutis/body/saved_vectors.h"

namespace cutis {

/// Flesh that keeps a dent: where an element is deformed beyond a yield strain its shape without stress flows
/// after it, as fast as it is beyond (Perzyna 1966), without a change of volume.
class PlasticFlow {
 public:
  /// `yield`: as |ln stretch|; `rate`: what share of what is beyond flows in a second, at first [1/s].
  PlasticFlow(std::size_t elements, double yield, double rate)
      : yield_(yield), rate_(rate), flow_(elements, Mat3::Identity()) {}

  /// To be multiplied from the left to the edges that an element has without stress.
  const Mat3& operator[](std::size_t element) const { return flow_[element]; }
  /// Flows for a step in which an element has come to be deformed by F, against its shape without stress as
  /// it was during the step.
  void advance(std::size_t element, const Mat3& F, double dt);

  std::vector<double> save() const { return numbers_of(flow_); }
  void restore(const std::vector<double>& saved) { flow_ = matrices_of(saved); }

 private:
  double yield_, rate_;
  std::vector<Mat3> flow_;
};

}  // namespace cutis
