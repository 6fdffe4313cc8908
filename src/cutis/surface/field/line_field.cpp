#include "cutis/surface/field/line_field.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <queue>

#include <Eigen/SparseCholesky>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/frames.h"

namespace cutis {
namespace {

using Complex = std::complex<double>;
/// A line as exp(2i angle) in the frame of its face, so that both of its signs are one number.
using Lines = IdVector<FaceId, Complex>;

constexpr double kDone = 1e-3;  // [rad] the smoothing ends when no line turns by more
constexpr int kMostRounds = 40;

Complex line_from(const TangentFrame& frame, const Vec3& direction) {
  const Vec2 d = frame.components(direction);
  return {d.x() * d.x() - d.y() * d.y(), 2 * d.x() * d.y()};
}

Vec3 vector_from(const TangentFrame& frame, const Complex& line) {
  const double angle = std::arg(line) / 2;
  return std::cos(angle) * frame.x + std::sin(angle) * frame.y;
}

/// Triangles as the nodes of a graph, with the discrete Levi-Civita connection on its edges.
class FaceGraph {
 public:
  explicit FaceGraph(const Surface& surface)
      : topology(surface.topology()),
        frames(topology, surface.positions()),
        areas(topology.face_count()),
        positions_(surface.positions()) {
    double total = 0;
    for (FaceId f : ids<FaceId>(topology.face_count())) {
      const HalfedgeId h = topology.halfedge(f);
      const Vec3 &a = point(h), &b = point(topology.next(h)), &c = point(topology.prev(h));
      areas[f] = (b - a).cross(c - a).norm() / 2;
      total += areas[f];
    }
    // Slivers keep a little weight, so that the smoothing knows what to do with them.
    smallest_ = total > 0 ? 1e-6 * total / double(areas.size()) : 1;
  }

  const Topology& topology;
  const TangentFrames frames;
  IdVector<FaceId, double> areas;  ///< [m²]

  double mass(FaceId f) const { return std::max(areas[f], smallest_); }

  Vec3 centre(FaceId f) const {
    const HalfedgeId h = topology.halfedge(f);
    return (point(h) + point(topology.next(h)) + point(topology.prev(h))) / 3;
  }
  /// What a line is multiplied with on its way over h; the half turn between the two half-edges drops out.
  Complex turn(HalfedgeId h) const {
    return std::polar(1.0, 2 * (frames.face_angle(topology.twin(h)) - frames.face_angle(h)));
  }
  double length(HalfedgeId h) const { return (point(topology.twin(h)) - point(h)).norm(); }
  /// Between the centres of the two faces, unfolded over h [m].
  double distance(HalfedgeId h) const {
    const Vec2 a = centre_beside(h), b = centre_beside(topology.twin(h));
    return std::hypot(a.x() - (length(h) - b.x()), a.y() + b.y());
  }
  /// Flux between the faces over their distance, kept within what a factorisation bears.
  double weight(HalfedgeId h) const {
    const double d = distance(h);
    return d > 0 ? std::clamp(length(h) / d, 1e-3, 1e3) : 1e3;
  }
  template <class F>
  void for_neighbours(FaceId f, const F& visit) const {
    HalfedgeId h = topology.halfedge(f);
    for (int k = 0; k < 3; ++k, h = topology.next(h)) {
      const HalfedgeId twin = topology.twin(h);
      if (!topology.is_border(twin)) visit(h, topology.face(twin));
    }
  }

 private:
  const Points& positions_;
  double smallest_;

