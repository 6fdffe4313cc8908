#pragma once

#include <span>
#include <vector>

#include "cutis/body/anatomy/stroke.h"
#include "cutis/body/body.h"
#include "cutis/surface/field/surface_stroke.h"

namespace cutis {

/// Strokes laid onto a body's surface at rest.
struct LaidStrokes {
  std::vector<SurfaceStroke> strokes;  ///< one for each stroke; empty where it could not be laid
  std::vector<LineSample> samples;     ///< what they say about the faces they run through
  std::vector<std::string> missing;    ///< bones that strokes name and the body does not have
};

/// `surface` is triangulated(body mesh) at rest, `joints` its rig. Strokes around bones are found by going
/// out from the bone until the skin; parts of them where it is not within reach are left out.
LaidStrokes lay_strokes(std::span<const Stroke> strokes, std::span<const SkeletonJoint> joints,
                        const Surface& surface);

/// The same strokes as coordinates around bones, ready to be laid onto another human: each goes with the bone
/// it is nearest to. Throws InputError when the body has no joints of a human.
std::vector<Stroke> strokes_around_bones(std::span<const Stroke> strokes,
                                         std::span<const SkeletonJoint> joints, const Surface& surface);

}  // namespace cutis
