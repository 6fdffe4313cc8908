#pragma once

#include <vector>

#include "cutis/skin/force_density/layout_locator.h"
#include "cutis/skin/force_density/patch_embedding.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// One patch of sliding skin: where each of its vertices goes, frame by frame. It slides as far as its
/// layouts say, or by the share of that which leaves it strained no more than plain skinning would.
class PatchSlide {
 public:
  /// `slide_limit`: one per vertex of the patch [m], or empty.
  PatchSlide(PatchDisk disk, const EmbeddingOptions& options, std::vector<double> slide_limit);
  PatchSlide(const PatchSlide&) = delete;
  PatchSlide& operator=(const PatchSlide&) = delete;

  /// `positions`: of the patch's vertices now.
  EquilibriumReport advance(const Points& positions);

  const PatchDisk& disk() const { return disk_; }
  const PatchEmbedding& embedding() const { return embedding_; }
  /// For each vertex a point of disk().mesh.
  const IdVector<VertexId, SurfacePoint>& points() const { return points_; }
  /// How much of its slide a vertex may make, by its distance to the border: 0 there, 1 inside.
  double ease(VertexId v) const { return ease_[v]; }

  /// What is remembered between frames, as numbers.
  std::vector<double> save() const;
  /// False when they are not of this patch.
  [[nodiscard]] bool restore(const std::vector<double>& numbers);

 private:
  PatchDisk disk_;
  Topology topology_;
  PatchEmbedding embedding_;
  LayoutLocator locator_;
  IdVector<VertexId, double> ease_;
  std::vector<double> limit_;
  Layout targets_;
  IdVector<VertexId, SurfacePoint> points_;
  std::vector<RestTriangle> rest_triangles_;

  SurfacePoint home(VertexId v) const;
  /// Goes this share of the way towards its target that its limit allows.
  void slide_within_limit(VertexId v, double share);
  double share_without_harm(const Points& positions) const;
  double strain_energy(const Points& positions, const Points& slid, double share) const;
};

/// Of a way of `length`, as much as a limit allows: all of it while it is short, never more than the limit,
/// and smooth in between. Both in metres.
double saturated(double length, double limit);

}  // namespace cutis
