#include "cutis/wrinkle/constraint/constraint_centres.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "cutis/surface/geodesic/log_map.h"

namespace cutis {
namespace {

/// Rounds in which centres are moved to the middles of their cells.
constexpr int kRelaxations = 20;

class ConstraintCentres {
 public:
  ConstraintCentres(const GeodesicMetric& metric, std::uint64_t seed)
      : metric_(metric),
        areas_(metric.topology().vertex_count(), 0),
        geodesics_(metric),
        distance_(areas_.size(), Geodesics::infinity),
        random_(seed) {
    const Topology& t = metric.topology();
    for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) areas_[t.from(h)] += metric.area(t.face(h)) / 3;
  }

  std::vector<VertexId> run() {
    spread();
    for (int round = 0; round < kRelaxations; ++round) relax();
    return std::move(centres_);
  }

 private:
  const GeodesicMetric& metric_;
  IdVector<VertexId, double> areas_;
  Geodesics geodesics_;
  IdVector<VertexId, double> distance_;  ///< to the nearest centre so far
  std::mt19937_64 random_;
  std::vector<VertexId> centres_;

  std::size_t wanted() const {
    double area = 0;
    for (const double a : areas_) area += a;
    const auto count =
        static_cast<std::size_t>(std::lround(area * kWavelengthPerSpacing * kWavelengthPerSpacing));
    return std::clamp<std::size_t>(count, 1, areas_.size());
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

  void add(VertexId centre) {
    centres_.push_back(centre);
    geodesics_.within_cell(centre, distance_);
    for (VertexId v : geodesics_.reached()) distance_[v] = geodesics_.distance(v);
  }

  /// Each centre goes to the vertex of its cell that is nearest to the middle of it.
  void relax() {
    geodesics_.from_vertices(centres_);
    struct Cell {
      Vec2 sum = Vec2::Zero();
      double area = 0;
      double nearest = Geodesics::infinity;  ///< of its vertices to its middle
      VertexId best;
    };
    std::vector<Cell> cells(centres_.size());
    const auto for_each_vertex = [&](const auto& f) {
      for (VertexId v : geodesics_.reached()) {
        const std::size_t c = at(geodesics_.source(v));
        f(v, cells[c], log_coordinates(geodesics_, centres_[c], v));
      }
    };
    for_each_vertex([&](VertexId v, Cell& cell, const Vec2& place) {
      cell.sum += areas_[v] * place;
      cell.area += areas_[v];
    });
    for_each_vertex([&](VertexId v, Cell& cell, const Vec2& place) {
      const double d = (place - cell.sum / cell.area).norm();
      if (!(d < cell.nearest)) return;
      cell.nearest = d;
      cell.best = v;
    });
    for (std::size_t c = 0; c < centres_.size(); ++c)
      if (cells[c].best.valid()) centres_[c] = cells[c].best;
  }
};

}  // namespace

std::vector<VertexId> constraint_centres(const GeodesicMetric& in_wavelengths, std::uint64_t seed) {
  return ConstraintCentres(in_wavelengths, seed).run();
}

}  // namespace cutis
