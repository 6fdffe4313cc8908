#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cutis/body/character.h"

namespace cutis {

/// The bodies Cutis makes itself, so that everything can be tried with no character at hand.
struct CastMember {
  std::string name;
  std::string description;                     ///< one sentence
  double default_edge;                         ///< typical edge length unless the user says otherwise [m]
  double finest_edge;                          ///< below this the mesh would hold millions of vertices [m]
  std::function<Character(double edge)> make;  ///< edge length [m]
};

const std::vector<CastMember>& cast();

/// A body of the cast, in metres, y up, with joints, smooth weights, UVs and at least one clip. An `edge` of
/// zero means the default. Throws InputError for an unknown name or an edge length that cannot be met.
Character make_cast_member(const std::string& name, double edge = 0);

}  // namespace cutis
