#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/body/procedural/organic/level_set_mesh.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

constexpr int kRounds = 12;
constexpr int kAttempts = 6;

/// Evens the mesh out: each vertex goes half the way to the middle of its neighbours, along the surface, and
/// then back onto it.
void relax(Mesh& mesh, const ImplicitBody& body) {
  const Topology topology(mesh);
  Points next(mesh.vertex_count());
  for (int round = 0; round < kRounds; ++round) {
    parallel_for(mesh.vertex_count(), [&](std::size_t i) {
      const VertexId v(i);
      Vec3 sum = Vec3::Zero();
      int count = 0;
      const HalfedgeId first = topology.halfedge(v);
      HalfedgeId h = first;
      do {
        sum += mesh.positions[topology.to(h)];
        ++count;
        h = topology.rotate(h);
      } while (h != first);
      const Vec3 p = mesh.positions[v];
      const Vec3 q = p + 0.5 * (sum / count - p);
      const ImplicitBody::Sample at = body.sample(q);
      next[v] = q - at.distance * at.gradient / std::max(at.gradient.squaredNorm(), 0.25);
    });
    std::swap(mesh.positions, next);
  }
}

bool is_one_sphere(const MeshReport& report) {
  return report.manifold() && report.closed() && report.parts.size() == 1 && report.parts[0].genus == 0;
}

}  // namespace

Mesh implicit_mesh(const std::string& name, const ImplicitBody& body, double edge) {
  const auto refusal = [&](double most) {
    return InputError(
        fmt::format("body \"{}\": an edge length of {:.4g} m is too coarse for its thin parts; give one of "
                    "at most {:.4g} m",
                    name, edge, std::floor(1e4 * most) / 1e4));
  };
  // A voxel must fit into the thinnest part.
  const double coarsest = 1.6 * body.thinnest();
  if (edge > coarsest) throw refusal(coarsest);
  Vec3 low, high;
  body.bounds(low, high);
  // Where two sheets meet the grid unluckily the contour is not manifold; a slightly finer grid lies
  // otherwise.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double size = edge * (1 - 0.02 * attempt);
    Mesh mesh = level_set_mesh([&](const Vec3& p) { return body.sample(p).distance; }, low, high, size);
    if (!is_one_sphere(diagnose(mesh))) continue;
    relax(mesh, body);
    return mesh;
  }
  throw refusal(0.7 * edge);
}

}  // namespace cutis
