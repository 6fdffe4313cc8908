// write_corpus TARGET FOLDER: the samples of a target as files, for a fuzzer to start from.
#include <fmt/format.h>

#include "support/samples.h"

int main(int argc, char** argv) {
  if (argc != 3) return fmt::print(stderr, "usage: write_corpus TARGET FOLDER\n"), 2;
  int i = 0;
  for (const cutis::Bytes& bytes : cutis::test::samples(argv[1]))
    cutis::write_file_whole(std::filesystem::path(argv[2]) / fmt::format("sample_{}", ++i), bytes);
}
