#include "cutis/slide/force_density/patch_embedding.h"

#include "cutis/slide/force_density/patch_outline.h"
#include "cutis/slide/force_density/unfold.h"

namespace cutis {
namespace {

constexpr double solver_tolerance = 1e-4;  // of the mean edge of the layout

std::vector<char> pinned_vertices(const PatchDisk& disk) {
  std::vector<char> pinned(disk.mesh.vertex_count(), 0);
  for (VertexId v : disk.outline) pinned[v.index()] = 1;
  for (const auto& hole : disk.holes)
    for (VertexId v : hole) pinned[v.index()] = 1;
  return pinned;
}

EdgeDensities densities_at_rest(const Mesh& mesh, const Topology& topology, const EmbeddingOptions& options) {
  std::vector<double> factor = options.factor;
  if (!factor.empty()) factor.resize(mesh.vertex_count(), 1.0);
  EdgeDensities densities(topology, options.density, std::move(factor));
  densities.update(mesh.positions);
  return densities;
}

/// The patch at rest with its holes filled, so that only the outline says where the rims of the holes go:
/// no net folds in a convex outline, and flat skin comes out flat.
Layout lay_out_filled(const PatchDisk& disk, const Topology& topology, const EmbeddingOptions& options) {
  const Mesh filled = disk.filled();
  const Topology filled_topology(filled);
  const EdgeDensities densities = densities_at_rest(filled, filled_topology, options);
  std::vector<char> pinned(filled.vertex_count(), 0);
  Layout layout(filled.vertex_count(), Vec2::Zero());
  const std::vector<Vec2> outline = lay_outline(disk, topology, options.outline);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    pinned[disk.outline[i].index()] = 1;
    layout[disk.outline[i]] = outline[i];
  }
  NetEquilibrium equilibrium(pinned, densities, EmbeddingSolver::Direct);
  equilibrium.solve_directly(densities, layout);
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
      densities_(densities_at_rest(disk.mesh, topology, options)),
      equilibrium_(pinned_vertices(disk), densities_, options.solver),
      solved_(lay_out_filled(disk, topology, options)) {
  equilibrium_.solve_directly(densities_, solved_);
  tolerance_ = solver_tolerance * mean_edge(topology, solved_);
  rest_ = solved_;
  relax(disk.mesh.positions, rest_);
  now_ = rest_;
}

EquilibriumReport PatchEmbedding::embed(const Points& positions) {
  densities_.update(positions);
  const EquilibriumReport report = equilibrium_.solve(densities_, solved_, tolerance_);
  now_ = solved_;
  relax(positions, now_);
  return report;
}

void PatchEmbedding::relax(const Points& positions, Layout& layout) {
  folded_ = unfold(disk_->mesh, *topology_, positions, equilibrium_.pinned(), layout);
}

}  // namespace cutis
