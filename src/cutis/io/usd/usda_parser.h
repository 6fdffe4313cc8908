#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutis {

/// A value of a USD ASCII file with its brackets taken off: numbers and words in the order they stand in.
struct UsdValue {
  std::vector<double> numbers;
  std::vector<std::string> words;  ///< strings, tokens, asset paths, targets
};

struct UsdAttribute {
  std::string type;  ///< such as "point3f[]"; "rel" for a relationship
  UsdValue value;    ///< empty where there are only samples
  std::map<double, UsdValue> samples;
  std::map<std::string, UsdValue> metadata;
};

struct UsdPrim {
  std::string specifier;  ///< def, over or class
  std::string type;       ///< "" where there is none
  std::string name;
  int line = 0;
  std::map<std::string, UsdValue> metadata;
  std::map<std::string, UsdAttribute> attributes;
  std::vector<UsdPrim> children;
};

/// What one layer says by itself. Nothing that it refers to is opened; variants and dictionaries are passed
/// over.
struct UsdLayer {
  std::map<std::string, UsdValue> metadata;
  std::vector<UsdPrim> prims;
};

/// Parses the text of a .usda file. Throws InputError "FILE:LINE: what".
UsdLayer parse_usda(std::string_view text, const std::string& file);

}  // namespace cutis
