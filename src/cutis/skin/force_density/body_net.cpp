#include "cutis/skin/force_density/body_net.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/skin/force_density/harmless_share.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Steps towards equilibrium. A fourth takes away 0 to 7 % of the strain that is left on ten characters, for
/// an eighth more time.
constexpr int kSteps = 3;
/// After this many of them paths are walked anew; in between they go straight on in space.
constexpr int kWalkAfter = 2;
/// The branch that draws a vertex home has this share of the density of a net as large as the limit: what a
/// joint draws in comes from as far as ten limits away.
constexpr double kLigament = 0.01;
/// Tension counts in shares of plain skinning's percentile of it, but for less than this.
constexpr double kPeak = 0.99, kLeastPeak = 1e-4;
/// Where the body is pressed together, the preconditioner takes its squared stretch for no less.
constexpr double kLeastSquare = 0.5;
/// A triangle keeps this share of the area that plain skinning gives it, seen along the body's normal...
constexpr double kLeastArea = 0.2;
/// ... where that is this share of its area at rest or more.
constexpr double kUpright = 0.5;
constexpr int kHoldRounds = 4;
/// A path over the triangles of this share of a limit or less keeps to it on the smooth surface; the fox's
/// are up to three times as long there.
constexpr double kSurelyWithin = 0.25;

/// What a limit L leaves of a slide s: s / (1 + (s / L)⁴)^(1/4), as saturated() has it, and its derivative.
struct HeldSlide {
  Vec2 way;
  Mat2 by_slide;
};

HeldSlide held_slide(const Vec2& slide, double limit) {
  if (!std::isfinite(limit)) return {slide, Mat2::Identity()};
  const Vec2 share = slide / limit;
  const double square = share.squaredNorm(), fourth = 1 + square * square;
  const double held = 1 / std::sqrt(std::sqrt(fourth));
  return {held * slide, held * (Mat2::Identity() - square / fourth * share * share.transpose())};
}

/// weighted_percentile() of the share kPeak, without sorting what lies below it.
double percentile(const std::vector<double>& values, const std::vector<double>& weights) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  double above = (1 - kPeak) * std::accumulate(weights.begin(), weights.end(), 0.0);
  auto begin = order.begin(), end = order.end();
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    double upper = 0;
    for (auto i = middle; i != end; ++i) upper += weights[*i];
    if (upper > above) {
      begin = middle;
    } else {
      above -= upper;
      end = middle;
    }
  }
  return begin == end ? 0 : values[*begin];
}

}  // namespace

BodyNet::BodyNet(SlideSurface rest, IdVector<VertexId, double> slide_limit,
                 const IdVector<VertexId, double>& density_factor)
    : rest_(std::move(rest)),
      rest_points_(rest_.on_surface()),
      paths_(rest_.rest().topology(), rest_points_),
      slides_(rest_points_.size(), Vec3::Zero()),
      steps_(rest_points_.size(), Vec3::Zero()) {
  if (slide_limit.empty()) slide_limit.assign(rest_points_.size(), std::numeric_limits<double>::infinity());
  add_nodes(slide_limit);
  add_triangles(density_factor);
  factorize();
}

void BodyNet::add_nodes(const IdVector<VertexId, double>& slide_limit) {
  const IdVector<VertexId, double> areas = vertex_areas(rest_.rest().mesh());
  for (VertexId v : ids<VertexId>(rest_points_.size())) {
    if (!(slide_limit[v] > 0) || paths_.tangent(v).isZero(0)) continue;
    Node node;
    node.limit = slide_limit[v];
    node.ligament = kLigament * areas[v] / (node.limit * node.limit);
    vertices_.push_back(v);
    nodes_.push_back(node);
  }
}

