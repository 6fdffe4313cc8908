#pragma once

#include <cmath>

#include "cutis/flesh/flesh_core.h"
#include "cutis/flesh/flesh_dynamics.h"
#include "cutis/flesh/lattice/embedding.h"
#include "cutis/flesh/lattice/lattice_cell.h"
#include "cutis/flesh/lattice/lattice_measures.h"

namespace cutis::test {

/// Soft tissue of one thickness around a rigid core, with the lattice, core and elements of Flesh.
struct SoftTissue {
  BccLattice lattice;
  std::vector<NodeId> core;
  FleshTissue tissue;
  static constexpr double kDensity = 1000;  // [kg/m³]

  SoftTissue(const Mesh& mesh, const FleshOptions& options)
      : SoftTissue(mesh, options, cell_for_tets(mesh, options.tetrahedra)) {}
  SoftTissue(const Mesh& mesh, const FleshOptions& options, double cell)
      : lattice(bcc_lattice(mesh, cell)), core(fit_core(mesh, options, lattice)) {
    tissue.mesh = lattice.mesh;
    tissue.law = options.law;
    tissue.stiffness = lattice.fill;
    tissue.volume_group = volume_groups(lattice);
    tissue.masses = node_masses(lattice, kDensity);
    tissue.mass_matrices = mass_matrices(lattice, kDensity);
    tissue.fixed.assign(lattice.mesh.node_count(), 0);
    for (NodeId v : core) tissue.fixed[v] = 1;
  }
  double shear_modulus() const { return tissue.law.young / (2 * (1 + tissue.law.poisson)); }
  NodePoints weights(const Vec3& acceleration) const {
    NodePoints out;
    for (double mass : tissue.masses) out.push_back(mass * acceleration);
    return out;
  }
};

}  // namespace cutis::test
