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
/// How far upstream is depends on what comes from there. Rounds of this search, and the change that ends it,
/// as a share of the mean distance of the vertices within two rings.
constexpr int kUpstreamRounds = 6;
constexpr double kUpstreamTolerance = 1e-4;

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

/// The smallest and the largest of values that are handed to it, and of zero.
template <class T>
struct Bounds {
  T low, high;
  explicit Bounds(const T& zero) : low(zero), high(zero) {}
  void add(const T& value) {
    low = least(low, value);
    high = most(high, value);
  }
  T operator()(const T& value) const { return most(low, least(high, value)); }
};

}  // namespace

/// A way that leads far is gone in pieces, straight on from each to the next: what skin brings along is
/// carried with it.
void SkinAdvection::set_displacement(const Displacement& displacement) {
  set_pieces(displacement);
  upstream_.assign(rings_.vertex_count(), Vec3::Zero());
  if (pieces_ == 0) return;
  if (scheme_ == Advection::Quadratic && fits_.empty()) make_fits();
  Vectors of_skin = displacement.of_skin;
  for (int piece = 0; piece < pieces_; ++piece) {
    weights_.emplace_back(rings_.near_count(), 0.0);
    parallel_for(upstream_.size(), [&](std::size_t i) {
      const VertexId v(i);
      if (!rings_.wedges(v).empty()) upstream_[v] = upstream_of(v, displacement, of_skin, piece);
    });
    ways_.push_back(upstream_);
    if (piece + 1 < pieces_) of_skin = carried(of_skin, displacement.common, piece);
  }
}

/// As many as the longest way needs, and the normals between them.
void SkinAdvection::set_pieces(const Displacement& displacement) {
  const std::size_t n = rings_.vertex_count();
  ways_.clear();
  weights_.clear();
  const auto ends = [&](double share) {
    Vectors out(n);
    parallel_for(n, [&](std::size_t i) {
      const VertexId v(i);
      const Vec3 &from = start_.frames[v].normal, &to = body_.frames[v].normal;
      out[v] = share == 0 ? from : share == 1 ? to : Vec3((from + share * (to - from)).stableNormalized());
    });
    return out;
  };
  normals_ = {ends(0), ends(1)};
  std::vector<double> lengths(n, 0);  // of the ways, as shares of what there is around a vertex
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (rings_.wedges(v).empty()) return;
    const Vec3 of_skin =
        turned_with(normals_[0][v], normals_[1][v], displacement.of_skin[v], displacement.common);
    const double way = way_to(v, displacement, of_skin).norm();
    if (!(way > 0)) return;
    double around = 0;
    for (const VertexId w : rings_.near(v)) around += (body_.positions[w] - body_.positions[v]).norm();
    lengths[i] = way * static_cast<double>(rings_.near(v).size()) / around;
  });
  const double longest = n == 0 ? 0 : *std::max_element(lengths.begin(), lengths.end());
  pieces_ = std::min(kMaxPieces, static_cast<int>(std::ceil(longest / kLongestPiece)));
  if (pieces_ < 2) return;
  normals_.clear();
  for (int piece = 0; piece <= pieces_; ++piece)
    normals_.push_back(ends(static_cast<double>(piece) / pieces_));
}

/// Over the body to v, of skin that brings a part of its displacement along.
Vec3 SkinAdvection::way_to(VertexId v, const Displacement& displacement, const Vec3& of_skin) const {
  const Mat32& T = body_.frames[v].tangent;
  Vec3 way = T * (T.transpose() * of_skin);
  if (!displacement.of_vertex.empty()) way += displacement.of_vertex[v];
  return displacement.admissible ? displacement.admissible(v, way) : way;
}

