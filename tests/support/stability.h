#pragma once

#include <string>
#include <vector>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis::test {

// The experiment of section 5.2 of "Fast simulation of skin sliding" (2009): one triangle of a patch of a
// sphere is turned around the sphere, over its neighbours; how do layouts of the patch follow?

enum class LayoutMethod { ForceDensity, Harmonic, MeanValue, Cutis };
struct MethodName {
  LayoutMethod method;
  std::string name;
};
/// Unit forces (q = 1 / length), cotangents as they are, mean values, and what Cutis does by default.
std::vector<MethodName> layout_methods();

class StabilityExperiment {
 public:
  StabilityExperiment();

  const Mesh& mesh() const { return mesh_; }
  const Layout& rest(LayoutMethod method) const { return rest_[static_cast<std::size_t>(method)]; }
  const std::vector<VertexId>& turned() const { return turned_; }

  /// The patch with its triangle turned by `angle` [rad] in one of `directions` directions.
  Points turned_by(double angle, int direction) const;
  Layout layout(LayoutMethod method, const Points& positions) const;
  /// The widest angle between the ways that the corners of the triangle take in the layout [rad].
  double cone(LayoutMethod method, const Layout& layout) const;
  /// How far the other free vertices move in the mean, as a share of how far the triangle does.
  double disturbance(LayoutMethod method, const Layout& layout) const;

  static constexpr int directions = 12;

 private:
  Mesh mesh_;
  Topology topology_;
  std::vector<char> pinned_;
  std::vector<VertexId> turned_;
  Layout outline_;
  std::vector<Layout> rest_;
};

}  // namespace cutis::test
