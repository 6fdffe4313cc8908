#include "support/blocks.h"

#include <array>
#include <map>

#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis::test {
namespace {

using Place = std::array<int, 3>;

class BlockSurface {
 public:
  BlockSurface(const std::array<std::vector<double>, 3>& planes,
               const std::function<bool(int, int, int)>& filled)
      : planes_(planes), filled_(filled) {}

  Mesh mesh() {
    for (int x = 0; x < parts(0); ++x)
      for (int y = 0; y < parts(1); ++y)
        for (int z = 0; z < parts(2); ++z)
          if (inside({x, y, z})) add_sides({x, y, z});
    return triangulated(mesh_).mesh;
  }

 private:
  const std::array<std::vector<double>, 3>& planes_;
  const std::function<bool(int, int, int)>& filled_;
  std::map<Place, VertexId> known_;
  Mesh mesh_;

  int parts(std::size_t axis) const { return static_cast<int>(planes_[axis].size()) - 1; }
  bool inside(const Place& p) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (p[k] < 0 || p[k] >= parts(k)) return false;
    return filled_(p[0], p[1], p[2]);
  }
  VertexId vertex(const Place& p) {
    const auto [entry, added] = known_.try_emplace(p);
    if (added)
      entry->second =
          mesh_.positions.push_back({planes_[0][at(p[0])], planes_[1][at(p[1])], planes_[2][at(p[2])]});
    return entry->second;
  }
  void add_sides(const Place& p) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int side : {-1, 1}) {
        Place next = p;
        next[axis] += side;
        if (inside(next)) continue;
        const std::size_t b = (axis + (side > 0 ? 1 : 2)) % 3, c = 3 - axis - b;
        Place corner = p;
        corner[axis] += side > 0;
        std::array<VertexId, 4> quad;
        for (std::size_t k = 0; k < 4; ++k) {
          Place place = corner;
          place[b] += k == 1 || k == 2;
          place[c] += k >= 2;
          quad[k] = vertex(place);
        }
        mesh_.add_face(quad);
      }
  }
};

}  // namespace

Mesh blocks(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
            const std::function<bool(int, int, int)>& filled) {
  return BlockSurface({xs, ys, zs}, filled).mesh();
}

std::vector<double> planes(double low, double high, int parts) {
  std::vector<double> result;
  for (int i = 0; i <= parts; ++i) result.push_back(low + (high - low) * i / parts);
  return result;
}

Mesh tuning_fork(double width, double gap, double length) {
  constexpr int kAcross = 2, kAlong = 6;
  std::vector<double> xs = planes(0, width, kAcross);
  for (double x : planes(width + gap, 2 * width + gap, kAcross)) xs.push_back(x);
  std::vector<double> ys = planes(-width, 0, 2);
  ys.pop_back();
  for (double y : planes(0, length, kAlong)) ys.push_back(y);
  return blocks(xs, ys, planes(0, width, kAcross), [](int x, int y, int) { return y < 2 || x != kAcross; });
}

}  // namespace cutis::test
