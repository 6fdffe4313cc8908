#pragma once

#include <algorithm>
#include <vector>

namespace cutis {

/// What is keyed over time: straight lines between the keys, still before and after them. `times` rise [s];
/// there are as many values, at least one.
template <class T>
T keyed_value(const std::vector<double>& times, const std::vector<T>& values, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return values.front();
  if (after == times.end()) return values.back();
  const auto i = static_cast<std::size_t>(after - times.begin());
  const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
  return (1 - share) * values[i - 1] + share * values[i];
}

}  // namespace cutis
