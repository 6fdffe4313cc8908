#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "cutis/skin/lagrangian/lagrangian.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/surface/geodesic/log_map.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis::test {

/// Largest |log stretch|: its 99th percentile by area, and its Dirichlet energy as a field over the body at
/// rest.
struct StrainFigures {
  double p99 = 0, roughness = 0;
};

/// Of skin that lies at `positions`, from its own rest shapes, where `counted` holds at all three corners.
inline StrainFigures strain_figures(const Body& body, std::span<const Mat2> prestretch,
                                    const Points& positions, const IdVector<VertexId, char>& counted) {
  const Mesh& mesh = body.mesh();
  const auto at = [](std::int32_t i) { return VertexId(static_cast<int>(i)); };
  const std::vector<IndexTriangle> all = index_triangles(mesh);
  const std::vector<RestTriangle> rest = rest_triangles(mesh.positions.raw(), all);
  std::vector<IndexTriangle> triangles;
  std::vector<double> strains, areas, at_vertices(mesh.vertex_count(), 0), weights(mesh.vertex_count(), 0);
  for (std::size_t f = 0; f < all.size(); ++f) {
    const IndexTriangle& t = all[f];
    if (rest[f].degenerate() || !counted[at(t[0])] || !counted[at(t[1])] || !counted[at(t[2])]) continue;
    const Mat32 F =
        deformation_gradient(rest[f], positions[at(t[0])], positions[at(t[1])], positions[at(t[2])]) *
        prestretch[f];
    const PrincipalStretches stretches = principal_stretches(F);
    const double strain = std::max(std::abs(std::log(std::max(stretches.max, 1e-12))),
                                   std::abs(std::log(std::max(stretches.min, 1e-12))));
    triangles.push_back(t);
    strains.push_back(strain);
    areas.push_back(rest[f].area);
    for (std::int32_t v : t) {
      at_vertices[static_cast<std::size_t>(v)] += rest[f].area * strain;
      weights[static_cast<std::size_t>(v)] += rest[f].area;
    }
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) at_vertices[i] /= weights[i];
  return {weighted_percentile(strains, areas, 0.99),
          dirichlet_energy(mesh.positions.raw(), triangles, at_vertices)};
}

/// Triangles of the skin that are turned over on the body at rest: the shortest ways from most of their
/// corners to the other two lie the wrong way round. Nothing else tells in a cleft, where normals point
/// anywhere. Only those are looked at that stand steep on the smooth surface, by the mean of its normals at
/// their corners.
inline std::size_t inverted_triangles(const Body& body, const SurfaceMap& map) {
  const SlideSurface surface(body, SlidesOn::Cage);
  const Mesh& mesh = map.from()->mesh();
  const GeodesicMetric metric(map.to()->topology(), map.to()->positions());
  Geodesics geodesics(metric);
  const auto steep = [&](FaceId f) {
    Vec3 normal = Vec3::Zero();
    std::array<Vec3, 3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      const SurfaceJet jet = surface.evaluate(map[mesh.face(f)[k]]);
      x[k] = jet.position;
      normal += jet.normal / 3;
    }
    const Vec3 area = (x[1] - x[0]).cross(x[2] - x[0]);
    return area.dot(normal) < 0.3 * area.norm();
  };
  const auto turned = [&](FaceId f, std::size_t corner) {
    const auto at = [&](std::size_t k) { return map[mesh.face(f)[(corner + k) % 3]]; };
    const auto left = log_point(geodesics, at(0), at(1)), right = log_point(geodesics, at(0), at(2));
    return left && right && left->x() * right->y() - left->y() * right->x() < 0;
  };
  std::size_t count = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    count += steep(f) && turned(f, 0) + turned(f, 1) + turned(f, 2) >= 2;
  return count;
}

}  // namespace cutis::test
