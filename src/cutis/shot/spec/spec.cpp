#include "cutis/shot/spec/spec.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/shot/spec/spec_builder.h"

namespace cutis {
namespace {

bool is_quantity(const Key& key) {
  return key.type == KeyType::Quantity || key.type == KeyType::Painted || key.type == KeyType::Vector ||
         key.type == KeyType::Quantities || key.type == KeyType::Vectors;
}

std::string bound_words(double bound, const Key& key) {
  if (is_quantity(key))
    return key.dimension == Dimension::Ratio ? fmt::format("{}", bound)
                                             : format_quantity(bound, key.dimension);
  return fmt::format("{}", bound);
}

/// "length in m, or with a unit: m, cm" for what is measured; "number" for a ratio.
std::string quantity_words(Dimension dimension) {
  if (dimension == Dimension::Ratio) return "number";
  return fmt::format("{} (in {}, or with a unit: {})", dimension_name(dimension), si_unit(dimension),
                     fmt::join(accepted_units(dimension), ", "));
}

std::string choice_words(const std::vector<std::string>& choices) {
  return fmt::format("\"{}\"", fmt::join(choices, "\", \""));
}

}  // namespace

const std::vector<Section>& spec() {
  static const std::vector<Section> sections = {
      body_spec(),       time_spec(),      flesh_spec(),         flesh_phase_spec(), skin_spec(),
      material_spec(),   direction_spec(), ligament_spec(),      tracked_spec(),     region_spec(),
      constraint_spec(), wrinkle_spec(),   wrinkle_layer_spec(), scene_spec(),       force_spec(),
      solver_spec(),     output_spec(),    picture_spec(),       figure_spec()};
  return sections;
}

const Section* find_section(const std::string& name) {
  for (const Section& section : spec())
    if (section.name == name) return &section;
  return nullptr;
}

const Key* find_key(const std::string& dotted) {
  const auto dot = dotted.rfind('.');
  if (dot == std::string::npos) return nullptr;
  const Section* section = find_section(dotted.substr(0, dot));
  if (!section) return nullptr;
  for (const Key& key : section->keys)
    if (dotted.compare(dot + 1, std::string::npos, key.name) == 0) return &key;
  return nullptr;
}

std::string without_indices(const std::string& key) {
  std::string plain;
  bool inside = false;
  for (const char c : key) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

std::string range_words(const Key& key) {
  const bool has_low = std::isfinite(key.low), has_high = std::isfinite(key.high);
  const std::string low =
      has_low ? fmt::format("{} {}", key.low_open ? "above" : "at least", bound_words(key.low, key)) : "";
  const std::string high =
      has_high ? fmt::format("{} {}", key.high_open ? "below" : "at most", bound_words(key.high, key)) : "";
  return low + (has_low && has_high ? ", " : "") + high;
}

std::string usual_words(const Key& key) {
  if (!std::isfinite(key.usual_high)) return "";
  return fmt::format("{} to {}", format_naturally(key.usual_low, key.dimension),
                     format_naturally(key.usual_high, key.dimension));
}

std::string type_words(const Key& key) {
  switch (key.type) {
    case KeyType::Bool:
      return "true or false";
    case KeyType::Integer:
      return "whole number";
    case KeyType::Number:
      return "number";
    case KeyType::Quantity:
      return quantity_words(key.dimension);
    case KeyType::String:
      return "text";
    case KeyType::Choice:
      return "one of " + choice_words(key.choices);
    case KeyType::Path:
      return "path of a file, from the folder of the shot";
    case KeyType::Vector:
      return "three of: " + quantity_words(key.dimension);
    case KeyType::Painted:
      return quantity_words(key.dimension) + "; or painted";
    case KeyType::Map:
      return "painted map";
    case KeyType::Frames:
      return "\"all\", \"least\", \"first\", \"last\" or a whole number";
    case KeyType::Integers:
      return "list of whole numbers";
    case KeyType::Quantities:
      return quantity_words(key.dimension) + "; or a list of such";
    case KeyType::Strings:
      return "text, or a list of texts";
    case KeyType::Choices:
      return "list of " + choice_words(key.choices);
    case KeyType::Vectors:
      return "list of [x, y, z], each a " + quantity_words(key.dimension);
    case KeyType::Parameters:
      return "table of numbers, texts and switches";
  }
  return "";
}

}  // namespace cutis
