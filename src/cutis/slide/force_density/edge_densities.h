#pragma once

#include <memory>
#include <vector>

#include "cutis/slide/force_density.h"
#include "cutis/surface/topology.h"

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
  /// `factor`: one a vertex, or empty.
  EdgeDensities(const Topology& topology, EdgeDensity kind, std::vector<double> factor = {});
  ~EdgeDensities();
  EdgeDensities(EdgeDensities&&) noexcept;
  EdgeDensities& operator=(EdgeDensities&&) noexcept;

  void update(const Points& positions);
  /// All positive. The same edges each time, except that Delaunay edges take the place of the mesh's where
  /// the density is Cotangent.
  const std::vector<NetBranch>& branches() const { return branches_; }
  bool symmetric() const { return kind_ != EdgeDensity::MeanValue; }
  int flips() const { return flips_; }  ///< edges that are not the mesh's own, counted with repetition

 private:
  const Topology* topology_;
  EdgeDensity kind_;
  std::vector<double> factor_;
  std::unique_ptr<DelaunayCotangents> cotangents_;
  std::vector<NetBranch> branches_;
  int flips_ = 0;

  void set_cotangents(const Points& positions);
  void set_mean_values(const Points& positions);
  void set_lengths(const Points& positions);
};

}  // namespace cutis
