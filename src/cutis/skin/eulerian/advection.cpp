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

/// Where going there and back misses more than this share of what values differ by upstream, its half is left
/// out: noise would grow there, on fine meshes within a turn of a torus.
constexpr double kMostMissed = 0.2;

double size_of(double value) { return std::abs(value); }
double size_of(const Vec3& value) { return value.norm(); }

/// Within the values that it was interpolated between, number by number: going there and back is not stable
/// where the two ways lead through different triangles.
double within(double value, double a, double b, double c) {
  return std::clamp(value, std::min({a, b, c}), std::max({a, b, c}));
}
template <class V>
V within(const V& value, const V& a, const V& b, const V& c) {
  return value.cwiseMax(a.cwiseMin(b).cwiseMin(c)).cwiseMin(a.cwiseMax(b).cwiseMax(c));
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
    if (scheme_ == Advection::Bfecc) {
      const IdVector<VertexId, T> back = shifted(there, downstream_);
      IdVector<VertexId, T> compensated = values;
      for (VertexId v : ids<VertexId>(values.size())) compensated[v] += 0.5 * (values[v] - back[v]);
      const IdVector<VertexId, T> first = std::move(there);
      there = shifted(compensated, upstream_);
      parallel_for(values.size(), [&](std::size_t i) {
        const VertexId v(i);
        if (rings_.wedges(v).empty()) return;
        const VertexRings::Wedge& w = rings_.wedge(upstream_[i].wedge);
        const double spread =
            std::max(size_of(T(values[w.ahead] - values[v])), size_of(T(values[w.left] - values[v])));
        if (size_of(T(values[v] - back[v])) > kMostMissed * spread)
          there[v] = first[v];
        else
          there[v] = within(there[v], values[v], values[w.ahead], values[w.left]);
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
  IdVector<VertexId, Vec2> way;          ///< in the tangent plane of the jet [m]
  IdVector<VertexId, Vec2> ahead, left;  ///< the ways that it was interpolated between, besides none
};

SkinAdvection::Ways SkinAdvection::ways(const SkinPoints& points, const SlideSurface& at_rest,
                                        const std::vector<VertexRings::Place>& places) const {
  const std::size_t n = points.size();
  const IdVector<VertexId, Vec2> none(n, Vec2::Zero());
  Ways out{IdVector<VertexId, SurfaceJet>(n), none, none, none};
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
    out.ahead[v] = tangent_coordinates(frame, positions[w.ahead] - positions[v]);
    out.left[v] = tangent_coordinates(frame, positions[w.left] - positions[v]);
    out.way[v] = place.ahead * out.ahead[v] + place.left * out.left[v];
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
  const Ways back = ways(there, at_rest, downstream_);
  Ways half = up;
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Vec3 missed = up.jets[v].tangent * up.way[v] + back.jets[v].tangent * back.way[v];
    half.way[v] = -0.5 * up.jets[v].tangent.transpose() * missed;
  });
  const Ways again = ways(moved(points, half), at_rest, upstream_);
  Ways whole = up;
  parallel_for(points.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Vec3 way = half.jets[v].tangent * half.way[v] + again.jets[v].tangent * again.way[v];
    whole.way[v] =
        within(Vec2(up.jets[v].tangent.transpose() * way), Vec2(Vec2::Zero()), up.ahead[v], up.left[v]);
  });
  return moved(points, whole);
}

SkinPoints SkinAdvection::operator()(SkinPoints points, const SlideSurface& at_rest) const {
  for (int i = 0; i < pieces_; ++i) points = piece(points, at_rest);
  return points;
}

}  // namespace cutis
