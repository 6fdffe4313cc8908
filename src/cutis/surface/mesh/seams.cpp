#include "cutis/surface/mesh/seams.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cutis {

Seams::Seams(const Mesh& mesh)
    : mesh_(mesh),
      after_(mesh.corner_count()),
      before_(mesh.corner_count()),
      partner_(mesh.corner_count()),
      sheets_(mesh.face_count()),
      fans_(mesh.corner_count()) {
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i), next = corner_after(mesh, f, c);
      after_[c] = next;
      before_[next] = c;
    }
  const EdgeTable edges(mesh);
  join_pairs(edges);
  join_sheets(edges);
  // Each round parts sides; when none are joined, no two faces share a vertex. So it ends.
  do collect_fans();
  while (part_conflicts());
}

/// Two faces that agree about their edge hold together; so sheets come about.
void Seams::join_pairs(const EdgeTable& edges) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    if (sides.size() > 2) split_edges_.emplace_back(sides[0].low, sides[0].high);
    if (sides.size() != 2 || sides[0].forward == sides[1].forward) continue;
    join(sides[0].corner, sides[1].corner);
    sheets_.join(sides[0].face.index(), sides[1].face.index());
  }
}

/// The pairs of sides that run opposite ways.
std::vector<Seams::Match> Seams::matches_at(std::span<const EdgeSide> sides) {
  std::vector<Match> matches;
  if (sides.size() > 64) return matches;  // a book of pages: no two of them belong together
  for (const EdgeSide& s : sides)
    for (const EdgeSide& t : sides) {
      if (!s.forward || t.forward) continue;
      const Vec3 m = area_vector(mesh_, s.face).stableNormalized();
      const Vec3 n = area_vector(mesh_, t.face).stableNormalized();
      const FaceId f(sheets_.root(s.face.index())), g(sheets_.root(t.face.index()));
      matches.push_back({f == g, 0, m.dot(n), std::min(f, g), std::max(f, g), s.corner, t.corner});
    }
  return matches;
}

/// At an edge of more faces, those of one sheet hold together first: a body stays whole where something grows
/// from it. Then those of the two sheets that continue each other most smoothly along all their common edges,
/// so that neighbouring edges choose alike.
void Seams::join_sheets(const EdgeTable& edges) {
  std::map<std::pair<FaceId, FaceId>, std::pair<double, int>> common;
  std::vector<std::vector<Match>> all;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].size() <= 2) continue;
    all.push_back(matches_at(edges[e]));
    for (const Match& m : all.back()) {
      auto& [sum, count] = common[{m.f, m.g}];
      sum += m.here;
      ++count;
    }
  }
  for (auto& matches : all) {
    for (Match& m : matches) {
      const auto& [sum, count] = common[{m.f, m.g}];
      m.common = sum / count;
    }
    std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
      return std::tie(a.rank, a.common, a.here) > std::tie(b.rank, b.common, b.here);
    });
    for (const Match& m : matches)
      if (!partner_[m.side].valid() && !partner_[m.other].valid()) join(m.side, m.other);
  }
}

/// Around a vertex, joined sides hold corners together.
void Seams::collect_fans() {
  fans_ = DisjointSets(mesh_.corner_count());
  for (CornerId c : ids<CornerId>(mesh_.corner_count()))
    if (partner_[c].valid()) fans_.join(c.index(), after_[partner_[c]].index());
}

/// Two sheets that part at an edge may still meet around both its ends, and then name the same two vertices.
/// All but one are set free: their faces get a vertex of their own at one end. Says whether there were any.
bool Seams::part_conflicts() {
  struct Side {
    std::size_t low, high;
    CornerId corner;
  };
  std::vector<Side> sides;
  for (CornerId c : ids<CornerId>(mesh_.corner_count())) {
    const std::size_t a = vertex(c), b = vertex(after_[c]);
    sides.push_back({std::min(a, b), std::max(a, b), c});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.low, x.high, x.corner) < std::tie(y.low, y.high, y.corner);
  });
  bool found = false;
  for (std::size_t i = 0, j; i < sides.size(); i = j) {
    for (j = i + 1; j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high;) ++j;
    // One side, or two that are joined, are as it should be. A joined pair stays before a single side does.
    if (j - i == 1 || (j - i == 2 && partner_[sides[i].corner] == sides[i + 1].corner)) continue;
    CornerId keep = sides[i].corner;
    for (std::size_t k = j; k-- > i;)
      if (partner_[sides[k].corner].valid()) keep = sides[k].corner;
    for (std::size_t k = i; k < j; ++k) {
      const CornerId c = sides[k].corner;
      if (c == keep || (partner_[keep].valid() && partner_[keep] == c)) continue;
      part(c);
      part(before_[c]);
    }
    found = true;
  }
  return found;
}

}  // namespace cutis
