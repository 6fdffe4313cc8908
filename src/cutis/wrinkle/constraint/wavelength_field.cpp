#include "cutis/wrinkle/constraint/wavelength_field.h"

#include <cmath>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

double length_at(const WavelengthField& wavelength, VertexId v, const Vec3& e) {
  const double across = wavelength.across[v];
  if (wavelength.along.empty()) return e.norm() / across;
  const double along_fibres = e.dot(wavelength.fibres[v]);
  return std::hypot(along_fibres / wavelength.along[v],
                    std::sqrt(std::max(0.0, e.squaredNorm() - along_fibres * along_fibres)) / across);
}

}  // namespace

GeodesicMetric metric_in_wavelengths(const Surface& fine, const WavelengthField& wavelength) {
  const Topology& t = fine.topology();
  IdVector<EdgeId, double> lengths(t.edge_count());
  parallel_for(lengths.size(), [&](std::size_t i) {
    const HalfedgeId h = t.halfedge(EdgeId(i));
    const VertexId a = t.from(h), b = t.to(h);
    const Vec3 e = fine.positions()[b] - fine.positions()[a];
    lengths[EdgeId(i)] = (length_at(wavelength, a, e) + length_at(wavelength, b, e)) / 2;
  });
  return {t, std::move(lengths)};
}

}  // namespace cutis
