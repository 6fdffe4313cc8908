#include "cutis/surface/map/atlas.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

namespace cutis {
namespace {

/// Faces in the order of their distance from the first: a breadth-first search with room for the surroundings
/// only, all of it on the stack.
class Surroundings {
 public:
  struct Place {
    FaceId face;
    HalfedgeId over;  ///< the one crossed to come here
    int before = -1;  ///< where from
  };

  explicit Surroundings(FaceId first) {
    slots_.fill(-1);
    add({first, HalfedgeId(), -1});
  }
  int size() const { return size_; }
  bool full() const { return static_cast<std::size_t>(size_) == places_.size(); }
  const Place& operator[](int i) const { return places_[static_cast<std::size_t>(i)]; }

  void add(const Place& place) {
    std::size_t slot = home(place.face);
    for (; slots_[slot] >= 0; slot = (slot + 1) % slots_.size())
      if ((*this)[slots_[slot]].face == place.face) return;
    slots_[slot] = static_cast<std::int16_t>(size_);
    places_[static_cast<std::size_t>(size_++)] = place;
  }

 private:
  std::array<Place, 1024> places_;
  std::array<std::int16_t, 2048> slots_;  ///< places by a hash of their face; -1 is free
  int size_ = 0;

  static std::size_t home(FaceId f) {
    return static_cast<std::uint32_t>(f.value) * 2654435769u >> 21;  // Knuth's multiplicative hash
  }
};

/// Calls back(h) with the half-edges of a shortest way from one face to another, the last one first. False
/// when there is none among the faces nearest to `from`.
template <class F>
bool search_path(const Topology& t, FaceId from, FaceId to, const F& back) {
  if (from == to) return true;
  Surroundings near(from);
  for (int i = 0; i < near.size(); ++i) {
    HalfedgeId h = t.halfedge(near[i].face);
    for (int k = 0; k < 3 && !near.full(); ++k, h = t.next(h)) {
      const FaceId across = t.face(t.twin(h));
      if (!across.valid()) continue;
      if (across != to) {
        near.add({across, h, i});
        continue;
      }
      back(h);
      for (int j = i; near[j].before >= 0; j = near[j].before) back(near[j].over);
      return true;
    }
  }
  return false;
}

}  // namespace

Atlas::Atlas(SurfacePtr surface, IdVector<FaceId, int> chart, IdVector<CornerId, Vec2> coordinates,
             IdVector<HalfedgeId, ChartTransition> transitions)
    : surface_(std::move(surface)),
      chart_(std::move(chart)),
      coordinates_(std::move(coordinates)),
      transitions_(std::move(transitions)) {
  const Topology& t = surface_->topology();
  assert(chart_.size() == t.face_count() && coordinates_.size() == t.corner_count() &&
         transitions_.size() == t.corner_count());
  for (int c : chart_) chart_count_ = std::max(chart_count_, c + 1);
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    is_rigid_ = is_rigid_ && (t.is_border(t.twin(h)) || transitions_[h].is_rigid());
}

Vec2 Atlas::coordinates(const SurfacePoint& p) const {
  const std::size_t c = surface_->topology().halfedge(p.face).index();
  return p.barycentric[0] * coordinates_[CornerId(c)] + p.barycentric[1] * coordinates_[CornerId(c + 1)] +
         p.barycentric[2] * coordinates_[CornerId(c + 2)];
}

double Atlas::twice_area(FaceId f) const {
  const std::size_t c = surface_->topology().halfedge(f).index();
  const Vec2& a = coordinates_[CornerId(c)];
  return cross(coordinates_[CornerId(c + 1)] - a, coordinates_[CornerId(c + 2)] - a);
}

std::vector<FaceId> Atlas::flipped_faces() const {
  std::vector<double> side(static_cast<std::size_t>(chart_count_), 0.0);
  for (FaceId f : ids<FaceId>(chart_.size())) side[static_cast<std::size_t>(chart_[f])] += twice_area(f);
  std::vector<FaceId> flipped;
  for (FaceId f : ids<FaceId>(chart_.size()))
    if (!(twice_area(f) * side[static_cast<std::size_t>(chart_[f])] > 0)) flipped.push_back(f);
  return flipped;
}

ChartTransition Atlas::along(std::span<const HalfedgeId> path) const {
  ChartTransition way;
  for (HalfedgeId h : path) way = transitions_[h] * way;
  return way;
}

ChartTransition Atlas::around(CornerId from, CornerId to) const {
  const Topology& t = surface_->topology();
  ChartTransition way;
  CornerId c = from;
  do {
    const HalfedgeId shared = t.prev(c);
    way = transitions_[shared] * way;
    c = t.twin(shared);
  } while (c != to);
  return way;
}

std::optional<ChartTransition> Atlas::between(FaceId from, FaceId to) const {
  ChartTransition way;
  const bool found =
      search_path(surface_->topology(), from, to, [&](HalfedgeId h) { way = way * transitions_[h]; });
  return found ? std::optional(way) : std::nullopt;
}

bool Atlas::path(FaceId from, FaceId to, std::vector<HalfedgeId>& path) const {
  path.clear();
  if (!search_path(surface_->topology(), from, to, [&](HalfedgeId h) { path.push_back(h); })) return false;
  std::reverse(path.begin(), path.end());
  return true;
}

std::optional<std::array<Vec2, 3>> Atlas::together(const std::array<SurfacePoint, 3>& points) const {
  std::array<Vec2, 3> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto way = between(points[i].face, points[0].face);
    if (!way) return std::nullopt;
    result[i] = (*way)(coordinates(points[i]));
  }
  return result;
}

}  // namespace cutis
