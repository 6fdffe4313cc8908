#include "cutis/surface/mesh/diagnose.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cutis/core/disjoint_sets.h"
#include "cutis/surface/mesh/orientation.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {
namespace {

/// A face's vertices as a key that does not depend on where it starts or which way it runs.
std::vector<VertexId> canonical(std::span<const VertexId> face) {
  std::vector<VertexId> key(face.begin(), face.end());
  std::rotate(key.begin(), std::min_element(key.begin(), key.end()), key.end());
  if (key.size() > 2 && key.back() < key[1]) std::reverse(key.begin() + 1, key.end());
  return key;
}

bool names_a_vertex_twice(std::span<const VertexId> face) {
  std::vector<VertexId> sorted(face.begin(), face.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

IdVector<FaceId, char> marked(std::size_t faces, const FaceDefects& defects) {
  IdVector<FaceId, char> mark(faces, 0);
  for (FaceId f : defects.degenerate) mark[f] = 1;
  for (FaceId f : defects.duplicate) mark[f] = 1;
  return mark;
}

void report_vertices(const Mesh& mesh, MeshReport& report) {
  IdVector<VertexId, char> used(mesh.vertex_count(), 0);
  for (VertexId v : mesh.corners) used[v] = 1;
  for (VertexId v : ids<VertexId>(mesh.vertex_count())) {
    if (!used[v]) report.isolated_vertices.push_back(v);
    if (!mesh.positions[v].allFinite()) report.not_finite.push_back(v);
  }
  if (report.not_finite.empty()) report.duplicate_vertices = find_duplicate_vertices(mesh);
}

void report_faces(const Mesh& mesh, const IdVector<FaceId, char>& skip, MeshReport& report) {
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    report.triangles += mesh.face_size(f) == 3;
    report.quads += mesh.face_size(f) == 4;
    if (skip[f]) continue;
    const double flat = flatness(mesh, f);
    if (flat <= zero_area_flatness)
      report.zero_area_faces.push_back(f);
    else if (flat <= sliver_flatness)
      report.slivers.push_back(f);
  }
}

/// Vertices whose corners fall into several fans. A fan is held together by the edges at the vertex, however
/// many faces they have.
void report_fans(const Mesh& mesh, const EdgeTable& edges, const IdVector<FaceId, char>& skip,
                 MeshReport& report) {
  DisjointSets fans(mesh.corner_count());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    const auto corner_at = [&](const EdgeSide& s, bool low) {
      return (s.forward == low ? s.corner : corner_after(mesh, s.face, s.corner)).index();
    };
    for (std::size_t i = 1; i < sides.size(); ++i)
      for (bool low : {true, false}) fans.join(corner_at(sides[0], low), corner_at(sides[i], low));
  }
  IdVector<VertexId, int> count(mesh.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i);
      if (!skip[f] && fans.root(c.index()) == c.index()) ++count[mesh.corners[c]];
    }
  }
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (count[v] > 1) report.nonmanifold_vertices.push_back(v);
}

/// Faces joined over edges; faces that are skipped have part -1.
IdVector<FaceId, int> find_parts(const Mesh& mesh, const EdgeTable& edges, const IdVector<FaceId, char>& skip,
                                 MeshReport& report) {
  DisjointSets sets(mesh.face_count());
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const EdgeSide& s : edges[e]) sets.join(edges[e][0].face.index(), s.face.index());
  IdVector<FaceId, int> part(mesh.face_count(), -1);
  std::vector<std::pair<VertexId, int>> vertices;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    if (skip[f]) continue;
    const FaceId root(sets.root(f.index()));
    if (root == f) {
      part[f] = static_cast<int>(report.parts.size());
      report.parts.emplace_back().first_face = f;
    }
    part[f] = part[root];
    ++report.parts[static_cast<std::size_t>(part[f])].faces;
    for (VertexId v : mesh.face(f)) vertices.emplace_back(v, part[f]);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const auto& [v, p] : vertices) ++report.parts[static_cast<std::size_t>(p)].vertices;
  for (std::size_t e = 0; e < edges.size(); ++e)
    ++report.parts[static_cast<std::size_t>(part[edges[e][0].face])].edges;
  return part;
}

