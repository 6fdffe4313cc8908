#include "cutis/surface/remesh/adaptive_remesh.h"

#include <cmath>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/surface/remesh/adaptive_mesh.h"

namespace cutis {
namespace {

// Between flips, edges down to this of the longest in the metric are split: halves of the longest are not cut
// again before their triangles have been improved.
constexpr double split_level2 = 0.25;
// Flips of one pass for each half-edge of the mesh: a metric that varies may have no Delaunay mesh.
constexpr std::size_t flips_per_side = 4;

/// Brings the edges that the metric wants changed to the mesh, and after each change those around it again.
/// The cost is that of looking at each edge once, and of what changes.
class AdaptiveRemesher {
 public:
  AdaptiveRemesher(AdaptiveMesh& mesh, const AdaptiveRemeshOptions& options)
      : mesh_(mesh), options_(options) {
    for (HalfedgeId h : ids<HalfedgeId>(edges().halfedge_count()))
      if (edges().first_of_edge(h)) enter(h);
  }

  void refine();
  void coarsen();
  void count_into(AdaptiveRemeshResult& result) const {
    std::tie(result.splits, result.flips, result.collapses) = std::tie(splits_, flips_, collapses_);
    result.settled = to_split_.empty() && to_flip_.empty() && to_collapse_.empty();
  }

 private:
  /// An edge by its squared length in the metric when it was entered. Edges change under their number: where
  /// the length is another now, the edge has been entered again.
  struct Entry {
    double length2;
    HalfedgeId h;
    bool operator<(const Entry& other) const {
      return std::tie(length2, other.h) < std::tie(other.length2, h);
    }
    bool operator>(const Entry& other) const { return other < *this; }
  };

  AdaptiveMesh& mesh_;
  const AdaptiveRemeshOptions& options_;
  std::priority_queue<Entry> to_split_;                                              ///< longest first
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> to_collapse_;  ///< shortest first
  std::queue<HalfedgeId> to_flip_;
  int splits_ = 0, flips_ = 0, collapses_ = 0;

  const EditMesh& edges() const { return mesh_.edges(); }
  bool up_to_date(const Entry& e) const {
    return edges().alive(e.h) && mesh_.metric_length2(e.h) == e.length2;
  }
  void enter(HalfedgeId h) {
    if (mesh_.wants_split(h)) to_split_.push({mesh_.metric_length2(h), h});
    if (mesh_.wants_flip(h)) to_flip_.push(h);
    if (mesh_.wants_collapse(h)) to_collapse_.push({mesh_.metric_length2(h), h});
  }
  void enter_face(HalfedgeId h) {
    for (HalfedgeId side : {h, edges().next(h), edges().prev(h)}) enter(side);
  }
  void enter_around(VertexId v) {
    edges().for_each_leaving(v, [&](HalfedgeId h) { enter_face(h); });
  }
  void split(double above2);
  void flip(double longest2);
  void collapse();
};

void AdaptiveRemesher::split(double above2) {
  while (!to_split_.empty() && to_split_.top().length2 > above2) {
    check_cancelled();
    if (mesh_.vertex_count() >= static_cast<std::size_t>(options_.max_vertices)) return;
    const Entry edge = to_split_.top();
    to_split_.pop();
    if (!up_to_date(edge) || !mesh_.try_split(edge.h)) continue;
    ++splits_;
    enter_around(VertexId(edges().vertex_count() - 1));
  }
}

void AdaptiveRemesher::flip(double longest2) {
  std::size_t left = flips_per_side * edges().halfedge_count();
  for (; !to_flip_.empty() && left > 0; --left) {
    check_cancelled();
    const HalfedgeId h = to_flip_.front();
    to_flip_.pop();
    if (!mesh_.try_flip(h, longest2)) continue;
    ++flips_;
    const HalfedgeId g = edges().twin(h);
    enter_face(h);
    enter_face(g);
  }
}

void AdaptiveRemesher::collapse() {
  while (!to_collapse_.empty()) {
    check_cancelled();
    const Entry edge = to_collapse_.top();
    to_collapse_.pop();
    if (!up_to_date(edge)) continue;
    const VertexId kept = mesh_.try_collapse(edge.h);
    if (!kept.valid()) continue;
    ++collapses_;
    enter_around(kept);
  }
}

/// A flip may make an edge that is too long, which the next round splits; in the last round it may not.
void AdaptiveRemesher::refine() {
  flip(std::numeric_limits<double>::infinity());
  for (int round = 0; round < options_.rounds && !to_split_.empty(); ++round) {
    const bool last = round + 1 == options_.rounds;
    split(last ? 1 : std::max(1.0, split_level2 * to_split_.top().length2));
    flip(last ? 1 : std::numeric_limits<double>::infinity());
  }
}

/// Makes no edge longer than 1, so that nothing is left to split.
void AdaptiveRemesher::coarsen() {
  for (int round = 0; round < options_.rounds && !(to_collapse_.empty() && to_flip_.empty()); ++round) {
    collapse();
    flip(1);
  }
}

void check_counts(const EmbeddedMesh& embedded, std::size_t metrics, std::size_t positions) {
  const std::size_t count = embedded.mesh.vertex_count();
  const auto check_size = [&](std::size_t size, const char* what, bool optional) {
    if (size != count && !(optional && size == 0))
      throw InputError(
          fmt::format("adaptive remeshing: {} {} for {} vertices; give one for each", size, what, count));
  };
  check_size(embedded.places.size(), "places", false);
  check_size(embedded.fixed.size(), "marks of fixed vertices", true);
  check_size(metrics, "metrics", false);
  check_size(positions, "current positions", true);
}

}  // namespace

AdaptiveRemeshResult adaptive_remesh(const Surface& rest, const EmbeddedMesh& embedded,
                                     const IdVector<VertexId, Mat3>& metric, const Points& current,
                                     const AdaptiveRemeshOptions& options) {
  check_counts(embedded, metric.size(), current.size());
  AdaptiveMesh mesh(rest, embedded, metric, current, options);
  AdaptiveRemesher remesher(mesh, options);
  remesher.refine();
  remesher.coarsen();
  AdaptiveRemeshResult result;
  remesher.count_into(result);
  result.embedded = mesh.embedded();
  result.transfer = mesh.transfer();
  return result;
}

}  // namespace cutis
