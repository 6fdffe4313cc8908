#pragma once

#include <memory>
#include <vector>

#include "cutis/skin/force_density/force_density.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {

class DelaunayCotangents;

/// An edge of the net (a row of the branch-node matrix C) and its force density q = force / length.
struct NetBranch {
  int a = 0, b = 0;   ///< vertices
  double q = 0;       ///< as a feels it
  double q_back = 0;  ///< as b feels it: the same, but for mean value coordinates
};

/// Force densities of a patch's edges from its shape, frame by frame.
class EdgeDensities {
 public:
  /// `factor`: one per vertex, or empty; takes effect in stiffen() where the density is linear(), or else
  /// that would undo it. `diagonals`: one per edge, or empty: what only cuts polygons into triangles is no
  /// branch of the paper's nets; the other densities need all edges.
  EdgeDensities(const Topology& topology, EdgeDensity kind, std::vector<double> factor = {},
                const std::vector<char>& diagonals = {});
  ~EdgeDensities();
  EdgeDensities(EdgeDensities&&) noexcept;
  EdgeDensities& operator=(EdgeDensities&&) noexcept;

  void update(const Points& positions);
  /// Multiplies the densities by the area that a layout gives the skin around the ends of each edge over the
  /// area it has at `positions` (those of the last update): skin that is spread out pulls harder.
  void stiffen(const Points& positions, const IdVector<VertexId, Vec2>& layout);
  /// All positive. The same edges each time, except that Delaunay edges take the place of the mesh's where
  /// the density is Cotangent.
  const std::vector<NetBranch>& branches() const { return branches_; }
  bool symmetric() const { return kind_ != EdgeDensity::MeanValue; }
  /// Whether flat skin in an outline of its own is laid out as it is.
  bool linear() const { return kind_ == EdgeDensity::Cotangent || kind_ == EdgeDensity::MeanValue; }
  int flips() const { return flips_; }  ///< edges that are not the mesh's own, counted with repetition

 private:
  const Topology* topology_;
  EdgeDensity kind_;
  std::vector<double> factor_;
  std::unique_ptr<DelaunayCotangents> cotangents_;
  std::vector<NetBranch> branches_;
  std::vector<double> area_, layout_area_;  ///< around each vertex
  int flips_ = 0;

  void multiply(const std::vector<double>& factor);
  void set_cotangents(const Points& positions);
  void set_mean_values(const Points& positions);
  void set_lengths(const Points& positions);
};

}  // namespace cutis
