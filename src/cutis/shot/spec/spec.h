#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cutis/core/quantity.h"
#include "cutis/shot/spec/values.h"

namespace cutis {

/// What may stand after a key. `Key::dimension` says what numbers measure.
enum class KeyType {
  Bool,
  Integer,
  Number,    ///< plain number
  Quantity,  ///< number in SI, or text with a unit
  String,
  Choice,      ///< one of Key::choices
  Path,        ///< relative to the shot file; must exist
  Vector,      ///< three numbers or quantities
  Painted,     ///< a quantity, or a map: { map = "slide.png", low = "0 mm", high = "2 cm" }
  Map,         ///< a map alone: "belly.png", "vertex_color" or the name of a vertex group
  Frames,      ///< "all", "least", "first", "last" or a number
  Integers,    ///< list
  Quantities,  ///< list, or one quantity
  Strings,     ///< list, or one string
  Choices,     ///< list of Key::choices, or one of them
  Vectors,     ///< list of Vector
  Parameters,  ///< table of numbers, strings and booleans with any names
};

/// What a word of a choice sets at once, as defaults of other keys of the section and those below it.
struct Preset {
  std::string word;
  std::vector<std::pair<std::string, std::string>> values;  ///< dotted key, TOML
};

/// One key of the shot file: the declaration that drives validation, `cutis explain`, the reference page and
/// the panels of other programs.
struct Key {
  std::string name;  ///< within its section
  KeyType type{};
  Dimension dimension = Dimension::Ratio;
  std::vector<std::string> choices;
  std::vector<Preset> presets;  ///< of a choice
  std::string default_value;    ///< TOML; "" where there is none
  std::string default_words;    ///< what happens without it, where there is no default value
  bool required = false;
  /// A path may have # for the digits of numbered files, or be the folder of a result.
  bool moving_files = false;
  bool bare_unit = false;  ///< "cm" alone means "1 cm"
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< `low` itself is excluded
  bool high_open = false;
  /// What people and animals of human size have; values that are far from it are questioned. Infinite: none.
  double usual_low = 0, usual_high = std::numeric_limits<double>::infinity();
  int min_count = 0;  ///< of a list
  int max_count = std::numeric_limits<int>::max();
  std::string doc;                  ///< one sentence
  std::string example;              ///< TOML
  std::vector<SkinMethod> used_by;  ///< the methods that make use of it; none: no method yet

  std::function<void(Shot&, std::size_t, const Value&)> set;  ///< the index counts tables of an array section
  std::function<Value(const Shot&, std::size_t)> get;
};

/// A table `[name]` or, when `array`, a list of tables `[[name]]`.
struct Section {
  std::string name;
  bool array = false;
  std::string doc;
  std::vector<Key> keys;
  std::function<std::size_t(const Shot&)> count;  ///< 1 for a table
  std::function<void(Shot&)> append;              ///< for arrays
};

/// Every section in the order in which a shot is written.
const std::vector<Section>& spec();

const Section* find_section(const std::string& name);

/// By dotted name, "skin.material.young".
const Key* find_key(const std::string& dotted);

/// "skin.region.radius" for "skin.region[0].radius".
std::string without_indices(const std::string& key);

/// "from 0 to 1", "above 0", "1 to 4096"; "" when unbounded.
std::string range_words(const Key& key);

/// "0.2 mm to 1 cm"; "" where nothing is said of it.
std::string usual_words(const Key& key);

/// "quantity (length: m, dm, cm ...)" and so on, in a user's words.
std::string type_words(const Key& key);

}  // namespace cutis
