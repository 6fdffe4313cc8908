#include "cutis/surface/map/subdivision.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

/// Edges of chosen faces.
IdVector<EdgeId, char> cut_edges(const Topology& topology, const IdVector<FaceId, char>& chosen) {
  IdVector<EdgeId, char> cut(topology.edge_count(), 0);
  for (CornerId c : ids<CornerId>(topology.corner_count()))
    if (chosen[topology.face(c)]) cut[topology.edge(c)] = 1;
  return cut;
}

class Subdivider {
 public:
  Subdivider(const Mesh& polygons, const TriangleMesh& triangles, const IdVector<FaceId, char>& chosen,
             int level)
      : polygons_(polygons),
        triangles_(triangles),
        topology_(polygons),
        n_(1 << level),
        first_triangle_(polygons.face_count() + 1, 0) {
    find_triangles();
    place_vertices();
    cut(cut_edges(topology_, chosen));
    for (FaceId f : ids<FaceId>(polygons.face_count())) {
      polygon_ = f;
      diagonals_.clear();
      if (!chosen[f])
        keep();
      else if (polygons_.face_size(f) == 4)
        cut_quad();
      else
        for (std::size_t t = first_triangle_[f.index()]; t < first_triangle_[f.index() + 1]; ++t)
          cut_triangle(FaceId(t));
    }
  }

  LinearSubdivision take() { return std::move(out_); }

 private:
  /// A vertex of the subdivided mesh, as a corner of a face of polygon_.
  struct Node {
    VertexId vertex;
    SurfacePoint place;  ///< on the triangles of polygon_
  };
  /// Side `k` of a triangle.
  struct Side {
    FaceId triangle;
    int k = 0;
  };

  const Mesh& polygons_;
  const TriangleMesh& triangles_;
  Topology topology_;
  int n_;
  std::vector<std::size_t> first_triangle_;  ///< of each polygon, whose triangles follow each other
  IdVector<CornerId, Side> side_;            ///< of the triangle beside each side of a polygon
  IdVector<EdgeId, VertexId> first_new_;     ///< on each edge, from its half-edge's beginning to its end
  FaceId polygon_;                           ///< that is being cut
  std::map<std::pair<CornerId, CornerId>, VertexId> diagonals_;  ///< first new vertex on those of polygon_
  LinearSubdivision out_;

  CornerId triangle_corner(FaceId t, int k) const {
    return triangles_.corner[CornerId(3 * t.index() + at(k % 3))];
  }
  double share(int i) const { return double(i) / n_; }

  void find_triangles() {
    side_.resize(polygons_.corner_count());
    for (FaceId t : ids<FaceId>(triangles_.mesh.face_count())) {
      assert(t == FaceId(0) || triangles_.polygon[FaceId(t.index() - 1)] <= triangles_.polygon[t]);
      ++first_triangle_[triangles_.polygon[t].index() + 1];
      for (int k = 0; k < 3; ++k)
        if (const CornerId c = triangle_corner(t, k); topology_.next(c) == triangle_corner(t, k + 1))
          side_[c] = {t, k};
    }
    for (std::size_t f = 1; f < first_triangle_.size(); ++f) first_triangle_[f] += first_triangle_[f - 1];
  }

  void place_vertices() {
    out_.mesh.positions = polygons_.positions;
    out_.places.resize(polygons_.vertex_count());
    for (FaceId t : ids<FaceId>(triangles_.mesh.face_count()))
      for (int k = 0; k < 3; ++k)
        if (SurfacePoint& place = out_.places[triangles_.mesh.face(t)[at(k)]]; !place.face.valid())
          place = {t, Vec3::Unit(k)};
  }

  VertexId add(const SurfacePoint& place) {
    out_.places.push_back(place);
    return out_.mesh.positions.push_back(interpolate(triangles_.mesh, triangles_.mesh.positions, place));
  }

  /// At i / n along a side of a triangle.
  SurfacePoint along(const Side& side, int i) const {
    SurfacePoint place{side.triangle, Vec3::Zero()};
    place.barycentric[side.k] = share(n_ - i);
    place.barycentric[(side.k + 1) % 3] = share(i);
    return place;
  }

