#include "cutis/surface/map/extended_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "cutis/core/disjoint_sets.h"

namespace cutis {
namespace {

constexpr int kMostRings = 64;
/// Along the border of the rings: so many vertices beside one that is within reach have a part in where its
/// neighbours come to lie, so that these are the same with any reach.
constexpr int kBeside = 3;
/// Along edges, as a multiple of the straight distance.
constexpr double kLongestWay = 2;
/// UVs closer than this are the same, as in uv_charts().
constexpr double kSameUv = 1e-6;
/// Of a face's longest side squared: below it twice its area says nothing about its angles.
constexpr double kNoArea = 1e-9;

double angle_between(const Vec2& a, const Vec2& b) { return std::atan2(std::abs(cross(a, b)), a.dot(b)); }

double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double length = along.squaredNorm();
  const double place = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0;
  return (p - a - place * along).norm();
}

}  // namespace

ExtendedCharts::ExtendedCharts(Atlas atlas) : atlas_(std::move(atlas)) {
  const Topology& t = topology();
  star_.assign(t.vertex_count(), 0);
  for (CornerId c : ids<CornerId>(t.corner_count())) ++star_[t.from(c)];
  copies_.resize(t.face_count());
  copies_of_.resize(t.face_count());
  for (FaceId f : ids<FaceId>(t.face_count())) {
    copies_[f.index()].face = f;
    copies_of_[f].push_back(f.value);
  }
  join_faces();
  name_vertices();
}

/// The layout goes on over h, without a seam and without a fold.
bool ExtendedCharts::continues_over(HalfedgeId h) const {
  const Topology& t = topology();
  const HalfedgeId g = t.twin(h);
  if (t.is_border(g) || atlas_.chart(t.face(h)) != atlas_.chart(t.face(g))) return false;
  const auto same = [&](CornerId a, CornerId b) {
    return (atlas_.coordinates(a) - atlas_.coordinates(b)).lpNorm<Eigen::Infinity>() <= kSameUv;
  };
  return same(h, t.next(g)) && same(t.next(h), g) &&
         atlas_.twice_area(t.face(h)) * atlas_.twice_area(t.face(g)) >= 0;
}

void ExtendedCharts::join_faces() {
  const Topology& t = topology();
  DisjointSets sets(t.face_count());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    if (!continues_over(h)) continue;
    const FaceId f = t.face(h), g = t.face(t.twin(h));
    copies_[f.index()].across[at(side_of(h))] = g.value;
    sets.join(f.index(), g.index());
  }
  std::vector<int> chart;
  std::vector<double> area(at(sets.numbered(chart)), 0.0), in_space(area);
  const Points& x = atlas_.surface()->positions();
  for (FaceId f : ids<FaceId>(t.face_count())) {
    const int c = copies_[f.index()].chart = chart[f.index()];
    area[at(c)] += atlas_.twice_area(f);
    const auto corners = atlas_.surface()->mesh().face(f);
    in_space[at(c)] += (x[corners[1]] - x[corners[0]]).cross(x[corners[2]] - x[corners[0]]).norm();
  }
  for (std::size_t c = 0; c < area.size(); ++c) {
    orientation_.push_back(area[c] < 0 ? -1 : 1);
    scale_.push_back(area[c] != 0 ? std::sqrt(in_space[c] / std::abs(area[c])) : 0);
  }
}

void ExtendedCharts::name_vertices() {
  const Topology& t = topology();
  DisjointSets sets(t.corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    if (copies_[t.face(h).index()].across[at(side_of(h))] < 0) continue;
    sets.join(h.index(), t.next(t.twin(h)).index());
    sets.join(t.next(h).index(), t.twin(h).index());
  }
  std::vector<int> number;
  vertices_.resize(at(sets.numbered(number)));
  for (std::size_t c = t.corner_count(); c-- > 0;) {
    const CornerId corner(c);
    const int v = number[c];
    copies_[t.face(corner).index()].vertex[at(side_of(corner))] = v;
    vertices_[at(v)].place = atlas_.coordinates(corner);
    vertices_[at(v)].vertex = t.from(corner);
    // Any edge of the border at the vertex will do: the vertex is no distance from it.
    for (const HalfedgeId h : {t.prev(corner), corner})
      if (copies_[t.face(h).index()].across[at(side_of(h))] < 0) vertices_[at(v)].nearest = h;
  }
}

