#include "cutis/shot/settings/slide_limits.h"

#include <fmt/format.h>

#include "cutis/body/anatomy/anatomic_slide_limits.h"
#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/settings/painted.h"

namespace cutis {
namespace {

using Limits = IdVector<VertexId, double>;

/// Where nothing is known of a body of human size [m]: skin is tied down everywhere, and what nothing holds
/// slips off where a limb bends.
constexpr double kUnknownBody = 0.02;

/// The mean over a vertex and its neighbours. Each face brings half of each of its edges, so that an edge
/// between two faces counts once; this works on any mesh, also where it is no surface.
Limits smoothed(const Mesh& mesh, const Limits& limits) {
  Limits sums = limits, weights(limits.size(), 1);
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const VertexId a = face[i], b = face[(i + 1) % face.size()];
      sums[a] += 0.5 * limits[b], weights[a] += 0.5;
      sums[b] += 0.5 * limits[a], weights[b] += 0.5;
    }
  }
  for (VertexId v : ids<VertexId>(limits.size())) sums[v] = limits[v] == 0 ? 0 : sums[v] / weights[v];
  return sums;
}

}  // namespace

Limits slide_limits(const SkinSection& skin, const Body& body, const std::string& place) {
  if (!skin.slide_limit) {
    if (const auto natural = slide_map(body)) return smoothed(body.mesh(), *natural);
    const double limit = kUnknownBody * human_scale(body);
    const auto skeleton = body.skeleton();
    log().info("skin.slide_limit: is not given, and {}: {:.3g} m everywhere{}",
               skeleton ? describe_joints(*skeleton) : "the body has no joints", limit,
               limit == kUnknownBody ? "" : ", a share of the body's size");
    return Limits(body.mesh().vertex_count(), limit);
  }
  const Limits painted = welded_values(body.weld(), painted_values(*skin.slide_limit, body, place));
  for (VertexId v : ids<VertexId>(painted.size()))
    if (painted[v] < 0)
      throw InputError(fmt::format("{}: the map gives {:.3g} m at vertex {}; a limit is 0 or more", place,
                                   painted[v], v.value));
  return smoothed(body.mesh(), painted);
}

}  // namespace cutis
