// Positions of a character for the Python tests: evaluate_body FILE OUT MESH CLIP TIME...
// MESH and CLIP count from 0 in the file's own order; CLIP -1 is the still pose. OUT gets, as little-endian
// float64, x y z of each source vertex at rest and then at each time.
#include <fstream>
#include <iostream>
#include <string>

#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  try {
    const cutis::Character character = cutis::read_character(argv[1]);
    cutis::RigChoice choice;
    choice.meshes = {character.meshes.at(std::stoul(argv[3])).name};
    const int clip = std::stoi(argv[4]);
    choice.clip = clip < 0 ? "none" : character.clips.at(static_cast<std::size_t>(clip)).name;
    const cutis::RigBody body(character, choice);
    std::ofstream out(argv[2], std::ios::binary);
    const auto write = [&out](const cutis::SourcePoints& points) {
      for (const cutis::Vec3& p : points)
        out.write(reinterpret_cast<const char*>(p.data()), sizeof(double) * 3);
    };
    write(body.source().positions);
    for (int i = 5; i < argc; ++i) write(body.source_positions(std::stod(argv[i])));
    return out.flush() ? 0 : 3;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
