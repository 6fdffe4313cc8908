#include "cutis/surface/limit/limit_basis.h"

#include <algorithm>

namespace cutis {
namespace {

/// Uniform cubic B-spline weights with their first and second derivatives.
struct Cubic {
  explicit Cubic(double t) {
    const double r = 1 - t, t2 = t * t, r2 = r * r;
    w[0] = r * r2 / 6;
    w[1] = (4 - 6 * t2 + 3 * t * t2) / 6;
    w[2] = (4 - 6 * r2 + 3 * r * r2) / 6;
    w[3] = t * t2 / 6;
    d[0] = -r2 / 2;
    d[1] = 1.5 * t2 - 2 * t;
    d[2] = 2 * r - 1.5 * r2;
    d[3] = t2 / 2;
    dd[0] = r;
    dd[1] = 3 * t - 2;
    dd[2] = 3 * r - 2;
    dd[3] = t;
  }
  double w[4], d[4], dd[4];
};

/// A number with its first and second derivatives by s and t.
struct Jet {
  double f = 0, s = 0, t = 0, ss = 0, st = 0, tt = 0;
};

Jet operator*(const Jet& a, const Jet& b) {
  return {a.f * b.f,
          a.s * b.f + a.f * b.s,
          a.t * b.f + a.f * b.t,
          a.ss * b.f + 2 * a.s * b.s + a.f * b.ss,
          a.st * b.f + a.s * b.t + a.t * b.s + a.f * b.st,
          a.tt * b.f + 2 * a.t * b.t + a.f * b.tt};
}

Jet operator*(double c, const Jet& a) { return {c * a.f, c * a.s, c * a.t, c * a.ss, c * a.st, c * a.tt}; }

Jet operator-(const Jet& a, const Jet& b) {
  return {a.f - b.f, a.s - b.s, a.t - b.t, a.ss - b.ss, a.st - b.st, a.tt - b.tt};
}

/// a / (a + b) for linear a and b; one half at 0/0, where the product with a face point's own weight
/// vanishes.
Jet blend(const Jet& a, const Jet& b) {
  const double D = a.f + b.f;
  if (D <= 0) return {.f = 0.5};
  const double Ds = a.s + b.s, Dt = a.t + b.t;
  Jet g;
  g.f = a.f / D;
  g.s = (a.s - g.f * Ds) / D;
  g.t = (a.t - g.f * Dt) / D;
  g.ss = -2 * g.s * Ds / D;
  g.st = -(g.s * Dt + g.t * Ds) / D;
  g.tt = -2 * g.t * Dt / D;
  return g;
}

void put(const Jet& jet, int i, PatchWeights& out) {
  out.w[0][i] = jet.f;
  out.w[1][i] = jet.s;
  out.w[2][i] = jet.t;
  out.w[3][i] = jet.ss;
  out.w[4][i] = jet.st;
  out.w[5][i] = jet.tt;
}

/// The five points of a corner: P, e+, e-, and F shared out between f+ and f-.
void put_corner(int corner, const Jet& P, const Jet& next, const Jet& previous, const Jet& F, const Jet& g,
                PatchWeights& out) {
  put(P, 5 * corner, out);
  put(next, 5 * corner + 1, out);
  put(previous, 5 * corner + 2, out);
  const Jet plus = F * g;
  put(plus, 5 * corner + 3, out);
  put(F - plus, 5 * corner + 4, out);
}

/// Two numbers that go through the same arithmetic: two coordinates of a point, or one of two points.
using Lane = Eigen::Array2d;

struct CubicLanes {
  explicit CubicLanes(const Cubic& c) {
    for (int k = 0; k < 4; ++k) {
      w[k].setConstant(c.w[k]);
      d[k].setConstant(c.d[k]);
      dd[k].setConstant(c.dd[k]);
    }
  }
  Lane w[4], d[4], dd[4];
};

struct LaneJet {
  Lane position, d1, d2, d11, d12, d22;
};

/// Rows first: 216 multiplications a coordinate instead of the 288 of six sums over 16 points. All sums of a
/// lane stay in registers.
template <class At>
LaneJet bicubic_lane(const int* indices, const CubicLanes& a, const CubicLanes& b, const At& at) {
  LaneJet jet{Lane::Zero(), Lane::Zero(), Lane::Zero(), Lane::Zero(), Lane::Zero(), Lane::Zero()};
  for (int j = 0; j < 4; ++j) {
    const int* row = indices + 4 * j;
    const Lane p = at(row[0]), q = at(row[1]), r = at(row[2]), z = at(row[3]);
    const Lane f = a.w[0] * p + a.w[1] * q + a.w[2] * r + a.w[3] * z;
    const Lane fs = a.d[0] * p + a.d[1] * q + a.d[2] * r + a.d[3] * z;
    const Lane fss = a.dd[0] * p + a.dd[1] * q + a.dd[2] * r + a.dd[3] * z;
    jet.position += b.w[j] * f;
    jet.d1 += b.w[j] * fs;
    jet.d2 += b.d[j] * f;
    jet.d11 += b.w[j] * fss;
    jet.d12 += b.d[j] * fs;
    jet.d22 += b.dd[j] * f;
  }
  return jet;
}

template <class Put>
void for_parts(const LaneJet& lane, LimitJet& jet, const Put& put) {
  put(lane.position, jet.position);
  put(lane.d1, jet.d1);
  put(lane.d2, jet.d2);
  put(lane.d11, jet.d11);
  put(lane.d12, jet.d12);
  put(lane.d22, jet.d22);
}

}  // namespace

void bicubic(std::span<const Vec3* const> points, const int* indices, double s, double t,
             std::span<LimitJet> jets) {
  const CubicLanes a{Cubic(s)}, b{Cubic(t)};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3* set = points[k];
    const LaneJet xy = bicubic_lane(indices, a, b, [set](int i) -> Lane { return set[i].head<2>().array(); });
    for_parts(xy, jets[k], [](const Lane& lane, Vec3& part) { part.head<2>() = lane.matrix(); });
  }
  for (std::size_t k = 0; k < points.size(); k += 2) {  // z of two sets at once
    const std::size_t next = std::min(k + 1, points.size() - 1);
    const Vec3 *one = points[k], *two = points[next];
    const LaneJet z = bicubic_lane(indices, a, b, [one, two](int i) { return Lane(one[i].z(), two[i].z()); });
    for_parts(z, jets[k], [](const Lane& lane, Vec3& part) { part.z() = lane[0]; });
    for_parts(z, jets[next], [](const Lane& lane, Vec3& part) { part.z() = lane[1]; });
  }
}

