#include "cutis/surface/map/surface_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <Eigen/LU>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/face_walk.h"

namespace cutis {
namespace {

struct Hit {
  Vec3 barycentric;
  double height = 0;  ///< along the normal [m]
};

/// A triangle with a direction at each corner: the space above and below a face that its normals sweep.
struct Prism {
  std::array<Vec3, 3> corner, direction;

  double longest_side() const {
    return std::sqrt(std::max({(corner[1] - corner[0]).squaredNorm(), (corner[2] - corner[1]).squaredNorm(),
                               (corner[0] - corner[2]).squaredNorm()}));
  }

  /// Solves sum b_i (P_i + h N_i) = x for b and h by Newton's method. Nothing when the prism is degenerate
  /// there.
  std::optional<Hit> locate(const Vec3& x) const {
    const Vec3 e1 = corner[1] - corner[0], e2 = corner[2] - corner[0];
    const Vec3 d1 = direction[1] - direction[0], d2 = direction[2] - direction[0];
    const double scale = longest_side();
    Vec3 s(1.0 / 3, 1.0 / 3,
           0);  // b1, b2, h; from the middle, as of several places a corner's may be another
    for (int iteration = 0; iteration < 20; ++iteration) {
      const Vec3 normal = direction[0] + s[0] * d1 + s[1] * d2;
      const Vec3 residual = corner[0] + s[0] * e1 + s[1] * e2 + s[2] * normal - x;
      if (iteration > 0 && residual.norm() <= 1e-15 * (scale + x.norm())) break;
      Mat3 jacobian;
      jacobian << e1 + s[2] * d1, e2 + s[2] * d2, normal;
      const double determinant = jacobian.determinant();
      if (!(std::abs(determinant) > 1e-12 * scale * scale)) return std::nullopt;
      const Vec3 step = jacobian.inverse() * residual;
      s -= step;
      if (!s.allFinite() || std::abs(s[2]) > 1e3 * scale) return std::nullopt;
    }
    return Hit{Vec3(1 - s[0] - s[1], s[0], s[1]), s[2]};
  }
};

Prism prism_of(const Mesh& mesh, const Points& corners, const IdVector<VertexId, Vec3>& directions,
               FaceId f) {
  Prism prism;
  for (int i = 0; i < 3; ++i) {
    prism.corner[i] = corners[mesh.face(f)[i]];
    prism.direction[i] = directions[mesh.face(f)[i]];
  }
  return prism;
}

/// Finds where points in space lie among the prisms of a map's faces.
class Locator {
 public:
  Locator(const Surface& from, const Points& images, const IdVector<VertexId, Vec3>& directions)
      : from_(from), images_(images), directions_(directions) {}

  std::optional<SurfacePoint> near(const Vec3& x, FaceId start) const {
    const auto found = walk_faces(from_.topology(), start, [&](FaceId f) { return in_prism(f, x); });
    if (!found || !plausible(found->first, found->second)) return std::nullopt;
    return SurfacePoint{found->first, clamped_barycentric(found->second.barycentric)};
  }

  /// Tries every face: the last resort where walks run in circles. Of several sheets the nearest counts.
  std::optional<SurfacePoint> anywhere(const Vec3& x) const {
    std::optional<SurfacePoint> best;
    double lowest = INFINITY;
    for (FaceId f : ids<FaceId>(from_.mesh().face_count())) {
      const std::optional<Hit> hit = in_prism(f, x);
      if (!hit || is_inside_triangle(hit->barycentric) || !plausible(f, *hit) ||
          std::abs(hit->height) >= lowest)
        continue;
      lowest = std::abs(hit->height);
      best = SurfacePoint{f, clamped_barycentric(hit->barycentric)};
    }
    return best;
  }

 private:
  std::optional<Hit> in_prism(FaceId f, const Vec3& x) const {
    return prism_of(from_.mesh(), images_, directions_, f).locate(x);
  }
  /// A hit far above its face belongs to another sheet of the surface.
  bool plausible(FaceId f, const Hit& hit) const {
    return std::abs(hit.height) <= prism_of(from_.mesh(), images_, directions_, f).longest_side();
  }

