#include "cutis/skin/mappable.h"

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {

void check_mappable(const Body& body, const Topology& topology) {
  for (VertexId v : ids<VertexId>(topology.vertex_count()))
    if (!topology.halfedge(v).valid())
      throw InputError(fmt::format("vertex {} has no face, so skin cannot be mapped there",
                                   body.weld().representative[v].value));
}

}  // namespace cutis
