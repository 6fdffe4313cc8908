#include "cutis/wrinkle/adapt/sizing_field.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/vertex_means.h"
#include "cutis/wrinkle/adapt/metric_tensor.h"

namespace cutis {
namespace {

using Tensors = IdVector<VertexId, Mat3>;

/// A graded metric is propagated when it asks for so many times more than before.
constexpr double kNoticeable = 1.01;

/// The rest mesh with what every term of the metric needs.
struct RestElements {
  const Mesh& mesh;
  Topology topology;
  std::vector<RestTriangle> triangles;
  IdVector<VertexId, Mat32> axes;  ///< of the tangent plane at each vertex

  explicit RestElements(const Mesh& rest)
      : mesh(rest),
        topology(rest),
        triangles(rest_triangles(rest.positions.raw(), index_triangles(rest))),
        axes(rest.vertex_count()) {
    const auto normals = angle_weighted_normals(rest, rest.positions);
    for (VertexId v : ids<VertexId>(axes.size())) {
      const Vec3 normal = normals[v].isZero() ? Vec3::UnitZ() : normals[v];  // zero where it has no face
      const Vec3 x = normal.unitOrthogonal();
      axes[v] << x, normal.cross(x);
    }
  }

  const RestTriangle& triangle(FaceId f) const { return triangles[f.index()]; }

  /// A tensor at each vertex from one in each triangle, in the triangle's axes: the mean by area at rest.
  template <class F>
  Tensors vertex_means(const F& tensor) const;
};

template <class F>
Tensors RestElements::vertex_means(const F& tensor) const {
  std::vector<Mat3> of_triangles(triangles.size(), Mat3::Zero());
  parallel_for(triangles.size(), [&](std::size_t i) {
    const RestTriangle& t = triangles[i];
    if (!t.degenerate()) of_triangles[i] = t.area * t.axes * tensor(FaceId(i)) * t.axes.transpose();
  });
  return cutis::vertex_means(
      mesh, Mat3(Mat3::Zero()), [&](FaceId f) -> const Mat3& { return of_triangles[f.index()]; },
      [&](FaceId f) { return triangle(f).area; });
}

/// F of a triangle when its corners have these values: the gradient of a vector field over the rest surface.
Mat32 gradient(const RestElements& rest, const Points& values, FaceId f) {
  const auto v = rest.mesh.face(f);
  return deformation_gradient(rest.triangle(f), values[v[0]], values[v[1]], values[v[2]]);
}

Tensors strains(const RestElements& rest, const Points& positions) {
  return rest.vertex_means([&](FaceId f) { return green_strain(gradient(rest, positions, f)); });
}

IdVector<FaceId, Vec3> face_normals(const Mesh& mesh, const Points& positions) {
  IdVector<FaceId, Vec3> normals(mesh.face_count());
  for (FaceId f : ids<FaceId>(normals.size())) {
    const auto v = mesh.face(f);
    normals[f] = (positions[v[1]] - positions[v[0]]).cross(positions[v[2]] - positions[v[0]]).normalized();
  }
  return normals;
}

/// By which the normal turns around an edge [rad], positive over a crest.
double turn_around(const Vec3& edge, const Vec3& from, const Vec3& to) {
  return std::atan2(from.cross(to).dot(edge.normalized()), from.dot(to));
}

/// What the current shape is curved more than that at rest, over lengths at rest: each hinge turns the normal
/// across its edge (Grinspun et al. 2006). Turns count as positive: those of a zigzag, which alternate, must
/// not cancel. Edges that a body has at rest, as a coarse one has everywhere, are no wrinkles.
Tensors curvatures(const RestElements& rest, const Points& current) {
  const Topology& t = rest.topology;
  const Points& X = rest.mesh.positions;
  const auto now = face_normals(rest.mesh, current), before = face_normals(rest.mesh, X);
  return rest.vertex_means([&](FaceId f) -> Mat2 {
    const RestTriangle& triangle = rest.triangle(f);
    Mat2 sum = Mat2::Zero();
    HalfedgeId h = t.halfedge(f);
    for (int k = 0; k < 3; ++k, h = t.next(h)) {
      if (t.is_border(t.twin(h))) continue;
      const FaceId other = t.face(t.twin(h));
      const Vec3 edge = X[t.to(h)] - X[t.from(h)];
      const double turn = std::abs(turn_around(current[t.to(h)] - current[t.from(h)], now[f], now[other]) -
                                   turn_around(edge, before[f], before[other]));
      const Vec2 e = triangle.axes.transpose() * edge;
      const double length = e.norm();
      if (!(length > 0)) continue;
      const Vec2 across = Vec2(-e.y(), e.x()) / length;
      sum += 0.5 * turn * length / triangle.area * across * across.transpose();
    }
    return sum;
  });
}

/// Squared change of a field of tensors along a vector, as a tensor.
Tensors squared_gradients(const RestElements& rest, const Tensors& field) {
  return rest.vertex_means([&](FaceId f) -> Mat2 {
    const auto v = rest.mesh.face(f);
    const Mat3 side[2] = {field[v[1]] - field[v[0]], field[v[2]] - field[v[0]]};
    Mat2 products;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) products(i, j) = side[i].cwiseProduct(side[j]).sum();
    const Mat2& inverse = rest.triangle(f).inverse;
    return inverse.transpose() * products * inverse;
  });
}

Tensors squared_gradients(const RestElements& rest, const Points& field) {
  return rest.vertex_means([&](FaceId f) -> Mat2 {
    const Mat32 change = gradient(rest, field, f);
    return change.transpose() * change;
  });
}

/// Asks for edges of `size` along the directions that are compressed by more than `limit`.
Mat2 ahead_of_buckling(const Mat2& green_strain, double limit, double size) {
  const Eigen::SelfAdjointEigenSolver<Mat2> principal(green_strain);
  Mat2 metric = Mat2::Zero();
  for (int k = 0; k < 2; ++k) {
    const double stretch = std::sqrt(std::max(1 + 2 * principal.eigenvalues()[k], 0.0));
    const Vec2 along = principal.eigenvectors().col(k);
    if (1 - stretch > limit) metric += along * along.transpose() / (size * size);
  }
  return metric;
}

/// The strictest of all terms at each vertex, in its tangent plane.
class VertexMetrics {
 public:
  VertexMetrics(const RestElements& rest, const SizingOptions& options,
                const IdVector<VertexId, double>* wavelength)
      : rest_(rest), options_(options), largest_(rest.mesh.vertex_count(), options.largest) {
    if (wavelength)
      for (VertexId v : ids<VertexId>(largest_.size()))
        largest_[v] = std::max(options.smallest,
                               std::min(options.largest, options.largest_in_waves * (*wavelength)[v]));
    for (const double size : largest_) metrics_.push_back(Mat2::Identity() / (size * size));
  }