Vec2 ExtendedCharts::coordinates(int c, const Vec3& barycentric) const {
  const Copy& copy = copies_[at(c)];
  if (copy.ring == 0) return atlas_.coordinates(SurfacePoint{copy.face, barycentric});
  return barycentric[0] * place(c, 0) + barycentric[1] * place(c, 1) + barycentric[2] * place(c, 2);
}

double ExtendedCharts::overhang(int c, const Vec3& barycentric) const {
  const Copy& copy = copies_[at(c)];
  if (copy.ring == 0) return 0;
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += barycentric[k] * vertices_[at(copy.vertex[at(k)])].distance;
  return sum;
}

std::optional<int> ExtendedCharts::along(int c, std::span<const HalfedgeId> path) const {
  for (HalfedgeId h : path) {
    c = copies_[at(c)].across[at(side_of(h))];
    if (c < 0) return std::nullopt;
  }
  return c;
}

ExtendedCharts::Wedge ExtendedCharts::wedge_at_end(int c, int side) const {
  Wedge wedge;
  int k = (side + 1) % 3;  // starts at the vertex
  const auto add = [&] {
    const Vec2 x = place(c, k);
    wedge.angle += angle_between(place(c, (k + 1) % 3) - x, place(c, (k + 2) % 3) - x);
    ++wedge.faces;
  };
  add();
  const int most = 2 * star_[topology().from(halfedge(c, k))] + 2;
  while (copies_[at(c)].across[at(k)] >= 0 && wedge.faces <= most) {
    const HalfedgeId back = topology().twin(halfedge(c, k));
    c = copies_[at(c)].across[at(k)];
    k = (side_of(back) + 1) % 3;
    add();
  }
  wedge.copy = c;
  wedge.side = k;
  return wedge;
}

/// Whether a ring can go on over a side of the border. Not around a vertex that all its faces surround, the
/// end of a cut, where it would go around for ever: there only the chart's own sides are crossed.
bool ExtendedCharts::is_open(int c, int side) const {
  if (copies_[at(c)].across[at(side)] >= 0) return false;
  const HalfedgeId h = halfedge(c, side);
  if (topology().is_border(topology().twin(h)) || !(scale_[at(copies_[at(c)].chart)] > 0)) return false;
  const int most = copies_[at(c)].ring == 0 ? 0 : -1;
  return wedge_at_end(c, side).faces <= star_[topology().to(h)] + most &&
         faces_at_start(c, side) <= star_[topology().from(h)] + most;
}

/// Goes around the vertex at the start of a side to the side of the border that ends there.
template <class F>
std::pair<int, int> ExtendedCharts::turn_back(int c, int side, const F& count) const {
  int k = side;
  for (int most = 2 * star_[topology().from(halfedge(c, side))] + 2; most > 0; --most) {
    count();
    const int before = (k + 2) % 3;  // ends at the vertex
    const int next = copies_[at(c)].across[at(before)];
    if (next < 0) return {c, before};
    k = side_of(topology().twin(halfedge(c, before)));
    c = next;
  }
  return {c, (k + 2) % 3};
}

int ExtendedCharts::faces_at_start(int c, int side) const {
  int faces = 0;
  turn_back(c, side, [&] { ++faces; });
  return faces;
}

std::pair<int, int> ExtendedCharts::side_before(int c, int side) const {
  return turn_back(c, side, [] {});
}

double ExtendedCharts::distance(int chart, const Vec2& x, HalfedgeId border) const {
  return scale_[at(chart)] *
         distance_to_segment(x, atlas_.coordinates(border), atlas_.coordinates(topology().next(border)));
}

/// Whether an end of a side is less than `reach` from the border of the chart, also on the way that it came:
/// rings that find no room would go around for ever.
bool ExtendedCharts::is_within(int c, int side, const std::vector<double>& reaches) const {
  const double reach = reaches[at(copies_[at(c)].chart)];
  const auto within = [&](int v) {
    return vertices_[at(v)].distance < reach && vertices_[at(v)].travelled < kLongestWay * reach;
  };
  const auto& vertex = copies_[at(c)].vertex;
  return within(vertex[at(side)]) || within(vertex[at((side + 1) % 3)]);
}

/// One ring on its way: first all copies that it might have, one for each side of the border and for each
/// face around its vertices; then those that are one are joined, and what is left is added.
class ExtendedCharts::Ring {
 public:
  explicit Ring(ExtendedCharts& charts)
      : charts_(charts), t_(charts.topology()), old_(charts.copies_.size()) {}
  bool add(const std::vector<double>& reach);

