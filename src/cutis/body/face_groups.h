#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cutis {

/// Names that a file gives to the faces of a mesh: its materials, or the parts that it is made of. A face has
/// one of them or none.
struct FaceGroups {
  std::vector<std::string> names;  ///< each once
  std::vector<std::int32_t>
      of_face;  ///< of each source face its index in `names`, or -1; empty without names

  bool empty() const { return names.empty(); }
  bool operator==(const FaceGroups&) const = default;
  /// The index of a name, which is added where it is not there yet.
  std::int32_t number(const std::string& name);
  /// Appends the groups of a mesh whose `faces` faces follow the `faces_before` ones that are there; the same
  /// name is the same group.
  void append(const FaceGroups& of_next, std::size_t faces_before, std::size_t faces);
  /// How many faces each of `names` has.
  std::vector<std::size_t> counts() const;
};

}  // namespace cutis