  VertexId add_along(const Side& side) {
    const VertexId first(out_.places.size());
    for (int i = 1; i < n_; ++i) add(along(side, i));
    return first;
  }

  void cut(const IdVector<EdgeId, char>& edges) {
    first_new_.resize(edges.size());
    for (EdgeId e : ids<EdgeId>(edges.size()))
      if (edges[e]) first_new_[e] = add_along(side_[topology_.halfedge(e)]);
  }

  VertexId new_vertex(VertexId first, bool forward, int i) const {
    return VertexId(first.index() + at(forward ? i - 1 : n_ - 1 - i));
  }

  /// At i / n along the side of the polygon that leaves its corner c.
  VertexId on_side(CornerId c, int i) const {
    if (i == 0) return polygons_.corners[c];
    if (i == n_) return polygons_.corners[topology_.next(c)];
    const EdgeId e = topology_.edge(c);
    return new_vertex(first_new_[e], topology_.halfedge(e) == c, i);
  }

  /// At i / n along a side of a triangle of polygon_: one of the polygon's own, or a diagonal.
  VertexId on_triangle_side(const Side& side, int i) {
    const CornerId from = triangle_corner(side.triangle, side.k);
    const CornerId to = triangle_corner(side.triangle, side.k + 1);
    if (topology_.next(from) == to) return on_side(from, i);
    if (i == 0 || i == n_) return polygons_.corners[i == 0 ? from : to];
    const auto made = diagonals_.find({to, from});
    if (made != diagonals_.end()) return new_vertex(made->second, false, i);
    const auto [mine, fresh] = diagonals_.try_emplace({from, to});
    if (fresh) mine->second = add_along(side);
    return new_vertex(mine->second, true, i);
  }

  Node triangle_node(FaceId t, int i, int j) {
    const SurfacePoint place{t, Vec3(share(n_ - i - j), share(i), share(j))};
    if (j == 0) return {on_triangle_side({t, 0}, i), place};
    if (i + j == n_) return {on_triangle_side({t, 1}, j), place};
    if (i == 0) return {on_triangle_side({t, 2}, n_ - j), place};
    return {add(place), place};
  }