void report_borders(const Mesh& mesh, const EdgeTable& edges, const IdVector<FaceId, int>& part,
                    MeshReport& report) {
  // Two parts may touch in a vertex of their borders; those are borders of their own.
  std::map<std::pair<int, VertexId>, std::size_t> nodes;
  std::vector<const EdgeSide*> border_sides;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].size() != 1) continue;
    const EdgeSide& s = edges[e][0];
    border_sides.push_back(&s);
    for (VertexId v : {s.low, s.high}) nodes.try_emplace({part[s.face], v}, 0);
  }
  std::size_t count = 0;
  for (auto& [place, number] : nodes) number = count++;
  DisjointSets sets(count);
  const auto node = [&](const EdgeSide& s, VertexId v) { return nodes.at({part[s.face], v}); };
  for (const EdgeSide* s : border_sides) sets.join(node(*s, s->low), node(*s, s->high));
  std::map<std::size_t, std::size_t> border_of;  // root node -> border
  for (const auto& [place, number] : nodes) {
    if (sets.root(number) != number) continue;
    border_of[number] = report.borders.size();
    report.borders.push_back({place.second, place.first});
    ++report.parts[static_cast<std::size_t>(place.first)].borders;
  }
  for (const EdgeSide* s : border_sides) {
    BorderReport& border = report.borders[border_of.at(sets.root(node(*s, s->low)))];
    ++border.edges;
    border.length += (mesh.positions[s->high] - mesh.positions[s->low]).norm();
  }
}

/// Euler-Poincaré: V - E + F = 2 - 2 genus - borders, on a part that is an orientable manifold.
void report_genus(const Mesh& mesh, const EdgeTable& edges, const IdVector<FaceId, int>& part,
                  const std::vector<std::size_t>& one_sided, MeshReport& report) {
  std::vector<char> sound(report.parts.size(), 1);
  const auto spoil = [&](FaceId f) { sound[static_cast<std::size_t>(part[f])] = 0; };
  for (std::size_t e : one_sided) spoil(edges[e][0].face);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e].size() > 2) spoil(edges[e][0].face);
  IdVector<VertexId, char> joint(mesh.vertex_count(), 0);
  for (VertexId v : report.nonmanifold_vertices) joint[v] = 1;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f))
      if (joint[v] && part[f] >= 0) spoil(f);
  for (std::size_t p = 0; p < report.parts.size(); ++p) {
    PartReport& r = report.parts[p];
    if (sound[p]) r.genus = (2 - static_cast<int>(r.borders) - r.euler()) / 2;
  }
}

}  // namespace

FaceDefects find_face_defects(const Mesh& mesh) {
  FaceDefects defects;
  std::map<std::vector<VertexId>, FaceId> seen;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    if (face.size() < 3 || names_a_vertex_twice(face))
      defects.degenerate.push_back(f);
    else if (!seen.emplace(canonical(face), f).second)
      defects.duplicate.push_back(f);
  }
  return defects;
}

std::vector<VertexId> find_duplicate_vertices(const Mesh& mesh) {
  SourceMesh points;
  points.positions = SourcePoints(mesh.positions.raw());
  const Weld w = weld(points, default_weld_tolerance(points));
  std::vector<VertexId> duplicates;
  for (SourceVertexId v : ids<SourceVertexId>(points.vertex_count()))
    if (w.representative[w.vertex_of[v]] != v) duplicates.emplace_back(v.index());
  return duplicates;
}

double flatness(const Mesh& mesh, FaceId f) {
  const auto v = mesh.face(f);
  double longest = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    longest = std::max(longest, (mesh.positions[v[(i + 1) % v.size()]] - mesh.positions[v[i]]).squaredNorm());
  if (!(longest > 0)) return 0;
  // A triangle's area is half its longest side times its height, a quad's nearly all of it.
  return area_vector(mesh, f).norm() / longest * (v.size() == 3 ? 2 : 1);
}

