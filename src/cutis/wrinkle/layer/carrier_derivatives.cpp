#include "cutis/wrinkle/layer/carrier_derivatives.h"

#include <map>

#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/surface.h"

namespace cutis {
namespace {

using Derivatives = std::map<VertexId, Mat3>;  ///< of one vector, by vertices

void add(const Mat3& factor, const Derivatives& part, Derivatives& sum) {
  for (const auto& [v, block] : part) {
    const auto [place, added] = sum.try_emplace(v, Mat3::Zero());
    place->second += factor * block;
  }
}

/// Of a / |a|, by a.
Mat3 normalized_by(const Vec3& a) {
  const Vec3 n = a.normalized();
  return (Mat3::Identity() - n * n.transpose()) / a.norm();
}

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

/// Of the unit normal n of a triangle: -∇b_k nᵀ for corner k, whose barycentric coordinate is b_k.
Derivatives face_normal_derivatives(std::span<const VertexId> v, const Points& x) {
  const Vec3 twice_area = (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]);
  const Vec3 normal = twice_area.normalized();
  Derivatives out;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 opposite = x[v[(k + 2) % 3]] - x[v[(k + 1) % 3]];
    out[v[k]] = -normal.cross(opposite) / twice_area.norm() * normal.transpose();
  }
  return out;
}

/// Of angle_weighted_normals() at every vertex.
IdVector<VertexId, Derivatives> normal_derivatives(const Mesh& mesh, const Points& x) {
  IdVector<VertexId, Derivatives> sums(x.size());
  Points normals(x.size(), Vec3::Zero());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto v = mesh.face(f);
    const Derivatives of_face = face_normal_derivatives(v, x);
    const Vec3 normal = (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]).normalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = angle_between(x[v[(k + 1) % 3]] - x[v[k]], x[v[(k + 2) % 3]] - x[v[k]]);
      normals[v[k]] += angle * normal;
      add(angle * Mat3::Identity(), of_face, sums[v[k]]);
    }
  }
  parallel_for(sums.size(), [&](std::size_t i) {
    const Mat3 by_sum = normalized_by(normals[VertexId(i)]);
    for (auto& [v, block] : sums[VertexId(i)]) block = by_sum * block;
  });
  return sums;
}

}  // namespace

std::vector<ConstraintRow> carrier_derivatives(const Mesh& mesh, const Points& positions,
                                               const IdVector<VertexId, SurfacePoint>& places,
                                               const IdVector<VertexId, double>& heights,
                                               const std::vector<VertexStencil>& means) {
  const IdVector<VertexId, Vec3> normals = angle_weighted_normals(mesh, positions);
  const IdVector<VertexId, Derivatives> by_vertices = normal_derivatives(mesh, positions);
  std::vector<ConstraintRow> rows(means.size());
  parallel_for(
      rows.size(),
      [&](std::size_t c) {
        Derivatives sum;
        for (const VertexWeight& w : means[c]) {
          const SurfacePoint& place = places[w.vertex];
          const auto corners = mesh.face(place.face);
          const Mat3 raised = w.weight * heights[w.vertex] * normalized_by(interpolate(mesh, normals, place));
          for (std::size_t k = 0; k < 3; ++k) {
            const double share = place.barycentric[static_cast<int>(k)];
            add(w.weight * share * Mat3::Identity(), {{corners[k], Mat3::Identity()}}, sum);
            add(share * raised, by_vertices[corners[k]], sum);
          }
        }
        for (const auto& [v, block] : sum) rows[c].push_back({v, block});
      },
      16);
  return rows;
}

}  // namespace cutis