Vec3 bicubic_position(const Vec3* points, const int* indices, double s, double t) {
  const Cubic a(s), b(t);
  Vec3 position = Vec3::Zero();
  for (int j = 0; j < 4; ++j) {
    const int* row = indices + 4 * j;
    const Vec3 f =
        a.w[0] * points[row[0]] + a.w[1] * points[row[1]] + a.w[2] * points[row[2]] + a.w[3] * points[row[3]];
    position += b.w[j] * f;
  }
  return position;
}

void gregory_quad(double s, double t, PatchWeights& weights) {
  // Around the square: a runs from corner k to the next one, b to the previous one.
  const Jet run[4] = {{.f = s, .s = 1}, {.f = t, .t = 1}, {.f = 1 - s, .s = -1}, {.f = 1 - t, .t = -1}};
  Jet cube[4], square[4];  // Bernstein B3 and B2 of each; B0 and B1 are those of the opposite run
  for (int k = 0; k < 4; ++k) {
    const Jet two = run[k] * run[k];
    cube[k] = two * run[k];
    square[k] = 3.0 * (two * run[(k + 2) % 4]);
  }
  for (int k = 0; k < 4; ++k) {
    const Jet &a = run[k], &b = run[(k + 1) % 4];
    const Jet &a0 = cube[(k + 2) % 4], &a1 = square[(k + 2) % 4];
    const Jet &b0 = cube[(k + 3) % 4], &b1 = square[(k + 3) % 4];
    put_corner(k, a0 * b0, a1 * b0, a0 * b1, a1 * b1, blend(a, b), weights);
  }
}

void gregory_triangle(double s, double t, PatchWeights& weights) {
  // Quartic Bernstein polynomials of the three barycentric coordinates.
  const Jet b[3] = {{.f = 1 - s - t, .s = -1, .t = -1}, {.f = s, .s = 1}, {.f = t, .t = 1}};
  for (int k = 0; k < 3; ++k) {
    const Jet &self = b[k], &next = b[(k + 1) % 3], &previous = b[(k + 2) % 3];
    const Jet two = self * self, three = two * self;
    put_corner(k, two * two, 4.0 * (three * next), 4.0 * (three * previous), 12.0 * (two * (next * previous)),
               blend(next, previous), weights);
    put(6.0 * (two * (next * next)), 15 + k, weights);
  }
}

}  // namespace cutis
