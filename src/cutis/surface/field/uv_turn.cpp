#include "cutis/surface/field/uv_turn.h"

#include <cmath>
#include <map>
#include <tuple>

#include <Eigen/LU>

namespace cutis {
namespace {

struct Turn {
  Vec2 direction = Vec2::Zero();  ///< cosine and sine; zero where a side has no area
  bool mirrored = false;
};

Mat2 sides_at(const IdVector<CornerId, Vec2>& uvs, CornerId c, CornerId next, CornerId before) {
  Mat2 sides;
  sides << uvs[next] - uvs[c], uvs[before] - uvs[c];
  return sides;
}

/// With E the two edges at the corner in space, U and S those in the two layouts: dx/du = E U^-1, dx/ds =
/// E S^-1.
Turn turn_at(const Mat32& edges, const Mat2& own, const Mat2& moved) {
  Turn turn;
  const double handed = own.determinant(), handed_moved = moved.determinant();
  if (!(std::abs(handed) > 0) || !(std::abs(handed_moved) > 0)) return turn;
  turn.mirrored = handed * handed_moved < 0;
  const Vec3 t = edges * own.inverse().col(0), s = edges * moved.inverse().col(0);
  const Vec3 normal = edges.col(0).cross(edges.col(1));
  const Vec3 b = (handed < 0 ? -1 : 1) * normal.normalized().cross(t);
  const Vec2 direction(s.dot(t), s.dot(b));
  if (direction.norm() > 0) turn.direction = direction.normalized();
  return turn;
}

}  // namespace

IdVector<CornerId, double> uv_turns(const Mesh& mesh, const Points& positions,
                                    const IdVector<FaceId, int>& own_chart,
                                    const IdVector<CornerId, Vec2>& moved,
                                    const IdVector<FaceId, int>& chart) {
  using Key = std::tuple<VertexId, int, int, bool>;
  std::map<Key, Vec2> sums;
  IdVector<CornerId, Key> keys(mesh.corner_count());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const std::size_t first = mesh.first_corner(f).index(), count = mesh.face_size(f);
    for (std::size_t k = 0; k < count; ++k) {
      const CornerId c(first + k), next(first + (k + 1) % count), before(first + (k + count - 1) % count);
      const Vec3& x = positions[mesh.corners[c]];
      Mat32 edges;
      edges << positions[mesh.corners[next]] - x, positions[mesh.corners[before]] - x;
      const Turn turn = turn_at(edges, sides_at(mesh.uvs, c, next, before), sides_at(moved, c, next, before));
      keys[c] = {mesh.corners[c], own_chart[f], chart[f], turn.mirrored};
      sums.try_emplace(keys[c], Vec2::Zero()).first->second += turn.direction;
    }
  }
  IdVector<CornerId, double> angles(mesh.corner_count(), 0);
  for (CornerId c : ids<CornerId>(angles.size())) {
    const Vec2& sum = sums.at(keys[c]);
    angles[c] = std::atan2(sum.y(), sum.x()) + (std::get<bool>(keys[c]) ? 2 * pi : 0);
  }
  return angles;
}

}  // namespace cutis
