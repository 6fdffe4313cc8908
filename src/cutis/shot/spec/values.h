#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cutis/shot/shot.h"

namespace cutis {

/// What one key can hold, between the file and the Shot. A choice and a path are strings here; monostate
/// means "not given".
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Vec3, Painted,
                           FigureFrames, std::vector<std::int64_t>, std::vector<double>,
                           std::vector<std::string>, std::vector<Vec3>, Parameters>;

/// A piece of TOML as it was written, with its line.
struct TomlNode {
  enum class Kind { Bool, Integer, Number, String, Array, Table, Date };
  Kind kind = Kind::Table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<TomlNode> children;  ///< of an array or a table
  std::vector<std::string> names;  ///< of a table's children
  int line = 0;                    ///< of its key; from 1
};

constexpr std::size_t largest_shot = std::size_t{2} << 20;  ///< [bytes]

/// Reads TOML. Throws InputError `file:line:column: what is wrong` for what is not TOML, and for files too
/// large or nested too deeply to be a shot.
TomlNode parse_toml(const std::string& text, const std::string& file);

/// The value as a message shows it: short, on one line, strings in quotes.
std::string shown(const TomlNode& node);

/// Text in quotes, cut to the length of a message.
std::string shortened(const std::string& text);

/// Text in quotes as TOML and messages write it: control characters escaped.
std::string in_quotes(const std::string& text);

}  // namespace cutis
