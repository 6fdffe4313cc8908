#include "cutis/surface/mesh/repair.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/orientation.h"
#include "cutis/surface/mesh/seams.h"

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
  Notes(std::vector<std::string>& notes, const Weld* weld) : notes_(notes), weld_(weld) {}
  void add(const std::vector<VertexId>& places, const char* what, const char* done) {
    if (!places.empty()) add(places.size(), what, fmt::format("vertex {}", number(places[0])), done);
  }
  void add(const std::vector<FaceId>& places, const char* what, const char* done) {
    if (!places.empty())
      add(places.size(), what,
          fmt::format("face {}", weld_ ? weld_->source_face[places[0]].value : places[0].value), done);
  }
  void add_edges(std::size_t count, const EdgePlace& first, const char* what, const char* done) {
    add(count, what, fmt::format("edge {}-{}", number(first.first), number(first.second)), done);
  }

 private:
  std::vector<std::string>& notes_;
  const Weld* weld_;

  int number(VertexId v) const { return weld_ ? weld_->representative[v].value : v.value; }
  void add(std::size_t count, const char* what, const std::string& first, const char* done) {
    notes_.push_back(fmt::format("{}: {} (first: {}), {}", what, count, first, done));
  }
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
  notes.add(degenerate, "faces that name a vertex twice",
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
  notes.add(dropped, "duplicate faces", "dropped");
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
  notes.add(turned, "faces turned against most of their part", "turned over");
  if (!turn.one_sided.empty()) {
    const EdgeSide& s = edges[turn.one_sided[0]][0];
    notes.add_edges(turn.one_sided.size(), {s.low, s.high},
                    "edges where a one-sided surface cannot be oriented", "cut open");
  }
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
    notes.add_edges(seams.split_edges().size(), seams.split_edges()[0], "edges with more than two faces",
                    "split into separate sheets");
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
  notes.add(split_vertices, "vertices shared by separate sheets or fans of faces", "split, one for each");
  notes.add(isolated, "vertices of no face", "left out");
  notes.add(lost, "vertices whose faces were all dropped", "left out");
}

void note_what_stays(const Mesh& old, RepairResult& result, Notes& notes) {
  for (FaceId f : ids<FaceId>(result.mesh.face_count()))
    if (flatness(result.mesh, f) <= zero_area_flatness) result.zero_area_faces.push_back(f);
  std::vector<FaceId> old_faces;
  for (FaceId f : result.zero_area_faces) old_faces.push_back(result.old_face[f]);
  notes.add(old_faces, "faces without area", "kept, so that the surface stays whole");
  std::vector<VertexId> together = find_duplicate_vertices(old);
  std::erase_if(together, [&](VertexId v) { return !result.new_vertex[v].valid(); });
  notes.add(together, "vertices in the place of another", "left apart; welding would join them");
}

}  // namespace

Points RepairResult::gather(const Points& old_positions) const {
  Points points(old_vertex.size());
  for (VertexId v : ids<VertexId>(points.size())) points[v] = old_positions[old_vertex[v]];
  return points;
}

RepairResult repair(const Mesh& mesh, const Weld* weld) {
  for (VertexId v : ids<VertexId>(mesh.vertex_count()))
    if (!mesh.positions[v].allFinite())
      throw InputError(
          fmt::format("vertex {}: a coordinate is no number; mend or delete it in the program that "
                      "wrote the mesh",
                      weld ? weld->representative[v].value : v.value));
  RepairResult result;
  Notes notes(result.notes, weld);
  Draft draft = drop_duplicates(mesh, cut_degenerate(mesh, notes), notes);
  orient_faces(draft, notes);
  Seams seams(draft.mesh);
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
