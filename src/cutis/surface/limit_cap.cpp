#include "cutis/surface/limit_cap.h"

namespace cutis {
namespace {

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

}  // namespace

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
