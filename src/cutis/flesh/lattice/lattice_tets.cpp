#include "cutis/flesh/lattice/lattice_tets.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/flesh/lattice/touched_tets.h"

namespace cutis {
namespace {

// A distance interpolated between voxels errs by no more than the way to the furthest of them, half a voxel's
// diagonal in the mean: beyond that its sign can be trusted.
constexpr double kSureSign = 0.87;

class TetCollector {
 public:
  TetCollector(const BccGrid& grid, const SignedDistance& distance, const CuttingSurface& surface)
      : grid_(grid), distance_(distance), surface_(surface) {}

  LatticeTets collect() {
    collect_surface_tets();
    collect_inner_tets();
    merge();
    cut();
    return std::move(tets_);
  }

 private:
  using Touch = std::pair<std::uint64_t, FaceId>;
  const BccGrid& grid_;
  const SignedDistance& distance_;
  const CuttingSurface& surface_;
  std::vector<Touch> touches_;  ///< rising
  std::vector<std::uint64_t> inner_;
  LatticeTets tets_;
  std::unordered_map<std::uint64_t, bool> node_inside_;

  void collect_surface_tets() {
    std::vector<std::vector<std::uint64_t>> touched(surface_.triangles.size());
    parallel_for(
        touched.size(),
        [&](std::size_t f) {
          const IndexTriangle& t = surface_.triangles[f];
          for (const BccTet& tet : touched_tets(
                   {surface_.points[at(t[0])], surface_.points[at(t[1])], surface_.points[at(t[2])]}))
            touched[f].push_back(tet.key());
        },
        16);
    for (FaceId f : ids<FaceId>(touched.size()))
      for (std::uint64_t key : touched[f.index()]) touches_.emplace_back(key, f);
    std::sort(touches_.begin(), touches_.end());
  }

  /// From tetrahedron to tetrahedron inwards from the surface. One without surface is inside where its nodes
  /// are; where only some are, the surface has a hole.
  void collect_inner_tets() {
    std::unordered_set<std::uint64_t> seen;
    std::vector<std::uint64_t> open;
    for (const Touch& touch : touches_)
      if (seen.insert(touch.first).second) open.push_back(touch.first);
    while (!open.empty()) {
      const BccTet tet(lattice_point(open.back()));
      open.pop_back();
      for (int k = 0; k < 4; ++k) {
        const BccTet next = tet.neighbour(k);
        if (!seen.insert(next.key()).second || !has_inner_node(next)) continue;
        inner_.push_back(next.key());
        open.push_back(next.key());
      }
    }
    std::sort(inner_.begin(), inner_.end());
  }

  bool has_inner_node(const BccTet& tet) {
    return std::any_of(tet.nodes().begin(), tet.nodes().end(),
                       [&](const LatticePoint& n) { return inside(n); });
  }
  bool inside(const LatticePoint& node) {
    const auto [entry, added] = node_inside_.try_emplace(lattice_key(node), false);
    if (added) entry->second = sample(4 * node).inside();
    return entry->second;
  }

  BodySample sample(const LatticePoint& eighths) const {
    const Vec3 p = grid_.origin + 0.125 * grid_.cell * eighths.cast<double>();
    const double distance = distance_.clamped(p);
    if (std::abs(distance) > kSureSign * distance_.voxel()) return {distance, distance < 0 ? 1.0 : 0.0};
    return {distance, distance_.winding_number(p)};
  }

  void merge() {
    auto touch = touches_.begin();
    auto add_inner = [&, next = inner_.begin()](std::uint64_t below) mutable {
      for (; next != inner_.end() && *next < below; ++next) {
        tets_.keys.push_back(*next);
        tets_.face_starts.push_back(tets_.faces.size());
      }
    };
    while (touch != touches_.end()) {
      const std::uint64_t key = touch->first;
      add_inner(key);
      tets_.keys.push_back(key);
      tets_.face_starts.push_back(tets_.faces.size());
      for (; touch != touches_.end() && touch->first == key; ++touch) tets_.faces.push_back(touch->second);
    }
    add_inner(~std::uint64_t{0});
    tets_.face_starts.push_back(tets_.faces.size());
  }

  /// Has surface in it, or a hole of the surface.
  bool is_cut(std::size_t t) {
    if (!tets_.faces_of(t).empty()) return true;
    const BccTet tet = tets_.tet(t);
    return !std::all_of(tet.nodes().begin(), tet.nodes().end(),
                        [&](const LatticePoint& n) { return inside(n); });
  }

  void cut() {
    std::vector<std::size_t> cut;
    for (std::size_t t = 0; t < tets_.size(); ++t)
      if (is_cut(t)) cut.push_back(t);
    const auto samples = sample_tets(cut);
    tets_.cuts.assign(tets_.size(), full_tet());
    parallel_for(
        cut.size(),
        [&](std::size_t i) {
          tets_.cuts[cut[i]] = cut_tet(tets_.tet(cut[i]), samples[i], tets_.faces_of(cut[i]), surface_);
        },
        16);
  }

  /// Samples that several tetrahedra share are taken once.
  std::vector<std::array<BodySample, TetSubdivision::kSamples>> sample_tets(
      const std::vector<std::size_t>& cut) const {
    const TetSubdivision& table = TetSubdivision::table();
    std::vector<std::array<std::uint32_t, TetSubdivision::kSamples>> number(cut.size());
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    known.reserve(16 * cut.size());
    std::vector<LatticePoint> places;
    for (std::size_t i = 0; i < cut.size(); ++i)
      for (int s = 0; s < TetSubdivision::kSamples; ++s) {
        const LatticePoint place = table.place(tets_.tet(cut[i]), s);
        const auto [entry, added] =
            known.try_emplace(lattice_key(place), static_cast<std::uint32_t>(places.size()));
        if (added) places.push_back(place);
        number[i][at(s)] = entry->second;
      }
    std::vector<BodySample> values(places.size());
    parallel_for(values.size(), [&](std::size_t i) { values[i] = sample(places[i]); });
    std::vector<std::array<BodySample, TetSubdivision::kSamples>> samples(cut.size());
    parallel_for(cut.size(), [&](std::size_t i) {
      for (std::size_t s = 0; s < samples[i].size(); ++s) samples[i][s] = values[number[i][s]];
    });
    return samples;
  }
};

}  // namespace

std::size_t LatticeTets::find(const BccTet& tet) const {
  const auto found = std::lower_bound(keys.begin(), keys.end(), tet.key());
  return found != keys.end() && *found == tet.key() ? static_cast<std::size_t>(found - keys.begin()) : size();
}

LatticeTets lattice_tets(const BccGrid& grid, const SignedDistance& distance, const CuttingSurface& surface) {
  return TetCollector(grid, distance, surface).collect();
}

}  // namespace cutis
