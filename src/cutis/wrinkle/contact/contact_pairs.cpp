#include "cutis/wrinkle/contact/contact_pairs.h"

#include <algorithm>
#include <cassert>

#include "cutis/surface/mesh/edge_table.h"

namespace cutis {
namespace {

/// Searches that share one list, written by one thread.
constexpr std::size_t kSearchesPerList = 128;

template <std::size_t N>
std::vector<Vec3> centres_of(const std::vector<std::array<VertexId, N>>& elements, const Points& positions) {
  std::vector<Vec3> centres(elements.size(), Vec3::Zero());
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (VertexId v : elements[i]) centres[i] += positions[v] / double(N);
  return centres;
}

/// add(i, pairs) adds what search i of n finds.
template <class Add>
std::vector<ContactPair> pairs_of_searches(std::size_t n, const Add& add) {
  std::vector<std::vector<ContactPair>> lists((n + kSearchesPerList - 1) / kSearchesPerList);
  parallel_for(
      lists.size(),
      [&](std::size_t list) {
        const std::size_t end = std::min(n, (list + 1) * kSearchesPerList);
        for (std::size_t i = list * kSearchesPerList; i < end; ++i) add(i, lists[list]);
      },
      1);
  std::vector<ContactPair> all;
  for (const std::vector<ContactPair>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

ContactPairs::ContactPairs(const Mesh& rest) {
  IdVector<VertexId, char> used(rest.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(rest.face_count())) {
    const auto face = rest.face(f);
    assert(face.size() == 3);
    triangles_.push_back({face[0], face[1], face[2]});
    for (VertexId v : face) used[v] = 1;
  }
  for (VertexId v : ids<VertexId>(used.size()))
    if (used[v]) vertices_.push_back(v);
  const EdgeTable table(rest);
  for (std::size_t e = 0; e < table.size(); ++e) edges_.push_back({table[e][0].low, table[e][0].high});
  rest_ = rest.positions;
  triangle_tree_ = BoxTree(centres_of(triangles_, rest.positions));
  edge_tree_ = BoxTree(centres_of(edges_, rest.positions));
}

void ContactPairs::set_outside(Points normals, double reach) {
  assert(normals.size() == rest_.size());
  outside_ = std::move(normals);
  reach_ = reach;
}

std::vector<ContactPair> ContactPairs::find(const Points& positions, double margin) {
  return find_in_boxes(
      [&](VertexId v) {
        ContactBox box;
        box.extend(positions[v]);
        return box;
      },
      margin);
}

std::vector<ContactPair> ContactPairs::find(const Points& positions, const Points& step, double margin) {
  return find_in_boxes(
      [&](VertexId v) {
        ContactBox box;
        box.extend(positions[v]);
        box.extend(positions[v] + step[v]);
        return box;
      },
      margin);
}

template <class VertexBox>
std::vector<ContactPair> ContactPairs::find_in_boxes(const VertexBox& vertex_box, double margin) {
  const auto box_of = [&](const auto& element) {
    ContactBox box;
    for (VertexId v : element) box.extend(vertex_box(v));
    return box;
  };
  triangle_tree_.refit([&](std::size_t i) { return box_of(triangles_[i]); });
  edge_tree_.refit([&](std::size_t i) { return box_of(edges_[i]); });
  std::vector<ContactPair> pairs =
      pairs_of_searches(vertices_.size(), [&](std::size_t i, std::vector<ContactPair>& found) {
        add_triangles_near(vertices_[i], vertex_box(vertices_[i]).grown(margin), found);
      });
  const std::vector<ContactPair> edge_pairs =
      pairs_of_searches(edges_.size(), [&](std::size_t i, std::vector<ContactPair>& found) {
        add_edges_near(i, box_of(edges_[edge_tree_.number(i)]).grown(margin), found);
      });
  pairs.insert(pairs.end(), edge_pairs.begin(), edge_pairs.end());
  return pairs;
}

void ContactPairs::add_triangles_near(VertexId point, const ContactBox& box,
                                      std::vector<ContactPair>& pairs) const {
  triangle_tree_.visit(box, [&](std::size_t i) {
    const std::array<VertexId, 3>& t = triangles_[i];
    if (t[0] == point || t[1] == point || t[2] == point) return;
    const ContactPair pair{ContactKind::PointTriangle, {point, t[0], t[1], t[2]}};
    if (is_one_piece(pair)) pairs.push_back(pair);
  });
}

/// Each pair once: from the edge that comes first in the tree.
void ContactPairs::add_edges_near(std::size_t place, const ContactBox& box,
                                  std::vector<ContactPair>& pairs) const {
  const std::size_t edge = edge_tree_.number(place);
  edge_tree_.visit(box, place + 1, [&](std::size_t other) {
    const auto [low, high] = std::minmax(edge, other);
    const std::array<VertexId, 2>&a = edges_[low], &b = edges_[high];
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return;
    const ContactPair pair{ContactKind::EdgeEdge, {a[0], a[1], b[0], b[1]}};
    if (is_one_piece(pair)) pairs.push_back(pair);
  });
}

/// The first and the last vertex of a pair are of its two elements.
bool ContactPairs::is_one_piece(const ContactPair& pair) const {
  if (outside_.empty()) return true;
  const auto& v = pair.vertices;
  if ((rest_[v[0]] - rest_[v[3]]).squaredNorm() > reach_ * reach_) return false;
  const Vec3 last = outside_[v[2]] + outside_[v[3]];
  return pair.kind == ContactKind::PointTriangle ? outside_[v[0]].dot(outside_[v[1]] + last) > 0
                                                 : (outside_[v[0]] + outside_[v[1]]).dot(last) > 0;
}

}  // namespace cutis
