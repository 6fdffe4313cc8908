// What another program does with the installed library: make a body, bend it, look at it.
#include <cstdio>

#include "cutis/body/cast/cast.h"
#include "cutis/body/rig_body.h"
#include "cutis/core/version.h"

int main() {
  const cutis::RigBody arm(cutis::make_cast_member("arm"), cutis::RigChoice{});
  const cutis::SourcePoints bent = arm.source_positions(1.0);
  std::printf("cutis %s: %zu vertices, the hand rises to %.3f m\n", cutis::version(), bent.size(),
              bent.raw().back().y());
  return bent.raw().back().y() > 0.2 ? 0 : 1;
}