 private:
  struct Prediction {
    int copy, corner;
    Vec2 place;
    int from;                           ///< the vertex of the border beside it
    std::array<HalfedgeId, 2> nearest;  ///< edges of the chart's border that may be the nearest
  };
  /// A face around a vertex of the border outside of the chart.
  struct FanFace {
    HalfedgeId in;     ///< the edge at the vertex that it is entered by, as its own half-edge
    HalfedgeId out;    ///< and left by
    HalfedgeId apex;   ///< the corner at the vertex
    CornerId further;  ///< the corner at the other end of `out`
  };

  ExtendedCharts& charts_;
  const Topology& t_;
  std::size_t old_;
  std::vector<Copy> fresh_;
  std::vector<int> parent_;  ///< of the fresh copies that are joined
  std::vector<int> beyond_;  ///< side of an old copy -> the fresh one across, or -1
  std::vector<Prediction> predictions_;
  std::vector<int> number_;              ///< of those that are left; -1 of the others
  std::vector<std::size_t> corner_set_;  ///< corners of fresh copies that are one vertex have one number
  std::vector<int> vertex_;              ///< of each such set; -1 as long as it has none

  int root(int c) const {
    while (parent_[at(c) - old_] != c) c = parent_[at(c) - old_];
    return c;
  }
  bool is_fresh(int c) const { return at(c) >= old_; }
  Copy& fresh(int c) { return fresh_[at(c) - old_]; }
  int make(FaceId f, int chart);
  void link(int a, HalfedgeId h, int b);
  void join(int a, int b);
  void cross_sides(const std::vector<double>& reach);
  void cross_side(int copy, int side);
  void surround_end(int copy, int side);
  void surround_open(int copy, int side, bool backwards, int count);
  std::vector<FanFace> fan_from(HalfedgeId h, int count) const;
  std::vector<FanFace> fan_before(HalfedgeId h, int count) const;
  void predict(const std::vector<FanFace>& fan, const std::vector<int>& copies, int vertex, const Vec2& first,
               const Vec2* last, double room, double sense, const std::array<HalfedgeId, 2>& nearest);
  double fan_angle(const FanFace& face) const;
  double length(CornerId a, CornerId b) const {
    return (charts_.atlas_.coordinates(a) - charts_.atlas_.coordinates(b)).norm();
  }
  template <class F>
  void for_each_join(const F& f) const;
  void number_copies();
  void join_corners();
  int& vertex_at(std::size_t i, int corner);
  void place_vertices();
  void measure(ChartVertex& vertex, int chart, const std::vector<HalfedgeId>& borders);
  int joined(std::size_t i, std::size_t k) const;
  void append();
};

int ExtendedCharts::Ring::make(FaceId f, int chart) {
  const int c = static_cast<int>(old_ + fresh_.size());
  Copy copy;
  copy.face = f;
  copy.chart = chart;
  copy.ring = charts_.rings_ + 1;
  fresh_.push_back(copy);
  parent_.push_back(c);
  return c;
}

/// b lies beyond h, a half-edge of the face of a.
void ExtendedCharts::Ring::link(int a, HalfedgeId h, int b) {
  const auto one_way = [&](int from, HalfedgeId over, int to) {
    int& across = fresh(root(from)).across[at(charts_.side_of(over))];
    if (across < 0)
      across = to;
    else
      join(across, to);
  };
  one_way(a, h, b);
  if (is_fresh(b)) one_way(b, t_.twin(h), a);
}

void ExtendedCharts::Ring::join(int a, int b) {
  if (!is_fresh(a) || !is_fresh(b)) return;
  a = root(a);
  b = root(b);
  if (a == b || fresh(a).face != fresh(b).face || fresh(a).chart != fresh(b).chart) return;
  if (b < a) std::swap(a, b);
  parent_[at(b) - old_] = a;
  for (std::size_t k = 0; k < 3; ++k) {
    const int other = fresh(b).across[k];
    if (other < 0) continue;
    if (fresh(root(a)).across[k] < 0)
      fresh(root(a)).across[k] = other;
    else
      join(fresh(root(a)).across[k], other);
  }
}

