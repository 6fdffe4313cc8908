#include "cutis/shot/settings/human_scale.h"

#include "cutis/body/anatomy/anatomy.h"

namespace cutis {
namespace {

constexpr double kHumanHeight = 1.75;                  ///< [m]
constexpr double kHumanPart = 0.3, kLargeHuman = 3.0;  ///< between these, a body may be of human size [m]

}  // namespace

double human_scale(const Body& body) {
  if (const auto anatomy = read_anatomy(body)) return anatomy->size;
  const double size = body.surface()->size();
  return size >= kHumanPart && size <= kLargeHuman ? 1 : size / kHumanHeight;
}

double slide_speed(const SkinSection& skin, double scale) {
  constexpr double kSlideSpeed = 0.15;  ///< [m/s]
  return skin.slide_speed.value_or(kSlideSpeed * scale);
}

}  // namespace cutis
