#include "cutis/wrinkle/layer/property_discontinuities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/vertex_means.h"
#include "cutis/wrinkle/layer/triangle_samples.h"

namespace cutis {
namespace {

/// A discontinuity is where a property changes by more than kSmallestJump within kNear of a vertex, and where
/// that is at least kShareOfChange of its change within kAround. Both are taken of its means over kAveraged,
/// which have none at narrow stripes. Distances are in wavelengths.
const double kSmallestJump = std::log(1.5);
constexpr double kShareOfChange = 0.75;
constexpr double kAveraged = 0.13, kNear = 0.25, kAround = 0.5;
/// Each side of a triangle is cut into so many parts to see what is there on average.
constexpr int kJumpSamplesAcross = 3;
/// Halvings of an edge to find where on it the discontinuity is.
constexpr int kHalvings = 30;

struct Range {
  double low = INFINITY, high = -INFINITY;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double size() const { return high - low; }
};

class DiscontinuityCutter {
 public:
  DiscontinuityCutter(const Mesh& mesh, const IdVector<VertexId, double>& wavelength,
                      const std::function<double(const Vec3&)>& log_property)
      : mesh_(mesh), topology_(mesh), wavelength_(wavelength), at_(log_property) {
    average();
    levels_.resize(mesh.vertex_count());
    parallel_for(
        levels_.size(), [&](std::size_t i) { levels_[VertexId(i)] = level_at(VertexId(i)); }, 16);
  }

  CutMesh cut() {
    out_.mesh.positions = mesh_.positions;
    find_crossings();
    for (FaceId f : ids<FaceId>(mesh_.face_count())) cut_triangle(f);
    return std::move(out_);
  }

 private:
  const Mesh& mesh_;
  Topology topology_;
  const IdVector<VertexId, double>& wavelength_;
  const std::function<double(const Vec3&)>& at_;
  IdVector<VertexId, double> means_;   ///< within kAveraged of each vertex
  IdVector<VertexId, double> levels_;  ///< half-way up the jump beside a vertex; not a number: there is none
  IdVector<EdgeId, VertexId> crossings_;
  CutMesh out_;

  const Vec3& position(VertexId v) const { return mesh_.positions[v]; }

  /// Stripes that are narrower than a triangle have no discontinuities on average.
  void average() {
    std::vector<double> sums(mesh_.face_count()), areas(mesh_.face_count());
    parallel_for(
        sums.size(),
        [&](std::size_t f) {
          const auto v = mesh_.face(FaceId(f));
          const Vec3 &a = position(v[0]), &b = position(v[1]), &c = position(v[2]);
          areas[f] = (b - a).cross(c - a).norm() / 2;
          constexpr int n = kJumpSamplesAcross;
          for_each_sample(a, b, c, n, [&](const Vec3& x) { sums[f] += at_(x) * areas[f] / (n * n); });
        },
        16);
    const IdVector<VertexId, double> means = vertex_means(
        mesh_, 0.0, [&](FaceId f) { return sums[f.index()]; }, [&](FaceId f) { return areas[f.index()]; });
    means_.resize(means.size());
    parallel_for(
        means.size(),
        [&](std::size_t i) {
          double sum = 0, count = 0;
          for_each_within(VertexId(i), kAveraged, [&](VertexId w, double) {
            sum += means[w];
            ++count;
          });
          means_[VertexId(i)] = sum / count;
        },
        16);
  }

  /// Calls f with the vertices that are reached within a distance of v, and how far they are [wavelengths].
  template <class F>
  void for_each_within(VertexId v, double radius, const F& f) const {
    thread_local std::vector<char> seen;
    seen.resize(mesh_.vertex_count(), 0);
    std::vector<VertexId> reached;
    const auto reach = [&](VertexId w) {
      if (!std::exchange(seen[w.index()], 1)) reached.push_back(w);
    };
    reach(v);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const double distance = (position(reached[i]) - position(v)).norm() / wavelength_[v];
      if (distance > radius) continue;
      f(reached[i], distance);
      HalfedgeId h = topology_.halfedge(reached[i]);
      if (!h.valid()) continue;
      const HalfedgeId start = h;
      do {
        reach(topology_.to(h));
        h = topology_.rotate(h);
      } while (h != start);
    }
    for (VertexId w : reached) seen[w.index()] = 0;
  }

