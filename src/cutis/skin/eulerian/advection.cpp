#include "cutis/skin/eulerian/advection.h"

#include <algorithm>
#include <cmath>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The most pieces that a way is cut into: beyond, what is upstream is taken from the far side of a triangle.
constexpr int kMaxPieces = 32;
/// A piece is no longer than this share of the way across the triangle that it leads into.
constexpr double kLongestPiece = 0.9;

double size_of(double value) { return std::abs(value); }
double size_of(const Vec3& value) { return value.norm(); }

/// No longer than `most`.
template <class T>
T cut_to(const T& value, double most) {
  const double size = size_of(value);
  return size > most ? T(value * (most / size)) : value;
}

}  // namespace

void SkinAdvection::set_displacement(const Vectors& displacement,
                                     const IdVector<VertexId, TangentFrame>& frames,
                                     const Coordinates& body) {
  const std::size_t n = rings_.vertex_count();
  const auto flat = [&](VertexId v, const Vec3& d) -> Vec2 { return frames[v].tangent.transpose() * d; };
  // How many triangles long the ways are: without the bound that locate() has.
  std::vector<double> lengths(n, 0);
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    const Vec2 back = -flat(v, displacement[v]);
    const double length = back.norm();
    if (!(length > 0) || rings_.wedges(v).empty()) return;
    const VertexRings::Place far = rings_.locate(body, v, back * (1e-6));
    lengths[i] = 1e6 * (far.ahead + far.left);
  });
  const double longest = n == 0 ? 0 : *std::max_element(lengths.begin(), lengths.end());
  pieces_ = std::min(kMaxPieces, static_cast<int>(std::ceil(longest / kLongestPiece)));
  if (pieces_ == 0) return;
  upstream_.assign(n, {});
  downstream_.assign(n, {});
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    upstream_[i].wedge = downstream_[i].wedge = rings_.first_wedge(v);
    if (rings_.wedges(v).empty()) return;
    // By the midpoint rule: as far as skin moves that is half way there.
    const double share = 1.0 / pieces_;
    const auto half_way = [&](double sign) {
      const Vec2 half = 0.5 * sign * share * flat(v, displacement[v]);
      return Vec2(sign * share * flat(v, rings_.at(displacement, v, rings_.locate(body, v, half))));
    };
    upstream_[i] = rings_.locate(body, v, half_way(-1));
    downstream_[i] = rings_.locate(body, v, half_way(1));
  });
}

template <class T>
IdVector<VertexId, T> SkinAdvection::operator()(IdVector<VertexId, T> values) const {
  const auto shifted = [&](const IdVector<VertexId, T>& from, const std::vector<VertexRings::Place>& places) {
    IdVector<VertexId, T> to = from;
    parallel_for(from.size(), [&](std::size_t i) {
      const VertexId v(i);
      if (places[i].ahead > 0 || places[i].left > 0) to[v] = rings_.at(from, v, places[i]);
    });
    return to;
  };
  for (int piece = 0; piece < pieces_; ++piece) {
    IdVector<VertexId, T> there = shifted(values, upstream_);
    if (scheme_ == Advection::MacCormack) {
      const IdVector<VertexId, T> back = shifted(there, downstream_);
      parallel_for(values.size(), [&](std::size_t i) {
        const VertexId v(i);
        if (rings_.wedges(v).empty()) return;
        const VertexRings::Wedge& w = rings_.wedge(upstream_[i].wedge);
        const double most =
            std::max(size_of(T(values[w.ahead] - values[v])), size_of(T(values[w.left] - values[v])));
        there[v] += cut_to(T(0.5 * (values[v] - back[v])), most);
      });
    }
    values = std::move(there);
  }
  return values;
}

template IdVector<VertexId, double> SkinAdvection::operator()(IdVector<VertexId, double>) const;
template IdVector<VertexId, Vec3> SkinAdvection::operator()(IdVector<VertexId, Vec3>) const;

/// What each vertex sees of the skin at its point, and the way from there to the point at a place, over the
/// skin at rest.
struct SkinAdvection::Ways {
  IdVector<VertexId, SurfaceJet> jets;
  IdVector<VertexId, Vec2> way;  ///< in the tangent plane of the jet [m]
  std::vector<double> spread;    ///< to the corners that it was interpolated between, the longer way [m]
};

SkinAdvection::Ways SkinAdvection::ways(const SkinPoints& points, const SlideSurface& at_rest,
                                        const std::vector<VertexRings::Place>& places) const {
  const std::size_t n = points.size();
  Ways out{IdVector<VertexId, SurfaceJet>(n), IdVector<VertexId, Vec2>(n, Vec2::Zero()),
           std::vector<double>(n, 0)};
  Points positions(n, Vec3::Zero());
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    if (!points[v].face.valid()) return;
    out.jets[v] = at_rest.evaluate(points[v]);
    positions[v] = at_rest.position(v, out.jets[v]);
  });
  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    const VertexRings::Place& place = places[i];
    if (!points[v].face.valid() || (place.ahead == 0 && place.left == 0)) return;
    const TangentFrame frame{out.jets[v].tangent, out.jets[v].normal};
    const VertexRings::Wedge& w = rings_.wedge(place.wedge);
    const Vec2 ahead = tangent_coordinates(frame, positions[w.ahead] - positions[v]);
    const Vec2 left = tangent_coordinates(frame, positions[w.left] - positions[v]);
    out.way[v] = place.ahead * ahead + place.left * left;
    out.spread[i] = std::max(ahead.norm(), left.norm());
  });
  return out;
}

SkinPoints SkinAdvection::piece(const SkinPoints& points, const SlideSurface& at_rest) const {
  const auto moved = [&](const SkinPoints& from, const Ways& along) {
    SkinPoints to = from;
    parallel_for(from.size(), [&](std::size_t i) {
      const VertexId v(i);
      if (!along.way[v].isZero(0)) to[v] = at_rest.retract(from[v], along.jets[v], along.way[v]);
    });
    return to;
  };
  const Ways up = ways(points, at_rest, upstream_);
  const SkinPoints there = moved(points, up);
  if (scheme_ == Advection::SemiLagrangian) return there;
  Ways correction = ways(there, at_rest, downstream_);
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Mat32& T = correction.jets[v].tangent;
    const Vec3 missed = up.jets[v].tangent * up.way[v] + T * correction.way[v];
    const Vec2 half = T.transpose() * (-0.5 * missed);
    const double size = half.norm(), most = 0.5 * up.spread[i];
    correction.way[v] = size > most ? Vec2(half * (most / size)) : half;
  });
  return moved(there, correction);
}

SkinPoints SkinAdvection::operator()(SkinPoints points, const SlideSurface& at_rest) const {
  for (int i = 0; i < pieces_; ++i) points = piece(points, at_rest);
  return points;
}

}  // namespace cutis
