#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "cutis/skin/eulerian/vertex_rings.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Where the skin's own vertices are, when what is known is which points of the skin are at the vertices of
/// the body.
///
/// The map between is linear in each triangle, in the coordinates of the vertex that is looked for: c_v(x),
/// in the direction of x in the tangent plane of v, as far from its middle as x is from v. The skin of the
/// body triangle with corners x_k is the triangle of their points X_k; one of these surrounds the vertex, sum
/// b_k c_v(X_k) = 0, which is linear in the weights b. The vertex lies on the body where c_v(p) = sum b_k
/// c_v(x_k). So a place is found exactly, without a search for what fits best; skin that is not displaced is
/// where it was, and what is between displacements is displaced by no more than these.
///
/// The smooth surface passes a vertex of the mesh at an offset, mostly along it (SlideSurface), and the
/// vertex keeps that offset. The point of the skin that is looked for is the one below the vertex: taking
/// that where the surface passes it, skin would be stretched by what the offset is stretched by with the
/// body.
class SkinInverse {
 public:
  /// The surface, at rest and without offsets, must outlive it.
  explicit SkinInverse(const SlideSurface& surface);

  /// For each vertex of the skin, where it is on the body. `points`: of the skin, at the body's vertices.
  /// `guess`: an earlier answer, which decides where the skin of a vertex is in several places (a fold), or
  /// empty. A vertex that is nowhere gets the place nearest to it; unless it is at a border, a warning names
  /// it.
  SkinPoints operator()(const SkinPoints& points, const SkinPoints& guess) const;

  /// The flat triangles through the vertices as they lie on the smooth surface.
  const Surface& flat() const { return *flat_; }
  /// From a point of the smooth surface to the one of the flat triangles below it, and back: the closest one.
  SurfacePoint to_flat(const SurfacePoint& p) const;
  SurfacePoint to_smooth(const SurfacePoint& p) const;

 private:
  /// A triangle in the coordinates of a chart, and how far its corners are.
  struct View {
    std::array<Vec2, 3> corners;
    std::array<double, 3> chords;
    std::optional<Vec3> weights() const;
  };

  /// Coordinates around a point: c(x) - target, in a tangent plane.
  struct Chart {
    Vec3 origin = Vec3::Zero();
    TangentPlane plane;
    Vec2 target = Vec2::Zero();  ///< of a vertex: its offset from the surface, along it [m]
  };
  static Chart chart(const SurfaceJet& jet) {
    return {jet.position, {jet.tangent, jet.normal}, Vec2::Zero()};
  }

  const SlideSurface& surface_;
  std::shared_ptr<const Surface> flat_;
  IdVector<VertexId, Chart> charts_;  ///< of the vertices

  View view(const Chart& from, FaceId f, const Points& corners) const;
  bool is_still(FaceId f, const Points& skin) const;
  bool is_near(const Chart& from, FaceId f, const Points& corners) const;
  /// The triangle that surrounds a point, and its weights there. `corners`: where its vertices are.
  std::optional<SurfacePoint> walk_to(const Chart& from, FaceId start, const Points& corners) const;
  std::optional<SurfacePoint> search(const Chart& from, const Points& corners) const;
  SurfacePoint place(VertexId v, const SurfacePoint& p) const;
  int border_side(const SurfacePoint& p) const;
  void find_lost(const Points& skin, const std::vector<char>& lost, SkinPoints& flat) const;
};

}  // namespace cutis
