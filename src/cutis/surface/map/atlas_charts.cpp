#include "cutis/surface/map/atlas_charts.h"

#include <algorithm>
#include <complex>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/surface/geodesic/intrinsic.h"

namespace cutis {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::SparseMatrix<Complex>;
using ComplexVector = Eigen::VectorXcd;

constexpr double tolerance = 1e-9;  // of the largest translation, for what must be the identity

Complex number(const Vec2& x) { return {x.x(), x.y()}; }

std::string text(const Vec2& x) { return fmt::format("({:.6g}, {:.6g})", x.x(), x.y()); }

/// One unknown a vertex: its coordinates in the chart of its home corner, topology.halfedge(v). Those of its
/// other corners follow by the transitions around the vertex.
class HarmonicCharts {
 public:
  HarmonicCharts(const Surface& surface, const ChartLayout& layout)
      : surface_(surface), t_(surface.topology()), layout_(layout) {
    check_transitions();
    carry_around_vertices();
    place_pins();
    check_vertices();
    check_components();
    number_unknowns();
    solve();
  }

  IdVector<CornerId, Vec2> coordinates() const;

 private:
  const Surface& surface_;
  const Topology& t_;
  const ChartLayout& layout_;
  double scale_ = 0;                               ///< of the layout: the largest translation, or 1
  IdVector<CornerId, ChartTransition> from_home_;  ///< of the corner's vertex to the corner's face
  IdVector<VertexId, ChartTransition> once_around_;
  IdVector<VertexId, char> pinned_;
  IdVector<VertexId, Vec2> at_;      ///< in the home chart: of the pins, in the end of all
  IdVector<VertexId, int> unknown_;  ///< its number, -1 for none
  int unknown_count_ = 0;

