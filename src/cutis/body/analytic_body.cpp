#include "cutis/body/analytic_body.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/rig/choose.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

const AnalyticMotion& still() {
  static const AnalyticMotion motion{"", 0, [](const Vec3& rest, double) -> Vec3 { return rest; }};
  return motion;
}

const AnalyticMotion& choose_motion(const AnalyticShape& shape, const std::string& name) {
  if (name == "none" || (name.empty() && shape.motions.empty())) return still();
  if (name.empty()) return shape.motions.front();
  std::vector<std::string> known;
  for (const AnalyticMotion& motion : shape.motions) {
    if (motion.name == name) return motion;
    known.push_back(motion.name);
  }
  fail_unknown(shape.name, "clip", name, known);
}

}  // namespace

AnalyticBody::AnalyticBody(AnalyticShape shape, const RigChoice& choice)
    : base_(shape.mesh.positions), motion_(choose_motion(shape, choice.clip)), scale_(choice.scale) {
  if (!(scale_ > 0) || !std::isfinite(scale_))
    throw InputError(fmt::format("{}: scale {} is not above zero", shape.name, scale_));
  for (const std::string& mesh : choice.meshes)
    if (mesh != shape.name && mesh != "*") fail_unknown(shape.name, "mesh", mesh, {shape.name});
  SourcePoints rest = rest_positions(shape, choice.rest);
  shape.mesh.positions = std::move(rest);
  set_rest(std::move(shape.mesh), choice.weld_tolerance);
}

SourcePoints AnalyticBody::rest_positions(const AnalyticShape& shape, const std::string& rest) const {
  if (rest.empty() || rest == "bind") return posed(still(), 0);
  if (rest == "first") return posed(motion_, 0);
  const auto [name, time] = parse_named_pose(shape.name, rest);
  const AnalyticMotion& motion = name.empty() ? motion_ : choose_motion(shape, name);
  if (time < 0 || time > motion.seconds)
    throw InputError(
        fmt::format("{}: rest \"{}\": the clip runs from 0 s to {} s", shape.name, rest, motion.seconds));
  return posed(motion, time);
}

SourcePoints AnalyticBody::posed(const AnalyticMotion& motion, double time) const {
  const double moment = std::clamp(time, 0.0, motion.seconds);
  SourcePoints points(base_.size());
  parallel_for(points.size(),
               [&](std::size_t i) { points.raw()[i] = scale_ * motion.place(base_.raw()[i], moment); });
  return points;
}

SourcePoints AnalyticBody::compute_positions(double time) const { return posed(motion_, time); }

}  // namespace cutis
