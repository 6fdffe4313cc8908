#include "cutis/skin/slide_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/trace.h"

namespace cutis {
namespace {

/// Barycentrics below this are zero: the point is on the edge.
constexpr double kOnEdge = 1e-12;
constexpr int kMostPieces = 400;
/// A piece of a path turns, in barycentrics, by no more than about this much of its length.
constexpr double kTurn = 0.25;
/// A tangent plane is one when its sides open by more than this sine.
constexpr double kNoTangentPlane = 1e-9;
/// A point is at a vertex when its barycentric there misses one by less than this.
constexpr double kAtVertex = 1e-12;
/// A direction lies in a wedge unless it misses it by more than this.
constexpr double kBeside = 1e-6;
/// A path runs along an edge when it leaves it by less than this share of its own length.
constexpr double kAlongEdge = 1e-9;

SurfaceJet surface_jet(const LimitJet& jet) {
  SurfaceJet out;
  out.position = jet.position;
  const Vec3 cross = jet.d1.cross(jet.d2);
  const double length = jet.d1.norm(), area = cross.norm();
  if (!(area > kNoTangentPlane * length * jet.d2.norm())) return out;  // it cannot move from here
  out.normal = cross / area;
  out.tangent.col(0) = jet.d1 / length;
  out.tangent.col(1) = out.normal.cross(out.tangent.col(0));
  // [d1 d2] = T R with R upper triangular, so changes of (b1, b2) are R⁻¹ q.
  const double r01 = jet.d2.dot(out.tangent.col(0)), r11 = area / length;
  out.to_barycentric << 1 / length, -r01 / (length * r11), 0, 1 / r11;
  Mat2 second;
  second(0, 0) = out.normal.dot(jet.d11);
  second(0, 1) = second(1, 0) = out.normal.dot(jet.d12);
  second(1, 1) = out.normal.dot(jet.d22);
  out.curvature = out.to_barycentric.transpose() * second * out.to_barycentric;
  out.christoffel = {out.tangent.transpose() * jet.d11, out.tangent.transpose() * jet.d12,
                     out.tangent.transpose() * jet.d22};
  return out;
}

/// The first root above zero of c + v t + a t² / 2, c >= 0, where it falls below zero; nothing when it does
/// not before `end`.
std::optional<double> leaves(double c, double v, double a, double end) {
  if (c <= kOnEdge) {
    if (v < 0 || (v == 0 && a < 0)) return 0.0;
    c = 0;
    if (a >= 0) return {};
    const double t = -2 * v / a;
    return t < end ? std::optional(t) : std::nullopt;
  }
  const double discriminant = v * v - 2 * a * c;
  if (discriminant < 0) return {};
  // Stable for small a: t = 2c / (-v + sqrt(...)).
  const double below = -v + std::sqrt(discriminant);
  if (below <= 0) return {};
  const double t = 2 * c / below;
  return t < end ? std::optional(t) : std::nullopt;
}

int corner_of(const Topology& topology, HalfedgeId h) {
  return static_cast<int>(h.index() - topology.halfedge(topology.face(h)).index());
}

/// The point of a half-edge at a share of its length.
SurfacePoint on_halfedge(const Topology& topology, HalfedgeId h, double place) {
  SurfacePoint p{topology.face(h), Vec3::Zero()};
  const int corner = corner_of(topology, h);
  p.barycentric[corner] = 1 - place;
  p.barycentric[(corner + 1) % 3] = place;
  return p;
}

Vec3 changes(const Vec2& b) { return {-b[0] - b[1], b[0], b[1]}; }

/// Derivative from corner `from` of a triangle towards corner `to`.
Vec3 side_derivative(const LimitJet& jet, int from, int to) {
  Vec3 rates = Vec3::Zero();
  rates[from] = -1;
  rates[to] = 1;
  return rates[1] * jet.d1 + rates[2] * jet.d2;
}

/// A triangle around a vertex, as the half-edge that leaves it, and how squarely a direction lies between the
/// two sides there: from 0.5 in the middle to 0 along a side, below zero outside.
struct Wedge {
  HalfedgeId into;
  double inside = -std::numeric_limits<double>::infinity();
};

template <class Derivatives>
Wedge wedge_of(const Topology& topology, const Derivatives& derivatives, VertexId v, const Vec3& direction) {
  Wedge best;
  const HalfedgeId first = topology.halfedge(v);
  HalfedgeId h = first;
  do {
    if (!topology.is_border(h)) {
      const SurfaceJet jet = surface_jet(derivatives(on_halfedge(topology, h, 0)));
      const Vec3 rates = changes(jet.to_barycentric * (jet.tangent.transpose() * direction));
      const int k = corner_of(topology, h);
      const double ahead = rates[(k + 1) % 3], left = rates[(k + 2) % 3];
      const double inside = std::min(ahead, left) / (std::abs(ahead) + std::abs(left));
      if (inside > best.inside) best = {h, inside};
    }
    h = topology.rotate(h);
  } while (h != first);
  return best;
}

/// A border edge that starts at a vertex, as the half-edge with a face, and where on it the vertex is.
struct BorderEdge {
  HalfedgeId halfedge;
  double place;
  Vec3 direction;  ///< unit, away from the vertex
};

/// Of the two, the one whose direction comes closer to the given one.
template <class Derivatives>
BorderEdge best_border_edge(const Topology& topology, const Derivatives& derivatives, VertexId v,
                            const Vec3& direction) {
  const HalfedgeId first = topology.halfedge(v);
  HalfedgeId last = first;
  while (!topology.is_border(topology.rotate(last))) last = topology.rotate(last);
  const HalfedgeId back = topology.prev(last);
  const auto derivative = [&](HalfedgeId h, double place) -> Vec3 {
    const int k = corner_of(topology, h);
    return side_derivative(derivatives(on_halfedge(topology, h, place)), k, (k + 1) % 3).normalized();
  };
  const Vec3 ahead = derivative(first, 0), behind = -derivative(back, 1);
  return ahead.dot(direction) >= behind.dot(direction) ? BorderEdge{first, 0, ahead}
                                                       : BorderEdge{back, 1, behind};
}

/// A straight path over a smooth surface on its way: piecewise x'' = 0 within the surface, to second order.
class Path {
 public:
  Path(const Topology& topology, const LimitSurface& limit) : topology_(topology), limit_(limit) {}

