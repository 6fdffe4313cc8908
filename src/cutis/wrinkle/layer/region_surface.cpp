#include "cutis/wrinkle/layer/region_surface.h"

#include <array>
#include <cmath>

#include "cutis/core/disjoint_sets.h"
#include "cutis/core/error.h"
#include "cutis/core/turning_frame.h"

namespace cutis {
namespace {

/// Far above the noise of turned coordinates and far below what a wrinkle is: 1e-8 of the size or less. A
/// power of two, so that it has no noise itself.
double rounding_unit(double size) { return std::exp2(std::floor(std::log2(size)) - 27); }

Vec3 rounded(const Vec3& x, double unit) { return (x / unit).array().round() * unit; }

/// Corners around a vertex that hang together by edges within the region. Where a region meets itself in one
/// vertex there are several such fans, and the surface is cut between them.
DisjointSets fans_of(const Surface& body, const std::vector<char>& region) {
  const Topology& t = body.topology();
  const auto inside = [&](HalfedgeId h) { return region.empty() || region[t.face(h).index()]; };
  DisjointSets fans(body.mesh().corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(body.mesh().corner_count())) {
    const HalfedgeId g = t.twin(h);
    if (t.is_border(g) || !inside(h) || !inside(g)) continue;
    fans.join(h.index(), t.next(g).index());
    fans.join(t.next(h).index(), g.index());
  }
  return fans;
}

}  // namespace

RegionSurface region_surface(const Surface& body, const std::vector<char>& region) {
  Mesh mesh;
  IdVector<FaceId, FaceId> faces;
  DisjointSets fans = fans_of(body, region);
  IdVector<CornerId, VertexId> number(body.mesh().corner_count());  // of each fan, at its first corner
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) {
    if (!region.empty() && !region[f.index()]) continue;
    std::array<VertexId, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const CornerId fan(fans.root(3 * f.index() + k));
      if (!number[fan].valid())
        number[fan] = mesh.positions.push_back(body.positions()[body.mesh().face(f)[k]]);
      corners[k] = number[fan];
    }
    mesh.add_face(corners);
    faces.push_back(f);
  }
  if (faces.empty()) throw InputError("the region that is to wrinkle has no triangle");
  const auto v = mesh.face(FaceId(0));
  const Vec3 origin = mesh.positions[v[0]];
  const Mat3 turn = turning_frame(mesh.positions[v[1]] - origin, mesh.positions[v[2]] - origin);
  for (Vec3& x : mesh.positions) x = turn.transpose() * (x - origin);
  const double unit = rounding_unit(bounding_diagonal(mesh.positions.raw()));
  for (Vec3& x : mesh.positions) x = rounded(x, unit);
  Surface surface(std::move(mesh));
  IdVector<CornerId, char> cut(surface.mesh().corner_count(), 0);
  for (HalfedgeId h : ids<HalfedgeId>(cut.size())) {
    if (!surface.topology().is_border(surface.topology().twin(h))) continue;
    const FaceId face = faces[surface.topology().face(h)];
    const HalfedgeId on_body(body.mesh().first_corner(face).index() + h.index() % 3);
    cut[h] = !body.topology().is_border(body.topology().twin(on_body));
  }
  return {std::move(surface), turn, origin, std::move(faces), std::move(cut)};
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

}  // namespace cutis
