#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cutis/energy/energy_jet.h"
#include "cutis/material/membrane/membrane_material.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A triangle of skin with constant strain.
struct MembraneElement {
  std::array<VertexId, 3> vertices;
  /// Inverse of the rest edges [e1 e2], in a rest frame whose x axis lies along the fibres; pre-stretch is
  /// included: the rest shape here is the one without stress [1/m].
  Mat2 rest_inverse = Mat2::Zero();
  double volume = 0;       ///< area of that rest shape times thickness [m³]; with none, it carries nothing
  double stiffness = 1;    ///< a factor on the material: a painted Young's modulus over the material's
  double compression = 1;  ///< the share of stiffness kept where it would wrinkle; MembraneMaterial
};

/// The elastic energy of a sheet of skin: a material summed over triangles. Calls for single elements may run
/// in parallel.
class MembraneEnergy {
 public:
  MembraneEnergy(std::vector<MembraneElement> elements, std::shared_ptr<const MembraneMaterial> material);

  const std::vector<MembraneElement>& elements() const { return elements_; }
  const MembraneMaterial& material() const { return *material_; }
  void set_rest_inverse(std::size_t i, const Mat2& rest_inverse) { elements_[i].rest_inverse = rest_inverse; }

  /// F of element `i` for these positions of all vertices.
  Mat32 deformation(std::size_t i, const Points& positions) const;
  double energy(std::size_t i, const Points& positions) const;  ///< [J]
  EnergyGradient<3> gradient(std::size_t i, const Points& positions) const;
  EnergyJet<3> evaluate(std::size_t i, const Points& positions, double projected_share) const;
  /// For corners that move in two directions each; the gradient is that in space.
  TangentJet<3> evaluate(std::size_t i, const Points& positions, const std::array<Mat32, 3>& directions,
                         double projected_share) const;

  /// All elements at once, in parallel; the sum is taken in their order.
  double energy(const Points& positions) const;
  void evaluate(const Points& positions, double projected_share, std::vector<EnergyJet<3>>& jets) const;

 private:
  std::vector<MembraneElement> elements_;
  std::shared_ptr<const MembraneMaterial> material_;
};

}  // namespace cutis