/// A copy beyond each side of the border that is within reach or beside one that is.
void ExtendedCharts::Ring::cross_sides(const std::vector<double>& reach) {
  beyond_.assign(3 * old_, -1);
  const auto cross = [&](int copy, int side) {
    if (beyond_[3 * at(copy) + at(side)] < 0 && charts_.is_open(copy, side)) cross_side(copy, side);
  };
  for (std::size_t c = 0; c < old_; ++c)
    for (int k = 0; k < 3; ++k) {
      int copy = static_cast<int>(c), side = k;
      if (charts_.copies_[c].across[at(k)] >= 0 || !charts_.is_within(copy, k, reach)) continue;
      if (!charts_.is_open(copy, k)) continue;
      cross(copy, k);
      for (int i = 0; i < kBeside; ++i) {
        const Wedge wedge = charts_.wedge_at_end(copy, side);
        copy = wedge.copy;
        side = wedge.side;
        cross(copy, side);
      }
      copy = static_cast<int>(c);
      side = k;
      for (int i = 0; i < kBeside; ++i) {
        std::tie(copy, side) = charts_.side_before(copy, side);
        cross(copy, side);
      }
    }
}

/// Puts the third vertex where the transition over the side puts it.
void ExtendedCharts::Ring::cross_side(int copy, int k) {
  const Atlas& atlas = charts_.atlas_;
  const HalfedgeId h = charts_.halfedge(copy, k), g = t_.twin(h);
  const Copy& here = charts_.copy(copy);
  const int n = beyond_[3 * at(copy) + at(k)] = make(t_.face(g), here.chart);
  link(n, g, copy);
  const Vec2 a = charts_.place(copy, k), b = charts_.place(copy, (k + 1) % 3);
  const Vec2 p = atlas.coordinates(t_.next(g)), q = atlas.coordinates(g);
  if (!((q - p).norm() > 0)) return;
  const bool mirrored = atlas.twice_area(t_.face(g)) * charts_.orientation(here.chart) < 0;
  const auto nearest = [&](int corner) { return charts_.vertices_[at(here.vertex[at(corner)])].nearest; };
  predictions_.push_back({n, charts_.side_of(t_.prev(g)),
                          ChartTransition::similarity(p, q, a, b, mirrored)(atlas.coordinates(t_.prev(g))),
                          here.vertex[at(k)],
                          here.ring == 0 ? std::array{h, h} : std::array{nearest(k), nearest((k + 1) % 3)}});
}

/// Faces around the end of h, from the one beyond h on.
std::vector<ExtendedCharts::Ring::FanFace> ExtendedCharts::Ring::fan_from(HalfedgeId h, int count) const {
  std::vector<FanFace> fan;
  for (HalfedgeId in = t_.twin(h); count-- > 0 && !t_.is_border(in); in = t_.twin(t_.prev(in)))
    fan.push_back({in, t_.prev(in), in, t_.prev(in)});
  return fan;
}

/// Faces around the start of h the other way, from the one beyond h on.
std::vector<ExtendedCharts::Ring::FanFace> ExtendedCharts::Ring::fan_before(HalfedgeId h, int count) const {
  std::vector<FanFace> fan;
  for (HalfedgeId in = t_.twin(h); count-- > 0 && !t_.is_border(in); in = t_.twin(t_.next(in)))
    fan.push_back({in, t_.next(in), t_.next(in), t_.prev(in)});
  return fan;
}

