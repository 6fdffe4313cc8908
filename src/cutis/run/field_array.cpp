#include "cutis/run/field_array.h"

namespace cutis {

NpyArray field_array(const FieldInfo& field, const std::vector<double>& values, FramePrecision precision) {
  const auto components = static_cast<std::size_t>(field.components);
  std::vector<std::size_t> shape = {values.size() / components};
  if (components > 1) shape.push_back(components);
  if (precision == FramePrecision::Float64) return npy_array(values.data(), values.size(), shape);
  const std::vector<float> rounded(values.begin(), values.end());
  return npy_array(rounded.data(), rounded.size(), shape);
}

}  // namespace cutis