/// How far upstream is, w, follows from what comes from there: w = of_skin(v - w) + of_vertex(v), by repeated
/// substitution.
Vec3 SkinAdvection::upstream_of(VertexId v, const Displacement& displacement, const Vectors& of_skin,
                                int piece) {
  const Vectors &from = normals_[static_cast<std::size_t>(piece)],
                &to = normals_[static_cast<std::size_t>(piece) + 1];
  const auto brought = [&](VertexId w) {
    return turned_with(from[w], to[v], of_skin[w], displacement.common);
  };
  const Vec3 own = brought(v);
  Vec3 way = way_to(v, displacement, own);
  if (way.isZero(0)) return way;
  const auto near = rings_.near(v);
  const Mat3 axes = axes_along(way, body_.frames[v].normal);
  std::vector<Vec3> others;
  Bounds<Vec3> bounds(Vec3::Zero());
  double distance = 0;
  for (const VertexId w : near) {
    others.push_back(seen_in(axes, Vec3(brought(w) - own)));
    bounds.add(others.back());
    distance += (body_.positions[w] - body_.positions[v]).norm() / static_cast<double>(near.size());
  }
  double* weights = weights_[static_cast<std::size_t>(piece)].data() + rings_.first_near(v);
  for (int round = 0;; ++round) {
    set_weights(weights, v, -1.0 / pieces_ * (body_.frames[v].tangent.transpose() * way));
    if (round == kUpstreamRounds) return way;
    Vec3 change = Vec3::Zero();
    for (std::size_t k = 0; k < near.size(); ++k) change += weights[k] * others[k];
    const Vec3 next = way_to(v, displacement, own + axes * bounds(change));
    if ((next - way).norm() <= kUpstreamTolerance * distance) return way;
    way = next;
  }
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

void SkinAdvection::set_weights(double* weights, VertexId v, const Vec2& way) const {
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
  if (!(size < kMostWeight)) set_triangle_weights(weights, v, way);
}

/// Those of linear interpolation in the triangle that the way leads into.
void SkinAdvection::set_triangle_weights(double* weights, VertexId v, const Vec2& way) const {
  const auto near = rings_.near(v);
  const VertexRings::Place place = rings_.locate(body_.coordinates, v, way);
  const VertexRings::Wedge& w = rings_.wedge(place.wedge);
  std::fill(weights, weights + near.size(), 0.0);
  weights[std::ranges::lower_bound(near, w.ahead) - near.begin()] = place.ahead;
  weights[std::ranges::lower_bound(near, w.left) - near.begin()] = place.left;
}

template <class T>
IdVector<VertexId, T> SkinAdvection::operator()(IdVector<VertexId, T> values) const {
  for (std::size_t piece = 0; piece < ways_.size(); ++piece) {
    IdVector<VertexId, T> there = values;
    parallel_for(values.size(), [&](std::size_t i) {
      const VertexId v(i);
      const auto near = rings_.near(v);
      const double* weights = weights_[piece].data() + rings_.first_near(v);
      const Vec3& way = ways_[piece][v];
      if (way.isZero(0)) return;
      const Mat3 axes = axes_along(way, body_.frames[v].normal);
      const T own = seen_in(axes, values[v]);
      T change = 0 * own;
      Bounds<T> bounds(change);
      for (std::size_t k = 0; k < near.size(); ++k) {
        const T other = seen_in(axes, values[near[k]]) - own;
        change += weights[k] * other;
        bounds.add(other);
      }
      there[v] += seen_in(axes.transpose(), bounds(change));
    });
    values = std::move(there);
  }
  return values;
}

template IdVector<VertexId, double> SkinAdvection::operator()(IdVector<VertexId, double>) const;
template IdVector<VertexId, Mat3> SkinAdvection::operator()(IdVector<VertexId, Mat3>) const;

SkinAdvection::Vectors SkinAdvection::vectors(Vectors values, const Vec3& common) const {
  for (int piece = 0; piece < std::max(1, pieces_); ++piece) values = carried(values, common, piece);
  return values;
}

/// By a piece of the way.
SkinAdvection::Vectors SkinAdvection::carried(const Vectors& values, const Vec3& common, int piece) const {
  const auto at = static_cast<std::size_t>(piece);
  const Vectors &from = normals_[at], &to = normals_[at + 1];
  Vectors out(values.size());
  parallel_for(values.size(), [&](std::size_t i) {
    const VertexId v(i);
    const auto brought = [&](VertexId w) { return turned_with(from[w], to[v], values[w], common); };
    out[v] = brought(v);
    if (pieces_ == 0 || ways_[at][v].isZero(0)) return;
    const Mat3 axes = axes_along(ways_[at][v], body_.frames[v].normal);
    const auto near = rings_.near(v);
    const double* weights = weights_[at].data() + rings_.first_near(v);
    Vec3 change = Vec3::Zero();
    Bounds<Vec3> bounds(change);
    for (std::size_t k = 0; k < near.size(); ++k) {
      const Vec3 other = seen_in(axes, Vec3(brought(near[k]) - out[v]));
      change += weights[k] * other;
      bounds.add(other);
    }
    out[v] += axes * bounds(change);
  });
  return out;
}

/// The ways from the point at a vertex to those at others are taken over the skin at rest, in the tangent
/// plane of that point.
SkinPoints SkinAdvection::piece(int piece, const SkinPoints& points,
                                const IdVector<VertexId, SurfaceJet>& jets,
                                const SlideSurface& at_rest) const {
  SkinPoints there = points;
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    const auto near = rings_.near(v);
    const double* weights = weights_[static_cast<std::size_t>(piece)].data() + rings_.first_near(v);
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
  SkinPoints points = piece(0, at.points, at.jets, at_rest);
  IdVector<VertexId, SurfaceJet> jets(pieces_ > 1 ? points.size() : 0);
  for (int i = 1; i < pieces_; ++i) {
    parallel_for(points.size(), [&](std::size_t k) {
      const VertexId v(k);
      if (points[v].face.valid()) jets[v] = at_rest.evaluate(points[v]);
    });
    points = piece(i, points, jets, at_rest);
  }
  return points;
}

}  // namespace cutis
