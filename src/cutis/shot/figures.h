#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cutis/shot/result.h"

namespace cutis {

/// A way to measure a frame; docs/figures.md defines each.
struct MeasureInfo {
  const char* name;
  const char* unit;  ///< "size" for lengths over the size of the body, "1" for plain ratios
  const char* doc;
};
/// All there are, by name.
std::vector<MeasureInfo> measures();

/// Which frames a figure is taken from.
struct FrameSelection {
  enum class Kind { All, Least, First, Last, Number };
  Kind kind = Kind::All;  ///< All is the largest value over the frames, Least the smallest
  int number = 0;         ///< for Kind::Number, from 1
};
/// From "all", "least", "first", "last" or a number; nothing when it is none of them.
std::optional<FrameSelection> parse_frame_selection(const std::string& text);
std::string to_string(const FrameSelection& selection);

struct FigureRequest {
  std::string name;
  std::string measure;
  FrameSelection frames;
  std::optional<double> at_least, at_most;
};

/// What is wrong with the requests for a run of `frames` frames over this mesh, one sentence each.
std::vector<std::string> figure_mistakes(std::span<const FigureRequest> requests, const ResultMesh& mesh,
                                         int frames);

/// Measures the frames as they were written, in double precision. The requests must be without mistakes.
std::vector<Figure> compute_figures(const ResultReader& result, std::span<const FigureRequest> requests);

}  // namespace cutis