  /// `metric(v, axes)` is what a term asks for at v.
  template <class F>
  void demand(const F& metric) {
    parallel_for(metrics_.size(), [&](std::size_t i) {
      const VertexId v(i);
      metrics_[v] = stricter(metrics_[v], metric(v, rest_.axes[v]));
    });
  }
  void demand(const Tensors& squares, double allowed) {
    demand([&](VertexId v, const Mat32& axes) -> Mat2 {
      return axes.transpose() * squares[v] * axes / (allowed * allowed);
    });
  }
  void limit() {
    for (VertexId v : ids<VertexId>(metrics_.size())) metrics_[v] = limited_at(v, metrics_[v]);
  }
  void grade();
  Tensors in_space() const {
    Tensors tensors(metrics_.size());
    for (VertexId v : ids<VertexId>(tensors.size()))
      tensors[v] = rest_.axes[v] * metrics_[v] * rest_.axes[v].transpose();
    return tensors;
  }

 private:
  const RestElements& rest_;
  const SizingOptions& options_;
  IdVector<VertexId, double> largest_;  ///< size at each vertex [m]
  IdVector<VertexId, Mat2> metrics_;

  Mat2 limited_at(VertexId v, const Mat2& metric) const {
    return limited(metric, options_.smallest, largest_[v], options_.max_aspect);
  }
  Mat2 grown(VertexId from, VertexId to) const;
  bool propagate(VertexId from, VertexId to);
};

/// The metric of a vertex as its neighbour sees it: lengths have grown on the way (Alauzet 2010, the
/// homogeneous growth of the metric's space).
Mat2 VertexMetrics::grown(VertexId from, VertexId to) const {
  const Mat32& axes = rest_.axes[from];
  const Vec2 e = axes.transpose() * (rest_.mesh.positions[to] - rest_.mesh.positions[from]);
  const double factor = 1 + std::sqrt(e.dot(metrics_[from] * e)) * std::log(options_.growth);
  const Mat2 turn = rest_.axes[to].transpose() * axes;
  return turn * metrics_[from] * turn.transpose() / (factor * factor);
}

/// Whether `metric` already measures as long as `other` along every direction, nearly.
bool covers(const Mat2& metric, const Mat2& other) {
  const Mat2 room = kNoticeable * metric - other;
  return room.trace() >= 0 && room.determinant() >= 0;
}

/// Propagates metrics from vertex to vertex as long as they ask for noticeably more than is there. The
/// strictest first: what they reach is rarely asked for more again.
void VertexMetrics::grade() {
  if (!(options_.growth > 1)) return;
  using Entry = std::pair<double, VertexId>;
  std::priority_queue<Entry> open;
  for (VertexId v : ids<VertexId>(metrics_.size())) open.emplace(metrics_[v].trace(), v);
  while (!open.empty()) {
    const auto [strictness, v] = open.top();
    open.pop();
    const HalfedgeId start = rest_.topology.halfedge(v);
    if (!start.valid() || strictness != metrics_[v].trace()) continue;
    HalfedgeId h = start;
    do {
      if (const VertexId to = rest_.topology.to(h); propagate(v, to)) open.emplace(metrics_[to].trace(), to);
      h = rest_.topology.rotate(h);
    } while (h != start);
  }
}

/// Whether the metric at `to` had to become stricter for that of `from`.
bool VertexMetrics::propagate(VertexId from, VertexId to) {
  const Mat2 asked = grown(from, to);
  if (covers(metrics_[to], asked)) return false;
  const Mat2 both = limited_at(to, stricter(metrics_[to], asked));
  if (covers(metrics_[to], both)) return false;
  metrics_[to] = both;
  return true;
}

void check(const Mesh& rest, const SizingState& state, const SizingOptions& options) {
  const auto check_size = [&](std::size_t size, const char* what) {
    if (size != rest.vertex_count())
      throw InputError(fmt::format("sizing field: {} {} for {} vertices; give one for each", size, what,
                                   rest.vertex_count()));
  };
  check_size(state.current.size(), "current positions");
  if (state.carried) check_size(state.carried->size(), "carried positions");
  if (state.velocities) check_size(state.velocities->size(), "velocities");
  if (state.wavelength) check_size(state.wavelength->size(), "wavelengths");
  if (state.wavelength)
    check_size(state.critical_strain ? state.critical_strain->size() : 0, "critical strains");
  const auto check_positive = [](double value, const char* what) {
    if (!(value > 0))
      throw InputError(fmt::format("sizing field: {} is {}; it must be positive", what, value));
  };
  check_positive(options.refine_angle, "refine_angle");
  check_positive(options.refine_strain, "refine_strain");
  check_positive(options.refine_velocity, "refine_velocity");
  check_positive(options.edge, "edge");
  check_positive(options.buckling_share, "buckling_share");
  check_positive(options.max_aspect, "max_aspect");
  if (!(options.largest > options.smallest) || !(options.smallest >= 0) || !std::isfinite(options.largest))
    throw InputError(
        fmt::format("sizing field: sizes from {} to {} m; the largest must be finite and above "
                    "the smallest",
                    options.smallest, options.largest));
}

}  // namespace