void BodyNet::add_triangles(const IdVector<VertexId, double>& density_factor) {
  const Mesh& mesh = rest_.rest().mesh();
  IdVector<VertexId, char> moves(mesh.vertex_count(), 0);
  for (VertexId v : vertices_) moves[v] = 1;
  IdVector<VertexId, std::vector<std::size_t>> around(mesh.vertex_count());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto c = mesh.face(f);
    Triangle triangle{{c[0], c[1], c[2]}, {}};
    triangle.rest = rest_triangle(mesh.positions[c[0]], mesh.positions[c[1]], mesh.positions[c[2]]);
    if (triangle.rest.degenerate()) continue;
    if (!(moves[c[0]] || moves[c[1]] || moves[c[2]])) {
      still_.push_back(triangle);
      continue;
    }
    if (!density_factor.empty())
      triangle.factor = (density_factor[c[0]] + density_factor[c[1]] + density_factor[c[2]]) / 3;
    for (std::size_t k = 0; k < 3; ++k) around[triangle.corners[k]].push_back(3 * triangles_.size() + k);
    triangles_.push_back(triangle);
  }
  for (VertexId v : vertices_) {
    around_begin_.push_back(around_.size());
    around_.insert(around_.end(), around[v].begin(), around[v].end());
  }
  around_begin_.push_back(around_.size());
  for (const Triangle& triangle : triangles_) areas_.push_back(triangle.rest.area);
  for (const Triangle& triangle : still_) areas_.push_back(triangle.rest.area);
  pulls_.resize(triangles_.size());
  of_triangles_.resize(triangles_.size());
}

/// The tangent part of CᵀQC, for the densities of S = 1.
void BodyNet::factorize() {
  IdVector<VertexId, int> number(rest_points_.size(), -1);
  for (std::size_t i = 0; i < vertices_.size(); ++i) number[vertices_[i]] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int i, int j, const Mat2& block) {
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c)
        if (2 * i + r >= 2 * j + c) entries.emplace_back(2 * i + r, 2 * j + c, block(r, c));
  };
  for (const Triangle& t : triangles_) {
    Eigen::Matrix<double, 2, 3> slopes;
    slopes.rightCols<2>() = t.rest.inverse.transpose();
    slopes.col(0) = -slopes.col(1) - slopes.col(2);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const VertexId v = t.corners[static_cast<std::size_t>(a)], w = t.corners[static_cast<std::size_t>(b)];
        if (number[v] < 0 || number[w] < 0 || number[v] < number[w]) continue;
        add(number[v], number[w],
            t.rest.area * slopes.col(a).dot(slopes.col(b)) * paths_.tangent(v).transpose() *
                paths_.tangent(w));
      }
  }
  // Free skin of a body without borders may turn as a whole: this alone holds it, by no more than rounding.
  double largest = 0;
  for (const auto& entry : entries) largest = std::max(largest, std::abs(entry.value()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    add(static_cast<int>(i), static_cast<int>(i), (nodes_[i].ligament + 1e-9 * largest) * Mat2::Identity());
  const auto n = static_cast<Eigen::Index>(2 * nodes_.size());
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  factor_.analyze(matrix);
  if (factor_.factorize(matrix)) return;
  // A body that is not finite: skin stays where plain skinning puts it.
  nodes_.clear();
  vertices_.clear();
}

Mat32 BodyNet::gradient(const Triangle& triangle, const Points& at) {
  const auto& [a, b, c] = triangle.corners;
  return deformation_gradient(triangle.rest, at[a], at[b], at[c]);
}

BodyNet::Pose BodyNet::pose(const Points& body, const Points& on_surface) const {
  Pose pose{body, on_surface};
  const std::size_t n = triangles_.size();
  std::vector<Mat3> gradients(n);
  pose.strains.resize(areas_.size());
  parallel_for(areas_.size(), [&](std::size_t i) {
    const Triangle& t = i < n ? triangles_[i] : still_[i - n];
    pose.strains[i] = net_strain(gradient(t, body));
    if (i >= n) return;
    gradients[i] = t.rest.area * gradient(t, pose.on_surface) * t.rest.axes.transpose();
  });
  pose.peak = percentile(pose.strains, areas_);
  const double scale = std::max(pose.peak, kLeastPeak);
  pose.by_strain = 1 / (scale * scale);
  pose.gradients.assign(body.size(), Mat3::Zero());
  IdVector<VertexId, double> sums(body.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (VertexId v : triangles_[i].corners) {
      pose.gradients[v] += gradients[i];
      sums[v] += areas_[i];
    }
  for (VertexId v : ids<VertexId>(body.size()))
    if (sums[v] > 0) pose.gradients[v] /= sums[v];
  return pose;
}

/// Places a vertex where `way` leads: as on the triangles between the vertices on the surface, with its own
/// offset from that, and with derivatives that are continuous over their edges.
void BodyNet::walk(std::size_t i, const Vec2& way, const Pose& pose) {
  Node& node = nodes_[i];
  const VertexId v = vertices_[i];
  const StraightPaths::End end = paths_.walk(v, way);
  const auto corners = rest_.rest().mesh().face(end.point.face);
  Mat3 gradient = Mat3::Zero();
  node.place = pose.body[v] - pose.on_surface[v];
  for (int k = 0; k < 3; ++k) {
    gradient += end.point.barycentric[k] * pose.gradients[corners[static_cast<std::size_t>(k)]];
    node.place += end.point.barycentric[k] * pose.on_surface[corners[static_cast<std::size_t>(k)]];
  }
  node.way = way;
  node.point = end.point;
  node.carried = gradient * end.frame;
  places_[v] = node.place;
}

void BodyNet::move(const Pose& pose, bool along_surface) {
  parallel_for(nodes_.size(), [&](std::size_t i) {
    Node& node = nodes_[i];
    const HeldSlide held = held_slide(node.slide, node.limit);
    if (along_surface)
      walk(i, held.way, pose);
    else
      places_[vertices_[i]] = node.place + node.carried * (held.way - node.way);
    node.motion = node.carried * held.by_slide;
  });
}

void BodyNet::find_forces(const Pose& pose) {
  parallel_for(triangles_.size(), [&](std::size_t i) {
    const Triangle& t = triangles_[i];
    pulls_[i] = net_pull(t.rest, gradient(t, places_), pose.by_strain);
    pulls_[i].forces *= t.factor;
    pulls_[i].stiffness *= t.factor;
  });
  parallel_for(nodes_.size(), [&](std::size_t i) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = around_begin_[i]; k < around_begin_[i + 1]; ++k) {
      const Mat32& forces = pulls_[around_[k] / 3].forces;
      if (around_[k] % 3 == 0)
        sum -= forces.col(0) + forces.col(1);
      else
        sum += forces.col(static_cast<Eigen::Index>(around_[k] % 3 - 1));
    }
    nodes_[i].force = nodes_[i].motion.transpose() * sum + nodes_[i].ligament * nodes_[i].slide;
  });
}