/// At the vertex, in the layout of the face's own chart; in space where it has no area there.
double ExtendedCharts::Ring::fan_angle(const FanFace& face) const {
  const Atlas& atlas = charts_.atlas_;
  const CornerId c = face.apex, n = t_.next(c), p = t_.prev(c);
  const Vec2 a = atlas.coordinates(n) - atlas.coordinates(c), b = atlas.coordinates(p) - atlas.coordinates(c);
  if (std::abs(cross(a, b)) > kNoArea * std::max(a.squaredNorm(), b.squaredNorm()))
    return angle_between(a, b);
  const Points& x = atlas.surface()->positions();
  const Vec3 u = x[t_.from(n)] - x[t_.from(c)], v = x[t_.from(p)] - x[t_.from(c)];
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

/// Lays the edges between the faces of a fan out around the vertex, in polar coordinates that begin at the
/// edge to `first`. Angles are those of the faces' own charts, and lengths, too, scaled from face to face so
/// that their common edge is one. Where the fan closes at the edge to `last`, angles are stretched to `room`
/// and lengths grow with the angle so that it comes out as it is; where transitions agree neither changes.
void ExtendedCharts::Ring::predict(const std::vector<FanFace>& fan, const std::vector<int>& copies,
                                   int vertex, const Vec2& first, const Vec2* last, double room, double sense,
                                   const std::array<HalfedgeId, 2>& nearest) {
  const Vec2 centre = charts_.vertices_[at(vertex)].place;
  std::vector<double> angle, radius;
  double turned = 0, scale = 1;
  for (std::size_t i = 0; i < fan.size(); ++i) {
    const double entered = length(fan[i].in, t_.next(fan[i].in));
    const double before = i == 0 ? (first - centre).norm() : radius.back();
    if (entered > 0) scale = before / entered;
    turned += fan_angle(fan[i]);
    angle.push_back(turned);
    radius.push_back(scale * length(fan[i].out, t_.next(fan[i].out)));
  }
  const bool closed = last != nullptr;
  const double stretch = closed && turned > 0 ? room / turned : 1;
  const double ends = closed ? (*last - centre).norm() / radius.back() : 1;
  const double grown = ends > 0 && std::isfinite(ends) && turned > 0 ? std::log(ends) / turned : 0;
  const Vec2 start = (first - centre).normalized();
  // The last edge of a closed fan is one of the border.
  for (std::size_t i = 0; i + (closed ? 1 : 0) < fan.size(); ++i) {
    const double turn = sense * stretch * angle[i], r = radius[i] * std::exp(grown * angle[i]);
    const Vec2 direction = ChartTransition::product(start, Vec2(std::cos(turn), std::sin(turn)));
    predictions_.push_back(
        {copies[i], charts_.side_of(fan[i].further), centre + r * direction, vertex, nearest});
  }
}

/// The faces around the vertex at the end of a side, outside of the chart, up to the side that starts there.
void ExtendedCharts::Ring::surround_end(int copy, int side) {
  const HalfedgeId h = charts_.halfedge(copy, side);
  const VertexId v = t_.to(h);
  const Wedge wedge = charts_.wedge_at_end(copy, side);
  const int count = charts_.star_[v] - wedge.faces;
  const int begin = beyond_[3 * at(copy) + at(side)], end = beyond_[3 * at(wedge.copy) + at(wedge.side)];
  if (count <= 0) return;
  if (t_.is_border(v)) return surround_open(copy, side, false, count);
  if (end < 0) return;
  const std::vector<FanFace> fan = fan_from(h, count);
  std::vector<int> copies = {begin};
  for (std::size_t i = 1; i + 1 < fan.size(); ++i)
    copies.push_back(make(t_.face(fan[i].in), fresh(begin).chart));
  if (fan.size() == 1)
    join(begin, end);
  else
    copies.push_back(end);
  for (std::size_t i = 0; i + 1 < fan.size(); ++i) link(copies[i], fan[i].out, copies[i + 1]);
  const Vec2 last = charts_.place(wedge.copy, (wedge.side + 1) % 3);
  const int chart = charts_.copy(copy).chart;
  const int vertex = charts_.copy(copy).vertex[at((side + 1) % 3)];
  const HalfedgeId nearest = charts_.vertices_[at(vertex)].nearest;
  const bool at_border = charts_.copy(copy).ring == 0 && charts_.copy(wedge.copy).ring == 0;
  predict(fan, copies, vertex, charts_.place(copy, side), &last, std::max(2 * pi - wedge.angle, 0.1),
          charts_.orientation(chart),
          at_border ? std::array{h, charts_.halfedge(wedge.copy, wedge.side)} : std::array{nearest, nearest});
}

/// The same where the faces end, on a border of the surface: at the end of a side, or `backwards` at its
/// start.
void ExtendedCharts::Ring::surround_open(int copy, int side, bool backwards, int count) {
  const int begin = beyond_[3 * at(copy) + at(side)];
  const HalfedgeId h = charts_.halfedge(copy, side);
  const std::vector<FanFace> fan = backwards ? fan_before(h, count) : fan_from(h, count);
  std::vector<int> copies = {begin};
  for (std::size_t i = 1; i < fan.size(); ++i) copies.push_back(make(t_.face(fan[i].in), fresh(begin).chart));
  for (std::size_t i = 0; i + 1 < fan.size(); ++i) link(copies[i], fan[i].out, copies[i + 1]);
  const int centre_corner = backwards ? side : (side + 1) % 3, first = backwards ? (side + 1) % 3 : side;
  const int vertex = charts_.copy(copy).vertex[at(centre_corner)];
  const HalfedgeId nearest = charts_.vertices_[at(vertex)].nearest;
  const double sense = charts_.orientation(charts_.copy(copy).chart) * (backwards ? -1 : 1);
  predict(fan, copies, vertex, charts_.place(copy, first), nullptr, 0, sense,
          charts_.copy(copy).ring == 0 ? std::array{h, h} : std::array{nearest, nearest});
}

/// Calls f with every side of a copy that is left and has another across: the copy as a number in fresh_, the
/// side, the one across, and which of its sides that is.
template <class F>
void ExtendedCharts::Ring::for_each_join(const F& f) const {
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    if (number_[i] < 0) continue;
    const HalfedgeId first = t_.halfedge(fresh_[i].face);
    for (std::size_t k = 0; k < 3; ++k)
      if (fresh_[i].across[k] >= 0)
        f(i, k, fresh_[i].across[k], at(charts_.side_of(t_.twin(HalfedgeId(first.index() + k)))));
  }
}