  void cut_triangle(FaceId t) {
    std::vector<std::vector<Node>> rows(at(n_) + 1);
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i + j <= n_; ++i) rows[at(j)].push_back(triangle_node(t, i, j));
    for (std::size_t j = 0; j < at(n_); ++j)
      for (std::size_t i = 0; i + j < at(n_); ++i) {
        emit({{rows[j][i], rows[j][i + 1], rows[j + 1][i]}});
        if (i + j + 1 < at(n_)) emit({{rows[j][i + 1], rows[j + 1][i + 1], rows[j + 1][i]}});
      }
  }

  /// Shares, in n-ths, of the four corners of a quad at (i, j) of its n by n cells, for one of its triangles:
  /// that without the corner `missing`. One is negative where the place is not in that triangle.
  std::array<int, 4> quad_shares(int missing, int i, int j) const {
    switch (missing) {
      case 0:
        return {0, n_ - j, i + j - n_, n_ - i};
      case 1:
        return {n_ - j, 0, i, j - i};
      case 2:
        return {n_ - i - j, i, 0, j};
      default:
        return {n_ - i, i - j, j, 0};
    }
  }

  SurfacePoint quad_place(int i, int j) const {
    const CornerId first = polygons_.first_corner(polygon_);
    for (std::size_t t = first_triangle_[polygon_.index()];; ++t) {
      std::array<int, 3> corners;
      int missing = 6;
      for (int k = 0; k < 3; ++k) {
        corners[at(k)] = triangle_corner(FaceId(t), k).value - first.value;
        missing -= corners[at(k)];
      }
      const std::array<int, 4> shares = quad_shares(missing, i, j);
      if (*std::min_element(shares.begin(), shares.end()) < 0) continue;
      SurfacePoint place{FaceId(t), Vec3::Zero()};
      for (int k = 0; k < 3; ++k) place.barycentric[k] = share(shares[at(corners[at(k)])]);
      return place;
    }
  }

  Node quad_node(int i, int j) {
    const std::size_t first = polygons_.first_corner(polygon_).index();
    const SurfacePoint place = quad_place(i, j);
    if (j == 0) return {on_side(CornerId(first), i), place};
    if (i == n_) return {on_side(CornerId(first + 1), j), place};
    if (j == n_) return {on_side(CornerId(first + 2), n_ - i), place};
    if (i == 0) return {on_side(CornerId(first + 3), n_ - j), place};
    return {add(place), place};
  }

  void cut_quad() {
    std::vector<std::vector<Node>> rows(at(n_) + 1);
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i <= n_; ++i) rows[at(j)].push_back(quad_node(i, j));
    for (std::size_t j = 0; j < at(n_); ++j)
      for (std::size_t i = 0; i < at(n_); ++i)
        emit({{rows[j][i], rows[j][i + 1], rows[j + 1][i + 1], rows[j + 1][i]}});
  }

  /// The polygon as it is, with the new vertices on its sides.
  void keep() {
    std::vector<Node> nodes;
    CornerId c = polygons_.first_corner(polygon_);
    for (std::size_t k = 0; k < polygons_.face_size(polygon_); ++k, c = topology_.next(c))
      for (int i = 0; i < (first_new_[topology_.edge(c)].valid() ? n_ : 1); ++i)
        nodes.push_back({on_side(c, i), along(side_[c], i)});
    emit(nodes);
  }

  void emit(const std::vector<Node>& nodes) {
    std::vector<VertexId> corners;
    for (const Node& node : nodes) {
      corners.push_back(node.vertex);
      if (!triangles_.mesh.has_uvs()) continue;
      Vec2 uv = Vec2::Zero();
      for (int k = 0; k < 3; ++k)
        uv += node.place.barycentric[k] * triangles_.mesh.uvs[CornerId(3 * node.place.face.index() + at(k))];
      out_.mesh.uvs.push_back(uv);
    }
    out_.mesh.add_face(corners);
    out_.polygon.push_back(polygon_);
  }
};

}  // namespace

LinearSubdivision subdivided(const Mesh& polygons, const TriangleMesh& triangles,
                             const IdVector<FaceId, char>& chosen, int level) {
  if (level == 0) return Subdivider(polygons, triangles, {polygons.face_count(), 0}, 0).take();
  return Subdivider(polygons, triangles, chosen, level).take();
}

double longest_edge(const Mesh& polygons, const IdVector<FaceId, char>& chosen) {
  double longest = 0;
  for (FaceId f : ids<FaceId>(polygons.face_count())) {
    const auto corners = polygons.face(f);
    for (std::size_t i = 0; chosen[f] && i < corners.size(); ++i)
      longest = std::max(
          longest,
          (polygons.positions[corners[i]] - polygons.positions[corners[(i + 1) % corners.size()]]).norm());
  }
  return longest;
}

int subdivision_level(const Mesh& polygons, const IdVector<FaceId, char>& chosen, double edge, int most) {
  const double longest = longest_edge(polygons, chosen);
  int level = 0;
  while (level < most && std::ldexp(longest, -level) > edge) ++level;
  return level;
}

std::size_t subdivided_vertex_count(const Mesh& polygons, const IdVector<FaceId, char>& chosen, int level) {
  const std::size_t on_edge = (std::size_t(1) << level) - 1;  // and on a diagonal
  const std::size_t in_triangle = level == 0 ? 0 : on_edge * (on_edge - 1) / 2;
  std::size_t count = polygons.vertex_count();
  for (const char cut : cut_edges(Topology(polygons), chosen)) count += cut ? on_edge : 0;
  for (FaceId f : ids<FaceId>(polygons.face_count())) {
    if (!chosen[f]) continue;
    const std::size_t size = polygons.face_size(f);
    count += size == 4 ? on_edge * on_edge : (size - 3) * on_edge + (size - 2) * in_triangle;
  }
  return count;
}

}  // namespace cutis
