#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cutis/body/analytic_body.h"
#include "cutis/body/rig/character.h"
#include "cutis/body/rig/rig_body.h"

namespace cutis {

/// A character that RigBody plays, or a shape that AnalyticBody moves by formulas.
using ProceduralShape = std::variant<Character, AnalyticShape>;

/// The bodies Cutis makes itself, so that everything can be tried with no character at hand.
struct ProceduralBody {
  std::string name;
  std::string description;  ///< a few words
  double default_edge;      ///< typical edge length unless the user says otherwise [m]
  double finest_edge;       ///< below this the mesh would hold millions of vertices [m]
  std::function<ProceduralShape(double edge)> make;  ///< edge length [m]
  std::vector<std::string> clips;                    ///< names of the motions, the first is played by default
};

const std::vector<ProceduralBody>& cast();

/// A member of the cast, in metres, y up, with one mesh, UVs and at least one clip. An `edge` of zero means
/// the default. Throws InputError for an unknown name or an edge length that cannot be met.
ProceduralShape make_cast_member(const std::string& name, double edge = 0);

/// The same, ready to be played. Throws InputError also where the choice does not fit.
std::unique_ptr<Body> open_cast_member(const std::string& name, double edge = 0,
                                       const RigChoice& choice = {});

}  // namespace cutis
