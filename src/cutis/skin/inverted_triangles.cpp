#include "cutis/skin/inverted_triangles.h"

#include <algorithm>
#include <limits>

#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"

namespace cutis {
namespace {

/// The sum of the unit normals at the corners of a triangle on a smooth place is longer than this. In a
/// crease they say nothing of the triangle between them.
constexpr double kNormalsAgree = 2;
/// Rounds of means, and then of means that are halved: at last a thousandth is left.
constexpr int kMeans = 10, kHalvings = 10;

}  // namespace

void turn_in_rounds(const std::function<std::vector<VertexId>()>& corners,
                    const std::function<void(const std::vector<VertexId>&, double share)>& move) {
  for (int round = 0;; ++round) {
    const std::vector<VertexId> inverted = corners();
    if (inverted.empty() || round == kMeans + kHalvings) return;
    move(inverted, round < kMeans ? 1 : 0.5);
  }
}

SurfacePoint mean_slide(const Surface& rest, VertexId v, const SkinPoints& points, double share) {
  const Topology& t = rest.topology();
  const auto slide = [&](VertexId w) -> Vec3 { return rest.position(points[w]) - rest.positions()[w]; };
  Vec3 sum = slide(v);
  double count = 1;
  const HalfedgeId first = t.halfedge(v);
  HalfedgeId h = first;
  do {
    sum += slide(t.to(h));
    ++count;
    h = t.rotate(h);
  } while (h != first);
  const Vec3 place = rest.positions()[v] + share / count * sum;
  // No rings: near a fold, such as lids, these would reach the other sheet.
  return closest_point_local(rest.topology(), rest.positions(), rest.point(v), place, LocalSearch{0}).point;
}

InvertedTriangles::InvertedTriangles(const Surface& rest, const Points& body)
    : rest_(rest), normals_(angle_weighted_normals(rest.mesh(), body)), folded_(rest.mesh().face_count(), 0) {
  for (Vec3& n : normals_) n.stableNormalize();
  parallel_for(folded_.size(), [&](std::size_t i) {
    const auto c = rest_.mesh().face(FaceId(i));
    folded_[FaceId(i)] = is_inverted(FaceId(i), body, {normals_[c[0]], normals_[c[1]], normals_[c[2]]});
  });
}

bool InvertedTriangles::is_inverted(FaceId f, const Points& x, const std::array<Vec3, 3>& normals) const {
  const auto c = rest_.mesh().face(f);
  const Vec3 outwards = normals[0] + normals[1] + normals[2];
  return outwards.norm() > kNormalsAgree && (x[c[1]] - x[c[0]]).cross(x[c[2]] - x[c[0]]).dot(outwards) < 0;
}

std::vector<FaceId> InvertedTriangles::find(const SkinPoints& points, const Points& skin) const {
  std::vector<char> inverted(folded_.size(), 0);
  const auto normal = [&](VertexId v) -> Vec3 {
    return points[v].face.valid() ? interpolate(rest_.mesh(), normals_, points[v]).stableNormalized()
                                  : normals_[v];
  };
  parallel_for(inverted.size(), [&](std::size_t i) {
    const auto c = rest_.mesh().face(FaceId(i));
    inverted[i] =
        !folded_[FaceId(i)] && is_inverted(FaceId(i), skin, {normal(c[0]), normal(c[1]), normal(c[2])});
  });
  std::vector<FaceId> out;
  for (std::size_t i = 0; i < inverted.size(); ++i)
    if (inverted[i]) out.push_back(FaceId(i));
  return out;
}

bool InvertedTriangles::turn(const std::function<SurfacePoint(VertexId, const SurfacePoint&)>& moved,
                             const std::function<Vec3(VertexId, const SurfacePoint&)>& position,
                             SkinPoints& points, Points skin) const {
  SkinPoints best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), before = 0;
  const auto corners = [&] {
    const std::vector<FaceId> inverted = find(points, skin);
    if (best.empty()) before = inverted.size();
    if (inverted.size() < fewest) {
      fewest = inverted.size();
      best = points;
    }
    std::vector<VertexId> out;
    for (FaceId f : inverted)
      for (VertexId v : rest_.mesh().face(f)) out.push_back(v);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  };
  turn_in_rounds(corners, [&](const std::vector<VertexId>& all, double share) {
    std::vector<SurfacePoint> next(all.size());
    parallel_for(all.size(),
                 [&](std::size_t i) { next[i] = moved(all[i], mean_slide(rest_, all[i], points, share)); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      points[all[i]] = next[i];
      skin[all[i]] = position(all[i], next[i]);
    }
  });
  points = std::move(best);
  return fewest < before;
}

}  // namespace cutis
