#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "cutis/surface/limit/limit_chart.h"
#include "cutis/surface/map/surface_point.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

class LimitPatches;

enum class SubdivisionScheme {
  Automatic,     ///< Loop when every face is a triangle, Catmull-Clark otherwise
  CatmullClark,  ///< any polygons
  Loop           ///< triangles only
};

enum class LimitBorder {
  EdgeAndCorner,  ///< borders are smooth curves; a border vertex with a single face stays a sharp corner
  EdgeOnly        ///< borders are smooth curves all the way round
};

/// An edge that stays sharp for `sharpness` subdivisions: 0 is smooth, 10 and above is sharp for ever.
struct Crease {
  VertexId a, b;
  double sharpness = 10;
};

struct LimitOptions {
  SubdivisionScheme scheme = SubdivisionScheme::Automatic;
  LimitBorder border = LimitBorder::EdgeAndCorner;
  /// How often the faces around an extraordinary vertex are halved before a smooth cap closes the rest, 1 to
  /// 10. Each level more halves the cap, brings it closer to the true limit and lets second derivatives grow
  /// by up to 2.4 times (docs/surface.md has the figures). Raised by itself where a finite crease sharpness
  /// needs more.
  int isolation = 3;
  std::vector<Crease> creases;
  /// The polygons that the surface will be asked at, to save the memory of all others; empty: all of them.
  /// The values there are the same but for rounding.
  std::vector<FaceId> faces = {};
};

/// Position and derivatives with respect to the barycentric coordinates b1 and b2 of the surface point's own
/// triangle, with b0 = 1 - b1 - b2. Lengths in metres.
struct LimitJet {
  Vec3 position, d1, d2, d11, d12, d22;
  /// Unit normal, outwards; zero where the surface degenerates to a curve.
  Vec3 normal() const { return d1.cross(d2).normalized(); }
};

/// A surface point as the patches of a surface see it: the same for all that share them.
struct PatchLocation {
  PatchCoordinates at;
  int patch = -1;
};

/// The smooth surface that subdividing a polygon mesh for ever leads to, as OpenSubdiv's patches, at the
/// points of the mesh cut into triangles.
///
/// Patches and stencils are built once a topology; `update` moves the surface to another frame. A copy shares
/// them, so two frames can be held side by side at the price of their points. Everything const may be called
/// from many threads at once. Derivatives are those of exactly the positions returned, everywhere.
///
/// Barycentrics are expected in [0, 1]; what rounding leaves outside is clamped.
class LimitSurface {
 public:
  /// `triangles` must be `triangulated(mesh)`: surface points lie on it. Starts at `mesh.positions`.
  /// Throws InputError naming the place when the mesh is not manifold and oriented (see Topology), a face has
  /// fewer than three or repeated vertices, Loop is asked of a polygon, or a crease or the isolation is out
  /// of range. Several components and vertices without faces are fine.
  LimitSurface(const Mesh& mesh, const TriangleMesh& triangles, const LimitOptions& options = {});

  /// Moves the control vertices. The surface's size never changes: one position per vertex of the mesh.
  void update(const Points& positions);

  Vec3 position(const SurfacePoint& p) const;
  LimitJet evaluate(const SurfacePoint& p) const;

  PatchLocation find(const SurfacePoint& p) const;
  /// Evaluation mostly waits for memory: a loop is faster that first does this for some places.
  void fetch(const PatchLocation& place) const;
  LimitJet evaluate(const PatchLocation& place) const;
  /// This surface and one that it shares its patches with (a copy), at the same place.
  std::array<LimitJet, 2> evaluate(const PatchLocation& place, const LimitSurface& other) const;
  /// Many points in parallel, each into its own slot; both spans have the same length.
  void evaluate(std::span<const SurfacePoint> points, std::span<LimitJet> jets) const;

  /// The vertex as a corner of the first triangle that has it; an invalid face when none has.
  SurfacePoint point_of(VertexId v) const;
  /// Where each vertex ends up. A vertex without faces stays.
  Points vertex_positions() const;
  /// Unit normals: the mean over the corners that meet there. Zero at a vertex without faces.
  Points vertex_normals() const;

  /// Where a vertex that lies at `own` goes when it slides to `to`: own + limit(to) - limit(v). The vertex
  /// keeps its own offset from the limit surface, so nothing shrinks; at home it is `own` to the bit,
  /// whichever triangle around v names it.
  Vec3 slid_position(VertexId v, const Vec3& own, const SurfacePoint& to) const;

  SubdivisionScheme scheme() const;                           ///< the one in use, never Automatic
  int isolation() const;                                      ///< the level in use
  std::size_t vertex_count() const;                           ///< control vertices
  std::size_t point_count() const { return points_.size(); }  ///< control and refined points held a frame

 private:
  std::shared_ptr<const LimitChart> chart_;
  std::shared_ptr<const LimitPatches> patches_;
  std::vector<Vec3> points_;  ///< control vertices, refined vertices, points of the caps
};

}  // namespace cutis
