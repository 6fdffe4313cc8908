#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/skin/skin_tissue.h"
#include "cutis/skin/tracked/tracked_options.h"
#include "cutis/skin/tracked/triangle_retargeting.h"
#include "cutis/solve/plastic_flow.h"
#include "cutis/solve/volume_transfer.h"

namespace cutis {

/// The shapes that triangles of skin have without stress, and what changes them: the target, plastic flow and
/// volume that is handed on.
class TriangleShapes {
 public:
  /// The mesh and the triangles of the tissue must outlive it.
  TriangleShapes(const Mesh& triangles, const SkinTissue& tissue, const TrackedOptions& options);

  /// Whether anything changes them.
  bool change() const { return retargeting_.moves() || plastic_ || volume_; }
  /// Takes over those of a target at once.
  void start(const Points& target) { retargeting_.start(target); }
  /// For a step of `dt` [s] at whose end the target is there, and triangle i is deformed by stretched(i)
  /// against its shape without stress.
  void advance(const Points& target, const std::function<PrincipalStretches(std::size_t)>& stretched,
               double dt);

  /// From the axes of the triangle at rest to its elastic deformation without a motion of the body, where the
  /// skin's own pre-stretch is G.
  Mat2 prestretch(std::size_t triangle, const Mat2& G) const;
  /// Area without stress over that of the body at rest.
  double area_ratio(std::size_t triangle) const;
  double width(std::size_t triangle) const { return retargeting_.width(triangle); }

  void save(State& state) const;
  void restore(const State& state);

 private:
  TriangleRetargeting retargeting_;
  std::optional<PlasticFlow<2>> plastic_;
  std::optional<VolumeTransfer> volume_;
  std::size_t size_;

  void flow(std::size_t triangle, const PrincipalStretches& stretched, double dt);
};

}  // namespace cutis
