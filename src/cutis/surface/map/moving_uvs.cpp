#include "cutis/surface/map/moving_uvs.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

constexpr std::size_t kLongestPath = 12;  ///< faces

}  // namespace

struct MovingUvs::Choice {
  int chart = -1;  ///< none: the corners are too far apart
  double overhang = std::numeric_limits<double>::infinity();
  double distance = 0;  ///< of the middle from where it is painted, in units of uv
  bool own = false;
  std::vector<Vec2> uvs;
};

MovingUvs::MovingUvs(const Mesh& polygons, const TriangleMesh& triangles,
                     std::shared_ptr<const Surface> surface, double reach)
    : polygons_(polygons),
      charts_(uv_atlas(surface)),
      reach_(reach),
      same_(1e-9 * surface->size()),
      first_triangle_(polygons.face_count()) {
  for (std::size_t t = triangles.polygon.size(); t-- > 0;)
    first_triangle_[triangles.polygon[FaceId(t)]] = FaceId(t);
  charts_.grow_to(reach);
}

namespace {

/// A point at the end of a way from another face.
struct Way {
  std::vector<HalfedgeId> path;
  Vec3 barycentric;
};

/// Takes back steps at the end over edges that the point lies on: it is in the face before, too. So a vertex
/// is found in a chart that has one of its faces, whichever of them a map names.
void shorten(const Topology& t, Way& way) {
  const auto corner = [&](HalfedgeId h) {
    return static_cast<int>(h.index() - t.halfedge(t.face(h)).index());
  };
  while (!way.path.empty()) {
    const HalfedgeId h = way.path.back(), g = t.twin(h);
    if (way.barycentric[corner(t.prev(g))] > 0) return;
    Vec3 before = Vec3::Zero();
    before[corner(h)] = way.barycentric[corner(t.next(g))];
    before[corner(t.next(h))] = way.barycentric[corner(g)];
    way.barycentric = before;
    way.path.pop_back();
  }
}

/// Nothing where the faces are too far apart.
std::optional<Way> shortest_way(const Atlas& atlas, FaceId from, const SurfacePoint& to) {
  Way way{{}, to.barycentric};
  if (!atlas.path(from, to.face, way.path)) return std::nullopt;
  shorten(atlas.surface()->topology(), way);
  return way;
}

}  // namespace

/// The skin in the middle of a polygon: ways to its corners start there. From one corner to the next they
/// might lead around the end of a cut on the wrong side.
SurfacePoint MovingUvs::middle(FaceId polygon, const SurfaceMap& map) const {
  const SurfacePoint p = map({first_triangle_[polygon], Vec3::Constant(1.0 / 3)});
  return p.face.valid() ? p : map[polygons_.face(polygon)[0]];
}

/// So many that polygons can be brought into the chart of any of their corners: twice the longest way from
/// the middle to a corner that crosses a border. More change nothing. Corners further apart than kLongestPath
/// do not count: skin is torn there.
int MovingUvs::rings_needed(const SurfaceMap& map) const {
  std::vector<int> needed(polygons_.face_count(), 0);
  parallel_for(needed.size(), [&](std::size_t i) {
    if (!first_triangle_[FaceId(i)].valid()) return;
    const FaceId from = middle(FaceId(i), map).face;
    for (VertexId v : polygons_.face(FaceId(i))) {
      const auto way = shortest_way(charts_.atlas(), from, map[v]);
      if (!way || way->path.size() > kLongestPath) continue;
      const auto end = charts_.along(from.value, way->path);
      if (!end || charts_.copy(*end).ring > 0)
        needed[i] = std::max(needed[i], 2 * static_cast<int>(way->path.size()));
    }
  });
  return needed.empty() ? 0 : *std::max_element(needed.begin(), needed.end());
}

MovingUvs::Choice MovingUvs::choose(FaceId polygon, const SurfaceMap& map) const {
  const auto corners = polygons_.face(polygon);
  const FaceId triangle = first_triangle_[polygon];
  if (!triangle.valid()) return {};
  const SurfacePoint start = middle(polygon, map);
  const Vec2 painted = charts_.coordinates(triangle.value, Vec3::Constant(1.0 / 3));
  std::vector<Way> ways;
  for (VertexId v : corners) {
    auto way = shortest_way(charts_.atlas(), start.face, map[v]);
    if (!way) return {};
    ways.push_back(std::move(*way));
  }

  Choice best;
  for (int from : charts_.copies_of(start.face)) {
    Choice choice;
    choice.chart = charts_.copy(from).chart;
    choice.overhang = 0;
    for (const Way& way : ways) {
      const auto copy = charts_.along(from, way.path);
      if (!copy) break;
      choice.uvs.push_back(charts_.coordinates(*copy, way.barycentric));
      choice.overhang = std::max(choice.overhang, charts_.overhang(*copy, way.barycentric));
    }
    if (choice.uvs.size() < corners.size()) continue;
    choice.own = choice.chart == own_chart(polygon);
    choice.distance = (charts_.coordinates(from, start.barycentric) - painted).norm();
    // Within reach of its own chart a polygon stays there: its coordinates go on from frame to frame.
    const auto cost = [&](const Choice& c) { return c.own && c.overhang <= reach_ + same_ ? 0 : c.overhang; };
    const double gain = cost(best) - cost(choice);
    if (best.chart < 0 || gain > same_ ||
        (gain >= -same_ && std::pair(!choice.own, choice.distance) < std::pair(!best.own, best.distance)))
      best = std::move(choice);
  }
  return best;
}

MovingUvs::Frame MovingUvs::operator()(const SurfaceMap& map) {
  charts_.grow_to_rings(rings_needed(map));
  std::vector<Choice> choices(polygons_.face_count());
  parallel_for(choices.size(), [&](std::size_t i) { choices[i] = choose(FaceId(i), map); });
  Frame frame;
  frame.uvs.resize(polygons_.corner_count());
  frame.chart.resize(polygons_.face_count());
  for (FaceId f : ids<FaceId>(choices.size())) {
    Choice& choice = choices[f.index()];
    if (choice.chart < 0) {
      frame.torn.push_back(f);
      choice.chart = first_triangle_[f].valid() ? own_chart(f) : -1;
      for (VertexId v : polygons_.face(f)) choice.uvs.push_back(charts_.atlas().coordinates(map[v]));
    } else {
      frame.overhang = std::max(frame.overhang, choice.overhang);
    }
    frame.chart[f] = choice.chart;
    for (std::size_t k = 0; k < choice.uvs.size(); ++k)
      frame.uvs[CornerId(polygons_.first_corner(f).index() + k)] = choice.uvs[k];
  }
  return frame;
}

}  // namespace cutis
