#include "cutis/skin/force_density/patch_embedding.h"

#include "cutis/core/log.h"
#include "cutis/skin/force_density/patch_outline.h"
#include "cutis/skin/force_density/unfold.h"

namespace cutis {
namespace {

constexpr double solver_tolerance = 1e-4;  // of the mean edge of the layout

std::vector<char> pinned_vertices(const PatchDisk& disk, std::vector<char> pinned) {
  pinned.resize(disk.mesh.vertex_count(), 0);
  for (VertexId v : disk.outline) pinned[v.index()] = 1;
  for (const auto& hole : disk.holes)
    for (VertexId v : hole) pinned[v.index()] = 1;
  return pinned;
}

EdgeDensities densities_at_rest(const Mesh& mesh, const Topology& topology, const EmbeddingOptions& options,
                                const std::vector<char>& diagonals) {
  std::vector<double> factor = options.factor;
  if (!factor.empty()) factor.resize(mesh.vertex_count(), 1.0);
  EdgeDensities densities(topology, options.density, std::move(factor), diagonals);
  densities.update(mesh.positions);
  return densities;
}

/// The patch at rest with its holes filled, so that only the outline says where the rims of the holes go:
/// no net folds in a convex outline, and flat skin comes out flat.
Layout lay_out_filled(const PatchDisk& disk, const EmbeddingOptions& options,
                      const std::vector<Vec2>& outline) {
  const Mesh filled = disk.filled();
  const Topology filled_topology(filled);
  const EdgeDensities densities = densities_at_rest(filled, filled_topology, options, {});
  std::vector<char> pinned(filled.vertex_count(), 0);
  Layout layout(filled.vertex_count(), Vec2::Zero());
  for (std::size_t i = 0; i < outline.size(); ++i) {
    pinned[disk.outline[i].index()] = 1;
    layout[disk.outline[i]] = outline[i];
  }
  NetEquilibrium equilibrium(pinned, densities.branches(), densities.symmetric(), EmbeddingSolver::Direct);
  equilibrium.solve_directly(densities.branches(), layout);
  unfold(filled, filled_topology, filled.positions, pinned, layout);
  layout.resize(disk.mesh.vertex_count());
  return layout;
}

double mean_edge(const Topology& t, const Layout& layout) {
  double sum = 0;
  for (EdgeId e : ids<EdgeId>(t.edge_count()))
    sum += (layout[t.to(t.halfedge(e))] - layout[t.from(t.halfedge(e))]).norm();
  return sum / static_cast<double>(t.edge_count());
}

}  // namespace

PatchEmbedding::PatchEmbedding(const PatchDisk& disk, const Topology& topology,
                               const EmbeddingOptions& options)
    : disk_(&disk),
      topology_(&topology),
      densities_(densities_at_rest(disk.mesh, topology, options, disk.diagonals(topology))),
      equilibrium_(pinned_vertices(disk, options.stuck), densities_.branches(), densities_.symmetric(),
                   options.solver) {
  lay_out_rest(lay_out_filled(disk, options, lay_outline(disk, topology, options.outline)));
  if (folded_.empty() || options.outline != OutlineShape::Developed) return;
  log().warn(
      "patch \"{}\": it cannot be laid into its own border unrolled without folds; it is laid out to a "
      "circle. A patch that bends less keeps its shape better",
      disk.name);
  lay_out_rest(lay_out_filled(disk, options, circle_outline(disk)));
}

void PatchEmbedding::lay_out_rest(Layout start) {
  const Points& positions = disk_->mesh.positions;
  densities_.update(positions);
  start_.first = std::move(start);
  equilibrium_.solve_directly(densities_.branches(), start_.first);
  tolerance_ = solver_tolerance * mean_edge(*topology_, start_.first);
  start_.second = start_.before = start_.first;
  if (densities_.linear()) {
    densities_.stiffen(positions, start_.first);
    equilibrium_.solve_directly(densities_.branches(), start_.second);
  }
  embed(positions);
  rest_ = now_;
}

EquilibriumReport PatchEmbedding::embed(const Points& positions) {
  densities_.update(positions);
  Layout& first = start_.first;
  Layout& second = start_.second;
  // Skin that moved on will move on: the first solve starts there. The second starts from its last layout,
  // moved as the first has moved.
  for (VertexId v : ids<VertexId>(second.size())) {
    second[v] -= first[v];
    start_.before[v] = 2 * first[v] - start_.before[v];
  }
  std::swap(first, start_.before);
  EquilibriumReport report =
      equilibrium_.solve(densities_.branches(), first, densities_.linear() ? 10 * tolerance_ : tolerance_);
  for (VertexId v : ids<VertexId>(second.size())) second[v] += first[v];
  if (densities_.linear()) {
    densities_.stiffen(positions, first);
    report.iterations += equilibrium_.solve(densities_.branches(), second, tolerance_).iterations;
  }
  now_ = second;
  folded_ = unfold(disk_->mesh, *topology_, positions, equilibrium_.pinned(), now_);
  return report;
}

}  // namespace cutis
