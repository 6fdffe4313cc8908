#include "cutis/skin/eulerian/advection.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

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

Quadratic monomials(const Vec2& x) { return Quadratic(1, x[0], x[1], x[0] * x[0], x[0] * x[1], x[1] * x[1]); }

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

void SkinAdvection::set_displacement(const Vectors& displacement, const RingedSurface& body) {
  const std::size_t n = rings_.vertex_count();
  const auto flat = [&](VertexId v, const Vec3& d) -> Vec2 { return body.frames[v].tangent.transpose() * d; };
  std::vector<double> lengths(n, 0);  // of the ways, as shares of what there is around a vertex
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    const double way = flat(v, displacement[v]).norm();
    if (!(way > 0) || rings_.wedges(v).empty()) return;
    double around = 0;
    for (const VertexId w : rings_.near(v)) around += (body.positions[w] - body.positions[v]).norm();
    lengths[i] = way * static_cast<double>(rings_.near(v).size()) / around;
  });
  const double longest = n == 0 ? 0 : *std::max_element(lengths.begin(), lengths.end());
  pieces_ = std::min(kMaxPieces, static_cast<int>(std::ceil(longest / kLongestPiece)));
  if (pieces_ == 0) return;
  weights_.assign(n == 0 ? 0 : rings_.first_near(VertexId(n - 1)) + rings_.near(VertexId(n - 1)).size(), 0);
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (!(lengths[i] > 0)) return;
    // By the midpoint rule: as far as skin moves that is half way there.
    const Vec2 half = -0.5 / pieces_ * flat(v, displacement[v]);
    const VertexRings::Place place = rings_.locate(body.coordinates, v, half);
    const auto seen = [&](VertexId w) {
      return transported(displacement[w], body.frames[w].normal, body.frames[v].normal);
    };
    const VertexRings::Wedge& w = rings_.wedge(place.wedge);
    const Vec3 upstream = (1 - place.ahead - place.left) * displacement[v] + place.ahead * seen(w.ahead) +
                          place.left * seen(w.left);
    set_weights(v, -1.0 / pieces_ * flat(v, upstream), body);
  });
}

/// The polynomial p through the value at v, fitted to those near it by least squares, with weights that fall
/// with the distance and where the surface turns away. That alone is not stable on irregular meshes: as far
/// as the value at v misses a fit that it is but one part of, it is taken to it, by a share as large as the
/// way over the distance of the vertices. What this takes away from a smooth field is of fourth order.
void SkinAdvection::set_weights(VertexId v, const Vec2& way, const RingedSurface& body) {
  const auto near = rings_.near(v);
  double* weights = weights_.data() + rings_.first_near(v);
  const VertexRings::Place place = rings_.locate(body.coordinates, v, way);
  if (scheme_ == Advection::Quadratic) {
    std::vector<Vec2> at(near.size());
    double distance = 0;
    for (std::size_t k = 0; k < near.size(); ++k) {
      at[k] = tangent_coordinates(body.frames[v], body.positions[near[k]] - body.positions[v]);
      distance += at[k].norm() / static_cast<double>(near.size());
    }
    Moments moments = Moments::Zero();
    for (std::size_t k = 0; k < near.size(); ++k) {
      at[k] /= distance;
      const double facing = std::max(0.0, body.frames[v].normal.dot(body.frames[near[k]].normal));
      weights[k] = at[k].isZero(0) ? 0 : facing / at[k].squaredNorm();
      const Quadratic m = monomials(at[k]);
      moments += weights[k] * m * m.transpose();
    }
    moments.diagonal().tail<3>() *= 1 + kRegularization;
    Quadratic through = Quadratic::Zero();
    through.tail<5>() = moments.bottomRightCorner<5, 5>().ldlt().solve(monomials(way / distance).tail<5>());
    moments(0, 0) += 1;
    const double share = std::min(1.0, way.norm() / distance);
    const Quadratic sum = through + share * moments.ldlt().solve(Quadratic(Quadratic::Unit(0)));
    double size = 0;
    for (std::size_t k = 0; k < near.size(); ++k) {
      weights[k] *= monomials(at[k]).dot(sum);
      size += std::abs(weights[k]);
    }
    if (size < kMostWeight) return;
  }
  std::fill(weights, weights + near.size(), 0.0);
  const VertexRings::Wedge& w = rings_.wedge(place.wedge);
  const auto weight = [&](VertexId of) -> double& {
    return weights[std::lower_bound(near.begin(), near.end(), of) - near.begin()];
  };
  weight(w.ahead) = place.ahead;
  weight(w.left) = place.left;
}

template <class T>
IdVector<VertexId, T> SkinAdvection::operator()(IdVector<VertexId, T> values) const {
  for (int piece = 0; piece < pieces_; ++piece) {
    IdVector<VertexId, T> there = values;
    parallel_for(values.size(), [&](std::size_t i) {
      const VertexId v(i);
      const auto near = rings_.near(v);
      const double* weights = weights_.data() + rings_.first_near(v);
      T value = values[v], low = value, high = value;
      for (std::size_t k = 0; k < near.size(); ++k) {
        const T& other = values[near[k]];
        value += weights[k] * (other - values[v]);
        low = least(low, other);
        high = most(high, other);
      }
      there[v] = most(low, least(high, value));
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
SkinPoints SkinAdvection::piece(const SkinPoints& points, const SlideSurface& at_rest) const {
  const std::size_t n = points.size();
  IdVector<VertexId, SurfaceJet> jets(n);
  Points positions(n, Vec3::Zero());
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    jets[v] = at_rest.evaluate(points[v]);
    positions[v] = at_rest.position(v, jets[v]);
  });
  SkinPoints there = points;
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    const auto near = rings_.near(v);
    const double* weights = weights_.data() + rings_.first_near(v);
    const TangentPlane frame{jets[v].tangent, jets[v].normal};
    Vec2 way = Vec2::Zero();
    for (std::size_t k = 0; k < near.size(); ++k)
      if (weights[k] != 0) way += weights[k] * tangent_coordinates(frame, positions[near[k]] - positions[v]);
    if (!way.isZero(0)) there[v] = at_rest.retract(points[v], jets[v], way);
  });
  return there;
}

SkinPoints SkinAdvection::operator()(SkinPoints points, const SlideSurface& at_rest) const {
  for (int i = 0; i < pieces_; ++i) points = piece(points, at_rest);
  return points;
}

}  // namespace cutis
