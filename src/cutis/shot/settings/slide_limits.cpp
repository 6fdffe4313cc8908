#include "cutis/shot/settings/slide_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/body/anatomy/anatomic_slide_limits.h"
#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/field/neighbour_means.h"
#include "cutis/surface/geodesic/geodesic.h"

namespace cutis {
namespace {

using Limits = IdVector<VertexId, double>;
using ShapeLengths = std::vector<IdVector<VertexId, double>>;  ///< Body::shape_lengths()

/// Where nothing is known of a body of human size [m]: skin is tied down everywhere, and what nothing holds
/// slips off where a limb bends.
constexpr double kUnknownBody = 0.02;

/// Where a body without joints has blend shapes it is a face; as a share of its size: 3 mm on a head.
constexpr double kFace = 0.01;
/// Lids, lips and nostrils of a face are open borders: what its skin may slide, per distance from them.
constexpr double kFaceBorder = 0.2;
/// A shape is an actor's performance, which skin that stays behind loses: this share of it, at most...
constexpr double kLostPerformance = 0.2;
/// ... in its midst, where it moves vertices by this share of its furthest or more...
constexpr double kMidst = 0.5;
/// ... of a face, where limits are no more than this [m] on a body of human size: shapes also mend elbows.
constexpr double kLargestFaceLimit = 0.005;

/// What is stuck or free stays so.
Limits smoothed(const Mesh& mesh, const Limits& limits) {
  Limits means = neighbour_means(mesh, limits);
  for (VertexId v : ids<VertexId>(limits.size()))
    if (limits[v] == 0 || !std::isfinite(limits[v])) means[v] = limits[v];
  return means;
}

void keep_performance(const Body& body, const ShapeLengths& shapes, Limits& limits) {
  if (shapes.empty()) return;
  const bool all_face = !body.skeleton();
  const double largest =
      all_face ? std::numeric_limits<double>::infinity() : kLargestFaceLimit * human_scale(body);
  for (const IdVector<VertexId, double>& lengths : shapes) {
    const double furthest = *std::max_element(lengths.begin(), lengths.end());
    for (VertexId v : ids<VertexId>(limits.size()))
      if (limits[v] <= largest && lengths[v] > kMidst * furthest)
        limits[v] = std::min(limits[v], kLostPerformance * lengths[v]);
  }
}

Limits face_limits(const Body& body) {
  const Surface& surface = *body.surface();
  const double limit = kFace * surface.size();
  const GeodesicMetric metric(surface.topology(), surface.positions());
  Limits limits = distance_to_border(metric, limit / kFaceBorder);
  for (double& value : limits) value = std::min(kFaceBorder * value, limit);
  log().info(
      "skin.slide_limit: is not given, and a body without joints that has blend shapes is taken for a face: "
      "{:.3g} m, less near open borders and in the midst of shapes",
      limit);
  return limits;
}

/// Where the shot says nothing.
Limits natural_limits(const Body& body, const ShapeLengths& shapes) {
  if (auto by_part = slide_map(body)) return *std::move(by_part);
  const auto skeleton = body.skeleton();
  if (!skeleton && !shapes.empty()) return face_limits(body);
  const double limit = kUnknownBody * human_scale(body);
  log().info("skin.slide_limit: is not given, and {}: {:.3g} m everywhere{}",
             skeleton ? describe_joints(*skeleton) : "the body has no joints", limit,
             limit == kUnknownBody ? "" : ", a share of the body's size");
  return Limits(body.mesh().vertex_count(), limit);
}

}  // namespace

Limits slide_limits(const SkinSection& skin, const Body& body, const std::string& place) {
  if (!skin.slide_limit) {
    const ShapeLengths shapes = body.shape_lengths();
    Limits limits = natural_limits(body, shapes);
    keep_performance(body, shapes, limits);
    return smoothed(body.mesh(), limits);
  }
  const Limits painted = welded_values(body.weld(), painted_values(*skin.slide_limit, body, place));
  for (VertexId v : ids<VertexId>(painted.size()))
    if (painted[v] < 0)
      throw InputError(fmt::format("{}: the map gives {:.3g} m at vertex {}; a limit is 0 or more", place,
                                   painted[v], v.value));
  return smoothed(body.mesh(), painted);
}

}  // namespace cutis
