#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cutis/body/vertex_attribute.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Something besides the solution that a step did to elements: where an animation leaves them no shape, say.
struct StepNote {
  std::string what;       ///< in words: "tetrahedra inverted by the animation"
  std::size_t count = 0;  ///< elements or vertices that it was done to
  double largest = 0;     ///< its largest effect; 0 where it has no size
  std::string unit = {};  ///< of that; "" where it has none
};

/// How a step went. Failing to converge is a value, not an exception.
struct StepReport {
  bool converged = true;
  int iterations = 0;
  /// How far the skin is from its solution. Infinite where it lies so that it has no energy: such skin cannot
  /// be gone on from.
  double residual = 0;
  std::string reason;  ///< why it did not converge; empty when it did
  /// Energy of barriers, which are no physics, over the elastic energy of the skin.
  double barrier = 0;
  /// Middles, on the body at rest, of triangles that were left turned over [m].
  std::vector<Vec3> folded = {};
  std::vector<StepNote> notes = {};  ///< one for each thing that was done to any element
};

/// Arrays by name: all that a stage must remember to go on exactly where it stopped. Each name occurs once.
struct State {
  std::map<std::string, std::vector<double>> numbers = {};
  std::map<std::string, std::vector<std::int32_t>> integers = {};
  bool empty() const { return numbers.empty() && integers.empty(); }
  bool operator==(const State&) const = default;
};

/// How flesh is deformed just below each welded vertex. Empty where there is none.
struct FleshStrain {
  std::vector<double> stretch;  ///< greatest principal stretch
  std::vector<double> phase;    ///< 0 soft, 1 stiff
};

/// A surface at some instant, in the source's own vertex order.
struct SurfaceSample {
  double time = 0;               ///< [s]
  SourcePoints positions = {};   ///< [m]
  SourcePoints velocities = {};  ///< [m/s]; empty where they are not known
};

/// A mesh that a stage computes on, as it is now; it may be another one in each frame.
struct LayerMesh {
  std::string name;                     ///< that a file can have
  Mesh mesh;                            ///< triangles; its positions are those now [m]
  std::vector<VertexAttribute> fields;  ///< what is known at its vertices
  /// Tetrahedra between its vertices, in place of triangles, and what is known of each.
  std::vector<std::array<std::int32_t, 4>> tets = {};
  std::vector<VertexAttribute> tet_fields = {};
};

/// What has a history over a body: flesh, skin. It reads its body and nothing else.
class SimulationStage {
 public:
  virtual ~SimulationStage() = default;
  /// Brings it to `time` [s]; times only go forwards.
  virtual StepReport advance(double time) = 0;
  /// Its surface now, in the source's own vertex order [m].
  virtual const SourcePoints& positions() const = 0;
  /// How fast it moves now, in the same order [m/s]; empty where the method does not know. A result with them
  /// is a body that moves between its frames as the method meant it.
  virtual SourcePoints velocities() const { return {}; }
  /// Instants that it went through in the last advance(), before its end, where the result is to know them,
  /// too: between frames a body that is made of them moves as they say.
  virtual std::vector<SurfaceSample> samples() const { return {}; }
  virtual FleshStrain flesh_strain() const { return {}; }
  /// The meshes that it computes on, where they are others than the result's, from the bottom up.
  virtual std::vector<LayerMesh> layer_meshes() const { return {}; }
  /// Everything hidden: after restore(save()) the run goes on with the same bits.
  virtual State save() const = 0;
  virtual void restore(const State& state) = 0;
};

}  // namespace cutis
