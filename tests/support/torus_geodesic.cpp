#include "support/torus_geodesic.h"

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/LU>

#include "support/meshes.h"

namespace cutis::test {
namespace {

constexpr double pi = std::numbers::pi;

/// (u, v, u', v') of a unit-speed curve. The metric is w² du² + r² dv² with w = R + r cos v; Christoffel:
/// u'' = 2 (r sin v / w) u' v', v'' = -(w sin v / r) u'².
Vec4 slope(double R, double r, const Vec4& s) {
  const double w = R + r * std::cos(s[1]), sine = std::sin(s[1]);
  return {s[2], s[3], 2 * r * sine / w * s[2] * s[3], -w * sine / r * s[2] * s[2]};
}

Vec2 shoot(double R, double r, const Vec2& from, double angle, double length) {
  Vec4 s(from[0], from[1], std::cos(angle) / (R + r * std::cos(from[1])), std::sin(angle) / r);
  const int steps = 150;
  const double h = length / steps;
  for (int i = 0; i < steps; ++i) {
    const Vec4 k1 = slope(R, r, s), k2 = slope(R, r, s + h / 2 * k1), k3 = slope(R, r, s + h / 2 * k2),
               k4 = slope(R, r, s + h * k3);
    s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return s.head<2>();
}

}  // namespace

TorusMesh::TorusMesh(int n, int m, double R, double r, double jitter, unsigned seed) : R(R), r(r) {
  Random random(seed);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const double u = 2 * pi * (i + random(-jitter, jitter)) / n,
                   v = 2 * pi * (j + random(-jitter, jitter)) / m;
      uv.push_back({u, v});
      const double w = R + r * std::cos(v);
      mesh.positions.push_back({w * std::cos(u), w * std::sin(u), r * std::sin(v)});
    }
  const auto at = [&](int i, int j) { return VertexId(j % m * n + i % n); };
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const VertexId a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if (random() < 0.5) {
        mesh.add_face(std::array{a, b, c});
        mesh.add_face(std::array{a, c, d});
      } else {
        mesh.add_face(std::array{a, b, d});
        mesh.add_face(std::array{b, c, d});
      }
    }
}

TorusLog torus_log(const TorusMesh& torus, VertexId a, VertexId b, double guess) {
  const Vec2 from = torus.uv[a];
  Vec2 way = torus.uv[b] - from;
  for (double& x : way) x = std::remainder(x, 2 * pi);
  const Vec2 goal = from + way;
  const double w = torus.R + torus.r * std::cos(from[1]);
  Vec2 unknown(std::atan2(torus.r * way[1], w * way[0]), guess);  // angle at the start, length
  for (int iteration = 0; iteration < 30; ++iteration) {
    const auto miss = [&](const Vec2& x) { return Vec2(shoot(torus.R, torus.r, from, x[0], x[1]) - goal); };
    const Vec2 f = miss(unknown);
    if (f.norm() < 1e-10) {
      const Vec3 along_u(-std::sin(from[0]), std::cos(from[0]), 0);
      const Vec3 along_v(-std::sin(from[1]) * std::cos(from[0]), -std::sin(from[1]) * std::sin(from[0]),
                         std::cos(from[1]));
      return {unknown[1], std::cos(unknown[0]) * along_u + std::sin(unknown[0]) * along_v};
    }
    Mat2 jacobian;
    for (int k = 0; k < 2; ++k) {
      const Vec2 step = 1e-6 * Vec2::Unit(k);
      jacobian.col(k) = (miss(unknown + step) - miss(unknown - step)) / 2e-6;
    }
    Vec2 newton = jacobian.inverse() * f;
    newton *= std::min(1.0, 0.3 / newton.norm());
    unknown -= newton;
  }
  throw std::runtime_error("torus_log: Newton's method did not converge");
}

}  // namespace cutis::test
