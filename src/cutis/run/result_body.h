#pragma once

#include <vector>

#include "cutis/run/result.h"

namespace cutis {

/// A finished result as the body of another run: its skin moves as its frames say, to the bit at their times
/// and C1 between them. At rest it is the mesh of the result. Each field at its vertices is a painted
/// attribute, with the largest value that it takes over the frames. All frames are held in memory.
class ResultBody final : public Body {
 public:
  /// `open` opens the body of a result that stores maps. Throws InputError when the folder holds no result or
  /// an unfinished one. `weld_tolerance` [m]: below zero the default.
  explicit ResultBody(const std::filesystem::path& folder, BodyOpener open = nullptr, double scale = 1,
                      double weld_tolerance = -1);

  Interval duration() const override { return {times_.front(), times_.back()}; }
  double frame_rate() const override { return fps_; }

 private:
  double fps_ = 0;
  std::vector<double> times_;         ///< [s]
  std::vector<SourcePoints> frames_;  ///< [m]

  SourcePoints compute_positions(double time) const override;
};

}  // namespace cutis
