#pragma once

#include <array>
#include <memory>
#include <vector>

#include "cutis/surface/mesh/surface.h"
#include "cutis/wrinkle/contact/layer_height.h"

namespace cutis {

struct LayerBarrierOptions {
  double share = 0.25;     ///< of its height at rest, below which the upper layer is pushed up
  double stiffness = 1e6;  ///< the pressure with which it is at about half of that [Pa]
};

/// The energy of one place of the upper layer over the lower one [J], with its derivatives by vertices of the
/// upper layer.
struct LayerStencil {
  std::array<VertexId, 3> vertices;  ///< the first `count` of them
  int count = 0;                     ///< 1, 2 or 3
  double energy = 0;
  Eigen::Matrix<double, 9, 1> gradient = Eigen::Matrix<double, 9, 1>::Zero();  ///< the first 3 count
  Eigen::Matrix<double, 9, 9> hessian = Eigen::Matrix<double, 9, 9>::Zero();
};

/// Keeps a layer above the one below it, which is given: a barrier on the heights of its vertices over the
/// lower layer, of its triangles over the lower layer's vertices, and of its edges over the lower layer's
/// edges. Between these the height is linear, so that where they are above the lower layer all is.
class LayerBarrier {
 public:
  /// Both layers at rest, and where vertices of each lie on the other; an invalid face: nowhere.
  LayerBarrier(std::shared_ptr<const Surface> upper, std::shared_ptr<const Surface> lower,
               IdVector<VertexId, SurfacePoint> upper_on_lower,
               IdVector<VertexId, SurfacePoint> lower_on_upper, const LayerBarrierOptions& options);

  /// Where the lower layer is from now on.
  void set_lower(const Points& positions);

  /// From now on heights for energy() and stencils() are over, and under, the triangles and edges that they
  /// are at these positions, which go on beyond their sides: from triangle to triangle heights have kinks, in
  /// which Newton's method would be caught.
  void begin(const Points& upper);

  /// [J]; finite also where the upper layer is below the lower one, which pushes it up.
  double energy(const Points& upper) const;
  /// One for each height below its share: vertices of the upper layer, of the lower, then edges. The Hessian
  /// is that of the barrier alone, positive semi-definite: the curvature of the height, its change with the
  /// normals of the prism, is left out.
  std::vector<LayerStencil> stencils(const Points& upper) const;
  /// The smallest height [of its own at rest]; infinite where there is none.
  double lowest(const Points& upper) const;
  /// How many heights cannot be told: where the lower layer is folded so sharply that its prisms are turned
  /// inside out.
  int unknown_heights(const Points& upper) const;

 private:
  /// Of a vertex of the upper layer (count 1), an edge of it over one of the lower (2), or a triangle of it
  /// over a vertex of the lower (3).
  struct Height {
    std::array<VertexId, 3> vertices;
    int count = 0;  ///< 0: there is none
    double height = 0;
    std::array<Vec3, 3> gradient;
    double rest_height = 0;  ///< [m]
    double area = 0;         ///< on which it stands for the height [m²]
    FaceId face;             ///< of a vertex: over which, or under which, it is
  };
  /// Two edges, and what the height of one over the other is at rest.
  struct Crossing {
    EdgeCrossing edges;
    double rest_height = 0;  ///< [m]
  };
  std::shared_ptr<const Surface> upper_, lower_;
  IdVector<VertexId, SurfacePoint> upper_on_lower_, lower_on_upper_;
  LayerBarrierOptions options_;
  Points lower_positions_;
  IdVector<VertexId, Vec3> lower_normals_, lower_rest_normals_;
  std::vector<std::array<VertexId, 2>> edges_;  ///< of the upper layer
  std::vector<double> rest_heights_;            ///< [m]; upper vertices, then lower; 0: there is none
  std::vector<double> areas_;                   ///< in the same order [m²]
  std::vector<FaceId> faces_;        ///< of begin(), in the same order; empty: they are searched for
  std::vector<Crossing> crossings_;  ///< of begin()

  LayerShape lower_shape() const { return {lower_->topology(), lower_positions_, lower_normals_}; }
  /// Over or under `face`, or, where that is invalid, the triangle that is found.
  Height height_at(std::size_t place, const Points& upper, FaceId face) const;
  Height height_of(const Crossing& crossing, const Points& upper) const;
  std::vector<Height> vertex_heights(const Points& upper, const std::vector<FaceId>& faces) const;
  std::vector<Crossing> find_crossings(const Points& upper, const std::vector<Height>& vertex_heights) const;
  double rest_height(const EdgeCrossing& edges, const CrossingPlace& place) const;
  /// On the triangles and edges of begin() or, without it or where they are `searched`, of these positions.
  std::vector<Height> heights(const Points& upper, bool searched) const;
  LayerStencil stencil(const Height& height) const;
};

}  // namespace cutis
