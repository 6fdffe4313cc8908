#include "cutis/body/procedural/geometric/grid.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cutis {

SourceMesh make_grid(const GridShape& shape) {
  const int across = shape.closes_in_u ? shape.columns : shape.columns + 1;
  const int down = shape.closes_in_v ? shape.rows : shape.rows + 1;
  const double unit = 1 / std::max(shape.width, shape.height);
  SourceMesh mesh;
  for (int j = 0; j < down; ++j)
    for (int i = 0; i < across; ++i)
      mesh.positions.push_back(shape.place(double(i) / shape.columns, double(j) / shape.rows));
  for (int j = 0; j < shape.rows; ++j)
    for (int i = 0; i < shape.columns; ++i) {
      std::array<SourceVertexId, 4> face;
      const std::array<std::array<int, 2>, 4> corners = {{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
      for (int k = 0; k < 4; ++k) {
        const auto [x, y] = corners[k];
        face[k] = SourceVertexId((y % down) * across + x % across);
        mesh.uvs.push_back(unit * Vec2(shape.width * x / shape.columns, shape.height * y / shape.rows));
      }
      mesh.add_face(face);
    }
  return mesh;
}

int edges_along(double length, double edge, int least) {
  return std::max(least, static_cast<int>(std::lround(length / edge)));
}

}  // namespace cutis