  const Surface& from_;
  const Points& images_;
  const IdVector<VertexId, Vec3>& directions_;
};

/// Where the line x + h n meets the plane of a face, in the face's barycentric coordinates.
std::optional<Hit> meet(const Surface& surface, FaceId f, const Vec3& x, const Vec3& n) {
  const auto face = surface.mesh().face(f);
  const Vec3 &a = surface.positions()[face[0]], &b = surface.positions()[face[1]],
             &c = surface.positions()[face[2]];
  Mat3 system;
  system << b - a, c - a, -n;
  const double determinant = system.determinant();
  if (!(std::abs(determinant) > 1e-12 * (b - a).norm() * (c - a).norm())) return std::nullopt;
  const Vec3 s = system.inverse() * (x - a);
  return Hit{Vec3(1 - s[0] - s[1], s[0], s[1]), s[2]};
}

/// The same place in the coordinates of another face: possible when it lies on a vertex or an edge of both.
std::optional<Vec3> seen_from(const Mesh& mesh, const SurfacePoint& p, FaceId other) {
  if (p.face == other) return p.barycentric;
  Vec3 result = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (p.barycentric[i] == 0) continue;
    const auto face = mesh.face(other);
    const auto it = std::find(face.begin(), face.end(), mesh.face(p.face)[i]);
    if (it == face.end()) return std::nullopt;
    result[it - face.begin()] = p.barycentric[i];
  }
  return result;
}

}  // namespace

SurfaceMap::SurfaceMap(SurfacePtr from, SurfacePtr to, Points points)
    : from_(std::move(from)), to_(std::move(to)), points_(std::move(points)) {
  assert(points_.size() == from_->mesh().vertex_count());
  images_ = pull(to_->positions());
  directions_ = pull_directions(to_->normals());
}

SurfaceMap SurfaceMap::identity(const SurfacePtr& surface) {
  Points points;
  points.reserve(surface->mesh().vertex_count());
  for (VertexId v : ids<VertexId>(surface->mesh().vertex_count())) points.push_back(surface->point(v));
  return SurfaceMap(surface, surface, std::move(points));
}

SurfacePoint SurfaceMap::operator()(const SurfacePoint& p) const {
  const auto face = from_->mesh().face(p.face);
  int heaviest = 0;
  p.barycentric.maxCoeff(&heaviest);
  if (p.barycentric[heaviest] == 1) return points_[face[heaviest]];
  const FaceId start = points_[face[heaviest]].face;
  if (const auto common = within_one_face(p.face)) return {common->first, common->second * p.barycentric};
  const Vec3 x = interpolate(from_->mesh(), images_, p), n = interpolate(from_->mesh(), directions_, p);
  const auto found = walk_faces(to_->topology(), start, [&](FaceId f) { return meet(*to_, f, x, n); });
  // Far above the chord lies another sheet of the surface.
  const double side = prism_of(from_->mesh(), images_, directions_, p.face).longest_side();
  if (!found || std::abs(found->second.height) > side) return {};
  return {found->first, clamped_barycentric(found->second.barycentric)};
}

std::optional<Mat3> SurfaceMap::corners_within(FaceId f, FaceId common) const {
  if (common.index() >= to_->mesh().face_count()) return std::nullopt;
  Mat3 corners;
  for (int i = 0; i < 3; ++i) {
    const std::optional<Vec3> corner = seen_from(to_->mesh(), points_[from_->mesh().face(f)[i]], common);
    if (!corner) return std::nullopt;
    corners.col(i) = *corner;
  }
  return corners;
}

std::optional<std::pair<FaceId, Mat3>> SurfaceMap::within_one_face(FaceId f) const {
  const auto face = from_->mesh().face(f);
  for (FaceId common : {f, points_[face[0]].face, points_[face[1]].face, points_[face[2]].face})
    if (const auto corners = corners_within(f, common)) return std::pair(common, *corners);
  return std::nullopt;
}

SurfaceMap SurfaceMap::then(const SurfaceMap& next) const {
  assert(next.from_ == to_);
  Points points(points_.size());
  parallel_for(points.size(), [&](std::size_t i) { points[VertexId(i)] = next(points_[VertexId(i)]); });
  for (VertexId v : ids<VertexId>(points.size()))
    if (!points[v].face.valid())
      throw InputError(
          fmt::format("vertex {}: lands on face {}, where the second map has no image (it folds there)",
                      v.value, points_[v].face.value));
  return SurfaceMap(from_, next.to_, std::move(points));
}

