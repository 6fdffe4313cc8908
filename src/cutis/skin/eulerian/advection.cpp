#include "cutis/skin/eulerian/advection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The most pieces that a way is cut into: beyond, what is upstream is taken from the far side of a triangle.
constexpr int kMaxPieces = 32;
/// A piece is no longer than this share of the mean distance of the vertices within two rings: an edge's
/// length is about two thirds of it.
constexpr double kLongestPiece = 0.6;
/// Of the quadratic part, so that a fit exists where vertices lie on a line or a conic.
constexpr double kRegularization = 1e-6;
/// A polynomial whose weights are larger than this in sum is not to be trusted: the triangle is taken
/// instead.
constexpr double kMostWeight = 4;

using Quadratic = Eigen::Matrix<double, 6, 1>;
using Moments = Eigen::Matrix<double, 6, 6>;

/// Of x and y in the monomials of a quadratic polynomial.
constexpr int kExponents[6][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};

Quadratic monomials(const Vec2& x) { return Quadratic(1, x[0], x[1], x[0] * x[0], x[0] * x[1], x[1] * x[1]); }

Eigen::Matrix<double, 5, 1> powers(double x) {
  const double square = x * x;
  return Eigen::Matrix<double, 5, 1>(1, x, square, square * x, square * square);
}

/// Along a way over the surface, across it, and off the surface. Vectors are bounded by their components in
/// these axes, which go along with the body: in those of the world a turned body would have other skin.
Mat3 axes_along(const Vec3& way, const Vec3& normal) {
  Mat3 axes;
  const Vec3 ahead = way.stableNormalized();
  axes << ahead, normal.cross(ahead), normal;
  return axes;
}
double seen_in(const Mat3& /*axes*/, double value) { return value; }
Vec3 seen_in(const Mat3& axes, const Vec3& value) { return axes.transpose() * value; }
Mat3 seen_in(const Mat3& axes, const Mat3& value) { return axes.transpose() * value * axes; }

double least(double a, double b) { return std::min(a, b); }
double most(double a, double b) { return std::max(a, b); }
template <class M>
M least(const M& a, const M& b) {
  return a.cwiseMin(b);
}
template <class M>
M most(const M& a, const M& b) {
  return a.cwiseMax(b);
}

}  // namespace

void SkinAdvection::set_displacement(const Vectors& displacement) {
  const std::size_t n = rings_.vertex_count();
  const auto flat = [&](VertexId v, const Vec3& d) -> Vec2 {
    return body_.frames[v].tangent.transpose() * d;
  };
  upstream_.assign(n, Vec3::Zero());
  std::vector<double> lengths(n, 0);  // of the ways, as shares of what there is around a vertex
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    const double way = flat(v, displacement[v]).norm();
    if (!(way > 0) || rings_.wedges(v).empty()) return;
    double around = 0;
    for (const VertexId w : rings_.near(v)) around += (body_.positions[w] - body_.positions[v]).norm();
    lengths[i] = way * static_cast<double>(rings_.near(v).size()) / around;
  });
  const double longest = n == 0 ? 0 : *std::max_element(lengths.begin(), lengths.end());
  pieces_ = std::min(kMaxPieces, static_cast<int>(std::ceil(longest / kLongestPiece)));
  if (pieces_ == 0) return;
  if (scheme_ == Advection::Quadratic && fits_.empty()) make_fits();
  weights_.assign(rings_.near_count(), 0);
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (!(lengths[i] > 0)) return;
    // By the midpoint rule: as far as skin moves that is half way there.
    const Vec2 half = -0.5 / pieces_ * flat(v, displacement[v]);
    const VertexRings::Place place = rings_.locate(body_.coordinates, v, half);
    const auto seen = [&](VertexId w) {
      return transported(displacement[w], body_.frames[w].normal, body_.frames[v].normal);
    };
    const VertexRings::Wedge& w = rings_.wedge(place.wedge);
    const Vec2 upstream = flat(v, (1 - place.ahead - place.left) * displacement[v] +
                                      place.ahead * seen(w.ahead) + place.left * seen(w.left));
    upstream_[v] = body_.frames[v].tangent * upstream;
    set_weights(v, -1.0 / pieces_ * upstream);
  });
}

void SkinAdvection::make_fits() {
  fits_.resize(rings_.vertex_count());
  near_.resize(rings_.near_count());
  near_weights_.resize(rings_.near_count());
  parallel_for(fits_.size(), [&](std::size_t i) { fits_[i] = fit(VertexId(i)); });
}

/// The polynomial p through the value at v, fitted to those near it by least squares, with weights that fall
/// with the distance and where the surface turns away. That alone is not stable on irregular meshes: as far
/// as the value at v misses a fit that it is but one part of, it is taken to it, by a share as large as the
/// way over the distance of the vertices. What this takes away from a smooth field is of fourth order.
SkinAdvection::Fit SkinAdvection::fit(VertexId v) {
  const auto near = rings_.near(v);
  Vec2* at = near_.data() + rings_.first_near(v);
  double* weights = near_weights_.data() + rings_.first_near(v);
  Fit out;
  double distance = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    at[k] = tangent_coordinates(body_.frames[v], body_.positions[near[k]] - body_.positions[v]);
    distance += at[k].norm() / static_cast<double>(near.size());
  }
  if (!(distance > 0)) return out;
  // Of weight x^a y^b: the moments of two monomials are those of their product.
  Eigen::Matrix<double, 5, 5> sums = Eigen::Matrix<double, 5, 5>::Zero();
  for (std::size_t k = 0; k < near.size(); ++k) {
    at[k] /= distance;
    const double facing = std::max(0.0, body_.frames[v].normal.dot(body_.frames[near[k]].normal));
    weights[k] = at[k].isZero(0) ? 0 : facing / at[k].squaredNorm();
    sums += weights[k] * powers(at[k].x()) * powers(at[k].y()).transpose();
  }
  Moments moments;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      moments(i, j) = sums(kExponents[i][0] + kExponents[j][0], kExponents[i][1] + kExponents[j][1]);
  // The squared norm of the form a x² + b xy + c y² is a² + b²/2 + c², whichever way the axes point.
  const double small = kRegularization * (moments(3, 3) + 2 * moments(4, 4) + moments(5, 5));
  moments.diagonal().tail<3>() += small * Vec3(1, 0.5, 1);
  out.through.compute(moments.bottomRightCorner<5, 5>());
  moments(0, 0) += 1;
  const Eigen::LLT<Moments> all(moments);
  if (out.through.info() != Eigen::Success || all.info() != Eigen::Success) return out;
  out.beside = all.solve(Quadratic(Quadratic::Unit(0)));
  out.distance = distance;
  return out;
}

