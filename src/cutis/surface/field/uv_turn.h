#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// How the tangent frame of a texture that has moved lies in the frame of the mesh's own texture coordinates,
/// one angle per corner [rad]: what turns the vectors of a normal map that is looked up elsewhere. With t and
/// b along u and v of the mesh's own coordinates (b square to t), the texture's u runs along
/// cos(angle) t + sin(angle) b. In (-pi, pi]; where the texture comes out mirrored, one turn more is added:
/// in (pi, 3 pi], and the vector's second component is to be negated before it is turned.
///
/// `moved` are the coordinates looked up, `chart` the charts that each face's are in; angles are the mean
/// around a vertex over the corners that agree in both charts. `own_chart` are those of the mesh's own.
IdVector<CornerId, double> uv_turns(const Mesh& mesh, const Points& positions,
                                    const IdVector<FaceId, int>& own_chart,
                                    const IdVector<CornerId, Vec2>& moved,
                                    const IdVector<FaceId, int>& chart);

}  // namespace cutis
