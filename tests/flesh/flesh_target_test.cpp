#include "cutis/flesh/flesh_target.h"

#include <cmath>
#include <iostream>
#include <memory>

#include <gtest/gtest.h>

#include "cutis/body/analytic_body.h"
#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/sphere.h"
#include "cutis/flesh/flesh_core.h"
#include "cutis/flesh/lattice/lattice_cell.h"

namespace cutis {
namespace {

/// Where flesh comes to rest is the animated surface, before the offset that makes up for what the lattice
/// cannot follow: a ball that is pinched to two thirds on one side, so that no tetrahedron moves as others
/// do.
TEST(FleshTarget, TheLatticeAloneMeetsTheAnimatedSurface) {
  AnalyticShape ball = make_sphere(0.01);
  ball.motions = {{"pinch", 1, [](const Vec3& p, double time) {
                     const double width = 1 - smooth_step(-0.1, 0.1, p.x()) * smooth_step(0, 1, time) / 3;
                     return Vec3(p.x(), width * p.y(), width * p.z());
                   }}};
  const auto body = std::make_unique<AnalyticBody>(std::move(ball));
  const Mesh& mesh = body->triangles().mesh;
  BccLattice lattice = bcc_lattice(mesh, cell_for_tets(mesh, 8000));
  const std::vector<NodeId> core = fit_core(mesh, FleshOptions(), lattice);
  const Embedding embedding(lattice, mesh);
  const FleshTarget target(*body, lattice, embedding, core);
  const double end = body->duration().end;
  const Points surface = target.surface(end), carried = embedding.positions(target.nodes(end));
  double sum = 0, most = 0, moved = 0;
  for (VertexId v : ids<VertexId>(surface.size())) {
    sum += (carried[v] - surface[v]).squaredNorm();
    most = std::max(most, (carried[v] - surface[v]).norm());
    moved = std::max(moved, (surface[v] - mesh.positions[v]).norm());
  }
  const double size = bounding_diagonal(mesh.positions.raw());
  const double rms = std::sqrt(sum / static_cast<double>(surface.size()));
  std::cout << "the lattice alone misses the surface by " << rms / size << " of its size RMS, " << most / size
            << " at the most\n";
  EXPECT_GT(moved, 0.05 * size);
  EXPECT_LT(rms, 5e-4 * size);
  EXPECT_LT(most, 2.5e-3 * size);
}

}  // namespace
}  // namespace cutis
