#include "cutis/skin/force_density/patch_disk.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/disjoint_sets.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"

namespace cutis {
namespace {

constexpr double no_length = 1e-9;  // of the mean edge: shorter ones have no direction

double loop_length(const Mesh& mesh, const std::vector<VertexId>& loop) {
  double length = 0;
  for (std::size_t i = 0; i < loop.size(); ++i)
    length += (mesh.positions[loop[(i + 1) % loop.size()]] - mesh.positions[loop[i]]).norm();
  return length;
}

class Cutter {
 public:
  Cutter(const SlidePatch& patch, const Body& body, const TriangleMesh& triangles, const Topology& topology)
      : patch_(patch), body_(body), triangles_(triangles), topology_(topology) {}

  PatchDisk cut() {
    pick();
    while (drop_loose_pieces() || drop_pinched_fans())
      ;
    PatchDisk disk = numbered();
    const Topology local(disk.mesh);
    check_lengths(disk, local);
    set_loops(disk, local);
    check_disk(disk, local);
    set_corners(disk);
    return disk;
  }

 private:
  const SlidePatch& patch_;
  const Body& body_;
  const TriangleMesh& triangles_;
  const Topology& topology_;
  IdVector<FaceId, char> kept_;  ///< of the triangles

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("patch \"{}\": {}", patch_.name, why));
  }
  int number(VertexId body_vertex) const { return body_.weld().representative[body_vertex].value; }

  void pick() {
    IdVector<FaceId, char> polygons(body_.mesh().face_count(), 0);
    const auto mark = [&](const std::vector<FaceId>& faces, char value) {
      for (FaceId f : faces) {
        if (!f.valid() || f.index() >= polygons.size())
          fail(fmt::format("there is no face {}; the body has {}", f.value, polygons.size()));
        polygons[f] = value;
      }
    };
    mark(patch_.polygons, 1);
    mark(patch_.excluded, 0);
    kept_.assign(topology_.face_count(), 0);
    std::size_t count = 0;
    for (FaceId t : ids<FaceId>(topology_.face_count())) count += kept_[t] = polygons[triangles_.polygon[t]];
    if (count == 0) fail("it has no faces; widen the region or exclude less");
  }

  double area(FaceId t) const {
    const auto face = triangles_.mesh.face(t);
    const Points& p = triangles_.mesh.positions;
    return 0.5 * (p[face[1]] - p[face[0]]).cross(p[face[2]] - p[face[0]]).norm();
  }

  bool keeps(HalfedgeId h) const { return !topology_.is_border(h) && kept_[topology_.face(h)]; }

  bool drop_loose_pieces() {
    DisjointSets sets(kept_.size());
    for (HalfedgeId h : ids<HalfedgeId>(topology_.corner_count()))
      if (keeps(h) && keeps(topology_.twin(h)))
        sets.join(topology_.face(h).index(), topology_.face(topology_.twin(h)).index());
    std::vector<double> areas(kept_.size(), 0.0);
    for (FaceId t : ids<FaceId>(kept_.size()))
      if (kept_[t]) areas[sets.root(t.index())] += area(t);
    const auto largest =
        static_cast<std::size_t>(std::max_element(areas.begin(), areas.end()) - areas.begin());
    std::size_t dropped = 0;
    FaceId first;
    for (FaceId t : ids<FaceId>(kept_.size()))
      if (kept_[t] && sets.root(t.index()) != sets.root(largest)) {
        if (!first.valid()) first = t;
        kept_[t] = 0;
        ++dropped;
      }
    if (dropped > 0)
      log().warn(
          "patch \"{}\": {} triangles hang on no edge of its largest piece (the first in face {}) and "
          "stay as they are; give them a patch of their own to slide",
          patch_.name, dropped, body_.weld().source_face[triangles_.polygon[first]].value);
    return dropped > 0;
  }

  /// The runs of kept faces around a vertex, each as its half-edges.
  std::vector<std::vector<HalfedgeId>> fans(VertexId v) const {
    std::vector<HalfedgeId> around;
    const HalfedgeId start = topology_.halfedge(v);
    HalfedgeId h = start;
    do {
      around.push_back(h);
      h = topology_.rotate(h);
    } while (h != start && !topology_.is_border(h));
    // Around an inner vertex the count starts after a gap, so that no run is cut in two.
    if (h == start) {
      const auto gap = std::find_if(around.begin(), around.end(), [&](HalfedgeId g) { return !keeps(g); });
      if (gap != around.end()) std::rotate(around.begin(), gap, around.end());
    }
    std::vector<std::vector<HalfedgeId>> runs;
    bool open = false;
    for (HalfedgeId g : around) {
      if (keeps(g)) {
        if (!open) runs.emplace_back();
        runs.back().push_back(g);
      }
      open = keeps(g);
    }
    return runs;
  }

