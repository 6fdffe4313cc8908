#include "cutis/energy/rest_shape.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Corners of `rest` in its own axes, as sides from the first.
Mat2 sides_of(const RestTriangle& rest) { return rest.inverse.inverse(); }

/// Rows: unit vectors along and across `direction`, or the axes where there is none.
Mat2 fibre_frame(const Vec2& direction) {
  const double length = direction.norm();
  const Vec2 u = length > 0 ? Vec2(direction / length) : Vec2::UnitX();
  Mat2 frame;
  frame << u.x(), u.y(), -u.y(), u.x();
  return frame;
}

void check_positive(std::span<const SkinFace> faces) {
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const auto& [what, value] :
         {std::pair("thickness", faces[f].thickness), std::pair("pre-stretch", faces[f].along),
          std::pair("pre-stretch across", faces[f].across), std::pair("stiffness", faces[f].stiffness)})
      if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("triangle {}: {} is {}; it must be above zero", f, what, value));
}

}  // namespace

MembraneElement membrane_element(const std::array<VertexId, 3>& vertices, const RestTriangle& rest,
                                 const SkinFace& face) {
  return membrane_element(vertices, rest, rest.degenerate() ? Mat2(Mat2::Zero()) : sides_of(rest), face);
}

MembraneElement membrane_element(const std::array<VertexId, 3>& vertices, const RestTriangle& rest,
                                 const Mat2& sides, const SkinFace& face) {
  MembraneElement element{.vertices = vertices, .stiffness = face.stiffness, .compression = face.compression};
  if (!(sides.determinant() > 0)) return element;
  Vec2 direction = rest.axes.transpose() * face.direction;
  // A direction along the normal is none; what rounding leaves of it in the plane must not count.
  if (direction.norm() <= 1e-9 * face.direction.norm()) direction.setZero();
  const double across = direction.isZero(0) ? face.along : face.across;
  direction = sides * rest.inverse * direction;
  const Vec2 prestretch(face.along, across);
  // Sides without stress, in the frame of the fibres: F_prestretch R [e1 e2]
  const Mat2 unstressed = prestretch.asDiagonal() * fibre_frame(direction) * sides;
  element.rest_inverse = unstressed.inverse();
  element.volume = unstressed.determinant() / 2 * face.thickness;
  return element;
}

std::vector<MembraneElement> membrane_elements(const Mesh& triangles, std::span<const SkinFace> faces,
                                               std::span<const Mat2> sides) {
  assert(faces.size() == triangles.face_count() && (sides.empty() || sides.size() == faces.size()));
  check_positive(faces);
  std::vector<MembraneElement> elements(faces.size());
  parallel_for(elements.size(), [&](std::size_t f) {
    const auto corners = triangles.face(FaceId(f));
    assert(corners.size() == 3);
    const auto& x = triangles.positions;
    const RestTriangle rest = rest_triangle(x[corners[0]], x[corners[1]], x[corners[2]]);
    const std::array vertices{corners[0], corners[1], corners[2]};
    elements[f] = sides.empty() ? membrane_element(vertices, rest, faces[f])
                                : membrane_element(vertices, rest, sides[f], faces[f]);
  });
  return elements;
}

}  // namespace cutis
