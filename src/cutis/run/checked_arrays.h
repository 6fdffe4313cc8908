#pragma once

#include <string>
#include <vector>

#include "cutis/body/rig/skeleton.h"
#include "cutis/core/types.h"
#include "cutis/io/array/npz.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {

/// Takes arrays out of a file and checks them on the way: each throws InputError naming file and array where
/// it is missing or of another kind.
class CheckedArrays {
 public:
  CheckedArrays(Npz arrays, std::string file) : arrays_(std::move(arrays)), file_(std::move(file)) {}

  bool has(const std::string& name) const { return arrays_.contains(name); }
  std::vector<std::string> names() const;

  /// Rows of N numbers up to largest_coordinate.
  template <int N>
  std::vector<Eigen::Matrix<double, N, 1>> take_vectors(const std::string& name) {
    const std::vector<double> values = take_rows(name, {N}, largest_coordinate);
    std::vector<Eigen::Matrix<double, N, 1>> result(values.size() / N);
    for (std::size_t i = 0; i < values.size(); ++i) result[i / N][static_cast<int>(i % N)] = values[i];
    return result;
  }
  std::vector<double> take_numbers(const std::string& name) {
    return take_rows(name, {}, largest_coordinate);
  }
  /// One row for each of so many vertices, of any numbers; `components` is how many a row has.
  std::vector<double> take_table(const std::string& name, std::size_t rows, std::size_t& components);
  /// So many of them, of finite numbers.
  std::vector<JointTransform> take_matrices(const std::string& name, std::size_t count);
  double take_number(const std::string& name);
  int take_frame_number(const std::string& name);  ///< at least 1
  Bytes take_bytes(const std::string& name);
  /// Whole numbers, in exactly that shape.
  std::vector<std::int32_t> take_integers(const std::string& name, const std::vector<std::size_t>& shape);
  std::string take_text(const std::string& name);
  /// Each in [0, limit). They stay in the file.
  std::vector<std::int32_t> indices(const std::string& name, std::size_t limit) const;
  /// Ascending from 0 to `last`; at least one. They stay in the file.
  std::vector<std::int32_t> offsets(const std::string& name, std::size_t last) const;

  [[noreturn]] void wrong(const std::string& name, const std::string& expected) const;
  void require(bool right, const std::string& name, const std::string& expected) const {
    if (!right) wrong(name, expected);
  }

  Npz rest() && { return std::move(arrays_); }

 private:
  Npz arrays_;
  std::string file_;

  /// All numbers of rows of this shape.
  std::vector<double> take_rows(const std::string& name, const std::vector<std::size_t>& row, double largest);
};

/// What take_vectors() and take_matrices() read.
template <int N>
NpyArray npy_vectors(const std::vector<Eigen::Matrix<double, N, 1>>& values) {
  return npy_array(reinterpret_cast<const double*>(values.data()), values.size() * N,
                   {values.size(), std::size_t(N)});
}
NpyArray npy_matrices(const std::vector<JointTransform>& values);

}  // namespace cutis
