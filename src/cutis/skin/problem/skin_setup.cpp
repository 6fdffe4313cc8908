#include "cutis/skin/problem/skin_setup.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/energy/compression_barrier.h"
#include "cutis/material/membrane/area_preserving.h"

namespace cutis {
namespace {

/// Of skin that keeps its area, against a change of it, over the modulus of its material: a tension that
/// strains the skin by a tenth changes its area by a thousandth.
constexpr double kAreaStiffness = 100;

}  // namespace

std::shared_ptr<const Surface> checked_rest(std::shared_ptr<const Surface> rest, const SkinOptions& options) {
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

std::shared_ptr<const MembraneMaterial> elastic_law(const SkinOptions& options) {
  if (!options.area_preserving) return options.material;
  return std::make_shared<const AreaPreserving>(options.material,
                                                kAreaStiffness * modulus_of(*options.material));
}

double mean_stiffness(const SkinElements& skin, const MembraneMaterial& material) {
  double sum = 0;
  for (std::size_t i = 0; i < skin.thickness.size(); ++i)
    sum += skin.thickness[i] * skin.elements[i].stiffness;
  return skin.thickness.empty() ? 0 : modulus_of(material) * sum / static_cast<double>(skin.thickness.size());
}

double energy_scale(const SkinElements& skin, const SkinUnknowns& unknowns,
                    const MembraneMaterial& material) {
  double volume = 0;
  for (const std::size_t e : unknowns.elements)
    volume += skin.elements[e].volume * skin.elements[e].stiffness;
  return std::sqrt(volume * modulus_of(material));
}

SkinTissue skin_tissue(const Surface& rest, const SkinElements& skin,
                       std::shared_ptr<const MembraneMaterial> material) {
  const Mesh& mesh = rest.mesh();
  SkinTissue tissue{std::move(material),
                    rest_triangles(mesh.positions.raw(), index_triangles(mesh)),
                    skin.prestretch,
                    skin.thickness,
                    {},
                    {}};
  for (const MembraneElement& element : skin.elements) {
    tissue.stiffness.push_back(element.stiffness);
    tissue.compression.push_back(element.compression);
  }
  return tissue;
}

}  // namespace cutis