bool SurfaceMap::arrives(const SurfacePoint& p, VertexId v) const {
  // In a tight fold a line may meet the surface more than once, and v may be another of the places than the
  // image.
  const SurfacePoint image = (*this)(p);
  return image.face.valid() && (to_->position(image) - to_->positions()[v]).norm() <= 1e-10 * to_->size();
}

SurfaceMap::Inverse SurfaceMap::inverse(const Points& guess) const {
  const std::size_t n = to_->mesh().vertex_count();
  const Locator locator(*from_, images_, directions_);
  const bool twins = from_ == to_;
  const bool open = !from_->topology().border_loops().empty();
  Points points(n, SurfacePoint{});

  parallel_for(n, [&](std::size_t i) {
    const VertexId v(i);
    // A vertex that did not move comes back exactly, not to rounding.
    if (twins && images_[v] == to_->positions()[v]) {
      points[v] = from_->point(v);
      return;
    }
    const Vec3& x = to_->positions()[v];
    const FaceId start = !guess.empty() ? guess[v].face
                         : twins        ? nearest_face_around(*from_, v, images_, x)
                                        : FaceId();
    if (!start.valid()) return;
    if (const auto found = locator.near(x, start); found && arrives(*found, v)) points[v] = *found;
  });

  std::vector<VertexId> lost;
  for (VertexId v : ids<VertexId>(n))
    if (!points[v].face.valid()) lost.push_back(v);
  std::vector<char> missed(lost.size(), 0);
  if (!lost.empty()) {
    const ClosestPointTree tree(from_->mesh(), images_);
    parallel_for(lost.size(), [&](std::size_t i) {
      const Vec3& x = to_->positions()[lost[i]];
      const SurfacePoint nearest = tree(x).point;
      const auto if_it_arrives = [&](std::optional<SurfacePoint> p) {
        return p && arrives(*p, lost[i]) ? p : std::nullopt;
      };
      std::optional<SurfacePoint> found = if_it_arrives(locator.near(x, nearest.face));
      if (!found && !open) found = if_it_arrives(locator.anywhere(x));
      points[lost[i]] = found.value_or(nearest);
      missed[i] = !found;
    });
  }

  Inverse result{SurfaceMap(to_, from_, std::move(points)), {}};
  for (std::size_t i = 0; i < lost.size(); ++i)
    if (missed[i]) result.missed.push_back(lost[i]);
  return result;
}

bool SurfaceMap::is_folded(FaceId f) const {
  // Within one face the corners' order there decides; only beyond it the smooth normals have to say what is
  // up.
  if (const auto common = within_one_face(f)) return !(common->second.determinant() > 0);
  const Prism p = prism_of(from_->mesh(), images_, directions_, f);
  const Vec3 area = (p.corner[1] - p.corner[0]).cross(p.corner[2] - p.corner[0]);
  return !(area.dot(p.direction[0]) > 0 && area.dot(p.direction[1]) > 0 && area.dot(p.direction[2]) > 0);
}

std::vector<FaceId> SurfaceMap::folded_faces() const {
  std::vector<FaceId> folded;
  for (FaceId f : ids<FaceId>(from_->mesh().face_count()))
    if (is_folded(f)) folded.push_back(f);
  return folded;
}

IdVector<VertexId, Vec3> SurfaceMap::pull_directions(const IdVector<VertexId, Vec3>& on_to) const {
  IdVector<VertexId, Vec3> directions = pull(on_to);
  for (Vec3& d : directions) d.normalize();
  return directions;
}

IdVector<VertexId, Vec2> SurfaceMap::pull_uvs() const {
  const Mesh& mesh = to_->mesh();
  IdVector<VertexId, Vec2> uvs;
  uvs.reserve(points_.size());
  for (const SurfacePoint& p : points_) {
    const std::size_t corner = mesh.first_corner(p.face).index();
    Vec2 uv = Vec2::Zero();
    for (int i = 0; i < 3; ++i) uv += p.barycentric[i] * mesh.uvs[CornerId(corner + i)];
    uvs.push_back(uv);
  }
  return uvs;
}

}  // namespace cutis
