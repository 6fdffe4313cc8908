#pragma once

#include <string>

namespace cutis {

/// What a name of a mesh, a material or a part says of it.
enum class NamedAs {
  Unknown,  ///< nothing that is known
  Rigid,    ///< eyes, teeth, antlers, claws, armour: keeps its shape
  Soft      ///< clothes, hair, fur
};

/// Words in the name, whatever their case and what joins them: "YetiTeeth_low" and "teeth.001" are rigid,
/// "Hair_Mat" is soft. A name that also speaks of skin ("HairySkin", "face_skin") is Unknown.
NamedAs named_as(const std::string& name);

}  // namespace cutis
