#include "cutis/skin/force_density/unfold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cutis/surface/geodesic/intrinsic.h"

namespace cutis {
namespace {

constexpr int sweeps_a_round = 60;
constexpr int sweeps_after = 3;  // once nothing is folded: leaves triangles that are not just barely open
constexpr std::array<int, 4> rings = {1, 3, 8, 20};

Vec2 turned(const Vec2& v) { return {-v.y(), v.x()}; }

double twice_area(const Layout& places, std::span<const VertexId> face) {
  return cross(places[face[1]] - places[face[0]], places[face[2]] - places[face[0]]);
}

/// The shape a triangle should have: gradients of its hat functions in its own plane, and its area.
struct TargetShape {
  std::array<Vec2, 3> gradient;
  double area = 0;
};

TargetShape target_shape(const Points& positions, std::span<const VertexId> face, double scale) {
  const auto length = [&](int i, int j) {
    return scale *
           (positions[face[static_cast<std::size_t>(j)]] - positions[face[static_cast<std::size_t>(i)]])
               .norm();
  };
  const double a = std::max(length(0, 1), 1e-300);
  Vec2 apex = triangle_apex(a, length(1, 2), length(2, 0));
  // A needle asks for no more than its neighbours can give.
  apex.y() = std::max(apex.y(), 0.02 * std::max(a, apex.norm()));
  const std::array<Vec2, 3> corner{Vec2(0, 0), Vec2(a, 0), apex};
  TargetShape shape;
  shape.area = 0.5 * a * apex.y();
  for (std::size_t k = 0; k < 3; ++k)
    shape.gradient[k] = turned(corner[(k + 2) % 3] - corner[(k + 1) % 3]) / (2 * shape.area);
  return shape;
}

class Unfolding {
 public:
  Unfolding(const Mesh& triangles, const Topology& topology, const Points& positions,
            const std::vector<char>& pinned, Layout& places)
      : mesh_(triangles), topology_(topology), positions_(positions), pinned_(pinned), places_(places) {
    double flat = 0, curved = 0;
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      const auto face = mesh_.face(f);
      flat += twice_area(places_, face);
      curved +=
          (positions[face[1]] - positions[face[0]]).cross(positions[face[2]] - positions[face[0]]).norm();
    }
    scale_ = std::sqrt(std::abs(flat) / curved);
  }

  bool relax(const std::vector<FaceId>& folded, int rings) {
    choose_region(folded, rings);
    int after = 0;
    for (int sweep = 0; sweep < sweeps_a_round && after < sweeps_after; ++sweep) {
      const double worst = smallest_determinant();
      if (worst > 0) ++after;
      // Garanzha et al.: the regularisation follows the worst determinant down to zero.
      epsilon_ = std::sqrt(1e-12 + 0.04 * std::min(worst, 0.0) * std::min(worst, 0.0));
      for (VertexId v : free_) move(v);
    }
    return smallest_determinant() > 0;
  }

 private:
  const Mesh& mesh_;
  const Topology& topology_;
  const Points& positions_;
  const std::vector<char>& pinned_;
  Layout& places_;
  double scale_ = 1;
  double epsilon_ = 0;
  std::vector<VertexId> free_;
  std::vector<FaceId> faces_;  ///< around the free vertices
  IdVector<FaceId, int> slot_;
  std::vector<TargetShape> shapes_;

  void choose_region(const std::vector<FaceId>& folded, int ring_count) {
    IdVector<VertexId, char> inside(topology_.vertex_count(), 0);
    std::vector<VertexId> region;
    const auto add = [&](VertexId v) {
      if (inside[v]) return;
      inside[v] = 1;
      region.push_back(v);
    };
    for (FaceId f : folded)
      for (VertexId v : mesh_.face(f)) add(v);
    std::size_t done = 0;
    for (int ring = 0; ring < ring_count && done < region.size(); ++ring)
      for (const std::size_t end = region.size(); done < end; ++done) {
        const HalfedgeId start = topology_.halfedge(region[done]);
        HalfedgeId h = start;
        do {
          add(topology_.to(h));
          h = topology_.rotate(h);
        } while (h != start);
      }
    std::sort(region.begin(), region.end());
    free_.clear();
    faces_.clear();
    shapes_.clear();
    slot_.assign(topology_.face_count(), -1);
    for (VertexId v : region) {
      if (pinned_[v.index()]) continue;
      free_.push_back(v);
      for_faces(v, [&](FaceId f, std::size_t) {
        if (slot_[f] >= 0) return;
        slot_[f] = static_cast<int>(faces_.size());
        faces_.push_back(f);
        shapes_.push_back(target_shape(positions_, mesh_.face(f), scale_));
      });
    }
  }

