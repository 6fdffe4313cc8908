#include "cutis/io/array/npz_numbers.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/one_line.h"

namespace cutis {

std::string shape_words(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return "a single value";
  return one_line(fmt::format("{}", fmt::join(shape, " x ")), 60);
}

NpzNumbers::NpzNumbers(const std::filesystem::path& file, const std::vector<std::string>& names)
    : file_(file.string()), arrays_(read_npz(file, names)) {}

void NpzNumbers::fail(const std::string& name, const std::string& what) const {
  throw InputError(fmt::format("{}: {}: {}", file_, name, what));
}

Numbers NpzNumbers::take(const std::string& name) {
  const NpyArray array = member(arrays_, name, file_);
  arrays_.erase(name);
  if (array.type == NpyType::Text) fail(name, "holds text where numbers are needed");
  Numbers numbers{array.shape, to_doubles(array)};
  for (std::size_t i = 0; i < numbers.values.size(); ++i)
    if (!std::isfinite(numbers.values[i]))
      fail(name, fmt::format("value {} is {}; all must be finite", i, numbers.values[i]));
  return numbers;
}

Numbers NpzNumbers::take(const std::string& name, const std::vector<std::size_t>& shape) {
  Numbers numbers = take(name);
  bool fits = numbers.shape.size() == shape.size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d)
    fits = shape[d] == 0 ? numbers.shape[d] > 0 : numbers.shape[d] == shape[d];
  if (fits) return numbers;
  std::vector<std::string> wanted;
  for (std::size_t extent : shape) wanted.push_back(extent == 0 ? "n" : std::to_string(extent));
  fail(name, fmt::format("is {}; {} is needed", shape_words(numbers.shape), fmt::join(wanted, " x ")));
}

std::vector<int> NpzNumbers::take_indices(const std::string& name, const std::vector<std::size_t>& shape,
                                          int low, std::size_t high) {
  const Numbers numbers = take(name, shape);
  std::vector<int> indices;
  indices.reserve(numbers.values.size());
  for (double value : numbers.values) {
    if (!(value >= low && value < static_cast<double>(high)) || value != std::floor(value))
      fail(name, fmt::format("holds {}; whole numbers from {} to {} are needed", value, low, high - 1));
    indices.push_back(static_cast<int>(value));
  }
  return indices;
}

std::string NpzNumbers::take_text(const std::string& name) {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) return "";
  return one_line(to_text(found->second), 40);
}

}  // namespace cutis
