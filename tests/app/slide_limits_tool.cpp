// How far the skin of a character may slide where nothing is said, for the Python tests: slide_limits FILE
// OUT OUT gets, as little-endian float64, the limit of each source vertex [units of the file].
#include <fstream>
#include <iostream>

#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/slide_limits.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    cutis::BodySection section;
    section.file = argv[1];
    section.scale = 1;
    const auto body = cutis::open_body(section);
    const auto limits = cutis::slide_limits({}, *body, "slide_limits");
    std::ofstream out(argv[2], std::ios::binary);
    for (cutis::VertexId v : body->weld().vertex_of)
      out.write(reinterpret_cast<const char*>(&limits[v]), sizeof(double));
    return out.flush() ? 0 : 3;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
