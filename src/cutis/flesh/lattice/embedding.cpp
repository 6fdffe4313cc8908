#include "cutis/flesh/lattice/embedding.h"

#include <cassert>
#include <limits>

#include "cutis/core/parallel.h"
#include "cutis/core/turning_frame.h"

namespace cutis {
namespace {

TetId nearest_tet(const TetMesh& mesh, const Vec3& position) {
  TetId nearest;
  double least = std::numeric_limits<double>::infinity();
  for (TetId t : ids<TetId>(mesh.tet_count())) {
    Vec3 centroid = Vec3::Zero();
    for (NodeId n : mesh.tets[t]) centroid += 0.25 * mesh.positions[n];
    if ((centroid - position).squaredNorm() >= least) continue;
    least = (centroid - position).squaredNorm();
    nearest = t;
  }
  return nearest;
}

IdVector<VertexId, std::vector<FaceId>> faces_of_vertices(const Mesh& mesh) {
  IdVector<VertexId, std::vector<FaceId>> out(mesh.vertex_count());
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f)) out[v].push_back(f);
  return out;
}

}  // namespace

TetPoint embedded(const BccLattice& lattice, FaceId face, const Vec3& position) {
  TetPoint best;
  for (TetId t : lattice.tets_of(face)) {
    const Vec4 weights = barycentric(lattice.mesh, t, position);
    if (!best.tet.valid() || weights.minCoeff() > best.barycentric.minCoeff()) best = {t, weights};
  }
  return best;
}

Embedding::Embedding(const BccLattice& lattice, const Mesh& mesh)
    : mesh_(lattice.mesh), points_(mesh.vertex_count()) {
  const IdVector<VertexId, std::vector<FaceId>> faces = faces_of_vertices(mesh);
  parallel_for(points_.size(), [&](std::size_t i) {
    const VertexId v(i);
    const Vec3& x = mesh.positions[v];
    // Whatever face comes first: the tetrahedron that holds it best.
    if (!faces[v].empty()) {
      for (FaceId f : faces[v])
        if (const TetPoint one = embedded(lattice, f, x);
            !points_[v].tet.valid() || one.barycentric.minCoeff() > points_[v].barycentric.minCoeff())
          points_[v] = one;
    } else {
      const TetId t = nearest_tet(mesh_, x);
      points_[v] = {t, barycentric(mesh_, t, x)};
    }
  });
}

Vec3 Embedding::position(const NodePoints& nodes, VertexId v) const {
  const auto& tet = mesh_.tets[points_[v].tet];
  const Vec4& w = points_[v].barycentric;
  return w[0] * nodes[tet[0]] + w[1] * nodes[tet[1]] + w[2] * nodes[tet[2]] + w[3] * nodes[tet[3]];
}

Mat3 Embedding::frame(const NodePoints& nodes, VertexId v) const {
  const auto& tet = mesh_.tets[points_[v].tet];
  return turning_frame(nodes[tet[1]] - nodes[tet[0]], nodes[tet[2]] - nodes[tet[0]]);
}

Points Embedding::positions(const NodePoints& nodes) const {
  Points result(size());
  parallel_for(size(), [&](std::size_t i) { result[VertexId(i)] = position(nodes, VertexId(i)); });
  return result;
}

Points Embedding::positions(const NodePoints& nodes, const Points& local_offsets) const {
  assert(local_offsets.size() == size());
  Points result(size());
  parallel_for(size(), [&](std::size_t i) {
    const VertexId v(i);
    result[v] = position(nodes, v) + frame(nodes, v) * local_offsets[v];
  });
  return result;
}

Points Embedding::local_offsets(const NodePoints& nodes, const Points& surface) const {
  assert(surface.size() == size());
  Points result(size());
  parallel_for(size(), [&](std::size_t i) {
    const VertexId v(i);
    result[v] = frame(nodes, v).transpose() * (surface[v] - position(nodes, v));
  });
  return result;
}

NodePoints Embedding::to_nodes(const Points& forces) const {
  assert(forces.size() == size());
  NodePoints result(mesh_.node_count(), Vec3::Zero());
  for (VertexId v : ids<VertexId>(size()))
    for (std::size_t k = 0; k < 4; ++k) result[nodes(v)[k]] += points_[v].barycentric[int(k)] * forces[v];
  return result;
}

IdVector<NodeId, double> Embedding::to_nodes(const IdVector<VertexId, double>& masses) const {
  assert(masses.size() == size());
  IdVector<NodeId, double> result(mesh_.node_count(), 0.0);
  for (VertexId v : ids<VertexId>(size()))
    for (std::size_t k = 0; k < 4; ++k) result[nodes(v)[k]] += points_[v].barycentric[int(k)] * masses[v];
  return result;
}

}  // namespace cutis
