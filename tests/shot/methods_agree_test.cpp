// One word in a shot turns Lagrangian skin into Eulerian skin that comes to rest at the same place.

#include <cmath>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/run/result.h"
#include "cutis/shot/simulate.h"
#include "support/support.h"

namespace cutis {
namespace {

/// The last frame of an arm that bends by 60 degrees in half a second.
SourcePoints bent_arm(const std::string& method, const std::string& of_method, int millimetres,
                      double& edge) {
  const test::TemporaryFolder folder;
  const Shot shot = parse_shot(fmt::format(R"(
[body]
make = "arm"
resolution = "{} mm"
[time]
end = "0.5 s"
fps = "8 fps"
[skin]
method = "{}"
{}
[skin.material]
model = "stable_neo_hookean"
compression = 1
)",
                                           millimetres, method, of_method),
                               folder / "shot.toml");
  RunOptions options;
  options.out = folder / "result";
  EXPECT_EQ(simulate(shot, options).outcome, RunOutcome::Complete);
  const ResultReader result(options.out);
  const SourceMesh& mesh = result.mesh().mesh;
  double sum = 0;
  for (const auto& t : result.mesh().triangles)
    for (int k = 0; k < 3; ++k)
      sum += (mesh.positions[SourceVertexId(t[k])] - mesh.positions[SourceVertexId(t[(k + 1) % 3])]).norm();
  edge = sum / (3 * static_cast<double>(result.mesh().triangles.size()));
  return result.frame(result.frame_count()).positions;
}

TEST(Methods, AgreeOnABentArm) {
  double last = 0;
  for (const int millimetres : {12, 6}) {
    double edge = 0, apart = 0;
    const SourcePoints eulerian =
                           bent_arm("eulerian", "[solver]\nintegrator = \"static\"", millimetres, edge),
                       lagrangian = bent_arm("lagrangian", "slide_speed = 0\ndrag = 0", millimetres, edge);
    for (SourceVertexId v : ids<SourceVertexId>(eulerian.size()))
      apart = std::max(apart, (eulerian[v] - lagrangian[v]).norm());
    std::cout << "edges of " << 1000 * edge << " mm: skin is apart by up to " << 1000 * apart << " mm, "
              << apart / edge << " edges\n";
    EXPECT_LT(apart, 0.25 * edge);
    if (last > 0) {
      EXPECT_LT(apart, last);
    }
    last = apart;
  }
}

}  // namespace
}  // namespace cutis
