#pragma once

#include <span>
#include <string>
#include <vector>

#include "cutis/shot/result.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// "all", "least", "first", "last" or the number.
std::string to_string(const FigureFrames& frames);

/// What is wrong with the requests for a run of `frames` frames over this mesh that stores these fields, one
/// sentence each.
std::vector<std::string> figure_mistakes(std::span<const FigureSection> requests, const ResultMesh& mesh,
                                         std::span<const std::string> stored_fields, int frames);

/// Measures the frames as they were written, in double precision. The requests must be without mistakes.
std::vector<Figure> compute_figures(const ResultReader& result, std::span<const FigureSection> requests);

/// What is asked of a figure: "at most 0.2", "1 to 2"; "" when nothing is.
std::string bound_words(const Figure& figure);

}  // namespace cutis
