// fuzz TARGET [FOLDER] [OPTIONS]: libFuzzer over one target; what follows the target is libFuzzer's own.
#include <algorithm>
#include <cstdio>

#include "fuzz/target.h"

namespace {
cutis::fuzz::Target chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto& targets = cutis::fuzz::targets();
  const auto target = *argc > 1 ? targets.find((*argv)[1]) : targets.end();
  if (target == targets.end()) {
    std::fputs("usage: fuzz TARGET [FOLDER] [OPTIONS], where TARGET is the NAME of a NAME_fuzz.cpp\n",
               stderr);
    std::exit(2);
  }
  chosen = target->second;
  std::copy(*argv + 2, *argv + *argc + 1, *argv + 1);
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  return chosen(data, size);
}
