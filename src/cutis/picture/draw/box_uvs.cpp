#include "cutis/picture/draw/box_uvs.h"

namespace cutis {

IdVector<CornerId, Vec2> box_uvs(const SourceMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : mesh.positions) box.extend(p);
  const double size = mesh.positions.empty() ? 0 : box.sizes().maxCoeff();
  IdVector<CornerId, Vec2> uvs;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    Vec3 normal = Vec3::Zero();  // Newell's, for polygons
    for (std::size_t i = 0; i < face.size(); ++i)
      normal += mesh.positions[face[i]].cross(mesh.positions[face[(i + 1) % face.size()]]);
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    for (SourceVertexId v : face) {
      const Vec3 p = (mesh.positions[v] - box.min()) / (size > 0 ? size : 1);
      uvs.push_back(Vec2(p[(axis + 1) % 3], p[(axis + 2) % 3]));
    }
  }
  return uvs;
}

}  // namespace cutis