  double level_at(VertexId v) const {
    Range near, around;
    for_each_within(v, kAround, [&](VertexId w, double distance) {
      around.include(means_[w]);
      if (distance <= kNear) near.include(means_[w]);
    });
    const bool jumps = near.size() > kSmallestJump && near.size() >= kShareOfChange * around.size();
    return jumps ? (near.low + near.high) / 2 : NAN;
  }

  void find_crossings() {
    std::vector<double> places(topology_.edge_count(), -1);
    parallel_for(places.size(), [&](std::size_t i) { places[i] = crossing(EdgeId(i)); });
    crossings_.resize(places.size());
    for (EdgeId e : ids<EdgeId>(places.size()))
      if (const double t = places[e.index()]; t >= 0)
        crossings_[e] = out_.mesh.positions.push_back(along(e, t));
  }

  Vec3 along(EdgeId e, double t) const {
    const HalfedgeId h = topology_.halfedge(e);
    return position(topology_.from(h)) + t * (position(topology_.to(h)) - position(topology_.from(h)));
  }

  /// Where an edge crosses a discontinuity, as a share of its length; below 0: nowhere.
  double crossing(EdgeId e) const {
    const HalfedgeId h = topology_.halfedge(e);
    const double a = levels_[topology_.from(h)], b = levels_[topology_.to(h)];
    const double level = std::isnan(a) ? b : std::isnan(b) ? a : (a + b) / 2;
    if (std::isnan(level)) return -1;
    double low = 0, high = 1;
    const bool rises = at_(along(e, 0)) < level;
    if (rises != (at_(along(e, 1)) >= level)) return -1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      ((at_(along(e, middle)) < level) == rises ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  void cut_triangle(FaceId f) {
    // Corners and crossings in turn, from the side after which the first uncrossed one comes.
    HalfedgeId h = topology_.halfedge(f);
    const auto crossed = [&](HalfedgeId side) { return crossings_[topology_.edge(side)]; };
    const auto count = [&] {
      return crossed(h).valid() + crossed(topology_.next(h)).valid() + crossed(topology_.prev(h)).valid();
    }();
    if (count == 1 || count == 2)
      while (crossed(topology_.prev(h)).valid() != (count == 2) || crossed(h).valid()) h = topology_.next(h);
    const VertexId a = topology_.from(h), b = topology_.to(h), c = topology_.to(topology_.next(h));
    const VertexId ab = crossed(h), bc = crossed(topology_.next(h)), ca = crossed(topology_.prev(h));
    if (count == 0) {
      add({a, b, c});
    } else if (count == 1) {  // on bc
      add({a, b, bc});
      add({a, bc, c});
    } else if (count == 2) {  // on bc and ca: c is cut off
      add({bc, c, ca});
      const bool from_a =
          (out_.mesh.positions[bc] - position(a)).norm() < (out_.mesh.positions[ca] - position(b)).norm();
      add(from_a ? std::array{a, b, bc} : std::array{a, b, ca});
      add(from_a ? std::array{a, bc, ca} : std::array{b, bc, ca});
      out_.discontinuities.push_back(std::minmax(bc, ca));
    } else {
      add({a, ab, ca});
      add({ab, b, bc});
      add({bc, c, ca});
      add({ab, bc, ca});
    }
  }

  void add(const std::array<VertexId, 3>& corners) { out_.mesh.add_face(corners); }
};

}  // namespace

CutMesh cut_at_discontinuities(const Mesh& triangles, const IdVector<VertexId, double>& wavelength,
                               const std::function<double(const Vec3&)>& log_property) {
  return DiscontinuityCutter(triangles, wavelength, log_property).cut();
}

}  // namespace cutis
