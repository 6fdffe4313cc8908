#include "cutis/body/procedural/organic/implicit_character.h"

#include <algorithm>

#include "cutis/body/procedural/organic/unwrap.h"

namespace cutis {
namespace {

/// Each face belongs to the part that has the most weight at its corners.
IdVector<FaceId, int> parts_of_faces(const ImplicitBody& body, const Mesh& mesh, const Influences& weights) {
  IdVector<FaceId, int> result(mesh.face_count(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    std::vector<double> sum(body.parts().size(), 0.0);
    for (VertexId v : mesh.face(f))
      for (int i = weights.offsets[v.index()]; i < weights.offsets[v.index() + 1]; ++i)
        sum[body.joints()[weights.joints[i]].part] += weights.weights[i];
    result[f] = static_cast<int>(std::max_element(sum.begin(), sum.end()) - sum.begin());
  }
  return result;
}

SourceMesh as_source(const Mesh& mesh) {
  SourceMesh source;
  source.positions = SourcePoints(mesh.positions.raw());
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.index()));
  source.uvs = mesh.uvs;
  return source;
}

}  // namespace

Character make_implicit_character(const std::string& name, const ImplicitBody& body, double edge) {
  Character character;
  character.name = name;
  Skin skin;
  for (const ImplicitBody::Joint& joint : body.joints()) {
    Node node;
    node.name = joint.name;
    node.parent = joint.parent;
    node.local.translation =
        joint.position - (joint.parent < 0 ? Vec3::Zero().eval() : body.joints()[joint.parent].position);
    skin.joints.push_back(static_cast<int>(character.nodes.size()));
    Mat4 inverse = Mat4::Identity();
    inverse.topRightCorner<3, 1>() = -joint.position;
    skin.inverse_bind.push_back(inverse);
    character.nodes.push_back(node);
  }
  character.skins.push_back(std::move(skin));

  Mesh mesh = implicit_mesh(name, body, edge);
  MeshInstance instance;
  instance.name = name;
  instance.node = static_cast<int>(character.nodes.size());
  instance.skin = 0;
  instance.influences = implicit_weights(body, mesh);
  unwrap(mesh, body.parts(), parts_of_faces(body, mesh, instance.influences));
  instance.mesh = as_source(mesh);
  character.nodes.emplace_back().name = name;
  character.meshes.push_back(std::move(instance));
  return character;
}

}  // namespace cutis
