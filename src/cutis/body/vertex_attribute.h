#pragma once

#include <string>
#include <vector>

namespace cutis {

/// Numbers painted on the vertices of a mesh: colours, a custom attribute of the file, a vertex group.
struct VertexAttribute {
  std::string name;
  std::size_t components = 1;
  std::vector<double> values;  ///< `components` for each vertex
};

/// What vertex colours are called: red, green, blue, alpha from 0 to 1.
inline constexpr const char* vertex_color_name = "color";

}  // namespace cutis
