#include "cutis/body/subdivided_body.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "cutis/body/rig/joint_weights.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// The numbers of vertices of the subdivided mesh, where those that the body below has got are followed by
/// the new ones, in a weld, where copies of split vertices come last (Weld::first).
class VertexOrder {
 public:
  VertexOrder(const Weld& weld, std::size_t count) : old_(weld.representative.size()), count_(count) {
    while (first_copy_ < old_ && weld.first(VertexId(first_copy_)) == VertexId(first_copy_)) ++first_copy_;
  }
  VertexId operator()(VertexId v) const {
    if (v.index() < first_copy_) return v;
    return v.index() < old_ ? VertexId(v.index() + count_ - old_)
                            : VertexId(v.index() - (old_ - first_copy_));
  }
  template <class T>
  IdVector<VertexId, T> ordered(const IdVector<VertexId, T>& values) const {
    IdVector<VertexId, T> result(values.size());
    for (VertexId v : ids<VertexId>(values.size())) result[(*this)(v)] = values[v];
    return result;
  }

 private:
  std::size_t old_, count_, first_copy_ = 0;
};

/// The source vertex of a face of the body that its welded vertex v was.
SourceVertexId source_corner(const Body& body, FaceId face, VertexId v) {
  const Weld& weld = body.weld();
  const auto corners = body.source().face(weld.source_face[face]);
  return *std::find_if(corners.begin(), corners.end(),
                       [&](SourceVertexId s) { return weld.vertex_of[s] == weld.first(v); });
}

SourceMesh source_of(const LinearSubdivision& finer, const Body& inner) {
  const std::size_t old_source = inner.source().vertex_count(), old = inner.mesh().vertex_count();
  SourceMesh source;
  source.positions = inner.source().positions;
  for (std::size_t v = old; v < finer.mesh.vertex_count(); ++v)
    source.positions.push_back(finer.mesh.positions[VertexId(v)]);
  std::vector<SourceVertexId> corners;
  for (FaceId f : ids<FaceId>(finer.mesh.face_count())) {
    corners.clear();
    for (VertexId v : finer.mesh.face(f))
      corners.push_back(v.index() < old ? source_corner(inner, finer.polygon[f], v)
                                        : SourceVertexId(old_source + v.index() - old));
    source.add_face(corners);
  }
  source.uvs = finer.mesh.uvs;
  return source;
}

Weld weld_of(const LinearSubdivision& finer, const Body& inner, const VertexOrder& order) {
  const std::size_t old = inner.mesh().vertex_count();
  Weld weld;
  weld.mesh = finer.mesh;
  weld.mesh.positions = order.ordered(finer.mesh.positions);
  for (VertexId& v : weld.mesh.corners) v = order(v);
  weld.vertex_of = inner.weld().vertex_of;
  IdVector<VertexId, SourceVertexId> representative = inner.weld().representative;
  for (std::size_t v = old; v < finer.mesh.vertex_count(); ++v) {
    representative.push_back(SourceVertexId(weld.vertex_of.size()));
    weld.vertex_of.push_back(order(VertexId(v)));
  }
  weld.representative = order.ordered(representative);
  for (FaceId f : ids<FaceId>(finer.mesh.face_count())) weld.source_face.push_back(f);
  return weld;
}

}  // namespace

SubdividedBody::SubdividedBody(const Body& inner, const IdVector<FaceId, char>& chosen, int level,
                               SubdividedSurface surface)
    : inner_(inner) {
  const std::size_t faces = inner.mesh().face_count(), old = inner.mesh().vertex_count();
  LinearSubdivision finer = subdivided(inner.mesh(), inner.triangles(),
                                       chosen.empty() ? IdVector<FaceId, char>(faces, 1) : chosen, level);
  new_places_.assign(finer.places.begin() + static_cast<std::ptrdiff_t>(old), finer.places.end());
  if (surface == SubdividedSurface::Limit && !new_places_.empty()) {
    limit_.emplace(inner.mesh(), inner.triangles());
    cage_.emplace(inner.mesh(), *limit_);
    const Points smooth = new_positions(inner.mesh().positions);
    std::copy(smooth.begin(), smooth.end(), finer.mesh.positions.begin() + static_cast<std::ptrdiff_t>(old));
  }
  const VertexOrder order(inner.weld(), finer.mesh.vertex_count());
  if (finer.mesh.vertex_count() == old)
    set_rest(inner.source(), inner.weld());
  else
    set_rest(source_of(finer, inner), weld_of(finer, inner, order));
  places_ = order.ordered(finer.places);
  polygon_ = std::move(finer.polygon);
  set_face_groups(groups_of(inner.materials()), groups_of(inner.parts()));
}

