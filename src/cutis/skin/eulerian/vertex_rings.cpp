#include "cutis/skin/eulerian/vertex_rings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Neighbours lie on a line when the two moments of their directions are below this, times their sum squared:
/// they miss it by three degrees.
constexpr double kOnLine = 3e-3;

}  // namespace

TangentPlane tangent_plane(const Vec3& normal) {
  TangentPlane out;
  out.normal = normal;
  if (normal.isZero(0)) return out;
  const Vec3 axis = std::abs(normal.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  out.tangent.col(0) = axis.cross(normal).normalized();
  out.tangent.col(1) = normal.cross(out.tangent.col(0));
  return out;
}

Vec3 transported(const Vec3& vector, const Vec3& from_normal, const Vec3& to_normal) {
  const double facing = 1 + from_normal.dot(to_normal);
  if (!(facing > 1e-6)) return vector;
  return vector - to_normal.dot(vector) / facing * (from_normal + to_normal);
}

Vec3 turned_with(const Vec3& from_normal, const Vec3& to_normal, const Vec3& vector, const Vec3& common) {
  if (from_normal == to_normal) return vector;
  const Vec3 own = vector - common;
  const Vec3 along = own - from_normal.dot(own) * from_normal;
  return vector + (transported(along, from_normal, to_normal) - along);
}

/// A chord that rises by the angle a over the tangent plane belongs to an arc of twice that angle: it is
/// a / sin(a) times as long.
Vec2 tangent_coordinates(const TangentPlane& frame, const Vec3& chord) {
  const Vec2 flat = frame.tangent.transpose() * chord;
  const double length = chord.norm(), along = flat.norm();
  if (!(along > 0)) return Vec2::Zero();
  const double sine = std::min(1.0, std::abs(frame.normal.dot(chord)) / length);
  const double arc = sine > 1e-4 ? std::asin(sine) / sine : 1 + sine * sine / 6;
  return flat * (length * arc / along);
}

VertexRings::VertexRings(const Mesh& triangles) {
  std::vector<std::vector<Wedge>> of(triangles.vertex_count());
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    for (std::size_t k = 0; k < 3; ++k) of[c[k].index()].push_back({c[(k + 1) % 3], c[(k + 2) % 3]});
  }
  begin_.push_back(0);
  for (const auto& list : of) {
    wedges_.insert(wedges_.end(), list.begin(), list.end());
    begin_.push_back(wedges_.size());
  }
  for (VertexId v : ids<VertexId>(of.size()))
    for (std::size_t k = begin_[v.index()]; k < begin_[v.index() + 1]; ++k) {
      const auto list = wedges(v);
      const auto same = std::ranges::find(list, wedges_[k].left, &Wedge::ahead);
      left_is_ahead_.push_back(
          same == list.end() ? k : first_wedge(v) + static_cast<std::size_t>(same - list.begin()));
    }
  near_begin_.push_back(0);
  std::vector<VertexId> found;
  for (VertexId v : ids<VertexId>(of.size())) {
    found.clear();
    const auto add = [&](VertexId w) {
      for (const Wedge& wedge : of[w.index()]) {
        found.push_back(wedge.ahead);
        found.push_back(wedge.left);
      }
    };
    add(v);
    for (std::size_t k = 0, ring = found.size(); k < ring; ++k) add(found[k]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase(found, v);
    near_.insert(near_.end(), found.begin(), found.end());
    near_begin_.push_back(near_.size());
  }
}

RingedSurface VertexRings::surface(Points positions, const IdVector<VertexId, Vec3>& normals) const {
  RingedSurface out{std::move(positions), {}, {}};
  out.frames.resize(normals.size());
  parallel_for(normals.size(),
               [&](std::size_t i) { out.frames[VertexId(i)] = tangent_plane(normals[VertexId(i)]); });
  out.coordinates = coordinates(out.positions, out.frames);
  return out;
}

std::vector<VertexRings::WedgeCoordinates> VertexRings::coordinates(
    const Points& positions, const IdVector<VertexId, TangentPlane>& frames) const {
  std::vector<WedgeCoordinates> out(wedges_.size());
  parallel_for(vertex_count(), [&](std::size_t i) {
    const VertexId v(i);
    const auto coordinates = [&](VertexId w) {
      return tangent_coordinates(frames[v], positions[w] - positions[v]);
    };
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) out[k].ahead = coordinates(wedges_[k].ahead);
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k)
      out[k].left = left_is_ahead_[k] == k ? coordinates(wedges_[k].left) : out[left_is_ahead_[k]].ahead;
  });
  return out;
}

VertexRings::Place VertexRings::locate(const std::vector<WedgeCoordinates>& all, VertexId v,
                                       const Vec2& vector) const {
  Place best{begin_[v.index()], 0, 0};
  if (vector.isZero(0)) return best;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t k = begin_[v.index()]; k < begin_[v.index() + 1]; ++k) {
    const Vec2 &a = all[k].ahead, &b = all[k].left;
    const double area = cross(a, b);
    if (!(area > 0)) continue;
    const double ahead = cross(vector, b) / area, left = cross(a, vector) / area;
    const double inside = std::min(ahead, left) / (std::abs(ahead) + std::abs(left));
    if (inside <= most) continue;
    most = inside;
    best = {k, std::max(ahead, 0.0), std::max(left, 0.0)};
  }
  const double sum = best.ahead + best.left;
  if (sum > 1) {
    best.ahead /= sum;
    best.left /= sum;
  }
  return best;
}

Mat2 VertexRings::jacobian(const std::vector<WedgeCoordinates>& from, const std::vector<WedgeCoordinates>& to,
                           VertexId v) const {
  Mat2 cross = Mat2::Zero(), square = Mat2::Zero();
  const auto add = [&](const Vec2& a, const Vec2& b) {
    const double weight = a.squaredNorm();
    if (!(weight > 0)) return;
    cross += b * a.transpose() / weight;
    square += a * a.transpose() / weight;
  };
  for (std::size_t k = begin_[v.index()]; k < begin_[v.index() + 1]; ++k) {
    add(from[k].ahead, to[k].ahead);
    add(from[k].left, to[k].left);
  }
  if (!(square.determinant() > kOnLine * square.trace() * square.trace())) return Mat2::Zero();
  return cross * square.inverse();
}

}  // namespace cutis
