#pragma once

#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// How even the triangles of a mesh are. What is stepped explicitly over it goes as slowly as its flattest
/// triangle.
struct Evenness {
  double edge = 0;            ///< of equilateral triangles, as many as there are and as large together [m]
  double least_height = 0;    ///< of a triangle over that of those; 0 where one has no area
  double area_spread = 0;     ///< 95th over 5th percentile of the areas; infinite where that is zero
  double smallest_angle = 0;  ///< [rad]
};

/// Of a mesh of triangles; all zero where it has none or no area.
Evenness evenness(const Mesh& triangles);

}  // namespace cutis
