#pragma once

#include <optional>
#include <vector>

#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// Which of the two copies of the surface has the vertices of a map.
enum class MapSide {
  SkinToBody,  ///< for each vertex of the skin, a point of the body
  BodyToSkin   ///< for each vertex of the body, the point of the skin that is there
};

/// What every slide computes: where the skin lies on the body, and how it is strained there. Vertices are
/// those of body.mesh(), triangles those of body.triangles(). What a method has not stays empty, from first
/// to last.
struct SkinState {
  std::optional<SurfaceMap> map;  ///< nothing where skin leaves the surface, or a vertex has no face
  MapSide side = MapSide::SkinToBody;
  Points offsets;                  ///< of skin that leaves the surface [m], one per vertex
  std::vector<Mat32> deformation;  ///< the elastic F, one per triangle; the identity where there is no area
  std::vector<Mat32> stress;       ///< P = dW/dF of the material alone, without any barrier [N/m]
  std::vector<double> slack;       ///< what wrinkles take up, one per triangle: MembraneMaterial::slack()
  std::vector<double> thickness;   ///< of skin without stress [m], one per triangle
};

}  // namespace cutis
