#pragma once

#include <vector>

#include "cutis/slide/lagrangian_options.h"
#include "cutis/surface/surface.h"

namespace cutis {

using SkinPoints = IdVector<VertexId, SurfacePoint>;

enum class SkinRole : char {
  Stuck,  ///< to its place on the body
  Free,
  Along,  ///< slides only the way a curve runs
  Moved   ///< by a path
};

/// Who may move, and how. A path wins over all else, "fixed" and a slide limit of zero over curves.
class SkinConstraints {
 public:
  /// Throws InputError when a vertex is not there, a curve or path has too few points, or times do not rise.
  SkinConstraints(std::shared_ptr<const Surface> rest, const LagrangianOptions& options);

  SkinRole role(VertexId v) const { return roles_[v]; }
  /// Puts the moved vertices where their paths are at `time`.
  void place(double time, SkinPoints& points) const;
  /// The way that a vertex with the role Along may slide from p: changes of (b1, b2), up to a factor.
  Vec2 rail(VertexId v, const SurfacePoint& p) const;

 private:
  struct Path {
    std::vector<VertexId> vertices;
    std::vector<double> times;
    std::vector<Vec3> points;
    std::vector<std::vector<SurfacePoint>> keys;  ///< for each vertex, its place at each key
  };

  std::shared_ptr<const Surface> rest_;
  IdVector<VertexId, SkinRole> roles_;
  IdVector<VertexId, int> curve_;
  std::vector<std::vector<Vec3>> curves_;
  std::vector<Path> paths_;

  void set_roles(const LagrangianOptions& options);
  void add_path(const SkinPath& path);
  SurfacePoint after(const SurfacePoint& p, const Vec3& leg) const;
  SurfacePoint after(VertexId v, const Vec3& leg) const;
};

}  // namespace cutis
