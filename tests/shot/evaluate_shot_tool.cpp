// Positions of the body of a shot for the Python tests: evaluate_shot SHOT.toml OUT TIME...
// OUT gets, as little-endian float64, x y z of each source vertex at rest and then at each time.
#include <fstream>
#include <iostream>
#include <string>

#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    const auto body = cutis::open_body(cutis::read_shot(argv[1]).body);
    std::ofstream out(argv[2], std::ios::binary);
    const auto write = [&out](const cutis::SourcePoints& points) {
      for (const cutis::Vec3& p : points)
        out.write(reinterpret_cast<const char*>(p.data()), sizeof(double) * 3);
    };
    write(body->source().positions);
    for (int i = 3; i < argc; ++i) write(body->source_positions(std::stod(argv[i])));
    return out.flush() ? 0 : 3;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
