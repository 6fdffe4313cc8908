#include "cutis/shot/settings/flesh_depth.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/body/anatomy/anatomic_flesh.h"
#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/flesh/distance/local_thickness.h"
#include "cutis/shot/settings/flesh_core_settings.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/shot/spec/values.h"
#include "cutis/surface/field/neighbour_means.h"

namespace cutis {
namespace {

/// Share of the inner radius that is soft where nothing is known of the body.
constexpr double kUnknownShare = 0.5;
/// A part of an unknown body is thin below this share of the largest inner radius: limbs, ears, tails, whose
/// bones or cartilage fill more of them. There the soft share shrinks with the thickness.
constexpr double kThinPart = 0.35;
/// A body without joints that has blend shapes is a face: soft tissue over the skull, as a share of its size
/// (6 mm on a head), and its stiffness, as that of a head (see anatomic_flesh).
constexpr double kFaceDepth = 0.02, kFaceShare = 0.15, kFaceStiffness = 10;
constexpr int kSmoothingRounds = 3;

/// What a body is taken for.
enum class FleshKind { KnownRig, Face, Unknown };

FleshKind kind_of(const Body& body) {
  const auto skeleton = body.skeleton();
  if (!skeleton) return body.shape_lengths().empty() ? FleshKind::Unknown : FleshKind::Face;
  const std::vector<JointRole> roles = joint_roles(*skeleton);
  const bool known = std::ranges::any_of(roles, [](const JointRole& role) { return role.recognised(); });
  return known ? FleshKind::KnownRig : FleshKind::Unknown;
}

AnatomicFlesh flesh_of_face(const Body& body, const IdVector<VertexId, double>& radius) {
  const double most = kFaceDepth * bounding_diagonal(body.mesh().positions.raw());
  AnatomicFlesh out{radius, IdVector<VertexId, double>(radius.size(), kFaceStiffness)};
  for (double& depth : out.depth) depth = std::min(most, kFaceShare * depth);
  return out;
}

AnatomicFlesh flesh_by_thickness(const IdVector<VertexId, double>& radius) {
  const double thin = kThinPart * *std::max_element(radius.begin(), radius.end());
  AnatomicFlesh out{radius, {}};
  for (double& depth : out.depth) depth *= kUnknownShare * (thin > 0 ? std::min(1.0, depth / thin) : 1);
  return out;
}

AnatomicFlesh natural_flesh(const Body& body) {
  const IdVector<VertexId, double> radius = inner_radius(body.triangles().mesh);
  switch (kind_of(body)) {
    case FleshKind::KnownRig:
      return *anatomic_flesh(body, radius);
    case FleshKind::Face:
      return flesh_of_face(body, radius);
    default:
      return flesh_by_thickness(radius);
  }
}

/// What flesh.depth says. A little more than the inner radius is rounding: a slab may be given as thick as it
/// is.
IdVector<VertexId, double> given_depth(const Shot& shot, const Body& body) {
  constexpr double kRounding = 1.01;
  const std::string key = "flesh.depth", place = shot.place(key) + key;
  IdVector<VertexId, double> depth =
      welded_values(body.weld(), painted_values(*shot.flesh.depth, body, place));
  const IdVector<VertexId, double> radius = inner_radius(body.triangles().mesh);
  std::size_t deeper = 0;
  double thickest = 0;
  for (VertexId v : ids<VertexId>(depth.size())) {
    deeper += depth[v] > kRounding * radius[v];
    thickest = std::max(thickest, radius[v]);
  }
  const double least = *std::min_element(depth.begin(), depth.end());
  if (least > kRounding * thickest)
    throw InputError(fmt::format(
        "{}: {:.3g} m is deeper than the body is anywhere: its middle is {:.3g} m below the surface "
        "at most; give less, or hold it elsewhere with flesh.core = \"region\" or \"bones\"",
        place, least, thickest));
  if (deeper > 0)
    log().warn(
        "{}: is deeper than the middle of the body at {} of {} vertices; the tissue ends three quarters of "
        "the "
        "way there",
        place, deeper, depth.size());
  return depth;
}

}  // namespace

void set_flesh_depth(const Shot& shot, const Body& body, FleshOptions& options) {
  if (!core_by_depth(shot)) return;
  if (shot.flesh.depth) {
    options.depth = given_depth(shot, body);
    return;
  }
  AnatomicFlesh natural = natural_flesh(body);
  for (int round = 0; round < kSmoothingRounds; ++round) {
    // Thin tissue stays thin: where a part is a few vertices, the mean would make a skull as soft as a neck.
    const IdVector<VertexId, double> means = neighbour_means(body.mesh(), natural.depth);
    for (VertexId v : ids<VertexId>(means.size())) natural.depth[v] = std::min(natural.depth[v], means[v]);
    if (!natural.stiffness.empty()) natural.stiffness = neighbour_means(body.mesh(), natural.stiffness);
  }
  options.depth = std::move(natural.depth);
  if (shot.flesh.young.source == Painted::Source::Constant) options.stiffness = std::move(natural.stiffness);
}

std::string describe_flesh_depth(const Shot& shot, const Body& body) {
  if (shot.flesh.core == FleshCore::Bones) return "around bones";
  if (shot.flesh.core == FleshCore::Region)
    return fmt::format("held at {}", in_quotes(shot.flesh.core_region));
  if (shot.flesh.depth) return "depth as given";
  switch (kind_of(body)) {
    case FleshKind::KnownRig:
      return "depth and stiffness by body part, " + describe_joints(*body.skeleton());
    case FleshKind::Face:
      return "depth and stiffness of a face: no joints, but blend shapes";
    default:
      return "depth by how thick the body is, " +
             (body.skeleton() ? describe_joints(*body.skeleton()) : "the body has no joints");
  }
}

}  // namespace cutis