  SurfacePoint operator()(const SurfacePoint& start, const SurfaceJet& jet, const Vec2& q) {
    p_ = start;
    jet_ = jet;
    velocity_ = jet.tangent * q;
    speed_ = q.norm();
    if (!(speed_ > 0) || !std::isfinite(speed_)) return start;
    for (int i = 0; i < kMostPieces && left_ > 0; ++i)
      if (!piece()) break;
    return p_;
  }

 private:
  const Topology& topology_;
  const LimitSurface& limit_;
  SurfacePoint p_;
  SurfaceJet jet_;
  Vec3 velocity_;
  double speed_ = 0;
  double left_ = 1;     ///< of the time from 0 to 1
  int edge_side_ = -1;  ///< the corner opposite to the edge that the path runs along; -1: none

  std::pair<Vec2, Vec2> rates() const;
  bool piece();
  bool leave(int side);
  bool leave_edge(int side);
  bool leave_vertex(int corner);
  void enter(const SurfacePoint& p);
  bool along_border(HalfedgeId edge, double place);
  void move(const Vec2& change);
  auto derivatives() const {
    return [this](const SurfacePoint& p) { return limit_.evaluate(p); };
  }
  HalfedgeId halfedge(int corner) const {
    return HalfedgeId(topology_.halfedge(p_.face).index() + static_cast<std::size_t>(corner));
  }
};

/// First and second changes of (b1, b2) with time. No acceleration within the surface:
/// x_i b_i'' = -x_ij b_i' b_j', tangent part; along an edge, only that along it.
std::pair<Vec2, Vec2> Path::rates() const {
  const Mat2& A = jet_.to_barycentric;
  Vec2 v = A * (jet_.tangent.transpose() * velocity_);
  const Vec2 bend = v[0] * v[0] * jet_.christoffel[0] + 2 * v[0] * v[1] * jet_.christoffel[1] +
                    v[1] * v[1] * jet_.christoffel[2];
  if (edge_side_ < 0) return {v, -A * bend};
  Vec3 side = Vec3::Zero();
  side[(edge_side_ + 1) % 3] = -1;
  side[(edge_side_ + 2) % 3] = 1;
  const Vec2 along(side[1], side[2]);
  const Vec2 q = A.inverse() * along;
  return {along * (q.dot(jet_.tangent.transpose() * velocity_) / q.squaredNorm()),
          along * (-q.dot(bend) / q.squaredNorm())};
}

/// False when the path has ended.
bool Path::piece() {
  if (jet_.to_barycentric.isZero(0)) return false;
  const auto [v, a] = rates();
  double time = left_;
  // Of all three barycentrics: that of two would depend on the corner that a triangle begins with.
  const Vec3 dv = changes(v), da = changes(a);
  if (da.norm() * time > 2 * kTurn * dv.norm()) time = 2 * kTurn * dv.norm() / da.norm();
  if (!(time > 0) || !std::isfinite(time)) return false;
  int side = -1;
  for (int k = 0; k < 3; ++k) {
    if (k == edge_side_) continue;
    if (const auto t = leaves(p_.barycentric[k], dv[k], da[k], time)) {
      time = *t;
      side = k;
    }
  }
  if (time > 0) {
    move(time * v + 0.5 * time * time * a);
    if (side >= 0) {
      p_.barycentric[side] = 0;
      p_.barycentric /= p_.barycentric.sum();
    }
    left_ -= time;
    if (left_ <= 0) return false;
    const LimitJet jet = limit_.evaluate(p_);
    const Vec2 w = v + time * a;
    velocity_ = jet.d1 * w[0] + jet.d2 * w[1];
    const double length = velocity_.norm();
    if (!(length > 0)) return false;
    velocity_ *= speed_ / length;
    if (side < 0) jet_ = surface_jet(jet);
  }
  return side < 0 || leave(side);
}

void Path::move(const Vec2& change) {
  p_.barycentric += changes(change);
  p_.barycentric = p_.barycentric.cwiseMax(0);
  p_.barycentric /= p_.barycentric.sum();
}

/// The path leaves its triangle over the side opposite to corner `side`, or at one of its ends.
bool Path::leave(int side) {
  edge_side_ = -1;
  for (int k = 0; k < 3; ++k)
    if (p_.barycentric[k] >= 1 - kAtVertex) return leave_vertex(k);
  return leave_edge(side);
}

void Path::enter(const SurfacePoint& p) {
  p_ = p;
  jet_ = surface_jet(limit_.evaluate(p));
  // The two sides share their tangent plane, up to rounding.
  velocity_ -= velocity_.dot(jet_.normal) * jet_.normal;
}

bool Path::leave_edge(int side) {
  const HalfedgeId edge = halfedge((side + 1) % 3);
  const double place = p_.barycentric[(side + 2) % 3];
  const HalfedgeId twin = topology_.twin(edge);
  if (topology_.is_border(twin)) return along_border(edge, place);
  enter(on_halfedge(topology_, twin, 1 - place));
  const int opposite = (corner_of(topology_, twin) + 2) % 3;
  const Vec3 rates = changes(jet_.to_barycentric * (jet_.tangent.transpose() * velocity_));
  const double along = kAlongEdge * rates.norm();
  if (std::abs(rates[opposite]) <= along) edge_side_ = opposite;  // rounding would send it to and fro
  return rates[opposite] >= -along;
}

/// What is left of the way along a border edge; the path ends where that is nothing.
bool Path::along_border(HalfedgeId edge, double place) {
  p_ = on_halfedge(topology_, edge, place);
  const LimitJet jet = limit_.evaluate(p_);
  jet_ = surface_jet(jet);
  const int k = corner_of(topology_, edge);
  const Vec3 direction = side_derivative(jet, k, (k + 1) % 3).normalized();
  const double along = direction.dot(velocity_);
  const bool ends = along > 0 ? place >= 1 - kAtVertex : place <= kAtVertex;
  if (!(std::abs(along) > 1e-9 * speed_) || ends) return false;
  velocity_ = along * direction;
  speed_ = std::abs(along);
  edge_side_ = (k + 2) % 3;
  return true;
}

/// The way on from a vertex lies in the wedge of the tangent plane that holds the direction.
bool Path::leave_vertex(int corner) {
  const VertexId v = topology_.from(halfedge(corner));
  const Wedge wedge = wedge_of(topology_, derivatives(), v, velocity_);
  if (!wedge.into.valid()) return false;
  if (wedge.inside < kBeside && topology_.is_border(v)) {
    const BorderEdge edge = best_border_edge(topology_, derivatives(), v, velocity_);
    const bool runs_along = edge.direction.dot(velocity_) > (1 - kBeside) * speed_;
    if (wedge.inside < -kBeside || runs_along) return along_border(edge.halfedge, edge.place);
  }
  enter(on_halfedge(topology_, wedge.into, 0));
  const int k = corner_of(topology_, wedge.into);
  const Vec3 rates = changes(jet_.to_barycentric * (jet_.tangent.transpose() * velocity_));
  const double along = kAlongEdge * rates.norm();
  const bool ahead = rates[(k + 1) % 3] > along, left = rates[(k + 2) % 3] > along;
  if (ahead == left) return ahead;
  // It runs along a side of the wedge, or rounding leaves it just outside.
  edge_side_ = ahead ? (k + 2) % 3 : (k + 1) % 3;
  velocity_ = side_derivative(limit_.evaluate(p_), k, ahead ? (k + 1) % 3 : (k + 2) % 3);
  velocity_ *= speed_ / velocity_.norm();
  return true;
}

}  // namespace

SlideSurface::SlideSurface(const Body& body, SlidesOn on, const std::vector<FaceId>& faces)
    : SlideSurface(body.mesh(), body.triangles(), body.surface(), on, faces) {}

SlideSurface::SlideSurface(const Mesh& mesh, const TriangleMesh& triangles,
                           std::shared_ptr<const Surface> surface, SlidesOn on,
                           const std::vector<FaceId>& faces)
    : surface_(std::move(surface)) {
  LimitOptions options;
  if (on == SlidesOn::Limit) options.faces = faces;
  if (on != SlidesOn::Polygon) limit_.emplace(mesh, triangles, options);
  if (on == SlidesOn::Cage) cage_.emplace(mesh, *limit_);
  update(mesh.positions);
}

void SlideSurface::update(const Points& body) {
  body_ = body;
  if (!cage_) {
    if (limit_) limit_->update(body_);
    return;
  }
  const Points control = control_points(body_);
  limit_->update(control);
  const Points on_surface = cage_->at_vertices(control);
  offsets_.assign(body_.size(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(body_.size()))
    if (home(v).face.valid()) offsets_[v] = body_[v] - on_surface[v];
}

Points SlideSurface::control_points(const Points& body) const {
  return cage_->control(body, angle_weighted_normals(surface_->mesh(), body));
}

/// Without the patches of the surface, which hold many times as many points.
Points SlideSurface::on_surface(const Points& body) const {
  Points out = cage_->at_vertices(control_points(body));
  for (VertexId v : ids<VertexId>(out.size()))
    if (!home(v).face.valid()) out[v] = body[v];
  return out;
}

Points SlideSurface::on_surface() const {
  if (limit_ && !cage_) return limit_->vertex_positions();
  Points out = body_;
  for (VertexId v : ids<VertexId>(offsets_.size())) out[v] -= offsets_[v];
  return out;
}

void SlideSurface::drop_offsets() {
  body_ = on_surface();
  offsets_.assign(body_.size(), Vec3::Zero());
}

LimitSurface SlideSurface::blended_normals() const {
  LimitSurface field = *limit_;
  field.update(cage_->control(limit_->vertex_normals()));
  return field;
}

/// By the barycentrics of the triangle that p lies in.
LimitJet SlideSurface::derivatives(const SurfacePoint& p) const {
  if (limit_) return limit_->evaluate(p);
  const auto c = surface_->mesh().face(p.face);
  const Vec3 zero = Vec3::Zero();
  return {interpolate(surface_->mesh(), body_, p),
          body_[c[1]] - body_[c[0]],
          body_[c[2]] - body_[c[0]],
          zero,
          zero,
          zero};
}

SurfaceJet SlideSurface::evaluate(const SurfacePoint& p) const { return surface_jet(derivatives(p)); }

SurfaceJet SlideSurface::evaluate(const PatchLocation& place) const {
  return surface_jet(limit_->evaluate(place));
}

std::pair<SurfaceJet, SurfaceJet> SlideSurface::evaluate(const PatchLocation& place,
                                                         const SlideSurface& other) const {
  const std::array<LimitJet, 2> jets = limit_->evaluate(place, *other.limit_);
  return {surface_jet(jets[0]), surface_jet(jets[1])};
}

SurfacePoint SlideSurface::retract(const SurfacePoint& p, const SurfaceJet& jet, const Vec2& q) const {
  const Topology& topology = surface_->topology();
  if (limit_) return Path(topology, *limit_)(p, jet, q);
  return trace(topology, body_, p, jet.tangent * q, {AtBorder::Slide}).end;
}

SurfacePoint SlideSurface::home(VertexId v) const {
  if (limit_) return limit_->point_of(v);
  return surface_->topology().halfedge(v).valid() ? surface_->point(v) : SurfacePoint();
}

Vec3 SlideSurface::position(VertexId v, const SurfacePoint& p) const {
  if (!p.face.valid()) return body_[v];
  // A corner of any face around v is v itself: rounding must not move it.
  const auto face = surface_->mesh().face(p.face);
  for (int k = 0; k < 3; ++k)
    if (face[k] == v && p.barycentric[k] == 1) return body_[v];
  if (cage_) return limit_->position(p) + offsets_[v];
  return limit_ ? Vec3(body_[v] + slide(v, p)) : interpolate(surface_->mesh(), body_, p);
}

Vec3 SlideSurface::slide(VertexId v, const SurfacePoint& p) const {
  if (limit_ && !cage_ && p.face.valid()) return limit_->slid_position(v, Vec3::Zero(), p);
  return position(v, p) - body_[v];
}

Vec3 SlideSurface::slide(VertexId v, const SurfacePoint& p, const Points& on_surface) const {
  if (!limit_ || cage_ || !p.face.valid()) return slide(v, p);
  const auto face = surface_->mesh().face(p.face);
  for (int k = 0; k < 3; ++k)
    if (face[k] == v && p.barycentric[k] == 1) return Vec3::Zero();
  return limit_->position(p) - on_surface[v];
}

SourcePoints SlideSurface::place(const SourcePoints& body, const Weld& weld, const SkinPoints& points) const {
  Points slides(points.size(), Vec3::Zero());
  parallel_for(points.size(),
               [&](std::size_t i) { slides[VertexId(i)] = slide(VertexId(i), points[VertexId(i)]); });
  SourcePoints positions = body;
  for (SourceVertexId v : ids<SourceVertexId>(positions.size())) positions[v] += slides[weld.vertex_of[v]];
  return positions;
}

std::optional<Vec2> SlideSurface::tangent_cone_direction(const SurfacePoint& p, const SurfaceJet& jet,
                                                         const Vec2& direction) const {
  const auto derivatives_at = [this](const SurfacePoint& at) { return derivatives(at); };
  const Topology& topology = surface_->topology();
  const auto halfedge = [&](int k) {
    return HalfedgeId(topology.halfedge(p.face).index() + static_cast<std::size_t>(k));
  };
  int nearest = 0;
  if (p.barycentric.maxCoeff(&nearest) >= 1 - kAtVertex) {
    const VertexId v = topology.from(halfedge(nearest));
    if (!topology.is_border(v)) return {};
    const Vec3 way = jet.tangent * direction;
    if (wedge_of(topology, derivatives_at, v, way).inside >= -kBeside) return {};
    const BorderEdge edge = best_border_edge(topology, derivatives_at, v, way);
    if (edge.direction.dot(way) <= 0) return Vec2(Vec2::Zero());
    return Vec2((jet.tangent.transpose() * edge.direction).normalized());
  }
  const Vec3 rates = changes(jet.to_barycentric * direction);
  for (int k = 0; k < 3; ++k) {
    const HalfedgeId side = halfedge((k + 1) % 3);
    if (p.barycentric[k] > kOnEdge || !topology.is_border(topology.twin(side)) || rates[k] >= 0) continue;
    const Vec3 along = side_derivative(derivatives(p), (k + 1) % 3, (k + 2) % 3);
    return Vec2((jet.tangent.transpose() * along).normalized());
  }
  return {};
}

}  // namespace cutis
