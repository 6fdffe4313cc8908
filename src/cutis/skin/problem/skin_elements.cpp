#include "cutis/skin/problem/skin_elements.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/energy/rest_from_motion.h"
#include "cutis/energy/rest_shape.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

constexpr double kThickness = 1.5e-3;

/// An array must be empty or have one value per vertex, each above zero and finite.
void check_positive(const char* name, const IdVector<VertexId, double>& values, std::size_t count) {
  if (values.empty()) return;
  if (values.size() != count)
    throw InputError(fmt::format("{}: {} values for {} vertices of the body", name, values.size(), count));
  for (double value : values)
    if (!(value > 0) || !std::isfinite(value))
      throw InputError(fmt::format("{}: {} is not above zero", name, value));
}

void check(const Surface& rest, const SkinOptions& options) {
  const std::size_t vertices = rest.mesh().vertex_count(), faces = rest.mesh().face_count();
  if (!options.material) throw InputError("the skin has no material");
  check_positive("skin.thickness", options.thickness, vertices);
  check_positive("skin.material.young", options.stiffness, vertices);
  check_positive("skin.direction.prestretch", options.prestretch, vertices);
  check_positive("skin.direction.prestretch_across", options.prestretch_across, vertices);
  for (double share : options.compression)
    if (!(share >= 0 && share <= 1))
      throw InputError(fmt::format("skin.material.compression: {} is not between 0 and 1", share));
  if (!options.direction.empty() && options.direction.size() != faces)
    throw InputError(fmt::format("skin.direction: {} directions for {} triangles of the body",
                                 options.direction.size(), faces));
  for (const Points& pose : options.rest_poses)
    if (pose.size() != vertices)
      throw InputError(
          fmt::format("skin.rest_from: a pose of {} vertices for a body of {}", pose.size(), vertices));
}

double mean_of(const IdVector<VertexId, double>& values, std::span<const VertexId> corners,
               double otherwise) {
  if (values.empty()) return otherwise;
  return (values[corners[0]] + values[corners[1]] + values[corners[2]]) / 3;
}

std::vector<SkinFace> skin_faces(const Mesh& triangles, const SkinOptions& options) {
  std::vector<SkinFace> faces;
  for (FaceId f : ids<FaceId>(triangles.face_count())) {
    const auto c = triangles.face(f);
    SkinFace face;
    if (!options.direction.empty()) face.direction = options.direction[f];
    face.along = mean_of(options.prestretch, c, 1);
    face.across = mean_of(options.prestretch_across, c, 1);
    face.thickness = mean_of(options.thickness, c, kThickness);
    face.stiffness = mean_of(options.stiffness, c, 1);
    face.compression = mean_of(options.compression, c, 1);
    faces.push_back(face);
  }
  return faces;
}

/// Sides of the rest shapes; those of the body where a triangle is degenerate in every pose.
std::vector<Mat2> sides_from_motion(const Mesh& triangles, const std::vector<Points>& poses) {
  if (poses.empty()) return {};
  RestFromMotion motion(index_triangles(triangles));
  for (const Points& pose : poses) motion.add(pose);
  return motion.sides();
}

}  // namespace

SkinElements skin_elements(const Surface& rest, const SkinOptions& options) {
  check(rest, options);
  const Mesh& mesh = rest.mesh();
  std::vector<SkinFace> faces = skin_faces(mesh, options);
  const std::vector<Mat2> sides = sides_from_motion(mesh, options.rest_poses);
  SkinElements out;
  out.elements = membrane_elements(mesh, faces, sides);
  out.prestretch.assign(faces.size(), Mat2::Identity());
  for (FaceId f : ids<FaceId>(faces.size())) {
    const std::size_t i = f.index();
    const auto c = mesh.face(f);
    out.thickness.push_back(faces[i].thickness);
    faces[i].along = faces[i].across = 1;
    if (out.elements[i].volume == 0) continue;
    const Points& x = mesh.positions;
    const Mat2 body = rest_triangle(x[c[0]], x[c[1]], x[c[2]]).inverse.inverse();
    out.prestretch[i] = body * out.elements[i].rest_inverse;
  }
  out.relaxed = membrane_elements(mesh, faces, sides);
  if (const auto empty = std::ranges::count(out.elements, 0.0, &MembraneElement::volume); empty > 0)
    log().warn("{} of {} triangles have no area at rest and carry no tension", empty, faces.size());
  return out;
}

}  // namespace cutis
