#include "cutis/body/body.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cutis/surface/mesh/repair_weld.h"

namespace cutis {

void Body::set_rest(SourceMesh rest, double weld_tolerance) {
  source_ = std::move(rest);
  weld_ = repaired_weld(
      cutis::weld(source_, weld_tolerance < 0 ? default_weld_tolerance(source_) : weld_tolerance));
}

std::optional<VertexAttribute> Body::attribute(const std::string& name) const {
  for (const VertexAttribute& attribute : attributes_)
    if (same_attribute(attribute.name, name)) return attribute;
  return std::nullopt;
}

std::vector<std::string> Body::attribute_names() const {
  std::vector<std::string> names;
  for (const VertexAttribute& attribute : attributes_) names.push_back(attribute.name);
  return names;
}

bool same_attribute(const std::string& a, const std::string& b) {
  const auto bare = [](const std::string& name) {
    return std::string_view(name).substr(name.starts_with('_') && name.size() > 1 ? 1 : 0);
  };
  return std::ranges::equal(
      bare(a), bare(b), [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<SkeletonJoint> Body::joints() const {
  const std::optional<Skeleton> rig = skeleton();
  return rig ? rig->joints : std::vector<SkeletonJoint>();
}

}  // namespace cutis
