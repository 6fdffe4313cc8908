#include "cutis/body/procedural/organic/organic.h"

#include "cutis/body/procedural/organic/beast.h"
#include "cutis/body/procedural/organic/finger.h"
#include "cutis/body/procedural/organic/hand.h"
#include "cutis/body/procedural/organic/head.h"
#include "cutis/body/procedural/organic/horse.h"
#include "cutis/body/procedural/organic/mannequin.h"

namespace cutis {

const std::vector<ProceduralBody>& organic_bodies() {
  const std::vector<std::string> moves = {"walk", "squat", "jump", "dance", "fall"};
  static const std::vector<ProceduralBody> members = {
      {"finger", "an index finger that curls and stretches again", 0.0009, 0.0004, make_finger, {"flex"}},
      {"hand",
       "a hand whose fingers flex one after another and open again",
       0.0025,
       0.0006,
       make_hand,
       {"flex", "fist"}},
      {"head",
       "a neck and head that lifts, turns, opens its jaw and swallows",
       0.0035,
       0.0012,
       make_head,
       {"show", "lift", "turn", "jaw", "swallow"}},
      {"torso",
       "a man above the hips who shrugs and lifts an arm",
       0.007,
       0.003,
       make_torso,
       {"shrug", "lift"}},
      {"male", "a man who walks, squats, jumps, dances and falls", 0.009, 0.004, make_male, moves},
      {"female", "a woman who walks, squats, jumps, dances and falls", 0.009, 0.004, make_female, moves},
      {"heavy", "a heavy man with a belly who walks, squats, jumps, dances and falls", 0.009, 0.004,
       make_heavy, moves},
      {"beast",
       "a beast on four legs that walks and suddenly stops, or runs",
       0.010,
       0.004,
       make_beast,
       {"walk_and_stop", "run"}},
      {"horse", "a horse with a long muzzle and thin ears that trots", 0.016, 0.007, make_horse, {"trot"}},
  };
  return members;
}

}  // namespace cutis
