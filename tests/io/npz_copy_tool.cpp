/// npz_copy IN OUT: reads an NPZ file and writes it again. What a Python test hands to NumPy.
#include <cstdio>

#include "cutis/io/array/npz.h"

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  cutis::write_npz(argv[2], cutis::read_npz(argv[1]));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
