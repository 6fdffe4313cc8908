#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cutis/io/array/npz.h"

namespace cutis {

/// An array as numbers with its shape, the last index running fastest.
struct Numbers {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Takes arrays one after another out of an NPZ file that people and programs of all kinds write, and checks
/// them. Every message begins with the file and the array.
class NpzNumbers {
 public:
  /// Reads these arrays and no others.
  NpzNumbers(const std::filesystem::path& file, const std::vector<std::string>& names);

  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Finite numbers. Throws InputError when there is no such array, or it holds text or other than finite
  /// numbers.
  Numbers take(const std::string& name);
  /// The same, of this shape; an extent of 0 may be anything but 0. Throws InputError saying which shape is
  /// needed.
  Numbers take(const std::string& name, const std::vector<std::size_t>& shape);
  /// The same as whole numbers from `low` to below `high`.
  std::vector<int> take_indices(const std::string& name, const std::vector<std::size_t>& shape, int low,
                                std::size_t high);
  /// The text of an array, "" when there is none.
  std::string take_text(const std::string& name);

  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  Npz arrays_;
};

/// "6890 x 3" for messages.
std::string shape_words(const std::vector<std::size_t>& shape);

}  // namespace cutis
