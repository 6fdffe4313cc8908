#include "cutis/surface/repair.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cutis/core/disjoint_sets.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/surface/diagnose.h"
#include "cutis/surface/orientation.h"

namespace cutis {
namespace {

using Loop = std::vector<CornerId>;  ///< a face by its corners in the mesh as given

/// A mesh on its way: faces over the old vertices, with the old corner of each corner.
struct Draft {
  Mesh mesh;
  IdVector<FaceId, FaceId> old_face;
  IdVector<CornerId, CornerId> old_corner;

  void add(const Mesh& old, FaceId f, const Loop& loop) {
    std::vector<VertexId> vertices;
    for (CornerId c : loop) {
      vertices.push_back(old.corners[c]);
      old_corner.push_back(c);
      if (old.has_uvs()) mesh.uvs.push_back(old.uvs[c]);
    }
    mesh.add_face(vertices);
    old_face.push_back(f);
  }
};

class Notes {
 public:
  explicit Notes(std::vector<std::string>& notes) : notes_(notes) {}
  void add(std::size_t count, const char* what, const std::string& first, const char* done) {
    if (count == 0) return;
    notes_.push_back(fmt::format("{}: {} (first: {}), {}", what, count, first, done));
    log().warn("{}", notes_.back());
  }
  template <class Id>
  void add(const std::vector<Id>& places, const char* what, const char* kind, const char* done) {
    if (!places.empty()) add(places.size(), what, fmt::format("{} {}", kind, places[0].value), done);
  }

 private:
  std::vector<std::string>& notes_;
};

/// Cuts a loop at vertices that it passes twice, until none is left: a, b, c, a, d, e becomes a, b, c and
/// a, d, e. Pieces of fewer than three corners (an edge there and back) enclose nothing and are left out.
std::vector<Loop> simple_loops(const Mesh& mesh, Loop loop) {
  std::vector<Loop> pieces;
  Loop open;
  for (CornerId c : loop) {
    const auto same = std::find_if(open.begin(), open.end(),
                                   [&](CornerId d) { return mesh.corners[d] == mesh.corners[c]; });
    if (same != open.end()) {
      if (open.end() - same >= 3) pieces.emplace_back(same, open.end());
      open.erase(same, open.end());
    }
    open.push_back(c);
  }
  if (open.size() >= 3) pieces.push_back(open);
  return pieces;
}

/// Cuts faces that name a vertex twice.
Draft cut_degenerate(const Mesh& mesh, Notes& notes) {
  const std::vector<FaceId> degenerate = find_face_defects(mesh).degenerate;
  Draft draft;
  draft.mesh.positions = mesh.positions;
  auto next = degenerate.begin();
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    Loop loop;
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) loop.emplace_back(mesh.first_corner(f).index() + i);
    if (next == degenerate.end() || *next != f) {
      draft.add(mesh, f, loop);
      continue;
    }
    ++next;
    for (const Loop& piece : simple_loops(mesh, loop)) draft.add(mesh, f, piece);
  }
  notes.add(degenerate, "faces that name a vertex twice", "face",
            "cut there, pieces of fewer than three vertices dropped");
  return draft;
}

Draft drop_duplicates(const Mesh& mesh, const Draft& draft, Notes& notes) {
  const std::vector<FaceId> duplicate = find_face_defects(draft.mesh).duplicate;
  std::vector<FaceId> dropped;
  Draft kept;
  kept.mesh.positions = mesh.positions;
  for (FaceId f : ids<FaceId>(draft.mesh.face_count())) {
    if (dropped.size() < duplicate.size() && duplicate[dropped.size()] == f) {
      dropped.push_back(draft.old_face[f]);
      continue;
    }
    const auto* first = draft.old_corner.data() + draft.mesh.first_corner(f).index();
    kept.add(mesh, draft.old_face[f], Loop(first, first + draft.mesh.face_size(f)));
  }
  notes.add(dropped, "duplicate faces", "face", "dropped");
  return kept;
}

