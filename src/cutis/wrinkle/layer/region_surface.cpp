#include "cutis/wrinkle/layer/region_surface.h"

#include <algorithm>
#include <map>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// More would not be needed for any body that fits into memory.
constexpr int kMaxCuts = 6;

double longest_edge(const Mesh& mesh) {
  double longest = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.positions[v[k]] - mesh.positions[v[(k + 1) % 3]]).norm());
  }
  return longest;
}

/// Each triangle as four, over the corners of the surface's own triangle `root` that it lies in.
struct RootedMesh {
  Mesh mesh;
  std::vector<FaceId> root;
  std::vector<std::array<Vec3, 3>> barycentric;  ///< of each face's corners in its root
};

RootedMesh in_four(const RootedMesh& coarse) {
  RootedMesh fine;
  fine.mesh.positions = coarse.mesh.positions;
  std::map<std::pair<VertexId, VertexId>, VertexId> middles;
  const auto middle = [&](VertexId a, VertexId b) {
    const auto [place, added] = middles.try_emplace(std::minmax(a, b));
    if (added)
      place->second =
          fine.mesh.positions.push_back((coarse.mesh.positions[a] + coarse.mesh.positions[b]) / 2);
    return place->second;
  };
  for (FaceId f : ids<FaceId>(coarse.mesh.face_count())) {
    const auto v = coarse.mesh.face(f);
    const auto& b = coarse.barycentric[f.index()];
    const std::array<VertexId, 3> m{middle(v[1], v[2]), middle(v[2], v[0]), middle(v[0], v[1])};
    const std::array<Vec3, 3> n{(b[1] + b[2]) / 2, (b[2] + b[0]) / 2, (b[0] + b[1]) / 2};
    const auto add = [&](std::array<VertexId, 3> corners, std::array<Vec3, 3> barycentric) {
      fine.mesh.add_face(corners);
      fine.root.push_back(coarse.root[f.index()]);
      fine.barycentric.push_back(barycentric);
    };
    add({v[0], m[2], m[1]}, {b[0], n[2], n[1]});
    add({v[1], m[0], m[2]}, {b[1], n[0], n[2]});
    add({v[2], m[1], m[0]}, {b[2], n[1], n[0]});
    add(m, n);
  }
  return fine;
}

}  // namespace

RegionSurface region_surface(const Surface& body, const std::vector<char>& region) {
  Mesh mesh;
  IdVector<FaceId, FaceId> faces;
  IdVector<VertexId, VertexId> number(body.positions().size());
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) {
    if (!region.empty() && !region[f.index()]) continue;
    std::array<VertexId, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId v = body.mesh().face(f)[k];
      if (!number[v].valid()) number[v] = mesh.positions.push_back(body.positions()[v]);
      corners[k] = number[v];
    }
    mesh.add_face(corners);
    faces.push_back(f);
  }
  if (faces.empty()) throw InputError("the region that is to wrinkle has no triangle");
  Surface surface(std::move(mesh));
  IdVector<CornerId, char> cut(surface.mesh().corner_count(), 0);
  for (HalfedgeId h : ids<HalfedgeId>(cut.size())) {
    if (!surface.topology().is_border(surface.topology().twin(h))) continue;
    const FaceId face = faces[surface.topology().face(h)];
    const HalfedgeId on_body(body.mesh().first_corner(face).index() + h.index() % 3);
    cut[h] = !body.topology().is_border(body.topology().twin(on_body));
  }
  return {std::move(surface), std::move(faces), std::move(cut)};
}

bool on_cut(const RegionSurface& region, const SurfacePoint& place) {
  constexpr double kOnSide = 1e-6;
  const Topology& t = region.surface.topology();
  for (std::size_t k = 0; k < 3; ++k) {
    const HalfedgeId side(3 * place.face.index() + k);
    if (place.barycentric[static_cast<int>((k + 2) % 3)] > kOnSide) continue;
    if (region.cut[side]) return true;
    if (place.barycentric[static_cast<int>((k + 1) % 3)] > kOnSide) continue;
    // At a vertex: any side that was cut there will do.
    HalfedgeId h = t.halfedge(t.from(side));
    const HalfedgeId start = h;
    do {
      if (!t.is_border(h) && region.cut[h]) return true;
      if (!t.is_border(t.twin(h)) && region.cut[t.twin(h)]) return true;
      h = t.rotate(h);
    } while (h != start);
  }
  return false;
}

CutSurface cut_to_edge(const Surface& surface, double edge) {
  RootedMesh rooted;
  rooted.mesh = surface.mesh();
  rooted.mesh.uvs = {};
  for (FaceId f : ids<FaceId>(rooted.mesh.face_count())) {
    rooted.root.push_back(f);
    rooted.barycentric.push_back({Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()});
  }
  for (int cuts = 0; cuts < kMaxCuts && longest_edge(rooted.mesh) > edge; ++cuts) rooted = in_four(rooted);
  CutSurface out;
  out.places.assign(rooted.mesh.vertex_count(), {});
  for (FaceId f : ids<FaceId>(rooted.mesh.face_count()))
    for (std::size_t k = 0; k < 3; ++k)
      out.places[rooted.mesh.face(f)[k]] = {rooted.root[f.index()], rooted.barycentric[f.index()][k]};
  out.mesh = std::move(rooted.mesh);
  return out;
}

}  // namespace cutis