void ExtendedCharts::Ring::number_copies() {
  number_.assign(fresh_.size(), -1);
  int count = static_cast<int>(old_);
  for (std::size_t i = 0; i < fresh_.size(); ++i)
    if (parent_[i] == static_cast<int>(old_ + i)) number_[i] = count++;
}

/// Corners on both sides of an edge are one vertex; those beside an old copy are old ones.
void ExtendedCharts::Ring::join_corners() {
  DisjointSets sets(3 * fresh_.size());
  for_each_join([&](std::size_t i, std::size_t k, int other, std::size_t j) {
    if (!is_fresh(other)) return;
    const std::size_t o = at(root(other)) - old_;
    sets.join(3 * i + k, 3 * o + (j + 1) % 3);
    sets.join(3 * i + (k + 1) % 3, 3 * o + j);
  });
  corner_set_.resize(3 * fresh_.size());
  for (std::size_t c = 0; c < corner_set_.size(); ++c) corner_set_[c] = sets.root(c);
  vertex_.assign(corner_set_.size(), -1);
  for_each_join([&](std::size_t i, std::size_t k, int other, std::size_t j) {
    if (is_fresh(other)) return;
    vertex_[corner_set_[3 * i + k]] = charts_.copy(other).vertex[(j + 1) % 3];
    vertex_[corner_set_[3 * i + (k + 1) % 3]] = charts_.copy(other).vertex[j];
  });
}

int& ExtendedCharts::Ring::vertex_at(std::size_t i, int corner) {
  int& v = vertex_[corner_set_[3 * i + at(corner)]];
  if (v >= 0) return v;
  v = static_cast<int>(charts_.vertices_.size());
  ChartVertex fresh;
  fresh.vertex = t_.from(HalfedgeId(t_.halfedge(fresh_[i].face).index() + at(corner)));
  fresh.distance = fresh.travelled = std::numeric_limits<double>::infinity();
  charts_.vertices_.push_back(fresh);
  return v;
}

