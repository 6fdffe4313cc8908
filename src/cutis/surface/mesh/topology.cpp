#include "cutis/surface/mesh/topology.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {

Topology::Topology(const Mesh& mesh) : corner_count_(mesh.corner_count()) {
  vertex_halfedge_.assign(mesh.vertex_count(), HalfedgeId());
  link_faces(mesh);
  pair_twins();
  link_borders();
  choose_representatives();
  check_fans();
}

void Topology::link_faces(const Mesh& mesh) {
  next_.resize(corner_count_);
  prev_.resize(corner_count_);
  from_ = mesh.corners;
  face_.resize(corner_count_);
  twin_.assign(corner_count_, HalfedgeId());
  face_halfedge_.resize(mesh.face_count());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t first = mesh.first_corner(f).index(), n = mesh.face_size(f);
    face_halfedge_[f] = HalfedgeId(first);
    for (std::size_t i = 0; i < n; ++i) {
      const HalfedgeId h(first + i), after(first + (i + 1) % n);
      next_[h] = after;
      prev_[after] = h;
      face_[h] = f;
    }
  }
}

void Topology::pair_twins() {
  struct Side {
    VertexId low, high;
    HalfedgeId h;
  };
  std::vector<Side> sides;
  sides.reserve(corner_count_);
  for (HalfedgeId h : ids<HalfedgeId>(corner_count_)) {
    const VertexId a = from_[h], b = from_[next_[h]];
    sides.push_back({std::min(a, b), std::max(a, b), h});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.low, x.high, x.h) < std::tie(y.low, y.high, y.h);
  });
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i + 1;
    while (j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high) ++j;
    const auto edge_name = [&] { return fmt::format("edge {}-{}", sides[i].low.value, sides[i].high.value); };
    if (j - i > 2)
      throw InputError(fmt::format("{}: {} faces meet there; repair the mesh first", edge_name(), j - i));
    if (j - i == 2) {
      const HalfedgeId g = sides[i].h, h = sides[i + 1].h;
      if (from_[g] == from_[h])
        throw InputError(
            fmt::format("{}: faces {} and {} disagree about their orientation; repair the mesh first",
                        edge_name(), face_[g].value, face_[h].value));
      twin_[g] = h;
      twin_[h] = g;
    }
    i = j;
  }
}

void Topology::link_borders() {
  for (HalfedgeId h : ids<HalfedgeId>(corner_count_)) {
    if (twin_[h].valid()) continue;
    const HalfedgeId border(next_.size());
    from_.push_back(from_[next_[h]]);
    face_.push_back(FaceId());
    next_.push_back(HalfedgeId());
    prev_.push_back(HalfedgeId());
    twin_.push_back(h);
    twin_[h] = border;
  }
  // The border half-edge after `border` leaves the vertex where it ends: turn around that vertex to reach it.
  for (HalfedgeId border : ids<HalfedgeId>(next_.size())) {
    if (!is_border(border)) continue;
    HalfedgeId h = twin_[border];
    do h = twin_[prev_[h]];
    while (!is_border(h));
    next_[border] = h;
    prev_[h] = border;
  }
}

void Topology::choose_representatives() {
  edge_.resize(next_.size());
  for (HalfedgeId h : ids<HalfedgeId>(next_.size())) {
    if (h < twin_[h]) edge_[h] = edge_[twin_[h]] = edge_halfedge_.push_back(h);
  }
  for (HalfedgeId h : ids<HalfedgeId>(corner_count_)) {
    HalfedgeId& chosen = vertex_halfedge_[from_[h]];
    if (!chosen.valid() || is_border(twin_[h])) chosen = h;
  }
}

void Topology::check_fans() const {
  IdVector<VertexId, int> leaving(vertex_count(), 0);
  for (HalfedgeId h : ids<HalfedgeId>(corner_count_)) ++leaving[from_[h]];
  for (VertexId v : ids<VertexId>(vertex_count())) {
    const HalfedgeId start = vertex_halfedge_[v];
    if (!start.valid()) continue;
    int reached = 0;
    HalfedgeId h = start;
    do {
      ++reached;
      h = rotate(h);
    } while (h != start && !is_border(h));
    if (reached != leaving[v])
      throw InputError(
          fmt::format("vertex {}: joins several fans of faces in one point; repair the mesh first", v.value));
  }
}

bool Topology::is_border(VertexId v) const {
  const HalfedgeId h = vertex_halfedge_[v];
  return h.valid() && is_border(twin_[h]);
}

HalfedgeId Topology::find(VertexId a, VertexId b) const {
  const HalfedgeId start = vertex_halfedge_[a];
  if (!start.valid()) return HalfedgeId();
  HalfedgeId h = start;
  do {
    if (to(h) == b) return h;
    h = rotate(h);
  } while (h != start && !is_border(h));
  return is_border(h) && to(h) == b ? h : HalfedgeId();
}

std::vector<HalfedgeId> Topology::border_loops() const {
  std::vector<HalfedgeId> loops;
  std::vector<bool> seen(halfedge_count(), false);
  for (std::size_t i = corner_count_; i < halfedge_count(); ++i) {
    const HalfedgeId start(i);
    if (seen[i]) continue;
    loops.push_back(start);
    HalfedgeId h = start;
    do {
      seen[h.index()] = true;
      h = next_[h];
    } while (h != start);
  }
  return loops;
}

IdVector<FaceId, int> Topology::components() const {
  IdVector<FaceId, int> component(face_count(), -1);
  int count = 0;
  std::vector<FaceId> stack;
  for (FaceId seed : ids<FaceId>(face_count())) {
    if (component[seed] >= 0) continue;
    component[seed] = count;
    stack.push_back(seed);
    while (!stack.empty()) {
      const HalfedgeId first = face_halfedge_[stack.back()];
      stack.pop_back();
      HalfedgeId h = first;
      do {
        const FaceId neighbour = face_[twin_[h]];
        if (neighbour.valid() && component[neighbour] < 0) {
          component[neighbour] = count;
          stack.push_back(neighbour);
        }
        h = next_[h];
      } while (h != first);
    }
    ++count;
  }
  return component;
}

}  // namespace cutis