/// For densities w and a body stretched by λ the net is about w λ² times as stiff as at rest; the inverse of
/// w λ² A, for what changes slowly, is that of A between two factors of (w λ²)^(-1/2).
void BodyNet::scale_preconditioner() {
  parallel_for(nodes_.size(), [&](std::size_t i) {
    double stiffness = 0, area = 0;
    for (std::size_t k = around_begin_[i]; k < around_begin_[i + 1]; ++k) {
      stiffness += pulls_[around_[k] / 3].stiffness;
      area += triangles_[around_[k] / 3].rest.area;
    }
    const double square = std::max(nodes_[i].motion.squaredNorm() / 2, kLeastSquare);
    nodes_[i].scale = stiffness > 0 ? std::sqrt(area / (stiffness * square)) : 1;
  });
}

Eigen::VectorXd BodyNet::preconditioned() const {
  Eigen::VectorXd solved(static_cast<Eigen::Index>(2 * nodes_.size()));
  const auto part = [&](std::size_t i) { return solved.segment<2>(static_cast<Eigen::Index>(2 * i)); };
  for (std::size_t i = 0; i < nodes_.size(); ++i) part(i) = nodes_[i].scale * nodes_[i].force;
  solved = factor_.solve(solved);
  for (std::size_t i = 0; i < nodes_.size(); ++i) part(i) *= nodes_[i].scale;
  return solved;
}

void BodyNet::go_along_step() {
  double slope = 0, curvature = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    slope += node.force.dot(node.step);
    curvature += node.ligament * node.step.squaredNorm();
    steps_[vertices_[i]] = node.motion * node.step;
  }
  parallel_for(triangles_.size(), [&](std::size_t i) {
    of_triangles_[i] = pulls_[i].stiffness * gradient(triangles_[i], steps_).squaredNorm();
  });
  curvature = std::accumulate(of_triangles_.begin(), of_triangles_.end(), curvature);
  if (!(curvature > 0)) return;
  for (Node& node : nodes_) node.slide -= slope / curvature * node.step;
}

/// The limit is one of straight distance on the surface at rest, which a path over its triangles may pass.
void BodyNet::keep_limits(const Pose& pose) {
  parallel_for(nodes_.size(), [&](std::size_t i) {
    const Node& node = nodes_[i];
    for (int round = 0; round < kHoldRounds && node.way.norm() > kSurelyWithin * node.limit; ++round) {
      const double chord = rest_.slide(vertices_[i], node.point).norm();
      if (!(chord > node.limit)) return;
      walk(i, node.limit / chord * node.way, pose);
    }
  });
}