  /// Calls with each face around v and the place of v among its corners.
  template <class F>
  void for_faces(VertexId v, const F& f) const {
    const HalfedgeId start = topology_.halfedge(v);
    HalfedgeId h = start;
    do {
      if (!topology_.is_border(h)) f(topology_.face(h), h.index() % 3);
      h = topology_.rotate(h);
    } while (h != start);
  }

  double smallest_determinant() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < faces_.size(); ++i)
      least = std::min(least, 0.5 * twice_area(places_, mesh_.face(faces_[i])) / shapes_[i].area);
    return least;
  }

  /// Sum of area * |J|² / chi(det J) around a vertex; chi(D) = (D + sqrt(epsilon² + D²)) / 2.
  double energy(VertexId v) const {
    double sum = 0;
    for_faces(v, [&](FaceId f, std::size_t) {
      const TargetShape& shape = shapes_[static_cast<std::size_t>(slot_[f])];
      const auto face = mesh_.face(f);
      Mat2 J = Mat2::Zero();
      for (std::size_t k = 0; k < 3; ++k) J += places_[face[k]] * shape.gradient[k].transpose();
      const double D = J.determinant();
      sum += shape.area * J.squaredNorm() / (0.5 * (D + std::hypot(epsilon_, D)));
    });
    return sum;
  }

  /// One step of Newton's method for one vertex; of the Hessian the parts that are never negative.
  void move(VertexId v) {
    Vec2 gradient = Vec2::Zero();
    Mat2 hessian = Mat2::Zero();
    double reach = 0;
    for_faces(v, [&](FaceId f, std::size_t k) {
      const TargetShape& shape = shapes_[static_cast<std::size_t>(slot_[f])];
      const auto face = mesh_.face(f);
      Mat2 J = Mat2::Zero();
      for (std::size_t i = 0; i < 3; ++i) J += places_[face[i]] * shape.gradient[i].transpose();
      const double D = J.determinant(), root = std::hypot(epsilon_, D);
      const double chi = 0.5 * (D + root), slope = 0.5 * (1 + D / root);
      const Vec2 opposite = places_[face[(k + 2) % 3]] - places_[face[(k + 1) % 3]];
      const Vec2 dD = turned(opposite) / (2 * shape.area);
      const double size = J.squaredNorm();
      gradient += shape.area * (2 / chi * (J * shape.gradient[k]) - size * slope / (chi * chi) * dD);
      hessian += shape.area * (2 / chi * shape.gradient[k].squaredNorm() * Mat2::Identity() +
                               2 * size * slope * slope / (chi * chi * chi) * dD * dD.transpose());
      reach = std::max(reach, opposite.norm());
    });
    Vec2 step = -hessian.inverse() * gradient;
    if (!step.allFinite()) return;
    if (step.norm() > reach) step *= reach / step.norm();
    const Vec2 start = places_[v];
    const double before = energy(v);
    for (double factor = 1; factor > 1e-3; factor *= 0.5) {
      places_[v] = start + factor * step;
      if (energy(v) < before) return;
    }
    places_[v] = start;
  }
};

}  // namespace

std::vector<FaceId> folded_faces(const Mesh& triangles, const Layout& places) {
  std::vector<FaceId> folded;
  for (FaceId f : ids<FaceId>(triangles.face_count()))
    if (!(twice_area(places, triangles.face(f)) > 0)) folded.push_back(f);
  return folded;
}

std::vector<FaceId> unfold(const Mesh& triangles, const Topology& topology, const Points& positions,
                           const std::vector<char>& pinned, Layout& places) {
  std::vector<FaceId> folded = folded_faces(triangles, places);
  if (folded.empty()) return folded;
  Unfolding unfolding(triangles, topology, positions, pinned, places);
  for (int ring_count : rings) {
    unfolding.relax(folded, ring_count);
    folded = folded_faces(triangles, places);
    if (folded.empty()) break;
  }
  return folded;
}

}  // namespace cutis