void SkinAdvection::set_weights(VertexId v, const Vec2& way) {
  double* weights = weights_.data() + rings_.first_near(v);
  const std::size_t count = rings_.near(v).size();
  double size = std::numeric_limits<double>::infinity();
  if (scheme_ == Advection::Quadratic && fits_[v.index()].distance > 0) {
    const Fit& fit = fits_[v.index()];
    const Vec2* at = near_.data() + rings_.first_near(v);
    const double* near_weights = near_weights_.data() + rings_.first_near(v);
    Quadratic sum = std::min(1.0, way.norm() / fit.distance) * fit.beside;
    sum.tail<5>() += fit.through.solve(monomials(way / fit.distance).tail<5>());
    size = 0;
    for (std::size_t k = 0; k < count; ++k) {
      weights[k] = near_weights[k] * monomials(at[k]).dot(sum);
      size += std::abs(weights[k]);
    }
  }
  if (!(size < kMostWeight)) set_triangle_weights(v, way);
}

/// Those of linear interpolation in the triangle that the way leads into.
void SkinAdvection::set_triangle_weights(VertexId v, const Vec2& way) {
  const auto near = rings_.near(v);
  double* weights = weights_.data() + rings_.first_near(v);
  const VertexRings::Place place = rings_.locate(body_.coordinates, v, way);
  const VertexRings::Wedge& w = rings_.wedge(place.wedge);
  std::fill(weights, weights + near.size(), 0.0);
  weights[std::ranges::lower_bound(near, w.ahead) - near.begin()] = place.ahead;
  weights[std::ranges::lower_bound(near, w.left) - near.begin()] = place.left;
}

template <class T>
IdVector<VertexId, T> SkinAdvection::operator()(IdVector<VertexId, T> values) const {
  for (int piece = 0; piece < pieces_; ++piece) {
    IdVector<VertexId, T> there = values;
    parallel_for(values.size(), [&](std::size_t i) {
      const VertexId v(i);
      const auto near = rings_.near(v);
      const double* weights = weights_.data() + rings_.first_near(v);
      if (upstream_[v].isZero(0)) return;
      const Mat3 axes = axes_along(upstream_[v], body_.frames[v].normal);
      const T own = seen_in(axes, values[v]);
      T change = 0 * own, low = change, high = change;
      for (std::size_t k = 0; k < near.size(); ++k) {
        const T other = seen_in(axes, values[near[k]]) - own;
        change += weights[k] * other;
        low = least(low, other);
        high = most(high, other);
      }
      const T bounded = most(low, least(high, change));
      there[v] += seen_in(axes.transpose(), bounded);
    });
    values = std::move(there);
  }
  return values;
}

template IdVector<VertexId, double> SkinAdvection::operator()(IdVector<VertexId, double>) const;
template IdVector<VertexId, Vec3> SkinAdvection::operator()(IdVector<VertexId, Vec3>) const;
template IdVector<VertexId, Mat3> SkinAdvection::operator()(IdVector<VertexId, Mat3>) const;

/// The ways from the point at a vertex to those at others are taken over the skin at rest, in the tangent
/// plane of that point.
SkinPoints SkinAdvection::piece(const SkinPoints& points, const IdVector<VertexId, SurfaceJet>& jets,
                                const SlideSurface& at_rest) const {
  SkinPoints there = points;
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    const auto near = rings_.near(v);
    const double* weights = weights_.data() + rings_.first_near(v);
    const TangentPlane frame{jets[v].tangent, jets[v].normal};
    Vec2 way = Vec2::Zero();
    for (std::size_t k = 0; k < near.size(); ++k)
      if (weights[k] != 0)
        way += weights[k] * tangent_coordinates(frame, jets[near[k]].position - jets[v].position);
    if (!way.isZero(0)) there[v] = at_rest.retract(points[v], jets[v], way);
  });
  return there;
}

SkinPoints SkinAdvection::operator()(const SkinConfiguration& at, const SlideSurface& at_rest) const {
  if (pieces_ == 0) return at.points;
  SkinPoints points = piece(at.points, at.jets, at_rest);
  IdVector<VertexId, SurfaceJet> jets(pieces_ > 1 ? points.size() : 0);
  for (int i = 1; i < pieces_; ++i) {
    parallel_for(points.size(), [&](std::size_t k) {
      const VertexId v(k);
      if (points[v].face.valid()) jets[v] = at_rest.evaluate(points[v]);
    });
    points = piece(points, jets, at_rest);
  }
  return points;
}

}  // namespace cutis
