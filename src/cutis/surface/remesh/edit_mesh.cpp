#include "cutis/surface/remesh/edit_mesh.h"

namespace cutis {

EditMesh::EditMesh(const Topology& triangles, const FeatureLines& lines)
    : EditMesh(triangles, lines.spans()) {}

EditMesh::EditMesh(const Topology& triangles, const IdVector<CornerId, LineSpan>& spans) {
  sides_.reserve(triangles.corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(triangles.corner_count())) {
    const HalfedgeId twin = triangles.twin(h);
    sides_.push_back({triangles.from(h), triangles.is_border(twin) ? HalfedgeId() : twin, spans[h]});
  }
  for (VertexId v : ids<VertexId>(triangles.vertex_count()))
    vertex_halfedge_.push_back(triangles.halfedge(v));
}

std::size_t EditMesh::valence(VertexId v) const {
  std::size_t count = 0;
  for_each_edge(v, [&](HalfedgeId, bool) { ++count; });
  return count;
}

bool EditMesh::joined(VertexId a, VertexId b) const {
  bool found = false;
  for_each_edge(a, [&](HalfedgeId h, bool leaves) { found |= (leaves ? to(h) : from(h)) == b; });
  return found;
}

HalfedgeId EditMesh::add_face(VertexId a, VertexId b, VertexId c) {
  const HalfedgeId first = sides_.push_back({a, {}, {}});
  sides_.push_back({b, {}, {}});
  sides_.push_back({c, {}, {}});
  return first;
}

void EditMesh::link(HalfedgeId a, HalfedgeId b) {
  if (a.valid()) sides_[a].twin = b;
  if (b.valid()) sides_[b].twin = a;
}

/// Puts a side of another place here; its neighbour learns of it.
void EditMesh::move(HalfedgeId to, const Side& side) {
  sides_[to] = side;
  if (side.twin.valid()) sides_[side.twin].twin = to;
}

void EditMesh::set_line(HalfedgeId h, const LineSpan& span) {
  sides_[h].line = span;
  if (twin(h).valid()) sides_[twin(h)].line = span.reversed();
}

/// Turns clockwise as far as there are faces, so that the fan can be walked from there.
void EditMesh::represent(VertexId v, HalfedgeId leaving) {
  HalfedgeId h = leaving;
  while (twin(h).valid()) {
    h = next(twin(h));
    if (h == leaving) break;
  }
  vertex_halfedge_[v] = h;
}

VertexId EditMesh::split(HalfedgeId h) {
  const HalfedgeId g = twin(h);
  const VertexId a = from(h), b = to(h), c = opposite(h);
  const VertexId m = vertex_halfedge_.push_back({});
  const LineSpan whole = line(h);
  const double middle = 0.5 * (whole.from + whole.to);

  // a b c becomes a m c and m b c.
  const HalfedgeId n = add_face(m, b, c);
  move(next(n), sides_[next(h)]);
  sides_[next(h)] = {m, {}, {}};
  link(next(h), prev(n));
  if (g.valid()) {
    // b a d becomes m a d and b m d.
    const VertexId d = opposite(g);
    const HalfedgeId q = add_face(b, m, d);
    move(prev(q), sides_[prev(g)]);
    sides_[prev(g)] = {d, {}, {}};
    sides_[g].from = m;
    link(prev(g), next(q));
    link(n, q);
    represent(d, prev(q));
  }
  if (whole.valid()) {
    set_line(h, {whole.line, whole.from, middle});
    set_line(n, {whole.line, middle, whole.to});
  }
  represent(a, h);
  represent(b, next(n));
  represent(c, prev(n));
  represent(m, n);
  return m;
}

bool EditMesh::can_flip(HalfedgeId h) const {
  if (!twin(h).valid() || line(h).valid()) return false;
  const VertexId c = opposite(h), d = opposite(twin(h));
  for (VertexId end : {from(h), to(h)})
    if (!is_border(end) && valence(end) <= 3) return false;
  return c != d && !joined(c, d);
}

void EditMesh::flip(HalfedgeId h) {
  const HalfedgeId g = twin(h);
  const VertexId a = from(h), b = to(h), c = opposite(h), d = opposite(g);
  const Side bc = sides_[next(h)], ca = sides_[prev(h)], ad = sides_[next(g)], db = sides_[prev(g)];
  sides_[h].from = d;  // d c a
  move(next(h), ca);
  move(prev(h), ad);
  sides_[g].from = c;  // c d b
  move(next(g), db);
  move(prev(g), bc);
  represent(a, prev(h));
  represent(b, prev(g));
  represent(c, g);
  represent(d, h);
}

/// Whether the face of h can be closed up: its third vertex keeps a fan, and two lines do not fall on one.
bool EditMesh::closes_well(HalfedgeId h) const {
  const VertexId c = opposite(h);
  const HalfedgeId outer = twin(next(h)), other = twin(prev(h));
  if (!outer.valid() && !other.valid()) return false;
  if (!is_border(c) && valence(c) <= 3) return false;
  return !(line(next(h)).valid() && line(prev(h)).valid());
}

std::size_t EditMesh::common_neighbours(VertexId a, VertexId b) const {
  std::size_t count = 0;
  for_each_edge(a, [&](HalfedgeId h, bool leaves) {
    const VertexId x = leaves ? to(h) : from(h);
    for_each_edge(b, [&](HalfedgeId g, bool away) { count += (away ? to(g) : from(g)) == x; });
  });
  return count;
}

bool EditMesh::can_collapse(HalfedgeId h) const {
  const VertexId a = from(h), b = to(h);
  const HalfedgeId g = twin(h);
  if (g.valid() && is_border(a) && is_border(b)) return false;
  if (!closes_well(h) || (g.valid() && !closes_well(g))) return false;
  return common_neighbours(a, b) == (g.valid() ? 2u : 1u);
}

/// Joins the two neighbours of a face whose side h has become a point.
void EditMesh::close_face(HalfedgeId h) {
  const VertexId c = opposite(h);
  const HalfedgeId arrives = twin(next(h)), leaves = twin(prev(h));  // at the kept vertex, from and to c
  const LineSpan line = this->line(next(h)).valid() ? this->line(next(h)) : this->line(prev(h)).reversed();
  link(arrives, leaves);
  if (leaves.valid())
    set_line(leaves, line);
  else
    set_line(arrives, line.reversed());
  for (HalfedgeId side : {h, next(h), prev(h)}) sides_[side].from = {};
  represent(c, leaves.valid() ? next(leaves) : arrives);
}

void EditMesh::collapse(HalfedgeId h, VertexId removed) {
  const bool forward = from(h) == removed;
  const VertexId kept = forward ? to(h) : from(h);
  const HalfedgeId g = twin(h);
  if (line(h).valid()) {
    // The line's other side at the vertex now reaches to the vertex that stays.
    const double reach = forward ? line(h).length() : -line(h).length();
    for_each_edge(removed, [&](HalfedgeId k, bool leaves) {
      if (k == h || k == g || !line(k).valid()) return;
      LineSpan span = leaves ? line(k) : line(k).reversed();
      span.from += reach;
      set_line(k, leaves ? span : span.reversed());
    });
  }
  const HalfedgeId arrives = twin(next(h)), leaves = twin(prev(h));
  for_each_leaving(removed, [&](HalfedgeId k) { sides_[k].from = kept; });
  close_face(h);
  if (g.valid()) close_face(g);
  represent(kept, leaves.valid() ? leaves : next(arrives));
  vertex_halfedge_[removed] = {};
}

void EditMesh::shift_on_line(VertexId v, double shift) {
  for_each_edge(v, [&](HalfedgeId h, bool leaves) {
    if (!line(h).valid()) return;
    LineSpan span = leaves ? line(h) : line(h).reversed();
    span.from += shift;
    set_line(h, leaves ? span : span.reversed());
  });
}

}  // namespace cutis
