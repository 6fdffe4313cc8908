#include "cutis/body/body.h"

#include <utility>

namespace cutis {

void Body::set_rest(SourceMesh rest, double weld_tolerance) {
  source_ = std::move(rest);
  weld_ = cutis::weld(source_, weld_tolerance < 0 ? default_weld_tolerance(source_) : weld_tolerance);
}

}  // namespace cutis
