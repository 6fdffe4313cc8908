#include "cutis/surface/limit/limit_chart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace cutis {
namespace {

/// Where corner k of a polygon is laid out. OpenSubdiv's squares run (0,0), (1,0), (1,1), (0,1) around a
/// quad's corners, its triangles (0,0), (1,0), (0,1).
Vec2 corner_layout(int k, int sides, bool loop) {
  if (loop) return {k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  if (sides == 4) return {k == 1 || k == 2 ? 1.0 : 0.0, k >= 2 ? 1.0 : 0.0};
  return {std::cos(2 * pi * k / sides), std::sin(2 * pi * k / sides)};
}

/// From the regular n-gon to the square of its nearest corner. Seen from that corner, x towards the centre
/// and y across, the kite is the image of the square under
///   x = a (u + v) + c u v,   y = b (u - v),   a = sin²(π/n),  b = sin(π/n) cos(π/n),  c = cos(2π/n),
/// u leading along the side to the next corner. With s = u + v and d = u - v this is one quadratic for s.
void kite_to_square(const Vec2& q, int sides, const Vec2& e1, const Vec2& e2, PatchCoordinates& out) {
  const double turn = 2 * pi / sides;
  const int corner = (static_cast<int>(std::lround(std::atan2(q.y(), q.x()) / turn)) + sides) % sides;
  const Vec2 axis(-std::cos(turn * corner), -std::sin(turn * corner));
  const Vec2 across(axis.y(), -axis.x());
  const double a = std::sin(turn / 2) * std::sin(turn / 2), b = std::sin(turn) / 2, c = std::cos(turn);

  const double x = axis.dot(q) + 1, d = across.dot(q) / b;
  const double shifted = x + c * d * d / 4;
  const double s = 2 * shifted / (a + std::sqrt(std::max(0.0, a * a + c * shifted)));

  // Derivatives of s from a s + c (s² - d²) / 4 = x.
  const double D = a + c * s / 2;
  const double s_x = 1 / D, s_d = c * d / (2 * D);
  const double s_xx = -c * s_x * s_x / (2 * D), s_xd = -c * s_x * s_d / (2 * D);
  const double s_dd = c * (1 - s_d * s_d) / (2 * D);

  const double x1 = axis.dot(e1), x2 = axis.dot(e2), d1 = across.dot(e1) / b, d2 = across.dot(e2) / b;
  const double s1 = s_x * x1 + s_d * d1, s2 = s_x * x2 + s_d * d2;
  const auto second = [&](double xi, double di, double xj, double dj) {
    const double half = (s_xx * xi * xj + s_xd * (xi * dj + xj * di) + s_dd * di * dj) / 2;
    return Vec2(half, half);
  };
  out.patch_face += corner;
  out.uv = Vec2(s + d, s - d) / 2;
  out.d1 = Vec2(s1 + d1, s1 - d1) / 2;
  out.d2 = Vec2(s2 + d2, s2 - d2) / 2;
  out.linear = false;
  out.d11 = second(x1, d1, x1, d1);
  out.d12 = second(x1, d1, x2, d2);
  out.d22 = second(x2, d2, x2, d2);
}

}  // namespace

LimitChart::LimitChart(const Mesh& mesh, const TriangleMesh& triangles, bool loop)
    : home_(mesh.vertex_count(), -1) {
  std::vector<int> first_patch_face;
  int patch_faces = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    first_patch_face.push_back(patch_faces);
    const int sides = static_cast<int>(mesh.face_size(f));
    patch_faces += loop || sides == 4 ? 1 : sides;
  }
  std::map<int, int> layout_of;  // sides -> where their corners begin
  for (FaceId f : ids<FaceId>(triangles.mesh.face_count())) {
    const FaceId polygon = triangles.polygon[f];
    const int sides = static_cast<int>(mesh.face_size(polygon));
    const auto [entry, is_new] = layout_of.try_emplace(sides, static_cast<int>(layout_.size()));
    for (int k = 0; is_new && k < sides; ++k) layout_.push_back(corner_layout(k, sides, loop));
    Triangle t;
    t.first_patch_face = first_patch_face[polygon.index()];
    t.sides = loop || sides == 4 ? 0 : sides;
    for (int k = 0; k < 3; ++k) {
      const int corner = 3 * f.value + k;
      const VertexId v = triangles.mesh.corners[CornerId(corner)];
      t.corner[k] =
          entry->second + triangles.corner[CornerId(corner)].value - mesh.first_corner(polygon).value;
      vertices_.push_back(v);
      if (home_[v] < 0) home_[v] = corner;
    }
    triangles_.push_back(t);
  }
}

PatchCoordinates LimitChart::at(const SurfacePoint& p) const {
  const Triangle& t = triangles_[p.face.index()];
  const Vec2* layout = layout_.data();
  const Vec2& origin = layout[t.corner[0]];
  const double b1 = std::clamp(p.barycentric[1], 0.0, 1.0), b2 = std::clamp(p.barycentric[2], 0.0, 1.0);
  PatchCoordinates out;
  out.patch_face = t.first_patch_face;
  out.d1 = layout[t.corner[1]] - origin;
  out.d2 = layout[t.corner[2]] - origin;
  out.uv = origin + b1 * out.d1 + b2 * out.d2;
  if (t.sides) kite_to_square(Vec2(out.uv), t.sides, Vec2(out.d1), Vec2(out.d2), out);
  out.uv = out.uv.cwiseMax(0.0).cwiseMin(1.0);
  return out;
}

SurfacePoint LimitChart::home(VertexId v) const {
  const int corner = home_[v];
  if (corner < 0) return {};
  return {FaceId(corner / 3), Vec3::Unit(corner % 3)};
}

}  // namespace cutis
