#include "support/patches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/edge_table.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis::test {

std::vector<FaceId> faces_near(const Body& body, const Vec3& centre, double radius) {
  const Mesh triangles = triangulated(body.mesh()).mesh;
  const Topology topology(triangles);
  const auto& positions = triangles.positions.raw();
  const auto nearest = std::min_element(
      positions.begin(), positions.end(),
      [&](const Vec3& a, const Vec3& b) { return (a - centre).squaredNorm() < (b - centre).squaredNorm(); });
  const GeodesicMetric metric(topology, triangles.positions);
  Geodesics geodesics(metric);
  const VertexId source(static_cast<std::size_t>(nearest - positions.begin()));
  geodesics.from_vertices({&source, 1}, radius);
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) {
    const auto face = body.mesh().face(f);
    if (std::all_of(face.begin(), face.end(), [&](VertexId v) { return geodesics.distance(v) <= radius; }))
      faces.push_back(f);
  }
  return faces;
}

std::vector<FaceId> all_faces(const Body& body) {
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) faces.push_back(f);
  return faces;
}

FormulaBody::FormulaBody(const Mesh& mesh, Motion motion) : motion_(std::move(motion)) {
  SourceMesh source;
  source.positions = SourcePoints(mesh.positions.raw());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    std::vector<SourceVertexId> face;
    for (VertexId v : mesh.face(f)) face.push_back(SourceVertexId(v.value));
    source.add_face(face);
  }
  set_rest(std::move(source), 0);
}

SourcePoints FormulaBody::compute_positions(double time) const {
  SourcePoints result;
  for (const Vec3& p : source().positions) result.push_back(motion_(p, time));
  return result;
}

/// Unit normals of polygons; the mean normal where one is not flat.
IdVector<FaceId, Vec3> face_normals(const Mesh& mesh, const Points& positions) {
  IdVector<FaceId, Vec3> normals(mesh.face_count());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 2; i < face.size(); ++i)
      sum += (positions[face[i - 1]] - positions[face[0]]).cross(positions[face[i]] - positions[face[0]]);
    normals[f] = sum.stableNormalized();
  }
  return normals;
}

double border_crease(const Body& body, const std::vector<FaceId>& patch, const Points& plain,
                     const Points& slid) {
  IdVector<FaceId, char> inside(body.mesh().face_count(), 0);
  for (FaceId f : patch) inside[f] = 1;
  const auto before = face_normals(body.mesh(), plain), after = face_normals(body.mesh(), slid);
  const auto angle = [](const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); };
  const EdgeTable edges(body.mesh());
  double worst = 0;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    if (sides.size() != 2 || inside[sides[0].face] == inside[sides[1].face]) continue;
    worst = std::max(worst, std::abs(angle(after[sides[0].face], after[sides[1].face]) -
                                     angle(before[sides[0].face], before[sides[1].face])));
  }
  return worst;
}

}  // namespace cutis::test
