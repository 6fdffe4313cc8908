#include "cutis/body/anatomy/body_parts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cutis {
namespace {

using enum HumanJoint;

struct NamedPart {
  const char* name;
  std::vector<HumanJoint> joints;
};

const std::vector<NamedPart>& named_parts() {
  static const std::vector<NamedPart> parts = {
      {"head", {Head, Jaw, Eye, Nose, Lip, Ear}},
      {"neck", {Neck}},
      {"trunk", {Pelvis, Spine, Chest, Breast, Clavicle}},
      {"upper arms", {UpperArm}},
      {"forearms", {Forearm}},
      {"hands", {Hand, Thumb, Finger}},
      {"thighs", {Thigh}},
      {"shins", {Shin}},
      {"feet", {Foot, Toe}},
      {"tail", {Tail}},
      {"other", {Other}},
  };
  return parts;
}

std::size_t largest_part(const Anatomy& anatomy, VertexId v) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < named_parts().size(); ++i) {
    double share = 0;
    for (HumanJoint joint : named_parts()[i].joints) share += anatomy.share(v, joint);
    if (share > most) most = share, best = i;
  }
  return best;
}

}  // namespace

std::optional<Anatomy> read_parts(const Body& body) {
  constexpr double kLeastHead = 0.05;
  auto anatomy = read_anatomy(body);
  if (!anatomy) return anatomy;
  double head = 0, neck = 0;
  for (VertexId v : ids<VertexId>(anatomy->shares.size())) {
    for (HumanJoint joint : named_parts()[0].joints) head += anatomy->share(v, joint);
    neck += anatomy->share(v, Neck);
  }
  if (head < kLeastHead * neck)
    for (auto& row : anatomy->shares)
      row[static_cast<std::size_t>(Head)] += std::exchange(row[static_cast<std::size_t>(Neck)], 0.0);
  return anatomy;
}

BodyParts body_parts(const Body& body) {
  const std::size_t count = body.mesh().vertex_count();
  const auto anatomy = read_parts(body);
  if (!anatomy) return {{"body"}, IdVector<VertexId, int>(count, 0)};
  BodyParts out{{}, IdVector<VertexId, int>(count, 0)};
  std::vector<int> number(named_parts().size(), -1);
  IdVector<VertexId, std::size_t> part(count, 0);
  for (VertexId v : ids<VertexId>(count)) part[v] = largest_part(*anatomy, v), number[part[v]] = 0;
  for (std::size_t i = 0; i < number.size(); ++i)
    if (number[i] == 0) {
      number[i] = static_cast<int>(out.names.size());
      out.names.emplace_back(named_parts()[i].name);
    }
  for (VertexId v : ids<VertexId>(count)) out.part_of[v] = number[part[v]];
  return out;
}

}  // namespace cutis
