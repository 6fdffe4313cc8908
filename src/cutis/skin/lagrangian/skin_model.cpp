#include "cutis/skin/lagrangian/skin_model.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "cutis/core/parallel.h"
#include "cutis/skin/problem/null_space.h"
#include "cutis/skin/problem/skin_ligaments.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {
namespace {

/// Areas of vertices; none of skin that nothing holds, which stays where it is while the body turns below.
IdVector<VertexId, double> held_areas(const Surface& rest, const IdVector<VertexId, double>& null_space) {
  IdVector<VertexId, double> areas = vertex_areas(rest.mesh());
  for (VertexId v : ids<VertexId>(null_space.size()))
    if (null_space[v] > 0) areas[v] = 0;
  return areas;
}

}  // namespace

SkinModel::SkinModel(const Body& body, LagrangianOptions skin)
    : options(with_fixed_vertices(std::move(skin), body.weld().split_vertices())),
      rest(body.surface()),
      surface(body.mesh(), body.triangles(), checked_rest(rest, options), SlidesOn::Cage),
      constraints(surface, options),
      elements(skin_elements(*rest, options)),
      material(std::make_shared<const CompressionBarrier>(elastic_law(options))),
      membrane(elements.elements, material),
      ligaments(skin_ligaments(*rest, options), options.ligament),
      unknowns(elements.elements, constraints, rest->mesh().vertex_count()),
      stiffness(mean_stiffness(elements, *options.material)),
      null_space(null_space_weights(*rest, unknowns, ligaments.ligaments(), stiffness)),
      problem(surface, constraints, unknowns, ligaments, held_areas(*rest, null_space), stiffness),
      scale(energy_scale(elements, unknowns, *options.material)) {}

double SkinModel::barrier_share() const {
  const Points& positions = problem.positions();
  std::vector<double> of_barriers(unknowns.elements.size()), of_material(of_barriers.size());
  parallel_for(of_barriers.size(), [&](std::size_t i) {
    const std::size_t e = unknowns.elements[i];
    const MembraneElement& element = elements.elements[e];
    of_barriers[i] = problem.inversion_barrier_energy(i);
    if (element.volume == 0) return;
    const double compression =
        element.volume * element.stiffness * material->barrier_energy(membrane.deformation(e, positions));
    of_barriers[i] += compression;
    of_material[i] = membrane.energy(e, positions) - compression;
  });
  const double barrier = std::accumulate(of_barriers.begin(), of_barriers.end(), 0.0);
  const double elastic = std::accumulate(of_material.begin(), of_material.end(), 0.0);
  return elastic > 0 ? barrier / elastic : 0;
}

}  // namespace cutis
