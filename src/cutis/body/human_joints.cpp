#include "cutis/body/human_joints.h"

#include <array>
#include <cctype>

namespace cutis {
namespace {

/// One convention: a pattern of lower-case letters and digits for each joint; S stands for the side.
struct Convention {
  std::array<const char*, 2> sides;  ///< left, right
  std::array<const char*, 10> names;
};

constexpr std::array<const char*, 10> kJoints{"pelvis", "neck", "head",  "Sshoulder", "Selbow",
                                              "Swrist", "Ship", "Sknee", "Sankle",    "Stoes"};
constexpr std::array kConventions{
    Convention{
        {"left", "right"},  // Cutis
        {"pelvis", "neck", "head", "Supperarm", "Sforearm", "Shand", "Sthigh", "Sshin", "Sfoot", "Stoes"}},
    Convention{{"left", "right"},  // Mixamo, and CMU's skeletons as MakeHuman has them
               {"hips", "neck", "head", "Sarm", "Sforearm", "Shand", "Supleg", "Sleg", "Sfoot", "Stoebase"}},
    Convention{{"l", "r"},  // MakeHuman's own
               {"root", "neck01", "head", "upperarm01S", "lowerarm01S", "wristS", "upperleg01S",
                "lowerleg01S", "footS", "toe21S"}},
    Convention{
        {"left", "right"},  // SMPL and its family
        {"pelvis", "neck", "head", "Sshoulder", "Selbow", "Swrist", "Ship", "Sknee", "Sankle", "Sfoot"}},
    Convention{
        {"l", "r"},  // SMPL as exported with short sides
        {"pelvis", "neck", "head", "Sshoulder", "Selbow", "Swrist", "Ship", "Sknee", "Sankle", "Sfoot"}},
    Convention{
        {"l", "r"},  // Unreal
        {"pelvis", "neck01", "head", "upperarmS", "lowerarmS", "handS", "thighS", "calfS", "footS", "ballS"}},
    Convention{{"l", "r"},  // Rigify
               {"spine", "spine004", "spine006", "upperarmS", "forearmS", "handS", "thighS", "shinS", "footS",
                "toeS"}},
};

/// Letters and digits only, in lower case, without what stands before a colon ("mixamorig:").
std::string plain(const std::string& name) {
  std::string out;
  for (char c : name.substr(name.rfind(':') == name.npos ? 0 : name.rfind(':') + 1))
    if (std::isalnum(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string with_side(const std::string& pattern, const std::string& side) {
  const std::size_t at = pattern.find('S');
  return at == pattern.npos ? pattern : pattern.substr(0, at) + side + pattern.substr(at + 1);
}

std::map<std::string, Vec3> found_by(const Convention& convention,
                                     const std::map<std::string, Vec3>& plain_joints) {
  std::map<std::string, Vec3> found;
  for (std::size_t i = 0; i < kJoints.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      const auto at = plain_joints.find(with_side(convention.names[i], convention.sides[k]));
      if (at != plain_joints.end())
        found.emplace(with_side(kJoints[i], k == 0 ? "left_" : "right_"), at->second);
    }
  return found;
}

}  // namespace

std::map<std::string, Vec3> human_joints(std::span<const RestJoint> joints) {
  std::map<std::string, Vec3> plain_joints, best;
  for (const RestJoint& joint : joints) plain_joints.emplace(plain(joint.name), joint.position);
  for (const Convention& convention : kConventions) {
    std::map<std::string, Vec3> found = found_by(convention, plain_joints);
    if (found.size() > best.size()) best = std::move(found);
  }
  return best;
}

}  // namespace cutis