IdVector<VertexId, Mat3> sizing_field(const Mesh& rest_mesh, const SizingState& state,
                                      const SizingOptions& options) {
  check(rest_mesh, state, options);
  const RestElements rest(rest_mesh);
  VertexMetrics metrics(rest, options, state.wavelength);
  const Tensors curvature = curvatures(rest, state.current);
  metrics.demand([&](VertexId v, const Mat32& axes) -> Mat2 {
    const Mat2 turn = axes.transpose() * curvature[v] * axes / options.refine_angle;
    return turn * turn;
  });
  const Tensors strain = strains(rest, state.current);
  metrics.demand(squared_gradients(rest, strain), options.refine_strain);
  if (state.velocities && std::isfinite(options.refine_velocity))
    metrics.demand(squared_gradients(rest, *state.velocities), options.refine_velocity);
  if (state.wavelength) {
    const Tensors carried = state.carried ? strains(rest, *state.carried) : strain;
    metrics.demand([&](VertexId v, const Mat32& axes) {
      return ahead_of_buckling(axes.transpose() * carried[v] * axes,
                               options.buckling_share * (*state.critical_strain)[v],
                               options.edge * (*state.wavelength)[v]);
    });
  }
  metrics.limit();
  metrics.grade();
  return metrics.in_space();
}

}  // namespace cutis
