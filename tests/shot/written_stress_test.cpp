// The stress of frames as they lie on the disk is the material's law of the strain that their positions show,
// on every surface that skin can lie on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/material/membrane/membrane_material.h"
#include "cutis/material/membrane/membrane_stress.h"
#include "cutis/run/result.h"
#include "cutis/shot/settings/skin_law.h"
#include "cutis/shot/simulate.h"
#include "cutis/surface/mesh/deformation.h"
#include "support/support.h"

namespace cutis {
namespace {

/// The greatest principal tension in each face by the law [N/m]: the mean over its triangles by area.
std::vector<double> tensions(const ResultMesh& mesh, const SourcePoints& positions, const SkinSection& skin) {
  const auto material = make_material(skin_law(skin));
  const auto rest = rest_triangles(mesh.mesh.positions.raw(), mesh.triangles);
  std::vector<double> sums(mesh.mesh.face_count(), 0), areas(mesh.mesh.face_count(), 0);
  for (std::size_t t = 0; t < rest.size(); ++t) {
    if (rest[t].degenerate()) continue;
    const auto at = [&](int k) { return positions[SourceVertexId(mesh.triangles[t][k])]; };
    const Mat32 F = deformation_gradient(rest[t], at(0), at(1), at(2));
    const Mat32 P = skin.thickness.value * material->stress(F, skin.material.compression.value).stress;
    const auto face = static_cast<std::size_t>(mesh.triangle_faces[t]);
    sums[face] += rest[t].area * principal_values(tension(F, P), F).max;
    areas[face] += rest[t].area;
  }
  for (std::size_t f = 0; f < sums.size(); ++f) sums[f] /= areas[f];
  return sums;
}

class WrittenStress : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(WrittenStress, IsTheLawOfTheWrittenStrain) {
  const auto& [surface, resolution] = GetParam();
  const test::TemporaryFolder folder;
  const Shot shot = parse_shot(fmt::format(R"(
[body]
make = "arm"
clip = "bend"
resolution = "20 mm"
[time]
start = "0.3 s"
end = "0.5 s"
fps = "10 fps"
[skin]
method = "lagrangian"
surface = "{}"
{}
[skin.material]
model = "stable_neo_hookean"
young = "100 kPa"
poisson = 0.3
[output]
fields = ["face_tension_max", "face_elastic_stretch_max"]
)",
                                           surface, resolution),
                               folder / "shot.toml");
  RunOptions options;
  options.out = folder / "result";
  ASSERT_EQ(simulate(shot, options).outcome, RunOutcome::Complete);
  const ResultReader result(options.out);
  const double scale = 1e5 * shot.skin.thickness.value;  // Young's modulus times thickness [N/m]
  double largest = 0;
  for (int i = 1; i <= result.frame_count(); ++i) {
    const ResultFrame frame = result.frame(i);
    const std::vector<double> expected = tensions(result.mesh(), frame.positions, shot.skin);
    const std::vector<double> written = to_doubles(frame.fields.at("face_tension_max"));
    ASSERT_EQ(written.size(), expected.size());
    for (std::size_t f = 0; f < written.size(); ++f) {
      ASSERT_NEAR(written[f], expected[f], 1e-9 * scale) << "frame " << i << ", face " << f;
      largest = std::max(largest, written[f]);
    }
  }
  EXPECT_GT(largest, 0.05 * scale);
}

INSTANTIATE_TEST_SUITE_P(Surfaces, WrittenStress,
                         testing::Combine(testing::Values("limit", "polygon"),
                                          testing::Values("", "resolution = \"30 mm\"")),
                         [](const auto& info) {
                           return std::get<0>(info.param) + (std::get<1>(info.param).empty() ? "" : "Coarse");
                         });

}  // namespace
}  // namespace cutis
