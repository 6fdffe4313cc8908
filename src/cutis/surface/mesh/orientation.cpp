#include "cutis/surface/mesh/orientation.h"

namespace cutis {
namespace {

struct Link {
  FaceId other;
  bool agree;  ///< the two run opposite ways along their edge, as neighbours should
};

/// The links of each face over edges with exactly two faces.
std::vector<std::vector<Link>> links_of(const Mesh& mesh, const EdgeTable& edges) {
  std::vector<std::vector<Link>> links(mesh.face_count());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    if (sides.size() != 2 || sides[0].face == sides[1].face) continue;
    const bool agree = sides[0].forward != sides[1].forward;
    links[sides[0].face.index()].push_back({sides[1].face, agree});
    links[sides[1].face.index()].push_back({sides[0].face, agree});
  }
  return links;
}

}  // namespace

Orientation orientation(const Mesh& mesh, const EdgeTable& edges) {
  const auto links = links_of(mesh, edges);
  Orientation result;
  result.flip.assign(mesh.face_count(), 0);
  IdVector<FaceId, char> seen(mesh.face_count(), 0);
  std::vector<FaceId> patch;
  for (FaceId seed : ids<FaceId>(mesh.face_count())) {
    if (seen[seed]) continue;
    seen[seed] = 1;
    patch.assign(1, seed);
    std::size_t flipped = 0;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const FaceId f = patch[i];
      flipped += static_cast<std::size_t>(result.flip[f]);
      for (const Link& link : links[f.index()]) {
        if (seen[link.other]) continue;
        seen[link.other] = 1;
        result.flip[link.other] = link.agree ? result.flip[f] : !result.flip[f];
        patch.push_back(link.other);
      }
    }
    if (2 * flipped > patch.size())
      for (FaceId f : patch) result.flip[f] = !result.flip[f];
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto sides = edges[e];
    if (sides.size() != 2) continue;
    const bool first = sides[0].forward != bool(result.flip[sides[0].face]);
    const bool second = sides[1].forward != bool(result.flip[sides[1].face]);
    if (first == second) result.one_sided.push_back(e);
  }
  return result;
}

}  // namespace cutis
