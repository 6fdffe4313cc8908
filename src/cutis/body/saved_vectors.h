#pragma once

#include <string>

#include "cutis/body/simulation_stage.h"

namespace cutis {

/// Vectors in what a stage remembers, three numbers each.
template <class I>
void save_vectors(const IdVector<I, Vec3>& vectors, const std::string& name, State& state) {
  std::vector<double>& numbers = state.numbers[name];
  for (const Vec3& x : vectors) numbers.insert(numbers.end(), x.begin(), x.end());
}

template <class I>
IdVector<I, Vec3> saved_vectors(const State& state, const std::string& name) {
  const std::vector<double>& numbers = state.numbers.at(name);
  IdVector<I, Vec3> out;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    out.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return out;
}

/// Matrices, nine numbers each.
inline std::vector<double> numbers_of(const std::vector<Mat3>& matrices) {
  std::vector<double> out;
  out.reserve(9 * matrices.size());
  for (const Mat3& m : matrices) out.insert(out.end(), m.data(), m.data() + 9);
  return out;
}

inline std::vector<Mat3> matrices_of(const std::vector<double>& numbers) {
  std::vector<Mat3> out(numbers.size() / 9);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Eigen::Map<const Mat3>(numbers.data() + 9 * i);
  return out;
}

}  // namespace cutis
