#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cutis/surface/limit/limit_surface.h"

namespace cutis {

/// OpenSubdiv behind one door: the patches of a limit surface and the stencils that give their points.
class LimitPatches {
 public:
  /// `loop` is decided by the caller; throws as LimitSurface does.
  LimitPatches(const Mesh& mesh, bool loop, const LimitOptions& options);
  ~LimitPatches();

  bool loop() const { return loop_; }
  int isolation() const { return isolation_; }
  std::size_t control_count() const { return control_count_; }
  std::size_t point_count() const;

  /// Fills `points` (point_count of them) from the control positions.
  void refine(const Points& control, std::vector<Vec3>& points) const;

  /// The patch at a place of a parameter face, which the following want to know.
  int find(int patch_face, double u, double v) const;
  /// Asks for the patch's points ahead of time.
  void fetch(const std::vector<Vec3>& points, int patch) const;
  /// Position, and derivatives with respect to (u, v) of the parameter face: d1 is ∂/∂u, d12 ∂²/∂u∂v.
  Vec3 position(const std::vector<Vec3>& points, int patch, double u, double v) const;
  /// Of several sets of points, each with a jet.
  void evaluate(std::span<const Vec3* const> points, int patch, double u, double v,
                std::span<LimitJet> jets) const;

 private:
  struct Tables;
  bool loop_;
  int isolation_;
  std::size_t control_count_;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace cutis