/// Where slides would turn a triangle over, its vertices go the share of their ways at which it keeps a
/// little of its area.
bool BodyNet::hold_inverting(const Pose& pose) {
  IdVector<VertexId, Vec3> normals(places_.size(), Vec3::Zero());
  std::vector<double> shares(nodes_.size(), 1.0);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    normals[vertices_[i]] = nodes_[i].carried.col(0).cross(nodes_[i].carried.col(1));
  parallel_for(triangles_.size(), [&](std::size_t i) {
    const auto& [a, b, c] = triangles_[i].corners;
    const Vec3 normal = (normals[a] + normals[b] + normals[c]).normalized();
    const auto area = [&](const Points& at) { return normal.dot((at[b] - at[a]).cross(at[c] - at[a])); };
    const double plain = area(pose.body), slid = area(places_);
    const double share =
        plain > 0 && slid < kLeastArea * plain ? (1 - kLeastArea) * plain / (plain - slid) : 1;
    // Less where the body itself has pressed the triangle together, and not where it has turned it over: the
    // share must not jump as it does so.
    const double upright = std::clamp(plain / (2 * kUpright * triangles_[i].rest.area), 0.0, 1.0);
    of_triangles_[i] = 1 - upright * (1 - share);
  });
  parallel_for(nodes_.size(), [&](std::size_t i) {
    for (std::size_t k = around_begin_[i]; k < around_begin_[i + 1]; ++k)
      shares[i] = std::min(shares[i], of_triangles_[around_[k] / 3]);
    if (shares[i] < 1) walk(i, shares[i] * nodes_[i].way, pose);
  });
  return std::ranges::any_of(shares, [](double share) { return share < 1; });
}

void BodyNet::place(const Pose& pose, const SlideSurface& now) {
  parallel_for(nodes_.size(), [&](std::size_t i) {
    const VertexId v = vertices_[i];
    slides_[v] = now.slide(v, nodes_[i].point, pose.on_surface);
    places_[v] = pose.body[v] + slides_[v];
  });
}

void BodyNet::strain_no_more(const Pose& pose, const SlideSurface& now) {
  std::vector<double> strains = pose.strains;
  const double share = harmless_share(pose.peak, [&](double part) {
    parallel_for(triangles_.size(), [&](std::size_t i) {
      const Triangle& t = triangles_[i];
      strains[i] = net_strain(part * gradient(t, places_) + (1 - part) * gradient(t, pose.body));
    });
    return percentile(strains, areas_);
  });
  if (share == 1) return;
  parallel_for(nodes_.size(), [&](std::size_t i) { walk(i, share * nodes_[i].way, pose); });
  place(pose, now);
}

void BodyNet::solve(const SlideSurface& now, const Points& body, const Points& on_surface,
                    SkinPoints& points) {
  if (nodes_.empty()) return;
  const Pose pose = this->pose(body, on_surface);
  places_ = body;
  for (Node& node : nodes_) node.slide.setZero();
  // Nonlinear conjugate gradients (Polak and Ribière).
  Eigen::VectorXd last;
  for (int k = 0; k < kSteps; ++k) {
    std::vector<Vec2> last_forces;
    double last_decrement = 0;
    if (k > 0)
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        last_forces.push_back(nodes_[i].force);
        last_decrement += last.segment<2>(static_cast<Eigen::Index>(2 * i)).dot(nodes_[i].force);
      }
    move(pose, k % kWalkAfter == 0);
    find_forces(pose);
    if (k == 0) scale_preconditioner();
    Eigen::VectorXd solved = preconditioned();
    double change = 0;
    for (std::size_t i = 0; i < last_forces.size(); ++i)
      change += solved.segment<2>(static_cast<Eigen::Index>(2 * i)).dot(nodes_[i].force - last_forces[i]);
    const double kept = last_decrement > 0 ? std::max(0.0, change / last_decrement) : 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      nodes_[i].step = (k > 0 ? Vec2(kept * nodes_[i].step) : Vec2(Vec2::Zero())) -
                       solved.segment<2>(static_cast<Eigen::Index>(2 * i));
    go_along_step();
    last = std::move(solved);
  }
  move(pose, true);
  keep_limits(pose);
  int rounds = kHoldRounds;
  while (rounds > 0 && hold_inverting(pose)) --rounds;
  place(pose, now);
  strain_no_more(pose, now);
  for (std::size_t i = 0; i < nodes_.size(); ++i) points[vertices_[i]] = nodes_[i].point;
}

}  // namespace cutis
