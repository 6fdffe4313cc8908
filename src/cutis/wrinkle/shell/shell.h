#pragma once

#include <array>
#include <vector>

#include "cutis/energy/membrane_energy.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/wrinkle/shell/bending_element.h"
#include "cutis/wrinkle/shell/shell_face.h"

namespace cutis {

/// A thin elastic shell on a mesh of triangles: it resists being stretched and being bent away from its shape
/// at rest.
class Shell {
 public:
  using Gradient = Eigen::Matrix<double, 18, 1>;
  using Hessian = Eigen::Matrix<double, 18, 18>;

  /// `rest`: a manifold mesh of triangles at rest.
  Shell(Mesh rest, const std::vector<ShellFace>& faces, double poisson, double density);

  const Mesh& rest() const { return rest_; }
  const Topology& topology() const { return topology_; }
  std::size_t vertex_count() const { return rest_.vertex_count(); }
  std::size_t face_count() const { return rest_.face_count(); }
  const IdVector<VertexId, double>& masses() const { return masses_; }  ///< [kg]
  const BendingElement& bending(std::size_t face) const { return bending_[face]; }
  const MembraneEnergy& membrane() const { return membrane_; }

  /// Of one triangle [J]; infinite where it is folded over a neighbour.
  double energy(std::size_t face, const Points& positions) const;
  double bending_energy(std::size_t face, const Points& positions) const;
  /// By the six vertices of bending(face) [N].
  Gradient gradient(std::size_t face, const Points& positions) const;
  /// The same [N/m]; of its negative curvature, `projected_share` is taken out.
  Hessian hessian(std::size_t face, const Points& positions, double projected_share) const;

 private:
  Mesh rest_;
  Topology topology_;
  MembraneEnergy membrane_;
  std::vector<double> fibres_;  ///< what they add to Young's modulus of each face [Pa]; empty: nothing
  std::vector<BendingElement> bending_;
  IdVector<VertexId, double> masses_;
};

}  // namespace cutis
