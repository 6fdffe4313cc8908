#include "cutis/skin/tracked/hinge_bending.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"
#include "cutis/core/types.h"
#include "cutis/energy/hinge_angle.h"

namespace cutis {
namespace {

std::array<Vec3, 4> corners_of(const std::array<VertexId, 4>& vertices, const Points& x) {
  return {x[vertices[0]], x[vertices[1]], x[vertices[2]], x[vertices[3]]};
}

/// The difference of two angles, the short way round.
double short_way(double angle) { return std::remainder(angle, 2 * pi); }

}  // namespace

/// A hinge of angle θ on an edge of length e between areas A1 and A2 has the energy D (θ e)² / (A1 + A2) / 2.
/// On equilateral triangles that is the energy of a plate of stiffness D with Poisson's ratio -1/3: its angle
/// is h (κ_n - κ_t / 3) at the height h of a triangle, by the curvatures across and along the edge, and the
/// three directions of edges add up to D (κ₁² + κ₂² - 2 κ₁ κ₂ / 3) / 2 (Seung and Nelson 1988, Defects in
/// flexible membranes with crystalline order: D = √3 / 2 of a hinge's stiffness).
HingeBending::HingeBending(const Surface& rest, const IdVector<VertexId, double>& stiffness,
                           const IdVector<VertexId, double>& masses)
    : forces_(masses.size(), Vec3::Zero()) {
  if (stiffness.empty()) return;
  const Topology& t = rest.topology();
  std::vector<int> count(masses.size(), 0);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e);
    Hinge hinge{{t.from(h), t.to(h), t.from(t.prev(h)), t.from(t.prev(t.twin(h)))}, 0, {}};
    const std::array<Vec3, 4> x = corners_of(hinge.vertices, rest.positions());
    const Vec3 edge = x[1] - x[0];
    const double areas = (edge.cross(x[2] - x[0]).norm() + edge.cross(x[3] - x[0]).norm()) / 2;
    if (!(areas > 0)) continue;
    const double D = (stiffness[hinge.vertices[0]] + stiffness[hinge.vertices[1]]) / 2;
    hinge.stiffness = D * edge.squaredNorm() / areas;
    for (VertexId v : hinge.vertices) ++count[v.index()];
    hinges_.push_back(hinge);
  }
  for (Hinge& hinge : hinges_)
    for (std::size_t k = 0; k < 4; ++k)
      hinge.mass[k] = masses[hinge.vertices[k]] / count[hinge.vertices[k].index()];
}

/// No mode of the sum is higher than the highest of a hinge alone with its share of the masses (Irons and
/// Treharne 1971): K |∇θ|² over those.
void HingeBending::evaluate(const Points& positions, const Points& target) {
  std::vector<std::array<Vec3, 4>> forces(hinges_.size());
  std::vector<double> squared(hinges_.size(), 0);
  parallel_for(hinges_.size(), [&](std::size_t i) {
    const Hinge& hinge = hinges_[i];
    const std::array<Vec3, 4> x = corners_of(hinge.vertices, positions);
    const double bent = short_way(hinge_angle(x) - hinge_angle(corners_of(hinge.vertices, target)));
    forces[i] = hinge_gradient(x);
    for (std::size_t k = 0; k < 4; ++k) {
      if (hinge.mass[k] > 0) squared[i] += hinge.stiffness * forces[i][k].squaredNorm() / hinge.mass[k];
      forces[i][k] *= -hinge.stiffness * bent;
    }
  });
  std::fill(forces_.begin(), forces_.end(), Vec3::Zero());
  double highest = 0;
  for (std::size_t i = 0; i < hinges_.size(); ++i) {
    highest = std::max(highest, squared[i]);
    for (std::size_t k = 0; k < 4; ++k) forces_[hinges_[i].vertices[k]] += forces[i][k];
  }
  highest_frequency_ = std::sqrt(highest);
}

}  // namespace cutis
