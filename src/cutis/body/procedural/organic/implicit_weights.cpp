#include <algorithm>
#include <cmath>
#include <numeric>

#include "cutis/body/procedural/organic/implicit_character.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

constexpr double kLeast = 2e-3;  // weights below fade out
constexpr std::size_t kMost = 8;

/// Dense weights, one row a vertex.
class Spread {
 public:
  Spread(const ImplicitBody& body, const Mesh& mesh)
      : body_(body), mesh_(mesh), topology_(mesh), joints_(body.joints().size()) {
    rows_.resize(mesh.vertex_count());
    parallel_for(
        rows_.size(), [&](std::size_t i) { rows_[i] = body.shares(mesh.positions.raw()[i]); }, 64);
  }

  /// A round that goes half the way to the mean of the neighbours spreads a weight by a mean squared way of
  /// half a squared edge, so the softness σ takes 2 (σ / edge)² rounds; where the skin is less soft, the
  /// rounds go less far.
  void run() {
    const double edge = mean_edge();
    std::vector<double> variance(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < joints_; ++j)
        variance[i] += rows_[i][j] * std::pow(body_.joints()[j].softness / edge, 2);
    const double most = *std::max_element(variance.begin(), variance.end());
    const int rounds = std::max(1, static_cast<int>(std::ceil(2 * most)));
    std::vector<std::vector<double>> next = rows_;
    for (int round = 0; round < rounds; ++round) {
      parallel_for(rows_.size(), [&](std::size_t i) {
        average(VertexId(i), std::min(1.0, 2 * variance[i] / rounds), next[i]);
      });
      std::swap(rows_, next);
    }
  }

  Influences influences() {
    Influences result;
    result.offsets.push_back(0);
    for (std::vector<double>& row : rows_) {
      append(row, result);
      result.offsets.push_back(static_cast<std::int32_t>(result.joints.size()));
    }
    return result;
  }

 private:
  double mean_edge() const {
    double sum = 0;
    for (EdgeId e : ids<EdgeId>(topology_.edge_count())) {
      const HalfedgeId h = topology_.halfedge(e);
      sum += (mesh_.positions[topology_.to(h)] - mesh_.positions[topology_.from(h)]).norm();
    }
    return sum / topology_.edge_count();
  }

  void average(VertexId v, double step, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), 0.0);
    int count = 0;
    const HalfedgeId first = topology_.halfedge(v);
    HalfedgeId h = first;
    do {
      const std::vector<double>& row = rows_[topology_.to(h).index()];
      for (std::size_t j = 0; j < joints_; ++j) out[j] += row[j];
      ++count;
      h = topology_.rotate(h);
    } while (h != first);
    // Half a step at most: averaging alone would let a chequered pattern swing for ever.
    const double share = 0.5 * step;
    const std::vector<double>& own = rows_[v.index()];
    for (std::size_t j = 0; j < joints_; ++j) out[j] = (1 - share) * own[j] + share / count * out[j];
  }

  /// Small weights fade to zero, so that none ends in a step.
  void append(std::vector<double>& row, Influences& result) const {
    std::vector<int> order(joints_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return row[a] > row[b]; });
    const double floor = std::max(kLeast, joints_ > kMost ? row[order[kMost]] : 0.0);
    double sum = 0;
    for (double& w : row) sum += w = std::max(0.0, w - floor);
    for (std::size_t j = 0; j < joints_; ++j) {
      if (row[j] == 0) continue;
      result.joints.push_back(static_cast<std::int32_t>(j));
      result.weights.push_back(row[j] / sum);
    }
  }

  const ImplicitBody& body_;
  const Mesh& mesh_;
  Topology topology_;
  std::size_t joints_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace

Influences implicit_weights(const ImplicitBody& body, const Mesh& mesh) {
  Spread spread(body, mesh);
  spread.run();
  return spread.influences();
}

}  // namespace cutis
