#include "cutis/surface/limit/limit_surface.h"

#include <cassert>

#include "cutis/core/parallel.h"
#include "cutis/surface/limit/limit_patches.h"

namespace cutis {
namespace {

bool use_loop(const Mesh& mesh, SubdivisionScheme scheme) {
  if (scheme != SubdivisionScheme::Automatic) return scheme == SubdivisionScheme::Loop;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (mesh.face_size(f) != 3) return false;
  return true;
}

/// From (u, v) to (b1, b2). With J = ∂(u,v)/∂b: P_i = P_u u_i + P_v v_i, and
/// P_ij = (P_uu u_i + P_uv v_i) u_j + (P_uv u_i + P_vv v_i) v_j + P_u u_ij + P_v v_ij.
LimitJet chain(const LimitJet& s, const PatchCoordinates& c) {
  const auto second = [&](const Vec2& i, const Vec2& j) -> Vec3 {
    return (i.x() * j.x()) * s.d11 + (i.x() * j.y() + i.y() * j.x()) * s.d12 + (i.y() * j.y()) * s.d22;
  };
  LimitJet out{s.position,
               c.d1.x() * s.d1 + c.d1.y() * s.d2,
               c.d2.x() * s.d1 + c.d2.y() * s.d2,
               second(c.d1, c.d1),
               second(c.d1, c.d2),
               second(c.d2, c.d2)};
  if (!c.linear) {
    out.d11 += c.d11.x() * s.d1 + c.d11.y() * s.d2;
    out.d12 += c.d12.x() * s.d1 + c.d12.y() * s.d2;
    out.d22 += c.d22.x() * s.d1 + c.d22.y() * s.d2;
  }
  return out;
}

}  // namespace

LimitSurface::LimitSurface(const Mesh& mesh, const TriangleMesh& triangles, const LimitOptions& options) {
  const bool loop = use_loop(mesh, options.scheme);
  patches_ = std::make_shared<const LimitPatches>(mesh, loop, options);
  chart_ = std::make_shared<const LimitChart>(mesh, triangles, loop);
  update(mesh.positions);
}

void LimitSurface::update(const Points& positions) {
  assert(positions.size() == vertex_count());
  patches_->refine(positions, points_);
}

Vec3 LimitSurface::position(const SurfacePoint& p) const {
  const PatchCoordinates c = chart_->at(p);
  const double u = c.uv.x(), v = c.uv.y();
  return patches_->position(points_, patches_->find(c.patch_face, u, v), u, v);
}

PatchLocation LimitSurface::find(const SurfacePoint& p) const {
  PatchLocation place{chart_->at(p)};
  place.patch = patches_->find(place.at.patch_face, place.at.uv.x(), place.at.uv.y());
  return place;
}

LimitJet LimitSurface::evaluate(const SurfacePoint& p) const { return evaluate(find(p)); }

void LimitSurface::fetch(const PatchLocation& place) const { patches_->fetch(points_, place.patch); }

LimitJet LimitSurface::evaluate(const PatchLocation& place) const {
  const std::array points{points_.data()};
  std::array<LimitJet, 1> jet;
  patches_->evaluate(points, place.patch, place.at.uv.x(), place.at.uv.y(), jet);
  return chain(jet[0], place.at);
}

std::array<LimitJet, 2> LimitSurface::evaluate(const PatchLocation& place, const LimitSurface& other) const {
  assert(other.patches_ == patches_);
  const std::array points{points_.data(), other.points_.data()};
  std::array<LimitJet, 2> jets;
  patches_->evaluate(points, place.patch, place.at.uv.x(), place.at.uv.y(), jets);
  return {chain(jets[0], place.at), chain(jets[1], place.at)};
}

void LimitSurface::evaluate(std::span<const SurfacePoint> points, std::span<LimitJet> jets) const {
  assert(points.size() == jets.size());
  parallel_for(points.size(), [&](std::size_t i) { jets[i] = evaluate(points[i]); });
}

SurfacePoint LimitSurface::point_of(VertexId v) const { return chart_->home(v); }

Points LimitSurface::vertex_positions() const {
  Points positions(vertex_count());
  parallel_for(vertex_count(), [&](std::size_t i) {
    const SurfacePoint home = point_of(VertexId(i));
    positions[VertexId(i)] = home.face.valid() ? position(home) : points_[i];
  });
  return positions;
}

Points LimitSurface::vertex_normals() const {
  std::vector<Vec3> corner_normals(3 * chart_->triangle_count());
  parallel_for(corner_normals.size(), [&](std::size_t i) {
    corner_normals[i] = evaluate({FaceId(i / 3), Vec3::Unit(static_cast<int>(i % 3))}).normal();
  });
  Points normals(vertex_count(), Vec3::Zero());
  for (std::size_t i = 0; i < corner_normals.size(); ++i)
    normals[chart_->vertex(FaceId(i / 3), static_cast<int>(i % 3))] += corner_normals[i];
  for (Vec3& n : normals) n.normalize();
  return normals;
}

Vec3 LimitSurface::slid_position(VertexId v, const Vec3& own, const SurfacePoint& to) const {
  const SurfacePoint home = point_of(v);
  if (!home.face.valid()) return own;
  for (int k = 0; k < 3; ++k)
    if (to.barycentric[k] == 1 && chart_->vertex(to.face, k) == v) return own;
  return own + (position(to) - position(home));
}

SubdivisionScheme LimitSurface::scheme() const {
  return patches_->loop() ? SubdivisionScheme::Loop : SubdivisionScheme::CatmullClark;
}

int LimitSurface::isolation() const { return patches_->isolation(); }

std::size_t LimitSurface::vertex_count() const { return patches_->control_count(); }

}  // namespace cutis
