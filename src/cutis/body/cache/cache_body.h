#pragma once

#include <string>

#include "cutis/body/body.h"
#include "cutis/body/cache/point_cache.h"

namespace cutis {

struct CacheBodyOptions {
  /// Which shape is the rest: "first" (frame of the cache), "mesh" (the mesh file's own positions), or
  /// "frame:N", the N-th frame of the cache counted from 0.
  std::string rest = "first";
  double scale = 1;                              ///< metres a unit of the files, finite and above zero
  double weld_tolerance = -1;                    ///< [m]; below zero: the default
  std::vector<VertexAttribute> attributes = {};  ///< of the mesh
  FaceGroups materials = {}, parts = {};         ///< of the mesh
};

/// A mesh whose vertices follow a cache. Between frames they follow a curve with a continuous velocity (C1)
/// that passes through every frame exactly and reproduces motions quadratic in time; frames need not be
/// evenly spaced. Before the first and after the last frame it holds still.
class CacheBody final : public Body {
 public:
  /// `mesh_file` names the mesh in messages. Throws InputError when mesh and cache differ in their number of
  /// vertices, or an option cannot be used.
  CacheBody(SourceMesh mesh, const std::string& mesh_file, PointCache cache,
            const CacheBodyOptions& options = {});

  Interval duration() const override;
  SourcePoints compute_positions(double time) const override;
  const PointCache& cache() const { return cache_; }

 private:
  PointCache cache_;
  double scale_;
};

}  // namespace cutis
