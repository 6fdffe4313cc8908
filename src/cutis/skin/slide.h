#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// How a step went. Failing to converge is a value, not an exception.
struct StepReport {
  bool converged = true;
  int iterations = 0;
  double residual = 0;
  std::string reason;  ///< why it did not converge; empty when it did
};

/// What the skin's material says of one moment, one a triangle of triangulated(body.mesh()): for fields.
struct SkinMechanics {
  std::vector<Mat2> prestretch;   ///< G, in the axes of rest_triangle(): the elastic F is F G
  std::vector<Mat32> stress;      ///< P = dW/dF at the elastic F [N/m]
  std::vector<double> thickness;  ///< of skin without stress [m]
};

/// Arrays by name: all that a stage must remember to go on exactly where it stopped.
using State = std::map<std::string, std::vector<double>>;

/// One way to move skin over a body. A slide reads its body and nothing else.
class Slide {
 public:
  virtual ~Slide() = default;
  /// Brings the skin to `time` [s]; times only go forwards.
  virtual StepReport advance(double time) = 0;
  /// The skin now, in the source's own vertex order [m].
  virtual const SourcePoints& positions() const = 0;
  /// Where each welded vertex of the skin lies on the body now, both at rest: on the body's own mesh cut into
  /// triangles (triangulated(body.mesh())). Null, from first to last, when the skin leaves the body's
  /// surface. May throw InputError when that mesh cannot carry a map.
  virtual const SurfaceMap* map() const { return nullptr; }
  /// Nothing, from first to last, when the method has no material.
  virtual std::optional<SkinMechanics> mechanics() const { return std::nullopt; }
  /// How far each welded vertex may slide [m]; empty when nothing bounds it.
  virtual IdVector<VertexId, double> slide_limits() const { return {}; }
  /// Everything hidden: after restore(save()) the run goes on with the same bits.
  virtual State save() const = 0;
  virtual void restore(const State& state) = 0;
};

}  // namespace cutis