/// Turns faces over, keeping the corner each begins with.
void orient_faces(Draft& draft, Notes& notes) {
  const EdgeTable edges(draft.mesh);
  const Orientation turn = orientation(draft.mesh, edges);
  std::vector<FaceId> turned;
  for (FaceId f : ids<FaceId>(draft.mesh.face_count())) {
    if (!turn.flip[f]) continue;
    turned.push_back(draft.old_face[f]);
    const auto first = static_cast<std::ptrdiff_t>(draft.mesh.first_corner(f).index()) + 1;
    const auto last = first - 1 + static_cast<std::ptrdiff_t>(draft.mesh.face_size(f));
    const auto reverse = [&](auto& corners) {
      std::reverse(corners.begin() + first, corners.begin() + last);
    };
    reverse(draft.mesh.corners);
    reverse(draft.old_corner);
    if (draft.mesh.has_uvs()) reverse(draft.mesh.uvs);
  }
  notes.add(turned, "faces turned against most of their part", "face", "turned over");
  if (!turn.one_sided.empty()) {
    const EdgeSide& s = edges[turn.one_sided[0]][0];
    notes.add(turn.one_sided.size(), "edges where a one-sided surface cannot be oriented",
              fmt::format("edge {}-{}", s.low.value, s.high.value), "cut open");
  }
}

/// Which sides of faces are joined, and the vertices that follow from it.
class Seams {
 public:
  explicit Seams(const Mesh& mesh);

  /// Cuts until no two edges join the same two vertices: then every edge has one or two faces.
  void resolve();
  /// The corners of one new vertex have one number: that of the first of them.
  std::size_t vertex(CornerId c) { return fans_.root(c.index()); }
  const std::vector<EdgePlace>& split_edges() const { return split_edges_; }

 private:
  const Mesh& mesh_;
  IdVector<CornerId, CornerId> after_, before_;
  IdVector<CornerId, CornerId> partner_;  ///< the side it is joined to, invalid at a border
  DisjointSets fans_;
  std::vector<EdgePlace> split_edges_;

  void join(CornerId g, CornerId h) {
    partner_[g] = h;
    partner_[h] = g;
  }
  void part(CornerId c) {
    if (partner_[c].valid()) partner_[partner_[c]] = CornerId();
    partner_[c] = CornerId();
  }
  void join_smoothest(std::span<const EdgeSide> sides);
  void collect_fans();
  bool part_conflicts();
};

Seams::Seams(const Mesh& mesh)
    : mesh_(mesh),
      after_(mesh.corner_count()),
      before_(mesh.corner_count()),
      partner_(mesh.corner_count()),
      fans_(0) {
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i), next = corner_after(mesh, f, c);
      after_[c] = next;
      before_[next] = c;
    }
  const EdgeTable edges(mesh);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    if (sides.size() > 2) split_edges_.emplace_back(sides[0].low, sides[0].high);
    join_smoothest(sides);
  }
}

/// Joins sides that run opposite ways, in order of the angle between the faces' normals.
void Seams::join_smoothest(std::span<const EdgeSide> sides) {
  if (sides.size() > 64) return;  // a book of pages: no two of them belong together
  struct Match {
    double smooth;
    CornerId g, h;
  };
  std::vector<Match> matches;
  for (const EdgeSide& s : sides)
    for (const EdgeSide& t : sides) {
      if (!s.forward || t.forward) continue;
      const Vec3 m = area_vector(mesh_, s.face).stableNormalized();
      const Vec3 n = area_vector(mesh_, t.face).stableNormalized();
      matches.push_back({sides.size() > 2 ? m.dot(n) : 1, s.corner, t.corner});
    }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.smooth > b.smooth; });
  for (const Match& m : matches)
    if (!partner_[m.g].valid() && !partner_[m.h].valid()) join(m.g, m.h);
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

void Seams::resolve() {
  // Each round parts sides or ends; when none are joined, no two faces share a vertex.
  do collect_fans();
  while (part_conflicts());
}