  const Vec3& point(HalfedgeId h) const { return positions_[topology.from(h)]; }
  /// Centre of face(h) in the axes of h.
  Vec2 centre_beside(HalfedgeId h) const {
    const TangentFrame frame = halfedge_frame(topology, positions_, h);
    return frame.components(centre(topology.face(h)) - point(h));
  }
};

/// The field while it is made.
struct Draft {
  Lines lines;                        ///< unit
  IdVector<FaceId, char> held;        ///< a sample lies here
  IdVector<FaceId, double> distance;  ///< to the nearest sample [m]
};

Draft place_samples(const FaceGraph& graph, std::span<const LineSample> samples) {
  const std::size_t n = graph.topology.face_count();
  Draft draft{Lines(n), IdVector<FaceId, char>(n, 0), IdVector<FaceId, double>(n, INFINITY)};
  for (const LineSample& s : samples) {
    const double length = s.direction.norm();
    if (!(length > 0) || !std::isfinite(length)) continue;
    const Complex line = line_from(graph.frames.frame(s.face), s.direction / length);
    // Nearly along the normal it says nothing about the plane.
    if (std::abs(line) > 1e-6) draft.lines[s.face] += line / std::abs(line);
  }
  for (FaceId f : ids<FaceId>(n)) {
    if (std::abs(draft.lines[f]) < 1e-6) continue;
    draft.lines[f] /= std::abs(draft.lines[f]);
    draft.held[f] = true;
    draft.distance[f] = 0;
  }
  return draft;
}

using Nearest = std::pair<double, FaceId>;
using Front = std::priority_queue<Nearest, std::vector<Nearest>, std::greater<>>;

/// Dijkstra over the faces; the line is carried along the path that reaches a face first.
void spread(const FaceGraph& graph, Front& front, Draft& draft) {
  while (!front.empty()) {
    const auto [d, f] = front.top();
    front.pop();
    if (d > draft.distance[f]) continue;
    graph.for_neighbours(f, [&, d = d, f = f](HalfedgeId h, FaceId g) {
      const double through = d + graph.distance(h);
      if (through >= draft.distance[g]) return;
      draft.distance[g] = through;
      draft.lines[g] = graph.turn(h) * draft.lines[f];
      front.push({through, g});
    });
  }
}

/// Seeds every part that no sample reached from the sample nearest to its middle; returns how many there are.
int seed_bare_parts(const FaceGraph& graph, Front& front, Draft& draft) {
  const IdVector<FaceId, int> part = graph.topology.components();
  std::vector<std::vector<FaceId>> bare;
  for (FaceId f : ids<FaceId>(part.size())) {
    if (std::isfinite(draft.distance[f])) continue;
    bare.resize(std::max(bare.size(), std::size_t(part[f]) + 1));
    bare[std::size_t(part[f])].push_back(f);
  }
  const auto nearest_to = [&](const Vec3& p, const auto& faces) {
    FaceId best;
    double least = INFINITY;
    for (FaceId f : faces) {
      const double d = (graph.centre(f) - p).squaredNorm();
      if (d < least) least = d, best = f;
    }
    return best;
  };
  std::vector<FaceId> sampled;
  for (FaceId f : ids<FaceId>(part.size()))
    if (draft.held[f]) sampled.push_back(f);
  int count = 0;
  for (const std::vector<FaceId>& faces : bare) {
    if (faces.empty()) continue;
    ++count;
    Vec3 middle = Vec3::Zero();
    for (FaceId f : faces) middle += graph.centre(f) / double(faces.size());
    const FaceId from = nearest_to(middle, sampled), to = nearest_to(graph.centre(from), faces);
    const Complex line =
        line_from(graph.frames.frame(to), vector_from(graph.frames.frame(from), draft.lines[from]));
    draft.lines[to] = std::abs(line) > 1e-6 ? line / std::abs(line) : Complex(1);
    draft.distance[to] = 0;
    front.push({0, to});
  }
  return count;
}

/// Diffuses for a while, makes the lines unit again, and so on: this finds a smooth unit field and good
/// places for its singularities (Viertel and Osting 2019, "An approach to quad meshing based on harmonic
/// cross-valued maps and the Ginzburg-Landau theory"). One matrix serves all rounds.
class Smoothing {
 public:
  Smoothing(const FaceGraph& graph, const Draft& draft) : graph_(graph), draft_(draft) {
    for (FaceId f : ids<FaceId>(draft.lines.size())) {
      row_.push_back(draft.held[f] ? -1 : int(free_.size()));
      if (!draft.held[f]) free_.push_back(f);
    }
  }

  void run(Lines& lines) {
    if (free_.empty()) return;
    for (double share : {1.0, 1.0 / 16}) {
      factor(share * diffusion_time());
      for (int round = 0; round < kMostRounds; ++round)
        if (step(lines) < kDone) break;
    }
  }

 private:
  const FaceGraph& graph_;
  const Draft& draft_;
  std::vector<FaceId> free_;
  IdVector<FaceId, int> row_;  ///< -1 where a sample is held
  double time_ = 0;            ///< [m²]
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<Complex>> solver_;

  /// As long as it takes to reach half way between samples: the mean square of the distance to them.
  double diffusion_time() const {
    double sum = 0, area = 0;
    for (FaceId f : ids<FaceId>(draft_.lines.size())) {
      const double d = draft_.distance[f];
      sum += graph_.mass(f) * d * d;
      area += graph_.mass(f);
    }
    return std::max(sum / area, 4 * area / double(draft_.lines.size()));
  }

