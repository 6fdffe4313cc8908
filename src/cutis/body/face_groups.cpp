#include "cutis/body/face_groups.h"

#include <algorithm>

namespace cutis {

std::int32_t FaceGroups::number(const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::int32_t>(found - names.begin());
  names.push_back(name);
  return static_cast<std::int32_t>(names.size() - 1);
}

void FaceGroups::append(const FaceGroups& of_next, std::size_t faces_before, std::size_t faces) {
  if (empty() && of_next.empty()) return;
  of_face.resize(faces_before, -1);
  std::vector<std::int32_t> numbers;
  for (const std::string& name : of_next.names) numbers.push_back(number(name));
  for (std::int32_t group : of_next.of_face) of_face.push_back(group < 0 ? -1 : numbers[group]);
  of_face.resize(faces_before + faces, -1);
}

std::vector<std::size_t> FaceGroups::counts() const {
  std::vector<std::size_t> counts(names.size(), 0);
  for (std::int32_t group : of_face)
    if (group >= 0) ++counts[group];
  return counts;
}

}  // namespace cutis