/// Each face has the groups of the one that it was cut from.
FaceGroups SubdividedBody::groups_of(const FaceGroups& inner) const {
  if (inner.empty() || source().face_count() == inner_.source().face_count()) return inner;
  FaceGroups groups{inner.names, {}};
  for (FaceId polygon : polygon_)
    groups.of_face.push_back(inner.of_face[inner_.weld().source_face[polygon].index()]);
  return groups;
}

IdVector<VertexId, SurfacePoint> SubdividedBody::own_places() const {
  IdVector<VertexId, SurfacePoint> own(places_.size());
  for (VertexId v : ids<VertexId>(own.size()))
    if (places_[v].face.valid()) own[v] = surface()->point(v);
  return own;
}

/// On a smooth surface S of which the vertices x miss S(x) by d, the place p is at S(p) + d(p), d linear on
/// triangles: so that it passes through all of them. d is small, as S is that of a cage.
Points SubdividedBody::new_positions(const Points& inner) const {
  const Mesh& triangles = inner_.triangles().mesh;
  Points linear = inner;
  std::optional<LimitSurface> smooth = limit_;
  if (smooth) {
    const Points control = cage_->control(inner, angle_weighted_normals(triangles, inner));
    smooth->update(control);
    const Points passed = cage_->at_vertices(control);
    for (VertexId v : ids<VertexId>(linear.size())) linear[v] -= passed[v];
  }
  Points positions(new_places_.size());
  parallel_for(new_places_.size(), [&](std::size_t i) {
    Vec3& x = positions[VertexId(i)];
    x = interpolate(triangles, linear, new_places_[i]);
    if (smooth) x += smooth->position(new_places_[i]);
  });
  return positions;
}

SourcePoints SubdividedBody::with_new(SourcePoints inner) const {
  const Points added = new_positions(inner_.weld().gather(inner));
  for (const Vec3& x : added) inner.push_back(x);
  return inner;
}

SourcePoints SubdividedBody::compute_positions(double time) const {
  return with_new(inner_.source_positions(time));
}

SourcePoints SubdividedBody::smooth_positions(double time) const {
  return with_new(inner_.smooth_positions(time));
}

std::optional<SourcePoints> SubdividedBody::animation(double time) const {
  std::optional<SourcePoints> inner = inner_.animation(time);
  if (inner) inner = with_new(std::move(*inner));
  return inner;
}

std::optional<VertexAttribute> SubdividedBody::attribute(const std::string& name) const {
  std::optional<VertexAttribute> painted = inner_.attribute(name);
  if (!painted) return painted;
  const std::size_t components = painted->components;
  for (const SurfacePoint& p : new_places_) {
    const std::array<SourceVertexId, 3> corners =
        inner_.weld().representatives(inner_.triangles().mesh, p.face);
    for (std::size_t c = 0; c < components; ++c) {
      double value = 0;
      for (std::size_t i = 0; i < 3; ++i)
        value += p.barycentric[static_cast<int>(i)] * painted->values[corners[i].index() * components + c];
      painted->values.push_back(value);
    }
  }
  return painted;
}

std::optional<Skeleton> SubdividedBody::skeleton() const {
  std::optional<Skeleton> rig = inner_.skeleton();
  if (!rig) return rig;
  const Influences from = rig->influences;
  for (const SurfacePoint& p : new_places_)
    add_between(from, inner_.weld().representatives(inner_.triangles().mesh, p.face), p.barycentric,
                rig->influences);
  return rig;
}

std::vector<IdVector<VertexId, double>> SubdividedBody::shape_lengths() const {
  std::vector<IdVector<VertexId, double>> shapes = inner_.shape_lengths();
  for (IdVector<VertexId, double>& lengths : shapes) {
    IdVector<VertexId, double> finer(places_.size(), 0);
    for (VertexId v : ids<VertexId>(finer.size()))
      if (places_[v].face.valid()) finer[v] = interpolate(inner_.triangles().mesh, lengths, places_[v]);
    lengths = std::move(finer);
  }
  return shapes;
}

}  // namespace cutis
