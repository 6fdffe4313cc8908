#include "cutis/body/procedural/geometric/tube.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace cutis {
namespace {

class TubeBuilder {
 public:
  explicit TubeBuilder(const TubeShape& shape)
      : shape_(shape), around_(4 * shape.cap_quads), unit_(1.0 / shape.length) {}

  SourceMesh build() {
    add_wall();
    add_cap(0);
    add_cap(1);
    return std::move(mesh_);
  }

 private:
  double angle(int j) const { return -pi / 2 + 2 * pi * j / around_; }
  SourceVertexId wall_vertex(int i, int j) const { return SourceVertexId(i * around_ + j % around_); }

  void add_quad(const std::array<SourceVertexId, 4>& vertices, const std::array<Vec2, 4>& uvs) {
    mesh_.add_face(vertices);
    for (const Vec2& uv : uvs) mesh_.uvs.push_back(uv);
  }

  void add_wall() {
    for (int i = 0; i <= shape_.rings; ++i)
      for (int j = 0; j < around_; ++j)
        mesh_.positions.push_back(shape_.wall(double(i) / shape_.rings, angle(j)));
    const double height = shape_.girth * unit_;
    const auto uv = [&](int i, int j) { return Vec2(double(i) / shape_.rings, height * j / around_); };
    for (int i = 0; i < shape_.rings; ++i)
      for (int j = 0; j < around_; ++j)
        add_quad({wall_vertex(i, j), wall_vertex(i + 1, j), wall_vertex(i + 1, j + 1), wall_vertex(i, j + 1)},
                 {uv(i, j), uv(i + 1, j), uv(i + 1, j + 1), uv(i, j + 1)});
  }

  /// Where the border of the end grid, walked counter-clockwise from its corner (0, 0), meets the last ring.
  int ring_index(int x, int y) const {
    const int n = shape_.cap_quads;
    if (y == 0) return x;
    if (x == n) return n + y;
    if (y == n) return 3 * n - x;
    return 4 * n - y;
  }

  bool on_border(int x, int y) const {
    return x == 0 || y == 0 || x == shape_.cap_quads || y == shape_.cap_quads;
  }

  /// The square grid laid into a disk, its corner (0, 0) at the seam. Rings of the square become circles at
  /// the rim; towards the middle they keep the square's own shape, or the quads on the diagonals would be
  /// pinched.
  Vec3 cap_position(int end, int x, int y) const {
    const double n = shape_.cap_quads;
    const double sx = 2 * x / n - 1, sy = 2 * y / n - 1;
    const double reach = std::max(std::abs(sx), std::abs(sy));
    if (reach == 0) return shape_.cap(end, 0, 0);
    const double rim = -pi / 2 + pi / 2 * quarter_turns(sx / reach, sy / reach);
    const Vec2 circle = reach * Vec2(std::cos(rim), std::sin(rim));
    const Vec2 square = 0.5 * Vec2(sx - sy, sx + sy);
    const Vec2 place = reach * circle + (1 - reach) * square;
    return shape_.cap(end, place.norm(), std::atan2(place.y(), place.x()));
  }

  /// Way along the outline of the square [-1, 1]^2 from its corner (-1, -1), in sides, counter-clockwise.
  static double quarter_turns(double x, double y) {
    if (y == -1 && x < 1) return 0.5 + 0.5 * x;
    if (x == 1 && y < 1) return 1.5 + 0.5 * y;
    if (y == 1 && x > -1) return 2.5 - 0.5 * x;
    return 3.5 - 0.5 * y;
  }

  void add_cap(int end) {
    const int n = shape_.cap_quads;
    std::vector<SourceVertexId> grid((n + 1) * (n + 1));
    const auto at = [&](int x, int y) -> SourceVertexId& { return grid[y * (n + 1) + x]; };
    for (int y = 0; y <= n; ++y)
      for (int x = 0; x <= n; ++x)
        at(x, y) = on_border(x, y) ? wall_vertex(end * shape_.rings, ring_index(x, y))
                                   : mesh_.positions.push_back(cap_position(end, x, y));
    const double width = shape_.cap_width * unit_, gap = 0.02;
    const Vec2 origin(end * (width + gap), shape_.girth * unit_ + gap);
    // Angles grow clockwise seen from the far end: there the grid is turned over to face outwards.
    const auto uv = [&](int x, int y) -> Vec2 {
      return origin + width / n * (end == 0 ? Vec2(x, y) : Vec2(y, x));
    };
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        std::array<std::array<int, 2>, 4> corners = {{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
        if (end == 1) std::swap(corners[1], corners[3]);
        std::array<SourceVertexId, 4> vertices;
        std::array<Vec2, 4> uvs;
        for (int k = 0; k < 4; ++k) {
          vertices[k] = at(corners[k][0], corners[k][1]);
          uvs[k] = uv(corners[k][0], corners[k][1]);
        }
        add_quad(vertices, uvs);
      }
  }

  const TubeShape& shape_;
  int around_;
  double unit_;
  SourceMesh mesh_;
};

}  // namespace

SourceMesh make_tube(const TubeShape& shape) { return TubeBuilder(shape).build(); }

}  // namespace cutis
