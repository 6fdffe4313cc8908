// What another program does with the installed library: make a body, bend it, look at it.
#include <cstdio>

#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/version.h"

int main() {
  const auto arm = cutis::open_cast_member("arm");
  const cutis::SourcePoints bent = arm->source_positions(1.0);
  std::printf("cutis %s: %zu vertices, the hand rises to %.3f m\n", cutis::version(), bent.size(),
              bent.raw().back().y());
  return bent.raw().back().y() > 0.2 ? 0 : 1;
}