  void factor(double time) {
    time_ = time;
    std::vector<Eigen::Triplet<Complex>> entries;
    for (FaceId f : free_) {
      double diagonal = graph_.mass(f);
      graph_.for_neighbours(f, [&](HalfedgeId h, FaceId g) {
        const double w = time_ * graph_.weight(h);
        diagonal += w;
        // |u_f - r u_g|², r the way from g to f.
        if (row_[g] >= 0) entries.emplace_back(row_[f], row_[g], -w * graph_.turn(graph_.topology.twin(h)));
      });
      entries.emplace_back(row_[f], row_[f], diagonal);
    }
    const auto n = static_cast<Eigen::Index>(free_.size());
    Eigen::SparseMatrix<Complex> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    solver_.compute(matrix);
  }

  /// One round; returns the largest turn [rad].
  double step(Lines& lines) {
    Eigen::VectorXcd right(static_cast<Eigen::Index>(free_.size()));
    for (std::size_t i = 0; i < free_.size(); ++i) {
      Complex sum = graph_.mass(free_[i]) * lines[free_[i]];
      graph_.for_neighbours(free_[i], [&](HalfedgeId h, FaceId g) {
        if (row_[g] < 0) sum += time_ * graph_.weight(h) * graph_.turn(graph_.topology.twin(h)) * lines[g];
      });
      right[static_cast<Eigen::Index>(i)] = sum;
    }
    const Eigen::VectorXcd next = solver_.solve(right);
    double largest = 0;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const Complex z = next[static_cast<Eigen::Index>(i)];
      // In the very middle of a singularity there is no direction: what was there stays.
      if (!(std::abs(z) > 1e-12)) continue;
      Complex& line = lines[free_[i]];
      largest = std::max(largest, std::abs(std::arg(z * std::conj(line))) / 2);
      line = z / std::abs(z);
    }
    return largest;
  }
};

}  // namespace

LineField line_field(const Surface& surface, std::span<const LineSample> samples,
                     const LineFieldOptions& options) {
  const FaceGraph graph(surface);
  Draft draft = place_samples(graph, samples);
  Front front;
  for (FaceId f : ids<FaceId>(draft.held.size()))
    if (draft.held[f]) front.push({0, f});
  if (front.empty()) throw InputError("a line field needs at least one direction that lies in the surface");
  spread(graph, front, draft);
  LineField field;
  field.bare_parts = seed_bare_parts(graph, front, draft);
  spread(graph, front, draft);
  if (options.smooth) {
    Lines lines = draft.lines;
    Smoothing(graph, draft).run(lines);
    draft.lines = std::move(lines);
  }
  field.directions.reserve(draft.lines.size());
  for (FaceId f : ids<FaceId>(draft.lines.size()))
    field.directions.push_back(vector_from(graph.frames.frame(f), draft.lines[f]));
  return field;
}

double line_angle(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), std::abs(a.dot(b))); }

std::vector<LineSingularity> line_singularities(const Surface& surface, const LineDirections& directions) {
  const FaceGraph graph(surface);
  const Topology& t = graph.topology;
  Lines lines(directions.size());
  for (FaceId f : ids<FaceId>(lines.size())) lines[f] = line_from(graph.frames.frame(f), directions[f]);
  // How far the field turns against the surface on the way over each edge: one number for both ways, so that
  // the sum over all vertices cancels even where it is a quarter turn and could go either way.
  IdVector<EdgeId, double> turns(t.edge_count(), 0.0);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (t.is_border(e)) continue;
    const HalfedgeId h = t.halfedge(e);
    const Complex carried = graph.turn(h) * lines[t.face(h)];
    turns[e] = std::arg(lines[t.face(t.twin(h))] * std::conj(carried)) / 2;
  }
  std::vector<LineSingularity> found;
  for (VertexId v : ids<VertexId>(t.vertex_count())) {
    if (!t.halfedge(v).valid() || t.is_border(v)) continue;
    double sum = graph.frames.angle_defect(v);
    HalfedgeId c = t.halfedge(v);
    do {
      const HalfedgeId shared = t.prev(c);
      sum += shared == t.halfedge(t.edge(shared)) ? turns[t.edge(shared)] : -turns[t.edge(shared)];
      c = t.twin(shared);
    } while (c != t.halfedge(v));
    const auto half_turns = static_cast<int>(std::lround(sum / std::numbers::pi));
    if (half_turns != 0) found.push_back({v, half_turns});
  }
  return found;
}

}  // namespace cutis
