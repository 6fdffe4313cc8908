#pragma once

#include <array>
#include <vector>

#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Keeps the map from skin to body from folding. For each triangle of the skin, as it lies on the body at
/// rest, s is its area as seen along the body's normals there, over its area at home: 1 at home, 0 where it
/// stands on edge, negative when it has turned over. A barrier begins at s = 0.3 and is infinite at 0.
///
/// The normals are SlideSurface::blended_normals(): Newton's method would stop at the kinks of the surface's
/// own. Where the two differ much, in clefts, a second barrier from s = 0.1 on sees its own, too.
class InversionBarrier {
 public:
  using Corners = std::array<VertexId, 3>;
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;

  /// `stiffness` [N/m], that of the skin, sets the scale. Triangles that are on edge at home are left alone.
  InversionBarrier(const SlideSurface& at_rest, const std::vector<Corners>& triangles, double stiffness);

  /// Each vertex of the skin on the body at rest: where, and what it sees there.
  using Places = IdVector<VertexId, SurfaceJet>;

  double energy(std::size_t i, const SkinPoints& points, const Places& places) const;  ///< [J]

  /// By the normal coordinates of the three corners on the body at rest.
  struct Jet {
    bool active = false;
    Vec6 gradient = Vec6::Zero();
    Mat6 hessian = Mat6::Zero();
  };
  Jet evaluate(std::size_t i, const SkinPoints& points, const Places& places) const;

 private:
  struct Measure {
    double area = 0;      ///< twice that at home [m²]
    double onset = 0;     ///< s at which the barrier begins; zero: none
    double strength = 0;  ///< [J]
  };
  struct Triangle {
    Corners corners;
    std::array<Measure, 2> measures;  ///< without and with offsets
  };
  /// The blended normal at a corner and its derivatives by normal coordinates.
  struct Normal {
    Vec3 value = Vec3::Zero();
    Mat32 first = Mat32::Zero();      ///< [1/m]
    std::array<Vec3, 3> second = {};  ///< by (0, 0), (0, 1), (1, 1) [1/m²]
  };
  LimitSurface normals_;
  IdVector<FaceId, double> deviation_;  ///< largest distance of the blended normal from the surface's own
  std::vector<Triangle> triangles_;
  Points offsets_;

  bool far_from_folding(const Triangle& t, const SkinPoints& points, const Places& places) const;
  void add(const Triangle& triangle, std::size_t k, const Places& places,
           const std::array<Normal, 3>& normals, Jet& jet) const;
  Normal normal(const SurfacePoint& p, const SurfaceJet& at) const;
  std::array<Vec3, 2> sides(const Corners& c, const Places& places, bool with_offsets) const;
};

}  // namespace cutis
