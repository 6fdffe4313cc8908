#include "cutis/run/checked_arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {

std::vector<std::string> CheckedArrays::names() const {
  std::vector<std::string> all;
  for (const auto& [name, array] : arrays_) all.push_back(name);
  return all;
}

std::vector<double> CheckedArrays::take_rows(const std::string& name, const std::vector<std::size_t>& row,
                                             double largest) {
  const NpyArray& array = member(arrays_, name, file_);
  if (array.shape.empty() || !std::equal(array.shape.begin() + 1, array.shape.end(), row.begin(), row.end()))
    wrong(name, row.empty() ? "a row of numbers" : fmt::format("rows of {} numbers", fmt::join(row, " x ")));
  std::vector<double> values = to_doubles(array);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::abs(values[i]) <= largest))
      wrong(name, fmt::format("numbers up to {:g}, but row {} has {}", largest,
                              i * array.shape[0] / values.size(), values[i]));
  arrays_.erase(name);
  return values;
}

std::vector<double> CheckedArrays::take_table(const std::string& name, std::size_t rows,
                                              std::size_t& components) {
  const NpyArray& array = member(arrays_, name, file_);
  if (array.shape.size() != 2 || array.shape[0] != rows || array.shape[1] == 0)
    wrong(name, fmt::format("{} rows of numbers", rows));
  components = array.shape[1];
  std::vector<double> values = to_doubles(array);
  arrays_.erase(name);
  return values;
}

std::vector<JointTransform> CheckedArrays::take_matrices(const std::string& name, std::size_t count) {
  const std::vector<double> values = take_rows(name, {3, 4}, std::numeric_limits<double>::max());
  require(values.size() == 12 * count, name, fmt::format("{} matrices", count));
  std::vector<JointTransform> matrices;
  for (std::size_t i = 0; i < count; ++i)
    matrices.push_back(
        Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>>(values.data() + 12 * i));
  return matrices;
}

double CheckedArrays::take_number(const std::string& name) {
  const NpyArray& array = member(arrays_, name, file_);
  if (array.count() != 1) wrong(name, "one number");
  const double value = to_doubles(array)[0];
  if (!std::isfinite(value)) wrong(name, "finite");
  arrays_.erase(name);
  return value;
}

int CheckedArrays::take_frame_number(const std::string& name) {
  const double value = take_number(name);
  if (!(value >= 1 && value <= 999999 && value == std::floor(value))) wrong(name, "a frame, from 1");
  return static_cast<int>(value);
}

Bytes CheckedArrays::take_bytes(const std::string& name) {
  const NpyArray& array = member(arrays_, name, file_);
  if (array.type != NpyType::Uint8) wrong(name, "bytes");
  Bytes bytes = array.bytes;
  arrays_.erase(name);
  return bytes;
}

std::vector<std::int32_t> CheckedArrays::take_integers(const std::string& name,
                                                       const std::vector<std::size_t>& shape) {
  const NpyArray& array = member(arrays_, name, file_);
  if (array.shape != shape) wrong(name, fmt::format("of shape ({})", fmt::join(shape, ", ")));
  std::vector<std::int32_t> values = to_int32(array, file_ + ": " + name);
  arrays_.erase(name);
  return values;
}

std::string CheckedArrays::take_text(const std::string& name) {
  std::string text = to_text(member(arrays_, name, file_));
  arrays_.erase(name);
  return text;
}

std::vector<std::int32_t> CheckedArrays::indices(const std::string& name, std::size_t limit) const {
  const std::vector<std::int32_t> values = to_int32(member(arrays_, name, file_), file_ + ": " + name);
  for (std::int32_t value : values)
    if (value < 0 || std::size_t(value) >= limit)
      throw InputError(fmt::format("{}: {}: {} is not below {}", file_, name, value, limit));
  return values;
}

std::vector<std::int32_t> CheckedArrays::offsets(const std::string& name, std::size_t last) const {
  std::vector<std::int32_t> values = indices(name, last + 1);
  require(!values.empty() && values.front() == 0 && std::is_sorted(values.begin(), values.end()) &&
              std::size_t(values.back()) == last,
          name, fmt::format("ascending from 0 to {}", last));
  return values;
}

void CheckedArrays::wrong(const std::string& name, const std::string& expected) const {
  throw InputError(fmt::format("{}: {}: must be {}", file_, name, expected));
}

NpyArray npy_matrices(const std::vector<JointTransform>& values) {
  std::vector<Eigen::Matrix<double, 3, 4, Eigen::RowMajor>> rows(values.begin(), values.end());
  return npy_array(reinterpret_cast<const double*>(rows.data()), rows.size() * 12, {rows.size(), 3, 4});
}

}  // namespace cutis
