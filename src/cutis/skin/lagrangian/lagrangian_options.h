#pragma once

#include <optional>

#include "cutis/energy/slide_rate_term.h"
#include "cutis/skin/skin_options.h"

namespace cutis {

/// What LagrangianSlide needs besides its body: what skin is made of, and what is this method's own.
struct LagrangianOptions : SkinOptions {
  /// The skin slides over the smooth surface through the body's vertices. If not, over its flat triangles.
  bool limit_surface = true;

  SlideRate slide_rate = {};  ///< resistance to sliding over the body; none: pure quasi-statics

  double tolerance = 1e-6;           ///< on the Newton decrement, as a share of the energy at a strain of one
  int max_iterations = 500;          ///< before a step is cut in two
  std::optional<int> substeps = {};  ///< steps per frame; nothing: as many as the motion needs
};

}  // namespace cutis
