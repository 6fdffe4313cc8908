#include "cutis/body/anatomy/human_bone_names.h"

namespace cutis {

std::vector<std::string> human_bone_names() {
  std::vector<std::string> names = {"trunk", "neck", "head"};
  for (const char* side : {"left_", "right_"})
    for (const char* part : {"upper_arm", "forearm", "hand", "thigh", "shin", "foot"})
      names.push_back(std::string(side) + part);
  return names;
}

}  // namespace cutis
