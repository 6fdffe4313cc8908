#include <cstdio>

#include "cutis/core/version.h"

int main() {
  std::printf("cutis %s\n", cutis::version());
  return 0;
}