  bool drop_pinched_fans() {
    bool dropped = false;
    for (VertexId v : ids<VertexId>(topology_.vertex_count())) {
      if (!topology_.halfedge(v).valid()) continue;
      const auto runs = fans(v);
      if (runs.size() < 2) continue;
      const auto largest = std::max_element(runs.begin(), runs.end(),
                                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
      for (auto run = runs.begin(); run != runs.end(); ++run)
        if (run != largest)
          for (HalfedgeId h : *run) kept_[topology_.face(h)] = 0;
      log().warn("patch \"{}\": pinched at vertex {}; the smaller side of it there stays as it is",
                 patch_.name, number(v));
      dropped = true;
    }
    return dropped;
  }

  PatchDisk numbered() const {
    PatchDisk disk;
    disk.name = patch_.name;
    IdVector<VertexId, VertexId> local(topology_.vertex_count());
    for (FaceId t : ids<FaceId>(kept_.size())) {
      if (!kept_[t]) continue;
      std::array<VertexId, 3> face;
      for (std::size_t k = 0; k < 3; ++k) {
        const VertexId v = triangles_.mesh.face(t)[k];
        if (!local[v].valid()) {
          local[v] = disk.body_vertex.push_back(v);
          disk.mesh.positions.push_back(triangles_.mesh.positions[v]);
        }
        face[k] = local[v];
      }
      disk.mesh.add_face(face);
      disk.body_face.push_back(t);
      disk.polygon.push_back(triangles_.polygon[t]);
    }
    return disk;
  }

  void check_lengths(const PatchDisk& disk, const Topology& local) const {
    const auto length = [&](EdgeId e) {
      const HalfedgeId h = local.halfedge(e);
      return (disk.mesh.positions[local.to(h)] - disk.mesh.positions[local.from(h)]).norm();
    };
    double sum = 0;
    for (EdgeId e : ids<EdgeId>(local.edge_count())) sum += length(e);
    const double mean = sum / static_cast<double>(local.edge_count());
    for (EdgeId e : ids<EdgeId>(local.edge_count()))
      if (!(length(e) > no_length * mean))
        fail(fmt::format(
            "the edge between vertices {} and {} has no length; weld them with a larger body.weld "
            "or take them apart",
            number(disk.body_vertex[local.from(local.halfedge(e))]),
            number(disk.body_vertex[local.to(local.halfedge(e))])));
  }

  void set_loops(PatchDisk& disk, const Topology& local) const {
    for (HalfedgeId start : local.border_loops()) {
      std::vector<VertexId> loop;
      HalfedgeId h = start;
      do {
        loop.push_back(local.from(h));
        h = local.next(h);
      } while (h != start);
      // Border half-edges have the patch on their right.
      std::reverse(loop.begin(), loop.end());
      disk.holes.push_back(std::move(loop));
    }
    if (disk.holes.empty())
      fail("it covers a closed surface and has no border to hold on to; leave some faces out");
    const auto outer = std::max_element(
        disk.holes.begin(), disk.holes.end(),
        [&](const auto& a, const auto& b) { return loop_length(disk.mesh, a) < loop_length(disk.mesh, b); });
    disk.outline = std::move(*outer);
    disk.holes.erase(outer);
  }

  void check_disk(const PatchDisk& disk, const Topology& local) const {
    std::size_t border = disk.outline.size();
    for (const auto& hole : disk.holes) border += hole.size();
    if (border == local.vertex_count())
      fail(fmt::format("it has no vertex inside: all {} lie on its border; widen it by a ring of faces",
                       local.vertex_count()));
    // Euler: V - E + F + borders = 2 - 2 handles.
    const auto count = [](std::size_t n) { return static_cast<long>(n); };
    const long handles = (2 - count(local.vertex_count()) + count(local.edge_count()) -
                          count(local.face_count()) - count(disk.holes.size() + 1)) /
                         2;
    if (handles != 0)
      fail(
          fmt::format("it is no disk: it goes around {} handle{} and cannot be laid flat; leave out a strip "
                      "of faces across each",
                      handles, handles == 1 ? "" : "s"));
  }

  void set_corners(PatchDisk& disk) const {
    if (patch_.corners.empty()) return;
    if (patch_.corners.size() != 4)
      fail(fmt::format("it has {} corners; name four or none", patch_.corners.size()));
    std::vector<std::size_t> places;
    for (VertexId corner : patch_.corners) {
      const auto place = std::find_if(disk.outline.begin(), disk.outline.end(),
                                      [&](VertexId v) { return disk.body_vertex[v] == corner; });
      if (place == disk.outline.end())
        fail(fmt::format(
            "corner {} does not lie on its outer border; choose a vertex there",
            corner.valid() && corner.index() < body_.mesh().vertex_count() ? number(corner) : corner.value));
      places.push_back(static_cast<std::size_t>(place - disk.outline.begin()));
    }
    std::sort(places.begin(), places.end());
    if (std::adjacent_find(places.begin(), places.end()) != places.end())
      fail("two of its corners are one vertex; choose four");
    for (std::size_t place : places) disk.corners.push_back(disk.outline[place]);
  }
};

}  // namespace

Points PatchDisk::gather(const Points& body_positions) const {
  Points result;
  result.reserve(body_vertex.size());
  for (VertexId v : body_vertex) result.push_back(body_positions[v]);
  return result;
}

std::vector<char> PatchDisk::diagonals(const Topology& topology) const {
  std::vector<char> result;
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    result.push_back(!topology.is_border(e) &&
                     polygon[topology.face(h)] == polygon[topology.face(topology.twin(h))]);
  }
  return result;
}

Mesh PatchDisk::filled() const {
  Mesh result = mesh;
  for (const auto& hole : holes) {
    Vec3 sum = Vec3::Zero();
    for (VertexId v : hole) sum += mesh.positions[v];
    const VertexId middle = result.positions.push_back(sum / static_cast<double>(hole.size()));
    for (std::size_t i = 0; i < hole.size(); ++i) {
      const std::array<VertexId, 3> face{hole[(i + 1) % hole.size()], hole[i], middle};
      result.add_face(face);
    }
  }
  return result;
}

PatchDisk cut_patch(const SlidePatch& patch, const Body& body, const TriangleMesh& triangles,
                    const Topology& topology) {
  return Cutter(patch, body, triangles, topology).cut();
}

}  // namespace cutis
