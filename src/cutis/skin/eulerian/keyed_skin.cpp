#include "cutis/skin/eulerian/keyed_skin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// A vertex of the body lies below a face where it is no further from it than this share of the face's
/// longest side: more than what flat faces on a curved body are apart.
constexpr double kFurthestBelow = 0.5;
/// Beside the rim of a piece, in the same measure: as far as rounding goes.
constexpr double kRimWidth = 1e-9;

double longest_side(const std::array<Vec3, 3>& x) {
  return std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
}

}  // namespace

KeyedSkin::KeyedSkin(const SkinConstraints& constraints, const SlideSurface& at_rest,
                     const SkinInverse& inverse, const SkinUnknowns& unknowns)
    : constraints_(constraints),
      at_rest_(at_rest),
      inverse_(inverse),
      unknowns_(unknowns),
      stencil_of_face_(at_rest.rest().mesh().face_count(), -1) {
  for (std::size_t i = 0; i < unknowns.elements.size(); ++i)
    stencil_of_face_[unknowns.elements[i]] = static_cast<int>(i);
  first_time_ = std::numeric_limits<double>::infinity();
  for (const KeyframedTransport& transport : constraints.transports()) {
    pieces_.push_back(make_piece(transport.path().vertices));
    first_time_ = std::min(first_time_, transport.path().times.front());
  }
}

KeyedSkin::Piece KeyedSkin::make_piece(const std::vector<VertexId>& vertices) const {
  const Mesh& whole = at_rest_.rest().mesh();
  Piece piece;
  piece.vertices = vertices;
  piece.mesh.positions.resize(vertices.size());
  std::map<VertexId, VertexId> own;
  for (std::size_t i = 0; i < vertices.size(); ++i) own.emplace(vertices[i], VertexId(i));
  std::map<std::pair<VertexId, VertexId>, int> sides;
  for (FaceId f : ids<FaceId>(whole.face_count())) {
    const auto c = whole.face(f);
    if (!own.contains(c[0]) || !own.contains(c[1]) || !own.contains(c[2])) continue;
    piece.mesh.add_face(std::array{own.at(c[0]), own.at(c[1]), own.at(c[2])});
    piece.faces.push_back(f);
    for (std::size_t k = 0; k < 3; ++k) ++sides[std::minmax(c[k], c[(k + 1) % 3])];
  }
  piece.vertex_at_rim.assign(vertices.size(), false);
  for (const FaceId f : piece.faces) {
    const auto c = whole.face(f);
    std::array<bool, 3> rim{};
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = c[(k + 1) % 3], b = c[(k + 2) % 3];
      rim[k] = sides.at(std::minmax(a, b)) == 1;
      if (rim[k]) piece.vertex_at_rim[own.at(a).index()] = piece.vertex_at_rim[own.at(b).index()] = true;
    }
    piece.at_rim.push_back(rim);
  }
  return piece;
}

SkinPoints KeyedSkin::placed(double time) const {
  SkinPoints points(at_rest_.rest().mesh().vertex_count());
  constraints_.place(time, points);
  return points;
}

double KeyedSkin::longest_way(double from, double to) const {
  const SkinPoints first = placed(from), last = placed(to);
  double longest = 0;
  for (const Piece& piece : pieces_)
    for (const VertexId v : piece.vertices)
      longest =
          std::max(longest, (at_rest_.rest().position(last[v]) - at_rest_.rest().position(first[v])).norm());
  return longest;
}

KeyedSkin::Moment KeyedSkin::at(double time) const {
  Moment out;
  if (pieces_.empty()) return out;
  out.covered.assign(at_rest_.rest().mesh().vertex_count(), 0);
  SkinPoints flat = placed(time);
  parallel_for(flat.size(), [&](std::size_t i) {
    SurfacePoint& p = flat[VertexId(i)];
    if (p.face.valid()) p = inverse_.to_flat(p);
  });
  SkinPoints seen(out.covered.size());
  for (const Piece& piece : pieces_) {
    Points positions;
    for (const VertexId v : piece.vertices) positions.push_back(inverse_.flat().position(flat[v]));
    cover(piece, positions, seen);
  }
  for (VertexId v : ids<VertexId>(seen.size())) out.covered[v] = seen[v].face.valid();
  const IdVector<VertexId, char> held = well_covered(out.covered);
  hold(held, seen, out.springs);
  for (const Piece& piece : pieces_) pin(piece, flat, held, out.springs);
  return out;
}

