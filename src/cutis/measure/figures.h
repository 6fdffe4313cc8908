#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cutis/measure/figure_request.h"
#include "cutis/measure/measured_frames.h"

namespace cutis {

/// A number that shows whether a run is right, and the bound it must keep; docs/figures.md defines the words.
struct Figure {
  std::string name;
  std::string measure;
  std::string frames;  ///< which frames: "all", "least", "first", "last" or a frame number
  double value = 0;
  std::string unit;
  std::optional<double> at_least, at_most;
  bool holds = true;  ///< true when there is no bound
  Parameters with = {};
};

/// "all", "least", "first", "last" or the number.
std::string to_string(const FigureFrames& frames);

/// What is wrong with the requests for a run of `frames` frames over this mesh that stores these fields, one
/// sentence each.
std::vector<std::string> figure_mistakes(std::span<const FigureRequest> requests, const ResultMesh& mesh,
                                         std::span<const std::string> stored_fields, int frames);

/// Measures the frames, in double precision. The requests must be without mistakes.
std::vector<Figure> compute_figures(const MeasuredFrames& result, std::span<const FigureRequest> requests);

/// What is asked of a figure: "at most 0.2", "1 to 2"; "" when nothing is.
std::string bound_words(const Figure& figure);

}  // namespace cutis