/// Numbers the new vertices: the first of each old vertex in the old order, then those split off.
void number_vertices(const Mesh& old, const Draft& draft, Seams& seams, RepairResult& result) {
  const std::size_t corners = draft.mesh.corner_count();
  result.new_vertex.assign(old.vertex_count(), VertexId());
  std::vector<CornerId> first(old.vertex_count());
  for (CornerId c : ids<CornerId>(corners)) {
    CornerId& f = first[draft.mesh.corners[c].index()];
    if (!f.valid()) f = c;
  }
  IdVector<CornerId, VertexId> number(corners);  // at the first corner of each fan
  const auto add = [&](VertexId v, CornerId fan) {
    number[fan] = result.mesh.positions.push_back(old.positions[v]);
    result.old_vertex.push_back(v);
  };
  for (VertexId v : ids<VertexId>(old.vertex_count())) {
    if (!first[v.index()].valid()) continue;
    add(v, first[v.index()]);
    result.new_vertex[v] = number[first[v.index()]];
  }
  for (CornerId c : ids<CornerId>(corners)) {
    const CornerId fan(seams.vertex(c));
    if (!number[fan].valid()) add(draft.mesh.corners[c], fan);
    result.mesh.corners.push_back(number[fan]);
  }
}

void note_splits(const Mesh& old, const Seams& seams, const RepairResult& result, Notes& notes) {
  if (!seams.split_edges().empty()) {
    const auto [a, b] = seams.split_edges()[0];
    notes.add(seams.split_edges().size(), "edges with more than two faces",
              fmt::format("edge {}-{}", a.value, b.value), "split into separate sheets");
  }
  IdVector<VertexId, char> split(old.vertex_count(), 0);
  for (VertexId v : ids<VertexId>(result.old_vertex.size()))
    if (result.new_vertex[result.old_vertex[v]] != v) split[result.old_vertex[v]] = 1;
  IdVector<VertexId, char> used(old.vertex_count(), 0);
  for (VertexId v : old.corners) used[v] = 1;
  std::vector<VertexId> split_vertices, isolated, lost;
  for (VertexId v : ids<VertexId>(old.vertex_count())) {
    if (split[v]) split_vertices.push_back(v);
    if (!result.new_vertex[v].valid()) (used[v] ? lost : isolated).push_back(v);
  }
  notes.add(split_vertices, "vertices shared by separate sheets or fans of faces", "vertex",
            "split, one for each");
  notes.add(isolated, "vertices of no face", "vertex", "dropped");
  notes.add(lost, "vertices whose faces were all dropped", "vertex", "dropped");
}

void note_what_stays(const Mesh& old, RepairResult& result, Notes& notes) {
  for (FaceId f : ids<FaceId>(result.mesh.face_count()))
    if (flatness(result.mesh, f) <= zero_area_flatness) result.zero_area_faces.push_back(f);
  std::vector<FaceId> old_faces;
  for (FaceId f : result.zero_area_faces) old_faces.push_back(result.old_face[f]);
  notes.add(old_faces, "faces without area", "face", "kept, so that the surface stays whole");
  std::vector<VertexId> together = find_duplicate_vertices(old);
  std::erase_if(together, [&](VertexId v) { return !result.new_vertex[v].valid(); });
  notes.add(together, "vertices in the place of another", "vertex", "left apart; welding would join them");
}

}  // namespace

Points RepairResult::gather(const Points& old_positions) const {
  Points points(old_vertex.size());
  for (VertexId v : ids<VertexId>(points.size())) points[v] = old_positions[old_vertex[v]];
  return points;
}

RepairResult repair(const Mesh& mesh) {
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (!mesh.positions[v].allFinite())
      throw InputError(
          fmt::format("vertex {}: a coordinate is no number; mend or delete it in the program that "
                      "wrote the mesh",
                      v.value));
  RepairResult result;
  Notes notes(result.notes);
  Draft draft = drop_duplicates(mesh, cut_degenerate(mesh, notes), notes);
  orient_faces(draft, notes);
  Seams seams(draft.mesh);
  seams.resolve();
  number_vertices(mesh, draft, seams, result);
  result.mesh.face_offsets = draft.mesh.face_offsets;
  result.mesh.uvs = draft.mesh.uvs;
  result.old_face = draft.old_face;
  result.old_corner = draft.old_corner;
  note_splits(mesh, seams, result, notes);
  note_what_stays(mesh, result, notes);
  return result;
}

}  // namespace cutis
