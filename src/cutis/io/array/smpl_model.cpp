#include "cutis/io/array/smpl_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/io/array/npz_numbers.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

void read_mesh(NpzNumbers& in, SourceMesh& mesh) {
  const Numbers places = in.take("v_template", {0, 3});
  const std::size_t n = places.shape[0];
  if (n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 3)
    in.fail("v_template", fmt::format("has {} vertices, more than can be counted", n));
  for (std::size_t v = 0; v < n; ++v) {
    const Vec3 p(places.values[3 * v], places.values[3 * v + 1], places.values[3 * v + 2]);
    if (!is_place(p)) in.fail("v_template", fmt::format("vertex {} lies too far out", v));
    mesh.positions.push_back(p);
  }
  const std::vector<int> faces = in.take_indices("f", {0, 3}, 0, n);
  for (std::size_t c = 0; c < faces.size(); c += 3)
    mesh.add_face(
        std::array{SourceVertexId(faces[c]), SourceVertexId(faces[c + 1]), SourceVertexId(faces[c + 2])});
  if (!in.has("vt") || !in.has("ft")) return;
  const Numbers places_uv = in.take("vt", {0, 2});
  for (int t : in.take_indices("ft", {mesh.face_count(), 3}, 0, places_uv.shape[0]))
    mesh.uvs.push_back(Vec2(places_uv.values[2 * t], places_uv.values[2 * t + 1]));
}

/// Row 0 names the parent of each joint, row 1 the joint itself. The root's parent is whatever is no joint:
/// -1, or 4294967295 where it was kept without a sign.
void read_tree(NpzNumbers& in, AvatarModel& model) {
  const Numbers table = in.take("kintree_table", {2, 0});
  const std::size_t n = table.shape[1];
  std::map<double, int> column;
  for (std::size_t j = 0; j < n; ++j)
    if (!column.emplace(table.values[n + j], static_cast<int>(j)).second)
      in.fail("kintree_table", fmt::format("joint {} is there twice", table.values[n + j]));
  for (std::size_t j = 0; j < n; ++j) {
    const auto parent = column.find(table.values[j]);
    model.parents.push_back(parent == column.end() ? -1 : parent->second);
    if (j == 0 && model.parents[0] >= 0)
      in.fail("kintree_table", "joint 0 has a parent; the root must come first");
    if (j > 0 && model.parents[j] < 0)
      in.fail("kintree_table", fmt::format("the parent of joint {}, {}, is no joint", j, table.values[j]));
    if (model.parents[j] >= static_cast<int>(j))
      in.fail("kintree_table",
              fmt::format("the parent of joint {} is joint {}; parents must come before their children, and "
                          "no joint may be its own ancestor",
                          j, model.parents[j]));
  }
  model.joint_names = avatar_joint_names(n);
}

void read_weights(NpzNumbers& in, AvatarModel& model) {
  const std::size_t n = model.mesh.vertex_count(), joints = model.joint_count();
  const Numbers weights = in.take("weights", {n, joints});
  model.influences.offsets.push_back(0);
  for (std::size_t v = 0; v < n; ++v) {
    double sum = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      const double w = weights.values[v * joints + j];
      sum += w;
      if (w == 0) continue;
      model.influences.joints.push_back(static_cast<std::int32_t>(j));
      model.influences.weights.push_back(w);
    }
    if (!(std::abs(sum - 1) <= 1e-3))
      in.fail("weights", fmt::format("those of vertex {} sum to {}; they must sum to 1", v, sum));
    if (model.influences.joints.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      in.fail("weights", "are more than can be counted");
    model.influences.offsets.push_back(static_cast<std::int32_t>(model.influences.joints.size()));
  }
}

void read_regressor(NpzNumbers& in, AvatarModel& model) {
  const std::size_t n = model.mesh.vertex_count();
  const Numbers rows = in.take("J_regressor", {model.joint_count(), n});
  for (std::size_t i = 0; i < rows.values.size(); ++i)
    if (rows.values[i] != 0)
      model.regressor.push_back({static_cast<int>(i / n), static_cast<int>(i % n), rows.values[i]});
}

/// SMPL-X keeps shapes and expressions in one array: 300 and 100, or 10 and 10 in its first edition.
std::size_t shapes_among(std::size_t directions, std::size_t joints) {
  if (joints != 55) return directions;
  return std::min<std::size_t>(directions, directions < 400 ? 10 : 300);
}

void read_shapes(NpzNumbers& in, AvatarModel& model) {
  const Numbers all = in.take("shapedirs", {model.mesh.vertex_count(), 3, 0});
  const std::size_t there = all.shape[2];
  model.shape_count = shapes_among(there, model.joint_count());
  for (std::size_t row = 0; row < 3 * model.mesh.vertex_count(); ++row) {
    const auto first = all.values.begin() + static_cast<std::ptrdiff_t>(row * there);
    model.shape_directions.insert(model.shape_directions.end(), first,
                                  first + static_cast<std::ptrdiff_t>(model.shape_count));
  }
}

void read_pose_directions(NpzNumbers& in, AvatarModel& model) {
  Numbers all = in.take("posedirs");
  const std::size_t rows = 3 * model.mesh.vertex_count(), turning = model.joint_count() - 1;
  const bool three = all.shape.size() == 3 && all.shape[0] == rows / 3 && all.shape[1] == 3;
  const bool two = all.shape.size() == 2 && all.shape[0] == rows;
  const std::size_t features = three || two ? all.shape.back() : 0;
  if ((three || two) && features == 4 * turning + 1)
    model.features = PoseFeatures::Quaternions;
  else if (!(three || two) || features != 9 * turning)
    in.fail("posedirs",
            fmt::format("is {}; {} x 3 x {} (SMPL, SMPL-H, SMPL-X) or {} x 3 x {} (STAR) is needed",
                        shape_words(all.shape), rows / 3, 9 * turning, rows / 3, 4 * turning + 1));
  model.pose_directions = std::move(all.values);
}

}  // namespace

AvatarModel read_smpl_model(const std::filesystem::path& file) {
  NpzNumbers in(file, {"v_template", "f", "shapedirs", "posedirs", "J_regressor", "weights", "kintree_table",
                       "vt", "ft"});
  if (!in.has("v_template"))
    in.fail("v_template", "is missing: this is no body model (a motion is a body.cache)");
  AvatarModel model;
  model.file = in.file();
  read_mesh(in, model.mesh);
  read_tree(in, model);
  read_weights(in, model);
  read_regressor(in, model);
  read_shapes(in, model);
  read_pose_directions(in, model);
  return model;
}

}  // namespace cutis
