#pragma once

#include "cutis/flesh/flesh_problem.h"

namespace cutis {

/// A block of flesh from the origin to `size` [m], of cubes that are cut into six tetrahedra each.
inline FleshTissue tet_block(const Vec3& size, const Eigen::Vector3i& cells, const FleshLaw& law,
                             double density) {
  FleshTissue out;
  out.law = law;
  const Eigen::Vector3i n = cells + Eigen::Vector3i::Ones();
  const auto node = [&](const Eigen::Vector3i& p) { return NodeId(p.x() + n.x() * (p.y() + n.y() * p.z())); };
  for (int z = 0; z < n.z(); ++z)
    for (int y = 0; y < n.y(); ++y)
      for (int x = 0; x < n.x(); ++x)
        out.mesh.positions.push_back(Vec3(x, y, z).cwiseQuotient(cells.cast<double>()).cwiseProduct(size));
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int z = 0; z < cells.z(); ++z)
    for (int y = 0; y < cells.y(); ++y)
      for (int x = 0; x < cells.x(); ++x)
        for (int k = 0; k < 6; ++k) {
          Eigen::Vector3i p(x, y, z);
          std::array<NodeId, 4> tet{node(p)};
          for (std::size_t i = 0; i < 3; ++i) {
            ++p[kOrders[k][i]];
            tet[i + 1] = node(p);
          }
          if (k >= 3) std::swap(tet[2], tet[3]);  // odd orders are left-handed
          out.mesh.tets.push_back(tet);
        }
  out.stiffness.assign(out.mesh.tet_count(), 1);
  out.masses.assign(out.mesh.node_count(), 0);
  out.fixed.assign(out.mesh.node_count(), 0);
  for (TetId t : ids<TetId>(out.mesh.tet_count()))
    for (NodeId corner : out.mesh.tets[t]) out.masses[corner] += density * tet_volume(out.mesh, t) / 4;
  return out;
}

/// Fixes all nodes whose x is zero.
inline void fix_low_end(FleshTissue& tissue) {
  for (NodeId v : ids<NodeId>(tissue.mesh.node_count())) tissue.fixed[v] = tissue.mesh.positions[v].x() == 0;
}

}  // namespace cutis
