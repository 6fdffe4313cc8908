#pragma once

#include <utility>
#include <vector>

#include "cutis/skin/force_density/net_equilibrium.h"
#include "cutis/skin/force_density/patch_disk.h"

namespace cutis {

struct EmbeddingOptions {
  EdgeDensity density = EdgeDensity::Cotangent;
  OutlineShape outline = OutlineShape::Developed;
  EmbeddingSolver solver = EmbeddingSolver::Automatic;
  std::vector<char> stuck;     ///< one per vertex of the patch: pinned where it lies at rest; empty: none
  std::vector<double> factor;  ///< of the densities, one per vertex of the patch; empty: 1
};

/// A patch laid out in the plane, at rest and frame by frame, always with the same outline and with the rims
/// of its holes and what is stuck where the patch at rest has them.
///
/// With cotangents or mean values the net is solved twice: the first layout, harmonic, spreads skin out where
/// the surface is flat and squeezes it on a bump, to half its area on one half as high as wide; in the second
/// each edge pulls in proportion to the area that the first gave it. That takes most of the squeeze away, so
/// that skin stays in its place when a bump passes below. The densities of the paper are solved once, as
/// there.
class PatchEmbedding {
 public:
  /// Both must outlive it; the topology belongs to disk.mesh.
  PatchEmbedding(const PatchDisk& disk, const Topology& topology, const EmbeddingOptions& options);

  const Layout& rest() const { return rest_; }
  /// One per vertex: on the outline or the rim of a hole, or stuck.
  const std::vector<char>& pinned() const { return equilibrium_.pinned(); }

  /// Lays out the patch at these positions of its vertices.
  EquilibriumReport embed(const Points& positions);
  const Layout& now() const { return now_; }
  /// Triangles that are turned over in now() and could not be relaxed.
  const std::vector<FaceId>& folded() const { return folded_; }

  /// Where the next solves start from: all that is remembered between frames.
  struct Start {
    Layout first, second;  ///< of the two solves, in the last frame
    Layout before;         ///< the first of the frame before it
  };
  const Start& start() const { return start_; }
  void set_start(Start start) { start_ = std::move(start); }

 private:
  const PatchDisk* disk_;
  const Topology* topology_;
  EdgeDensities densities_;
  NetEquilibrium equilibrium_;
  double tolerance_ = 0;
  Start start_;
  Layout rest_, now_;
  std::vector<FaceId> folded_;

  void lay_out_rest(Layout start);
};

}  // namespace cutis
