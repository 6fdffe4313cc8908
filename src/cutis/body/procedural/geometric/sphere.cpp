#include "cutis/body/procedural/geometric/sphere.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "cutis/body/procedural/ease.h"
#include "cutis/body/procedural/geometric/grid.h"

namespace cutis {
namespace {

constexpr double kSphereRadius = 0.1;  // [m]

using Lattice = std::array<int, 3>;

/// The six sides of a cube of n x n quads each. Vertices on the cube's edges are known by their place in the
/// lattice, so that neighbouring sides share them.
class BallBuilder {
 public:
  explicit BallBuilder(int n) : n_(n) {}

  SourceMesh build() {
    for (int side = 0; side < 6; ++side) add_side(side);
    return std::move(mesh_);
  }

 private:
  /// Equal angles between neighbours along the middle of a side (the gnomonic map), which evens out the
  /// quads.
  Vec3 on_ball(const Lattice& at) const {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = std::tan(pi / 4 * (2.0 * at[k] / n_ - 1));
    return kSphereRadius * p.normalized();
  }

  SourceVertexId vertex(const Lattice& at) {
    const auto [found, is_new] = known_.try_emplace(at, SourceVertexId(mesh_.vertex_count()));
    if (is_new) mesh_.positions.push_back(on_ball(at));
    return found->second;
  }

  /// Sides 0, 1, 2 face +x, +y, +z and 3, 4, 5 the other way. On the side that faces axis a, columns run
  /// along a + 1 and rows along a + 2; on the opposite side they change places, so that it faces outwards
  /// too.
  void add_side(int side) {
    const int axis = side % 3;
    const bool far = side < 3;
    const int column_axis = (axis + (far ? 1 : 2)) % 3, row_axis = (axis + (far ? 2 : 1)) % 3;
    const double pitch = 1.0 / 3, cell = 0.875 * pitch;  // of the UV layout, three by two
    const Vec2 origin(axis * pitch, far ? 0 : pitch);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) {
        std::array<SourceVertexId, 4> face;
        const std::array<std::array<int, 2>, 4> corners = {{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
        for (int k = 0; k < 4; ++k) {
          Lattice at;
          at[axis] = far ? n_ : 0;
          at[column_axis] = corners[k][0];
          at[row_axis] = corners[k][1];
          face[k] = vertex(at);
          mesh_.uvs.push_back(origin + cell / n_ * Vec2(corners[k][0], corners[k][1]));
        }
        mesh_.add_face(face);
      }
  }

  int n_;
  SourceMesh mesh_;
  std::map<Lattice, SourceVertexId> known_;
};

/// With its volume kept.
Vec3 of_height(const Vec3& p, double height) {
  const double width = 1 / std::sqrt(height);
  return {width * p.x(), height * p.y(), width * p.z()};
}

Vec3 squash(const Vec3& p, double time) { return of_height(p, 1 - 0.4 * there_and_back(time, 2)); }

Vec3 flatten(const Vec3& p, double time) { return of_height(p, 1 - 0.4 * smooth_step(0, 0.5, time)); }

/// What has x > 0 loses a fifth of its width: a ball that loses volume.
Vec3 pinch_sphere(const Vec3& p, double time) {
  const double width = 1 - 0.2 * smooth_step(0, 0.6 * kSphereRadius, p.x()) * smooth_step(0, 0.5, time);
  return {p.x(), width * p.y(), width * p.z()};
}

Vec3 pulse(const Vec3& p, double time) { return (1 + 0.25 * there_and_back(time, 2)) * p; }

Vec3 spin_sphere(const Vec3& p, double time) {
  return Eigen::AngleAxisd(2 * pi * smooth_step(0, 2, time), Vec3::UnitY()) * p;
}

}  // namespace

AnalyticShape make_sphere(double edge) {
  // A side spans a quarter of a great circle.
  BallBuilder ball(edges_along(pi / 2 * kSphereRadius, edge, 2));
  return {"sphere",
          ball.build(),
          {{"squash", 2, squash},
           {"flatten", 2, flatten},
           {"pinch", 2, pinch_sphere},
           {"pulse", 2, pulse},
           {"spin", 2, spin_sphere}}};
}

}  // namespace cutis
