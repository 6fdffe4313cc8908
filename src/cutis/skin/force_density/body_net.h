#pragma once

#include <array>
#include <vector>

#include "cutis/skin/force_density/net_law.h"
#include "cutis/skin/force_density/straight_paths.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/solve/sparse_cholesky.h"

namespace cutis {

/// The skin of a whole body, closed or open, as one net in equilibrium on the body as it lies now. The body
/// carries the forces across its surface, the branches carry those along it: the tangent part of
/// (CᵀQC) X = 0 (the paper, Eq. 2), with the densities of net_law.h.
///
/// Equilibrium is approached in a few steps from plain skinning, always as many, each one solve with the
/// factor of the net at rest. Where skin lies is a continuous function of the pose, without memory.
class BodyNet {
 public:
  /// `rest`: the surface that skin slides over, at rest. `slide_limit`: one per vertex [m], 0 is pinned,
  /// infinity free; empty: free. `density_factor`: one per vertex, or empty. Vertices on open borders are
  /// pinned.
  BodyNet(SlideSurface rest, IdVector<VertexId, double> slide_limit,
          const IdVector<VertexId, double>& density_factor);

  BodyNet(const BodyNet&) = delete;
  BodyNet& operator=(const BodyNet&) = delete;

  /// Those that may slide, rising.
  const std::vector<VertexId>& moving() const { return vertices_; }
  /// Writes where they lie when the vertices are at `body`, and at `on_surface` on `now`, the surface that
  /// skin slides over (SlideSurface::on_surface()); other entries stay.
  void solve(const SlideSurface& now, const Points& body, const Points& on_surface, SkinPoints& points);
  /// How far each vertex has slid in space: what SlideSurface::slide() has for its point.
  const Points& slides() const { return slides_; }

 private:
  struct Triangle {
    std::array<VertexId, 3> corners;
    RestTriangle rest;
    double factor = 1;  ///< of its densities
  };
  /// A vertex that may slide.
  struct Node {
    double limit = 0;               ///< [m]
    double ligament = 0;            ///< density of a branch to its home
    double scale = 1;               ///< of the preconditioner
    Vec2 slide = Vec2::Zero();      ///< in paths_.tangent(), without its limit [m]
    Vec2 way = Vec2::Zero();        ///< what its limit leaves of that, as it was last walked
    SurfacePoint point;             ///< where that led
    Vec3 place = Vec3::Zero();      ///< where that is now
    Mat32 carried = Mat32::Zero();  ///< change of place by way
    Mat32 motion = Mat32::Zero();   ///< change of place by slide
    Vec2 force = Vec2::Zero();      ///< gradient of the net's energy by slide
    Vec2 step = Vec2::Zero();
  };
  /// The surface now: what paths end on.
  struct Pose {
    const Points& body;
    const Points& on_surface;
    IdVector<VertexId, Mat3> gradients = {};  ///< from rest to now, mean of the triangles around a vertex
    double by_strain = 0;                     ///< net_pull()'s
    double peak = 0;                          ///< percentile of plain skinning's strain
    std::vector<double> strains = {};         ///< of all triangles
  };

  SlideSurface rest_;
  Points rest_points_;  ///< the vertices on the surface at rest
  StraightPaths paths_;
  std::vector<VertexId> vertices_;
  std::vector<Node> nodes_;                         ///< of these
  std::vector<Triangle> triangles_;                 ///< with a corner that may slide
  std::vector<Triangle> still_;                     ///< the others
  std::vector<double> areas_;                       ///< of all these, in this order [m²]
  std::vector<std::size_t> around_begin_, around_;  ///< 3 * triangle + corner, of each node
  SparseCholesky factor_;

  Points places_;  ///< of all vertices
  Points slides_;
  Points steps_;  ///< change of place by the present step
  std::vector<NetPull> pulls_;
  std::vector<double> of_triangles_;

  void add_nodes(const IdVector<VertexId, double>& slide_limit);
  void add_triangles(const IdVector<VertexId, double>& density_factor);
  void factorize();
  Pose pose(const Points& body, const Points& on_surface) const;
  void walk(std::size_t node, const Vec2& way, const Pose& pose);
  void move(const Pose& pose, bool along_surface);
  void find_forces(const Pose& pose);
  void scale_preconditioner();
  Eigen::VectorXd preconditioned() const;
  /// Goes along Node::step to the minimum of a parabola over the energy.
  void go_along_step();
  void keep_limits(const Pose& pose);
  /// Whether any had to be held.
  bool hold_inverting(const Pose& pose);
  /// Where skin is strained more than by plain skinning, all go the share of their ways that is not.
  void strain_no_more(const Pose& pose, const SlideSurface& now);
  /// Where vertices are on the surface itself.
  void place(const Pose& pose, const SlideSurface& now);
  static Mat32 gradient(const Triangle& triangle, const Points& at);
};

}  // namespace cutis
