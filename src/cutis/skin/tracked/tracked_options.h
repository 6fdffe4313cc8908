#pragma once

#include <limits>
#include <optional>

#include "cutis/body/keyed_force.h"
#include "cutis/skin/skin_options.h"
#include "cutis/skin/slides_on.h"
#include "cutis/solve/damped_spring.h"

namespace cutis {

/// When the force along the target acts.
enum class TargetingStep {
  Substep,  ///< in every step of the material, exactly
  Frame     ///< once at the end of a frame, over all of it, fully implicitly
};

/// When and how the force normal to the target acts.
enum class SlidingStep {
  Substep,  ///< in every step of the material, fully implicitly
  Frame,    ///< once at the end of a frame, fully implicitly
  Explicit  ///< in steps that are short enough for it: to compare with
};

/// How the skin's own forces are stepped through time.
enum class MaterialStep {
  SemiImplicit,  ///< elastic forces explicitly, damping implicitly
  Explicit,      ///< both explicitly
  None           ///< there are none: the silhouette alone
};

/// What TrackedSlide needs besides its body: what skin is made of, and what is this method's own. An array
/// over vertices may be empty: then the value in its comment holds everywhere.
struct TrackedOptions : SkinOptions {
  SlidesOn surface = SlidesOn::Cage;        ///< what the skin is written on
  IdVector<VertexId, double> density = {};  ///< [kg/m³], above zero; empty: 1100
  bool free_border = false;                 ///< whether skin may slide at open borders; else they hold it
  double viscosity = 0;                     ///< of the material [Pa s]
  double bending = 0;           ///< stiffness against bending over that of a plate of the same skin
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  std::vector<KeyedForce> forces = {};

  DampedSpring sliding = DampedSpring::of(5000, 1);              ///< normal to the target
  DampedSpring targeting = DampedSpring::of(10, 0.25);           ///< along it
  IdVector<VertexId, double> targeting_gain = {};                ///< factor on its frequency; empty: 1
  double slide_speed = std::numeric_limits<double>::infinity();  ///< top speed of sliding [m/s]
  SlidingStep sliding_step = SlidingStep::Substep;
  TargetingStep targeting_step = TargetingStep::Substep;
  IdVector<VertexId, double> sliding_gain =
      {};  ///< factor on the normal spring's stiffness, 0 to 1; empty: 1
  /// How much of the target's acceleration skin feels: 0 goes along with it, 2 lags twice as far; empty: 1.
  IdVector<VertexId, double> lag_gain = {};

  double retarget_time = 0.1;                ///< time constant of the shapes at rest [s]; 0: they stay
  std::optional<double> plastic_yield = {};  ///< |ln stretch| beyond which its shape without stress flows
  double plastic_rate = 1;   ///< what share of what is beyond flows in a second, at first [1/s]
  bool keep_volume = false;  ///< without stress, as a whole: what is lost in one place goes to its neighbours
  MaterialStep material_step = MaterialStep::SemiImplicit;
  /// Triangles that vibrate faster than so many times the usual one are given more mass; infinity: none are.
  double highest_frequency = 1.5;
  double frame = 1.0 / 24;         ///< how long frames are: steps that take too long in one are refused [s]
  double deformation_limit = 0.1;  ///< a step that changes a triangle's stretch by more is halved and redone
  double deformation_aim = 0.05;   ///< the next step is twice as long where none changes by as much
};

}  // namespace cutis
