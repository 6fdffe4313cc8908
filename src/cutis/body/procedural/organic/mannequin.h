#pragma once

#include "cutis/body/procedural/organic/implicit_body.h"
#include "cutis/body/rig/character.h"

namespace cutis {

/// What tells one mannequin from another. Factors are relative to a slim man of 1.75 m.
struct Build {
  double height = 1;     ///< of everything
  double shoulders = 1;  ///< width of the shoulders
  double chest = 1;      ///< girth of the chest
  double waist = 1;      ///< girth of the waist
  double hips = 1;       ///< width of the pelvis
  double limbs = 1;      ///< thickness of arms and legs
  double neck = 1;       ///< thickness of the neck
  double breast = 0;     ///< radius of the breasts [m]
  double belly = 0;      ///< how far the belly stands out [m]
};
Build male_build();
Build female_build();
Build heavy_build();

/// Whole bodies that stand on y = 0 and look along +z, arms half lowered, left is +x; hands like mittens.
/// Clips "walk" (in place, loops), "squat" and "jump" (from the bind pose and back to it), "dance"
/// (loops) and "fall" (freely for 0.85 s, then stopped by 20 g). `edge` is the typical edge length [m].
Character make_male(double edge);
Character make_female(double edge);
Character make_heavy(double edge);

/// A male body above the hips. Clips "shrug" and "lift" (the left arm, overhead), both from the bind pose and
/// back to it.
Character make_torso(double edge);

/// The way a mannequin's arm points in the bind pose; side is +1 for the left one, -1 for the right one.
Vec3 mannequin_arm(int side);
void add_mannequin_clips(Character& character);
void add_torso_clips(Character& character);

}  // namespace cutis