  void check_transitions();
  void carry_around_vertices();
  void place_pins();
  void check_vertices() const;
  void check_components() const;
  void number_unknowns();
  void assemble(ComplexMatrix& matrix, ComplexVector& right) const;
  void solve();
  bool is_identity(const ChartTransition& t) const {
    return (t.turn - Vec2(1, 0)).norm() <= tolerance && t.shift.norm() <= tolerance * scale_;
  }
  std::string edge_name(HalfedgeId h) const {
    return fmt::format("chart layout: edge {}-{} between faces {} and {}", t_.from(h).value, t_.to(h).value,
                       t_.face(h).value, t_.face(t_.twin(h)).value);
  }
};

void HarmonicCharts::check_transitions() {
  if (layout_.chart.size() != t_.face_count() || layout_.transitions.size() != t_.corner_count())
    throw InputError(fmt::format(
        "chart layout: {} faces and {} transitions where the surface has {} faces and {} half-edges",
        layout_.chart.size(), layout_.transitions.size(), t_.face_count(), t_.corner_count()));
  for (FaceId f : ids<FaceId>(t_.face_count()))
    if (layout_.chart[f] < 0 || static_cast<std::size_t>(layout_.chart[f]) >= t_.face_count())
      throw InputError(fmt::format("chart layout: face {} is in chart {}; number the charts from 0", f.value,
                                   layout_.chart[f]));
  for (HalfedgeId h : ids<HalfedgeId>(t_.corner_count())) {
    if (t_.is_border(t_.twin(h))) continue;
    const ChartTransition& over = layout_.transitions[h];
    if (!over.is_rigid(tolerance) || !over.shift.allFinite())
      throw InputError(
          fmt::format("{}: the transition must be a rotation and a translation; its scale is {:.6g}{}",
                      edge_name(h), over.scale(), over.mirrored ? ", mirrored" : ""));
    scale_ = std::max(scale_, over.shift.norm());
  }
  if (scale_ == 0) scale_ = 1;
  for (HalfedgeId h : ids<HalfedgeId>(t_.corner_count()))
    if (!t_.is_border(t_.twin(h)) && !is_identity(layout_.transitions[t_.twin(h)] * layout_.transitions[h]))
      throw InputError(edge_name(h) +
                       ": there and back is not the identity; give the two sides inverse transitions");
}

void HarmonicCharts::carry_around_vertices() {
  from_home_.resize(t_.corner_count());
  once_around_.resize(t_.vertex_count());
  for (VertexId v : ids<VertexId>(t_.vertex_count())) {
    const HalfedgeId home = t_.halfedge(v);
    if (!home.valid()) continue;
    ChartTransition way;
    HalfedgeId h = home;
    do {
      from_home_[h] = way;
      if (t_.is_border(t_.rotate(h))) break;
      way = layout_.transitions[t_.prev(h)] * way;
      h = t_.rotate(h);
    } while (h != home);
    if (h == home) once_around_[v] = way;
  }
}

void HarmonicCharts::place_pins() {
  pinned_.assign(t_.vertex_count(), 0);
  at_.assign(t_.vertex_count(), Vec2::Zero());
  for (const ChartLayout::Pin& pin : layout_.pins) {
    if (!pin.corner.valid() || pin.corner.index() >= t_.corner_count())
      throw InputError(fmt::format("chart layout: there is no corner {} to pin; the surface has {}",
                                   pin.corner.value, t_.corner_count()));
    const VertexId v = t_.from(pin.corner);
    if (!pin.coordinates.allFinite() || pinned_[v])
      throw InputError(fmt::format("chart layout: vertex {} is pinned {}", v.value,
                                   pinned_[v] ? "twice; give it one pin" : "to a place that is not finite"));
    pinned_[v] = 1;
    at_[v] = from_home_[pin.corner].inverse()(pin.coordinates);
  }
}

/// Once around an irregular vertex every point but one is moved: a u + b = u there.
void HarmonicCharts::check_vertices() const {
  for (VertexId v : ids<VertexId>(t_.vertex_count())) {
    const ChartTransition& around = once_around_[v];
    if (is_identity(around)) continue;
    const Complex rest = 1.0 - number(around.turn);
    if (std::abs(rest) <= tolerance)
      throw InputError(
          fmt::format("chart layout: once around vertex {} moves coordinates by {}; "
                      "correct the transitions of its edges",
                      v.value, text(around.shift)));
    if (pinned_[v] && (around(at_[v]) - at_[v]).norm() <= tolerance * scale_) continue;
    const Complex fixed = number(around.shift) / rest;
    throw InputError(
        fmt::format("chart layout: vertex {} is irregular (once around it turns by {:.6g} degrees) "
                    "and {}; pin it to {} in the chart of face {}",
                    v.value, std::arg(number(around.turn)) * 180 / std::numbers::pi,
                    pinned_[v] ? "pinned to " + text(at_[v]) : "not pinned",
                    text({fixed.real(), fixed.imag()}), t_.face(t_.halfedge(v)).value));
  }
}

void HarmonicCharts::check_components() const {
  const auto component = t_.components();
  int count = 0;
  for (int c : component) count = std::max(count, c + 1);
  std::vector<char> has_pin(static_cast<std::size_t>(count), 0);
  for (const ChartLayout::Pin& pin : layout_.pins)
    has_pin[static_cast<std::size_t>(component[t_.face(pin.corner)])] = 1;
  for (FaceId f : ids<FaceId>(t_.face_count()))
    if (!has_pin[static_cast<std::size_t>(component[f])])
      throw InputError(fmt::format(
          "chart layout: no vertex of the part that face {} belongs to is pinned; pin one", f.value));
}

void HarmonicCharts::number_unknowns() {
  unknown_.assign(t_.vertex_count(), -1);
  for (VertexId v : ids<VertexId>(t_.vertex_count()))
    if (!pinned_[v] && t_.halfedge(v).valid()) unknown_[v] = unknown_count_++;
}

/// With x = a u + b at a corner, the Dirichlet energy of a face is the sum over its sides of
/// cot / 2 |x_i - x_j|² / 2, and its derivative by u_i is conj(a_i) cot / 2 (a_i u_i + b_i - a_j u_j - b_j).
/// So the matrix is Hermitian, and positive since the share of each face is.
void HarmonicCharts::assemble(ComplexMatrix& matrix, ComplexVector& right) const {
  const IntrinsicTriangulation metric(t_, surface_.positions());
  std::vector<Eigen::Triplet<Complex>> entries;
  entries.reserve(4 * t_.corner_count());
  const auto add = [&](HalfedgeId i, HalfedgeId j, double weight) {
    const int row = unknown_[t_.from(i)], column = unknown_[t_.from(j)];
    if (row < 0) return;
    const Complex w = weight * std::conj(number(from_home_[i].turn));
    entries.emplace_back(row, row, weight);
    if (column >= 0) entries.emplace_back(row, column, -w * number(from_home_[j].turn));
    // at_ is zero where it is unknown: what is left there is the translation.
    right[row] += w * (number(from_home_[j](at_[t_.from(j)])) - number(from_home_[i].shift));
  };
  for (HalfedgeId h : ids<HalfedgeId>(t_.corner_count())) {
    const double weight = 0.5 * metric.corner_cotangent(t_.prev(h));
    add(h, t_.next(h), weight);
    add(t_.next(h), h, weight);
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
}

void HarmonicCharts::solve() {
  if (unknown_count_ == 0) return;
  ComplexMatrix matrix(unknown_count_, unknown_count_);
  ComplexVector right = ComplexVector::Zero(unknown_count_);
  assemble(matrix, right);
  const Eigen::SimplicialLDLT<ComplexMatrix> factor(matrix);
  if (factor.info() != Eigen::Success)
    throw InputError("chart layout: the coordinates cannot be solved for; remove the mesh's slivers first");
  ComplexVector u = factor.solve(right);
  // One refinement takes out what slivers with their large weights leave behind.
  u += factor.solve(right - matrix * u);
  for (VertexId v : ids<VertexId>(t_.vertex_count()))
    if (unknown_[v] >= 0) at_[v] = Vec2(u[unknown_[v]].real(), u[unknown_[v]].imag());
}

IdVector<CornerId, Vec2> HarmonicCharts::coordinates() const {
  IdVector<CornerId, Vec2> x(t_.corner_count());
  for (CornerId c : ids<CornerId>(t_.corner_count())) x[c] = from_home_[c](at_[t_.from(c)]);
  return x;
}

}  // namespace

Atlas chart_atlas(Atlas::SurfacePtr surface, const ChartLayout& layout) {
  IdVector<CornerId, Vec2> coordinates = HarmonicCharts(*surface, layout).coordinates();
  Atlas atlas(std::move(surface), layout.chart, std::move(coordinates), layout.transitions);
  const auto flipped = atlas.flipped_faces();
  if (!flipped.empty())
    log().warn(
        "charts: {} of {} triangles are turned over or without area in their chart, the first is face {}",
        flipped.size(), layout.chart.size(), flipped[0].value);
  return atlas;
}

}  // namespace cutis
