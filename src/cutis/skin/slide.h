#pragma once

#include <limits>

#include "cutis/body/body.h"
#include "cutis/body/simulation_stage.h"
#include "cutis/skin/skin_state.h"

namespace cutis {

struct SkinTissue;

/// One way to move skin over a body.
class Slide : public SimulationStage {
 public:
  /// Where the skin lies on the body now, and how it is strained there.
  virtual SkinState skin() const { return {}; }
  /// What the skin is made of; null when the method has no material.
  virtual const SkinTissue* tissue() const { return nullptr; }
  /// How far each welded vertex may slide [m]; empty when nothing bounds it.
  virtual IdVector<VertexId, double> slide_limits() const { return {}; }
  /// Whether skin never passes those; else it is only drawn back beyond them.
  virtual bool holds_slide_limits() const { return false; }
  /// Top speed of sliding, where skin is bound to keep it [m/s].
  virtual double top_slide_speed() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace cutis
