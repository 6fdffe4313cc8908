#include "cutis/shot/spec/spec_plastic.h"

namespace cutis {
namespace {

void declare_targeting(SectionBuilder<TrackedSection>& s) {
  using S = TrackedSection;
  s.key("targeting_frequency", KeyType::Painted, &S::targeting_frequency, Dimension::Rate)
      .doc(
          "How fast skin swings about its place on the body by itself: the lower, the further it lags. At 1 "
          "g "
          "it lags by 25 cm / (frequency / Hz)^2.")
      .otherwise("as fast as lags by 0.4 of skin.slide_limit at 1 g: 5 Hz where that is 25 mm")
      .from(0)
      .example("\"3 Hz\"");
  s.key("targeting_damping", KeyType::Number, &S::targeting_damping)
      .doc("How soon that dies out, as a share of the critical damping: 1 does not overshoot.")
      .standard("0.25")
      .from(0)
      .to(100)
      .example("0.5");
  s.key("lag_gain", KeyType::Painted, &S::lag_gain)
      .doc("How much of the body's acceleration skin feels: 0 goes along with the body, 2 lags twice as far.")
      .standard("1")
      .from(0)
      .to(10)
      .example("{ map = \"vertex_color\", low = 0, high = 2 }");
}

void declare_sliding_force(SectionBuilder<TrackedSection>& s) {
  using S = TrackedSection;
  s.key("sliding_frequency", KeyType::Quantity, &S::sliding_frequency, Dimension::Rate)
      .doc("How stiffly skin is held on the surface of the body; it costs nothing.")
      .standard("\"5 kHz\"")
      .from(0)
      .example("\"500 Hz\"");
  s.key("sliding_damping", KeyType::Number, &S::sliding_damping)
      .doc("The damping of that, as a share of the critical one.")
      .standard("1")
      .from(0)
      .to(100)
      .example("2");
  s.key("sliding_gain", KeyType::Painted, &S::sliding_gain)
      .doc("A factor on that stiffness: where it is low skin may leave the surface.")
      .standard("1")
      .from(0)
      .to(1)
      .example("{ map = \"jowl\", low = 1, high = 1e-6 }");
}

}  // namespace

Section tracked_spec() {
  using S = TrackedSection;
  SectionBuilder<S> s(
      "skin.tracked", [](Shot& shot) -> S& { return shot.skin.tracked; },
      "How tracked skin is held on its body: normal to it by a stiff force, along it by a soft one.");
  s.used_by({SkinMethod::Tracked});
  declare_targeting(s);
  declare_sliding_force(s);
  s.key("retarget_time", KeyType::Quantity, &S::retarget_time, Dimension::Time)
      .doc(
          "How long the shapes that triangles have without stress take to follow those of the body, as a "
          "time "
          "constant; with 0 they stay those of the rest pose, and skin resists what the body does to it.")
      .standard("\"0.1 s\"")
      .from(0)
      .example("\"0.3 s\"");
  declare_plastic_flow(s, "skin");
  s.key("keep_volume", KeyType::Bool, &S::keep_volume)
      .doc(
          "Whether skin keeps its volume as a whole, as it is without stress: what it loses where the body "
          "is "
          "pressed together goes to the skin around it.")
      .standard("false")
      .example("true");
  s.key("bending", KeyType::Number, &S::bending)
      .doc(
          "Stiffness against bending away from the body's shape, over that of a plate of the same skin; for "
          "skin that leaves the surface.")
      .standard("0")
      .from(0)
      .to(1e6)
      .example("1");
  s.key("silhouette", KeyType::Bool, &S::silhouette)
      .doc("Whether only the two forces act, without the material: one step a frame, without iterations.")
      .standard("false")
      .example("true");
  return s.take();
}

}  // namespace cutis
