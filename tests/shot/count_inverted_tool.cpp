// Triangles of a result's skin that are turned over on the body at rest, for the Python tests:
// count_inverted RESULT. The result must store maps. Prints a line for each of them: the frame, and where its
// first corner lies at rest [m].
#include <iostream>

#include "cutis/run/result.h"
#include "cutis/shot/open_body.h"
#include "support/inverted_triangles.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const cutis::ResultReader result(argv[1], cutis::open_recorded_body);
    const auto body = cutis::open_recorded_body(result.summary().shot, argv[1]);
    const auto& surface = body->surface();
    cutis::test::InvertedTriangles inverted(*body);
    for (int i = 1; i <= result.frame_count(); ++i) {
      const cutis::SurfaceMap map(surface, surface, cutis::expanded(result.frame(i).map.value().points));
      for (const cutis::FaceId f : inverted(map))
        std::cout << i << ' ' << surface->positions()[surface->mesh().face(f)[0]].transpose() << '\n';
    }
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