/// Those with all their neighbours. On either side of the rim of a piece skin is strained in another way,
/// which a triangle of the body that it cuts cannot see: were all but the last corner held, the piece would
/// be as large as the triangle is.
IdVector<VertexId, char> KeyedSkin::well_covered(const IdVector<VertexId, char>& covered) const {
  IdVector<VertexId, char> out = covered;
  for (const auto& c : unknowns_.corners)
    if (!covered[c[0]] || !covered[c[1]] || !covered[c[2]]) out[c[0]] = out[c[1]] = out[c[2]] = 0;
  return out;
}

void KeyedSkin::hold(const IdVector<VertexId, char>& held, const SkinPoints& seen,
                     std::vector<TriangleSpring>& out) const {
  for (std::size_t i = 0; i < unknowns_.vertices.size(); ++i) {
    const VertexId v = unknowns_.vertices[i];
    if (!held[v]) continue;
    const std::size_t corner = unknowns_.around[unknowns_.around_begin[i]];
    out.push_back(prescribe(corner / 3, Vec3::Unit(static_cast<Eigen::Index>(corner % 3)), seen[v]));
  }
}

/// Whether the point of a piece that is closest to a place may be so because the piece ends there.
bool KeyedSkin::outside(const Piece& piece, const SurfacePoint& p) const {
  const auto c = piece.mesh.face(p.face);
  for (std::size_t k = 0; k < 3; ++k) {
    const double b = p.barycentric[static_cast<Eigen::Index>(k)];
    if (b == 0 && piece.at_rim[p.face.index()][k]) return true;
    if (b == 1 && piece.vertex_at_rim[c[k].index()]) return true;
  }
  return false;
}

/// Which point of the skin in a piece each vertex of the body sees.
void KeyedSkin::cover(const Piece& piece, const Points& positions, SkinPoints& seen) const {
  if (piece.faces.empty()) return;
  const ClosestPointTree tree(piece.mesh, positions);
  const IdVector<VertexId, Vec3> normals = angle_weighted_normals(piece.mesh, positions);
  const Surface& body = inverse_.flat();
  parallel_for(unknowns_.vertices.size(), [&](std::size_t i) {
    const VertexId v = unknowns_.vertices[i];
    if (seen[v].face.valid()) return;
    const ClosestPoint near = tree(body.positions()[v]);
    const auto c = piece.mesh.face(near.point.face);
    const double side = longest_side({positions[c[0]], positions[c[1]], positions[c[2]]});
    const double distance = std::sqrt(near.distance_squared);
    if (!(distance <= (outside(piece, near.point) ? kRimWidth : kFurthestBelow) * side)) return;
    if (!(interpolate(piece.mesh, normals, near.point).dot(body.normals()[v]) > 0)) return;
    seen[v] = {piece.faces[near.point.face.index()], near.point.barycentric};
  });
}

/// The vertices of a piece themselves, where the body's vertices around do not see all of it.
void KeyedSkin::pin(const Piece& piece, const SkinPoints& flat, const IdVector<VertexId, char>& held,
                    std::vector<TriangleSpring>& out) const {
  for (const VertexId v : piece.vertices) {
    const int stencil = stencil_of_face_[flat[v].face.index()];
    if (stencil < 0) continue;
    const auto& c = unknowns_.corners[static_cast<std::size_t>(stencil)];
    if (held[c[0]] && held[c[1]] && held[c[2]]) continue;
    out.push_back(
        prescribe(static_cast<std::size_t>(stencil), flat[v].barycentric, inverse_.flat().point(v)));
  }
}

TriangleSpring KeyedSkin::prescribe(std::size_t stencil, const Vec3& barycentric,
                                    const SurfacePoint& skin) const {
  const SurfaceJet jet = at_rest_.evaluate(inverse_.to_smooth(skin));
  return {stencil, barycentric, jet.position, jet.tangent};
}

}  // namespace cutis
