#include "cutis/skin/lagrangian/skin_model.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/problem/null_space.h"
#include "cutis/skin/problem/skin_ligaments.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {
namespace {

LagrangianOptions with_fixed(LagrangianOptions options, const std::vector<VertexId>& fixed) {
  fix_vertices(fixed, options);
  return options;
}

/// The surface, once it is clear that the options fit it.
std::shared_ptr<const Surface> checked(std::shared_ptr<const Surface> rest,
                                       const LagrangianOptions& options) {
  const std::size_t n = rest->mesh().vertex_count();
  const auto check = [&](const char* name, std::size_t size) {
    if (size != 0 && size != n)
      throw InputError(fmt::format("{}: {} values for {} vertices of the body", name, size, n));
  };
  check("skin.region", options.free.size());
  check("skin.slide_limit", options.slide_limit.size());
  check("skin.ligament.density", options.ligament_density.size());
  for (double limit : options.slide_limit)
    if (!(limit >= 0)) throw InputError(fmt::format("skin.slide_limit: {} m is below zero", limit));
  for (double density : options.ligament_density)
    if (!(density >= 0 && std::isfinite(density)))
      throw InputError(fmt::format("skin.ligament.density: {} is below zero", density));
  return rest;
}

double mean_stiffness(const SkinElements& skin, const CompressionBarrier& material) {
  double sum = 0;
  for (std::size_t i = 0; i < skin.thickness.size(); ++i)
    sum += skin.thickness[i] * skin.elements[i].stiffness;
  return skin.thickness.empty() ? 0 : material.modulus() * sum / static_cast<double>(skin.thickness.size());
}

/// Areas of vertices; none of skin that nothing holds, which stays where it is while the body turns below.
IdVector<VertexId, double> held_areas(const Surface& rest, const IdVector<VertexId, double>& null_space) {
  IdVector<VertexId, double> areas = vertex_areas(rest);
  for (VertexId v : ids<VertexId>(null_space.size()))
    if (null_space[v] > 0) areas[v] = 0;
  return areas;
}

double energy_scale(const SkinModel& skin) {
  double volume = 0;
  for (const std::size_t e : skin.unknowns.elements)
    volume += skin.elements.elements[e].volume * skin.elements.elements[e].stiffness;
  return std::sqrt(volume * skin.material->modulus());
}

}  // namespace

SkinModel::SkinModel(const Body& body, LagrangianOptions skin)
    : options(with_fixed(std::move(skin), body.weld().split_vertices())),
      rest(body.surface()),
      surface(body.mesh(), body.triangles(), checked(rest, options), SlidesOn::Cage),
      constraints(surface, options),
      elements(skin_elements(*rest, options)),
      material(std::make_shared<const CompressionBarrier>(options.material)),
      membrane(elements.elements, material),
      ligaments(skin_ligaments(*rest, options), options.ligament),
      unknowns(elements.elements, constraints, rest->mesh().vertex_count()),
      stiffness(mean_stiffness(elements, *material)),
      null_space(null_space_weights(*rest, unknowns, ligaments.ligaments(), stiffness)),
      problem(surface, constraints, unknowns, ligaments, held_areas(*rest, null_space), stiffness),
      scale(energy_scale(*this)) {}

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
