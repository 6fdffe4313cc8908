#include "cutis/wrinkle/constraint/constraint_centres.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/log_map.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Rounds in which centres are moved to the middles of their cells.
constexpr int kRelaxations = 20;

class ConstraintCentres {
 public:
  ConstraintCentres(const Surface& fine, const IdVector<VertexId, double>& wavelength, std::uint64_t seed)
      : wavelength_(wavelength),
        areas_(vertex_areas(fine.mesh())),
        metric_(fine.topology(), fine.positions()),
        geodesics_(metric_),
        distance_(areas_.size(), Geodesics::infinity),
        random_(seed) {}

  std::vector<VertexId> run() {
    spread();
    for (int round = 0; round < kRelaxations; ++round) relax();
    return std::move(centres_);
  }

 private:
  const IdVector<VertexId, double>& wavelength_;
  IdVector<VertexId, double> areas_;
  GeodesicMetric metric_;
  Geodesics geodesics_;
  IdVector<VertexId, double> distance_;  ///< to the nearest centre so far [wavelengths]
  std::mt19937_64 random_;
  std::vector<VertexId> centres_;

  std::size_t wanted() const {
    double count = 0;
    for (VertexId v : ids<VertexId>(areas_.size())) {
      const double per_length = kWavelengthPerSpacing / wavelength_[v];
      count += areas_[v] * per_length * per_length;
    }
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(count)), 1, areas_.size());
  }

  void spread() {
    const std::size_t count = wanted();
    VertexId next(static_cast<std::size_t>(random_() % areas_.size()));
    while (centres_.size() < count) {
      add(next);
      next = VertexId(
          static_cast<std::size_t>(std::max_element(distance_.begin(), distance_.end()) - distance_.begin()));
      if (!(distance_[next] > 0)) break;
    }
  }

  /// Only vertices that are nearer to it than to any other centre change: it need not look beyond the
  /// farthest.
  void add(VertexId centre) {
    centres_.push_back(centre);
    double reach = 0;
    for (VertexId v : ids<VertexId>(areas_.size())) reach = std::max(reach, distance_[v] * wavelength_[v]);
    geodesics_.from_vertices(std::span(&centre, 1), 1.5 * reach);
    for (VertexId v : geodesics_.reached())
      distance_[v] =
          std::min(distance_[v], geodesics_.distance(v) * 2 / (wavelength_[v] + wavelength_[centre]));
  }

  /// Each centre goes to the middle of its cell. With weights λ⁻⁴ cells have areas as λ² in the end (Gersho
  /// 1979).
  void relax() {
    geodesics_.from_vertices(centres_);
    std::vector<int> cell(areas_.size(), -1);
    std::vector<double> radius(centres_.size(), 0);
    for (VertexId v : geodesics_.reached()) {
      cell[v.index()] = geodesics_.source(v);
      double& r = radius[at(cell[v.index()])];
      r = std::max(r, geodesics_.distance(v));
    }
    LogMap map;
    for (std::size_t c = 0; c < centres_.size(); ++c) {
      log_map(geodesics_, centres_[c], 1.01 * radius[c], map);
      Vec2 sum = Vec2::Zero();
      double weight = 0;
      for (std::size_t i = 0; i < map.vertices.size(); ++i) {
        const VertexId v = map.vertices[i];
        if (cell[v.index()] != static_cast<int>(c)) continue;
        const double w = areas_[v] / std::pow(wavelength_[v], 4);
        sum += w * map.coordinates[i];
        weight += w;
      }
      if (!(weight > 0)) continue;
      const Vec2 middle = sum / weight;
      double nearest = Geodesics::infinity;
      VertexId best = centres_[c];
      for (std::size_t i = 0; i < map.vertices.size(); ++i)
        if (const double d = (map.coordinates[i] - middle).norm();
            cell[map.vertices[i].index()] == static_cast<int>(c) && d < nearest) {
          nearest = d;
          best = map.vertices[i];
        }
      centres_[c] = best;
    }
  }
};

}  // namespace

std::vector<VertexId> constraint_centres(const Surface& fine, const IdVector<VertexId, double>& wavelength,
                                         std::uint64_t seed) {
  return ConstraintCentres(fine, wavelength, seed).run();
}

}  // namespace cutis
