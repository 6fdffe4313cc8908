#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/shot/shot.h"

namespace cutis {

class Body;
class SkinSettings;
class Slide;
struct Key;

/// Makes a method's slide on the body that the skin is solved on; slide_factories.h.
using SlideFactory = std::unique_ptr<Slide> (*)(const SkinSettings& settings, const Body& solved);

/// One way to compute the skin (`skin.method`). The keys that it makes use of say so themselves (Key).
struct Method {
  SkinMethod id{};
  std::string name;
  std::string doc;              ///< one sentence
  SlideFactory make = nullptr;  ///< null when this build has not got it
  bool implemented() const { return make != nullptr; }
};

/// The registry: all methods, in the order of SkinMethod.
const std::vector<Method>& methods();

bool uses(const Method& method, const Key& key);

/// The names of the implemented methods that make use of the key.
std::vector<std::string> methods_using(const Key& key);

/// The method that the shot asks for. Throws InputError, which lists what there is, when this build has not
/// got it.
const Method& method_of(const Shot& shot);

/// What the skin of the shot lies on; plain skinning lies on the body's own polygons.
SlidesOn slides_on(const Shot& shot);

/// Whether the flesh, or the wrinkles, of a shot read the key.
bool read_by_flesh(const std::string& key);
bool read_by_wrinkles(const std::string& key);

/// `fox.toml:12: skin.thickness: method "none" cannot use it: it is ignored`, one for each key that the user
/// wrote and neither the method nor flesh nor wrinkles use, by line.
std::vector<std::string> unused_keys(const Shot& shot);

}  // namespace cutis
