#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/shot/shot.h"
#include "cutis/surface/field/line_field.h"

namespace cutis {

/// The line field along which a body's skin is stiff and stretched, at rest.
struct BodyDirections {
  /// One unit tangent a triangle of triangulated(body.mesh()), d and -d the same; empty where no direction is
  /// asked for.
  LineDirections field;
  std::vector<LineSample> strokes;  ///< what strokes say about the triangles they run through; else empty
  std::shared_ptr<const Surface> surface;  ///< the same triangles; null where no direction is asked for
};

/// Langer lines, an axis laid into the surface, strokes or a painted map, as the section asks. What a source
/// leaves open is filled from the nearest place that it does not. Says through log() what was not found.
/// `place` begins the messages, such as "fox.toml: skin.direction". Throws InputError when the source cannot
/// be read, does not fit the body, or says nothing about it.
BodyDirections body_directions(const DirectionSection& section, const Body& body, const std::string& place);

}  // namespace cutis
