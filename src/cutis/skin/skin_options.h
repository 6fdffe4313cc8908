#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/energy/ligament_energy.h"
#include "cutis/material/membrane/membrane_material.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// Skin that is led by a smooth curve through points: each vertex slides along its own parallel of it
/// (CurveConstraint).
struct SkinCurve {
  std::vector<VertexId> vertices;
  std::vector<Vec3>
      points;  ///< at least two places near the body at rest [m]; closed when the last is the first
  std::string name = "a curve of the skin";  ///< what messages call it
};

/// Skin that is carried over the body at rest as one piece (KeyframedTransport). Its middle passes the place
/// of the body closest to each key; keys may as well run along a bone.
struct SkinPath {
  std::vector<VertexId> vertices;
  std::vector<Vec3> points;                 ///< where the middle is at each key, near the body at rest [m]
  std::vector<double> times;                ///< as many, rising [s]; before and after, it holds still
  std::string name = "a path of the skin";  ///< what messages call it
};

/// What skin is made of, what ties it to its body and what holds it, whatever method moves it. Vertices are
/// those of body.mesh() (welded), faces those of triangulated(body.mesh()). An array over vertices or faces
/// may be empty: then the value in its comment holds everywhere. Values at vertices are averaged over the
/// corners of a triangle.
struct SkinOptions {
  IdVector<VertexId, char> free;  ///< which vertices may slide, the others are fixed to the body; empty: all

  std::shared_ptr<const MembraneMaterial> material;  ///< required
  /// Simpler laws for the first frame, in order: polynomial, with the exponential, with fibres (ViSkin, 5.3).
  std::vector<std::shared_ptr<const MembraneMaterial>> ramp;
  IdVector<VertexId, double> thickness;  ///< [m], above zero; empty: 1.5 mm
  IdVector<VertexId, double> stiffness;  ///< factor on the material's energy, above zero; empty: 1
  /// Share of its stiffness that skin keeps where it would wrinkle, 0 to 1 (MembraneMaterial); empty: 1.
  IdVector<VertexId, double> compression;
  bool area_preserving = false;                  ///< skin keeps its area where it can (AreaPreserving)
  IdVector<VertexId, double> prestretch;         ///< rest length / length on the body along `direction`; 1
  IdVector<VertexId, double> prestretch_across;  ///< the same across it; 1
  /// Of the fibres and the pre-stretch: tangent to the body at rest, any length above zero (zero: none, then
  /// the first side of the triangle counts); empty: none.
  IdVector<FaceId, Vec3> direction;
  /// Body positions that the rest shape of each triangle is fitted to (ViSkin, Eqs. 8-9); empty: body at
  /// rest.
  std::vector<Points> rest_poses = {};

  bool use_ligaments = true;
  LigamentLaw ligament;
  IdVector<VertexId, double> slide_limit;       ///< [m]; 0 is fixed, infinity is free; empty: infinity
  IdVector<VertexId, double> ligament_density;  ///< factor; empty: 1

  std::vector<VertexId> fixed;
  std::vector<SkinCurve> curves;
  std::vector<SkinPath> paths;
};

}  // namespace cutis
