#pragma once

#include <string>
#include <vector>

#include "cutis/shot/shot.h"
#include "cutis/skin/slides_on.h"

namespace cutis {

/// One way to compute the skin (`skin.method`), and which keys of the shot file it makes use of.
struct Method {
  SkinMethod id{};
  std::string name;
  std::string doc;  ///< one sentence
  bool implemented = false;
  std::vector<std::string> honours;  ///< keys, or "skin.region.*" for a section and all below it
};

/// All methods, in the order of SkinMethod.
const std::vector<Method>& methods();

bool honours(const Method& method, const std::string& key);

/// The names of the implemented methods that make use of the key.
std::vector<std::string> methods_honouring(const std::string& key);

/// The method that the shot asks for. Throws InputError, which lists what there is, when this build has not
/// got it.
const Method& method_of(const Shot& shot);

/// What the skin of the shot lies on; plain skinning lies on the body's own polygons.
SlidesOn slides_on(const Shot& shot);

/// `fox.toml:12: skin.thickness: method "none" cannot use it: it is ignored`, one for each key that the user
/// wrote and the method does not honour, by line.
std::vector<std::string> unhonoured(const Shot& shot);

}  // namespace cutis
