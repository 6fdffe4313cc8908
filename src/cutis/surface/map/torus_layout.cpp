#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/surface/map/atlas_charts.h"

namespace cutis {
namespace {

constexpr double same_uv = 1e-6;

/// The quarter of the unit square (or of one beside it) that the middle of a face lies in: (0, 0), (1, 0) ...
Vec2 quarter(const Mesh& mesh, FaceId f) {
  const std::size_t c = mesh.first_corner(f).index();
  const Vec2 middle = (mesh.uvs[CornerId(c)] + mesh.uvs[CornerId(c + 1)] + mesh.uvs[CornerId(c + 2)]) / 3;
  if (!middle.allFinite())
    throw InputError(fmt::format("torus layout: face {}: its texture coordinates are not finite", f.value));
  return (2 * middle).array().floor();
}

int odd(double whole) { return static_cast<int>(whole - 2 * std::floor(whole / 2)); }

/// What is added to the UVs on the way over h: whole numbers.
Vec2 jump(const Mesh& mesh, const Topology& t, HalfedgeId h) {
  const HalfedgeId g = t.twin(h);
  const Vec2 at_start = mesh.uvs[t.next(g)] - mesh.uvs[h], at_end = mesh.uvs[g] - mesh.uvs[t.next(h)];
  const Vec2 whole = at_start.array().round();
  if (!((at_start - whole).norm() <= same_uv && (at_end - whole).norm() <= same_uv))
    throw InputError(
        fmt::format("torus layout: edge {}-{}: the texture coordinates jump by ({:.6g}, {:.6g}); those of a "
                    "torus cover the unit square and jump by one across its sides",
                    t.from(h).value, t.to(h).value, at_start.x(), at_start.y()));
  return whole;
}

}  // namespace

ChartLayout torus_layout(const Surface& surface, const Vec2& chart_size) {
  const Mesh& mesh = surface.mesh();
  const Topology& t = surface.topology();
  if (!mesh.has_uvs())
    throw InputError("torus layout: the mesh has no texture coordinates to tell its four charts apart");
  if (!(chart_size.minCoeff() > 0) || !chart_size.allFinite())
    throw InputError(fmt::format("torus layout: a chart of {:.6g} by {:.6g}; both must be positive",
                                 chart_size.x(), chart_size.y()));
  ChartLayout layout;
  for (FaceId f : ids<FaceId>(t.face_count())) {
    const Vec2 q = quarter(mesh, f);
    layout.chart.push_back(odd(q.x()) + 2 * odd(q.y()));
  }
  // In its chart a point is 2 uv - quarter, times the size.
  layout.transitions.resize(t.corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    if (!t.is_border(t.twin(h)))
      layout.transitions[h].shift = chart_size.cwiseProduct(2 * jump(mesh, t, h) + quarter(mesh, t.face(h)) -
                                                            quarter(mesh, t.face(t.twin(h))));
  int components = 0;
  const auto component = t.components();
  for (FaceId f : ids<FaceId>(t.face_count())) {
    if (component[f] != components) continue;
    ++components;
    const CornerId c = t.halfedge(f);
    layout.pins.push_back({c, chart_size.cwiseProduct(2 * mesh.uvs[c] - quarter(mesh, f))});
  }
  return layout;
}

}  // namespace cutis
