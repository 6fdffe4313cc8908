#include "cutis/surface/remesh/feature_lines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

}  // namespace

FeatureLines::FeatureLines(const Surface& surface, double crease_angle, double corner_angle,
                           const std::vector<EdgePlace>& kept_edges)
    : surface_(&surface), spans_(surface.topology().corner_count()) {
  mark_edges(crease_angle);
  mark_kept(kept_edges);
  mark_corners(corner_angle);
  const Topology& t = surface.topology();
  IdVector<EdgeId, char> seen(t.edge_count(), 0);
  // Lines with ends first: what is left are loops.
  for (const bool with_ends : {true, false})
    for (EdgeId e : ids<EdgeId>(t.edge_count()))
      for (HalfedgeId h : {t.halfedge(e), t.twin(t.halfedge(e))})
        if (marked_[e] && !seen[e] && (!with_ends || corner_[t.from(h)])) follow(h, seen);
}

double FeatureLines::length() const {
  double sum = 0;
  for (const Line& line : lines_) sum += line.length;
  return sum;
}

double FeatureLines::length_of(HalfedgeId h) const {
  const Topology& t = surface_->topology();
  return (surface_->positions()[t.to(h)] - surface_->positions()[t.from(h)]).norm();
}

void FeatureLines::mark_edges(double crease_angle) {
  const Topology& t = surface_->topology();
  const Points& x = surface_->positions();
  const auto area = [&](HalfedgeId h) -> Vec3 {
    const Vec3& a = x[t.from(h)];
    return (x[t.to(h)] - a).cross(x[t.from(t.prev(h))] - a);
  };
  marked_.assign(t.edge_count(), 0);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    // A face without area gives the angle zero: it says nothing about the shape.
    marked_[e] = t.is_border(e) || angle_between(area(h), area(t.twin(h))) > crease_angle;
  }
}

void FeatureLines::mark_kept(const std::vector<EdgePlace>& kept_edges) {
  const Topology& t = surface_->topology();
  for (const auto& [a, b] : kept_edges) {
    const HalfedgeId h = t.find(a, b);
    if (!h.valid())
      throw InputError(fmt::format("remesh: kept edge {}-{}: no edge joins the two", a.value, b.value));
    marked_[t.edge(h)] = 1;
  }
}

void FeatureLines::mark_corners(double corner_angle) {
  const Topology& t = surface_->topology();
  const Points& x = surface_->positions();
  IdVector<VertexId, int> count(t.vertex_count(), 0);
  IdVector<VertexId, Vec3> first(t.vertex_count(), Vec3::Zero()), second = first;
  for (EdgeId e : ids<EdgeId>(t.edge_count()))
    for (HalfedgeId h : {t.halfedge(e), t.twin(t.halfedge(e))}) {
      if (!marked_[e]) continue;
      const VertexId v = t.from(h);
      (count[v]++ == 0 ? first : second)[v] = x[t.to(h)] - x[v];
    }
  corner_.assign(t.vertex_count(), 0);
  for (VertexId v : ids<VertexId>(t.vertex_count()))
    corner_[v] = count[v] != 0 && (count[v] != 2 || angle_between(-first[v], second[v]) > corner_angle);
}

/// The line's other half-edge that leaves where h arrives, which is no corner.
HalfedgeId FeatureLines::next_on_line(HalfedgeId h) const {
  const Topology& t = surface_->topology();
  HalfedgeId g = t.rotate(t.twin(h));
  while (!marked_[t.edge(g)]) g = t.rotate(g);
  return g;
}

void FeatureLines::follow(HalfedgeId start, IdVector<EdgeId, char>& seen) {
  const Topology& t = surface_->topology();
  const int number = static_cast<int>(lines_.size());
  Line line;
  for (HalfedgeId h = start;;) {
    seen[t.edge(h)] = 1;
    const double end = line.length + length_of(h);
    const LineSpan span{number, line.length, end};
    line.sides.push_back(h);
    line.starts.push_back(line.length);
    line.length = end;
    if (!t.is_border(h)) spans_[h] = span;
    if (!t.is_border(t.twin(h))) spans_[t.twin(h)] = span.reversed();
    if (corner_[t.to(h)]) break;
    h = next_on_line(h);
    line.closed = h == start;
    if (line.closed) break;
  }
  lines_.push_back(std::move(line));
}

SurfacePoint FeatureLines::at(int number, double s) const {
  const Line& line = lines_[static_cast<std::size_t>(number)];
  if (line.closed && line.length > 0) s -= std::floor(s / line.length) * line.length;
  const auto after = std::upper_bound(line.starts.begin() + 1, line.starts.end(), s);
  const std::size_t i = static_cast<std::size_t>(after - line.starts.begin()) - 1;
  const double length = (i + 1 < line.starts.size() ? line.starts[i + 1] : line.length) - line.starts[i];
  double way = length > 0 ? std::clamp((s - line.starts[i]) / length, 0.0, 1.0) : 0.0;
  HalfedgeId h = line.sides[i];
  const Topology& t = surface_->topology();
  if (t.is_border(h)) {
    h = t.twin(h);
    way = 1 - way;
  }
  SurfacePoint p{t.face(h), Vec3::Zero()};
  const int k = static_cast<int>(h.index() - surface_->mesh().first_corner(p.face).index());
  p.barycentric[k] = 1 - way;
  p.barycentric[(k + 1) % 3] = way;
  return p;
}

}  // namespace cutis