/// Each new vertex at the mean of the places that are predicted for it.
void ExtendedCharts::Ring::place_vertices() {
  const std::size_t old = charts_.vertices_.size();
  const Points& x = charts_.atlas_.surface()->positions();
  std::vector<int> votes;
  std::vector<std::vector<HalfedgeId>> borders;
  for (const Prediction& p : predictions_) {
    const std::size_t v = at(vertex_at(at(root(p.copy)) - old_, p.corner));
    if (v < old) continue;
    votes.resize(charts_.vertices_.size() - old, 0);
    borders.resize(votes.size());
    ++votes[v - old];
    ChartVertex& vertex = charts_.vertices_[v];
    const ChartVertex& from = charts_.vertices_[at(p.from)];
    vertex.place += p.place;
    vertex.travelled =
        std::min(vertex.travelled, from.travelled + (x[vertex.vertex] - x[from.vertex]).norm());
    borders[v - old].insert(borders[v - old].end(), p.nearest.begin(), p.nearest.end());
  }
  for (std::size_t v = old; v < charts_.vertices_.size(); ++v) charts_.vertices_[v].place /= votes[v - old];
  // Beyond an edge without length nothing may be predicted: then the vertex lies on that edge.
  for_each_join([&](std::size_t i, std::size_t k, int other, std::size_t j) {
    const int opposite = static_cast<int>((k + 2) % 3);
    if (is_fresh(other) || vertex_[corner_set_[3 * i + at(opposite)]] >= 0) return;
    const ChartVertex beside = charts_.vertices_[at(charts_.copy(other).vertex[j])];
    charts_.vertices_[at(vertex_at(i, opposite))].place = beside.place;
    borders.push_back({beside.nearest});
  });
  for (std::size_t i = 0; i < fresh_.size(); ++i)
    for (int k = 0; k < 3 && number_[i] >= 0; ++k) {
      const std::size_t v = at(vertex_[corner_set_[3 * i + at(k)]]);
      if (v >= old) measure(charts_.vertices_[v], fresh_[i].chart, borders[v - old]);
    }
  // Where faces come out turned over, as they do beyond the middle of a hole of the chart, the ring has no
  // room left: nothing goes on from there.
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    if (number_[i] < 0) continue;
    std::array<ChartVertex*, 3> v;
    for (std::size_t k = 0; k < 3; ++k) v[k] = &charts_.vertices_[at(vertex_[corner_set_[3 * i + k]])];
    const double area = cross(v[1]->place - v[0]->place, v[2]->place - v[0]->place);
    if (area * charts_.orientation(fresh_[i].chart) > 0) continue;
    for (std::size_t k = 0; k < 3; ++k)
      if (at(vertex_[corner_set_[3 * i + k]]) >= old)
        v[k]->travelled = std::numeric_limits<double>::infinity();
  }
}

/// From the nearest of the edges of the border that come into question.
void ExtendedCharts::Ring::measure(ChartVertex& vertex, int chart, const std::vector<HalfedgeId>& borders) {
  for (HalfedgeId h : borders) {
    const double distance = charts_.distance(chart, vertex.place, h);
    if (distance >= vertex.distance) continue;
    vertex.distance = distance;
    vertex.nearest = h;
  }
}

/// The number of the copy across from a fresh one; -1 where that has come to be joined to another, as it may
/// where a chart is pinched.
int ExtendedCharts::Ring::joined(std::size_t i, std::size_t k) const {
  const std::size_t other = at(root(fresh_[i].across[k])) - old_;
  const HalfedgeId h(t_.halfedge(fresh_[i].face).index() + k);
  const int back = fresh_[other].across[at(charts_.side_of(t_.twin(h)))];
  return back >= 0 && is_fresh(back) && root(back) == static_cast<int>(old_ + i) ? number_[other] : -1;
}

void ExtendedCharts::Ring::append() {
  for_each_join([&](std::size_t i, std::size_t, int other, std::size_t j) {
    if (!is_fresh(other)) charts_.copies_[at(other)].across[j] = number_[i];
  });
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    if (number_[i] < 0) continue;
    Copy copy = fresh_[i];
    for (std::size_t k = 0; k < 3; ++k) {
      copy.vertex[k] = vertex_[corner_set_[3 * i + k]];
      if (copy.across[k] >= 0 && is_fresh(copy.across[k])) copy.across[k] = joined(i, k);
    }
    charts_.copies_.push_back(copy);
    charts_.copies_of_[copy.face].push_back(number_[i]);
  }
}

bool ExtendedCharts::Ring::add(const std::vector<double>& reach) {
  cross_sides(reach);
  if (fresh_.empty()) return false;
  for (std::size_t c = 0; c < old_; ++c)
    for (int k = 0; k < 3; ++k) {
      if (beyond_[3 * c + at(k)] < 0) continue;
      const int copy = static_cast<int>(c);
      surround_end(copy, k);
      const VertexId start = t_.from(charts_.halfedge(copy, k));
      if (t_.is_border(start))
        surround_open(copy, k, true, charts_.star_[start] - charts_.faces_at_start(copy, k));
    }
  number_copies();
  join_corners();
  place_vertices();
  append();
  ++charts_.rings_;
  return true;
}

bool ExtendedCharts::grow(double reach) {
  return Ring(*this).add(std::vector<double>(orientation_.size(), reach));
}

void ExtendedCharts::grow_to_rings(int rings) {
  while (rings_ < std::min(rings, kMostRings) && grow()) {
  }
}

void ExtendedCharts::grow_to(double reach) { grow_to(std::vector<double>(orientation_.size(), reach)); }

void ExtendedCharts::grow_to(const std::vector<double>& reach) {
  while (rings_ < kMostRings && Ring(*this).add(reach)) {
  }
}

}  // namespace cutis