MeshReport diagnose(const Mesh& mesh) {
  MeshReport report;
  report.vertices = mesh.vertex_count();
  report.faces = mesh.face_count();
  FaceDefects defects = find_face_defects(mesh);
  const IdVector<FaceId, char> skip = marked(mesh.face_count(), defects);
  report.degenerate_faces = std::move(defects.degenerate);
  report.duplicate_faces = std::move(defects.duplicate);
  report_vertices(mesh, report);
  report_faces(mesh, skip, report);

  const EdgeTable edges(mesh, skip);
  report.edges = edges.size();
  const auto place = [&](std::size_t e) { return EdgePlace(edges[e][0].low, edges[e][0].high); };
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e].size() > 2) report.nonmanifold_edges.push_back(place(e));
  const Orientation turn = orientation(mesh, edges);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (turn.flip[f]) report.flipped_faces.push_back(f);
  for (std::size_t e : turn.one_sided) report.one_sided_edges.push_back(place(e));

  report_fans(mesh, edges, skip, report);
  const IdVector<FaceId, int> part = find_parts(mesh, edges, skip, report);
  report_borders(mesh, edges, part, report);
  report_genus(mesh, edges, part, turn.one_sided, report);
  return report;
}

bool MeshReport::manifold() const {
  return degenerate_faces.empty() && duplicate_faces.empty() && nonmanifold_edges.empty() &&
         nonmanifold_vertices.empty() && flipped_faces.empty() && one_sided_edges.empty();
}

namespace {

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string part_line(std::size_t number, const PartReport& p) {
  return fmt::format("part {}: {}, {}, {}, Euler characteristic {}", number,
                     counted(p.faces, "face", "faces"),
                     p.borders == 0 ? "closed" : counted(p.borders, "border", "borders"),
                     p.genus < 0 ? "not manifold" : fmt::format("genus {}", p.genus), p.euler());
}

std::string border_line(std::size_t number, const BorderReport& b) {
  return fmt::format("border {}: {}, {:.4g} m long, from vertex {} of part {}", number,
                     counted(b.edges, "edge", "edges"), b.length, b.first_vertex.value, b.part);
}

template <class Place>
void add_defect(std::vector<std::string>& lines, const std::vector<Place>& places, const char* what,
                const char* kind) {
  if (places.empty()) return;
  std::string first;
  if constexpr (std::is_same_v<Place, EdgePlace>)
    first = fmt::format("{}-{}", places[0].first.value, places[0].second.value);
  else
    first = fmt::format("{}", places[0].value);
  lines.push_back(fmt::format("{}: {} (first: {} {})", what, places.size(), kind, first));
}

}  // namespace

std::vector<std::string> MeshReport::lines() const {
  constexpr std::size_t most = 8;  // parts and borders named one by one
  std::vector<std::string> out;
  out.push_back(fmt::format("{}, {}, {} ({}, {}, {} larger)", counted(vertices, "vertex", "vertices"),
                            counted(edges, "edge", "edges"), counted(faces, "face", "faces"),
                            counted(triangles, "triangle", "triangles"), counted(quads, "quad", "quads"),
                            faces - triangles - quads));
  out.push_back(fmt::format("{}, {}", counted(parts.size(), "part", "parts"),
                            closed() ? "closed" : "open: " + counted(borders.size(), "border", "borders")));
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) out.push_back(part_line(i, parts[i]));
  if (parts.size() > most) out.push_back(fmt::format("and {} more parts", parts.size() - most));
  for (std::size_t i = 0; i < std::min(most, borders.size()); ++i) out.push_back(border_line(i, borders[i]));
  if (borders.size() > most) out.push_back(fmt::format("and {} more borders", borders.size() - most));
  add_defect(out, not_finite, "vertices with a coordinate that is no number", "vertex");
  add_defect(out, duplicate_vertices, "vertices in the place of another", "vertex");
  add_defect(out, isolated_vertices, "vertices of no face", "vertex");
  add_defect(out, nonmanifold_vertices, "vertices that join separate fans of faces", "vertex");
  add_defect(out, nonmanifold_edges, "edges with more than two faces", "edge");
  add_defect(out, one_sided_edges, "edges where a one-sided surface cannot be oriented", "edge");
  add_defect(out, degenerate_faces, "faces that name a vertex twice", "face");
  add_defect(out, duplicate_faces, "duplicate faces", "face");
  add_defect(out, zero_area_faces, "faces without area", "face");
  add_defect(out, slivers, "slivers", "face");
  add_defect(out, flipped_faces, "faces turned against their neighbours", "face");
  return out;
}

}  // namespace cutis
