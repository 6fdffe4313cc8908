#include "cutis/body/anatomy/parts_of_body.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/anatomy/body_parts.h"
#include "cutis/surface/mesh/vertex_components.h"

namespace cutis {
namespace {

constexpr std::array kLandmarkNames = {std::pair{LandmarkKind::Eye, "eyes"},
                                       std::pair{LandmarkKind::Nose, "nose"},
                                       std::pair{LandmarkKind::Lips, "lips"},
                                       std::pair{LandmarkKind::Ear, "ears"},
                                       std::pair{LandmarkKind::Navel, "navel"},
                                       std::pair{LandmarkKind::Nipple, "nipples"},
                                       std::pair{LandmarkKind::GlutealCleft, "gluteal cleft"},
                                       std::pair{LandmarkKind::Perineum, "perineum"},
                                       std::pair{LandmarkKind::Armpit, "armpits"},
                                       std::pair{LandmarkKind::ElbowCrease, "elbow creases"},
                                       std::pair{LandmarkKind::KneeCrease, "knee creases"},
                                       std::pair{LandmarkKind::Wrist, "wrists"}};

std::string singular(const std::string& plural) {
  if (plural == "feet") return "foot";
  return plural.ends_with('s') ? plural.substr(0, plural.size() - 1) : plural;
}

/// Above zero for what joints of the left move more than those of the right; 0 for a trunk.
IdVector<VertexId, double> leftness(const Body& body) {
  IdVector<VertexId, double> left(body.mesh().vertex_count(), 0);
  const std::optional<Skeleton> skeleton = body.skeleton();
  const std::vector<JointRole> roles = joint_roles(*skeleton);
  const Influences& w = skeleton->influences;
  for (SourceVertexId s : ids<SourceVertexId>(body.source().vertex_count()))
    for (auto k = w.offsets[s.index()]; k < w.offsets[s.index() + 1]; ++k) {
      const BodySide side = roles[w.joints[k]].side;
      left[body.weld().vertex_of[s]] += side == BodySide::Left    ? w.weights[k]
                                        : side == BodySide::Right ? -w.weights[k]
                                                                  : 0;
    }
  for (VertexId v : ids<VertexId>(left.size())) left[v] = left[body.weld().first(v)];
  return left;
}

/// Puts the parts together, each once and none without a vertex.
class PartList {
 public:
  explicit PartList(const Body& body) : points_(body.mesh().positions) {}

  void add(const std::string& name, std::vector<VertexId> vertices) {
    if (vertices.empty()) return;
    Vec3 mean = Vec3::Zero();
    for (VertexId v : vertices) mean += points_[v] / static_cast<double>(vertices.size());
    const VertexId nearest = *std::ranges::min_element(
        vertices, {}, [&](VertexId v) { return (points_[v] - mean).squaredNorm(); });
    parts_.push_back({name, std::move(vertices), points_[nearest]});
  }
  /// With each side where both are there.
  void add_with_sides(const std::string& name, const std::vector<VertexId>& vertices,
                      const IdVector<VertexId, double>& leftness) {
    std::vector<VertexId> left, right;
    for (VertexId v : vertices) {
      if (leftness[v] > 0) left.push_back(v);
      if (leftness[v] < 0) right.push_back(v);
    }
    add(name, vertices);
    if (left.empty() || right.empty()) return;
    add("left " + singular(name), std::move(left));
    add("right " + singular(name), std::move(right));
  }
  std::vector<PartOfBody> take() { return std::move(parts_); }

 private:
  const Points& points_;
  std::vector<PartOfBody> parts_;
};

/// The front half of the head, from its front to its back, below the forehead: the upper third of what is
/// above the nose is left out where the nose is known.
std::vector<VertexId> face_of(const std::vector<VertexId>& head, const Points& points,
                              const Anatomy& anatomy) {
  constexpr double kForehead = 2.0 / 3;
  double front = -std::numeric_limits<double>::infinity(), back = -front, top = front;
  for (VertexId v : head) {
    front = std::max(front, points[v].dot(anatomy.front));
    back = std::min(back, points[v].dot(anatomy.front));
    top = std::max(top, points[v].dot(anatomy.up));
  }
  double forehead = top;
  for (const Landmark& mark : anatomy.landmarks)
    if (mark.kind == LandmarkKind::Nose) {
      const double nose = mark.from.dot(anatomy.up);
      forehead = nose + kForehead * (top - nose);
    }
  std::vector<VertexId> face;
  for (VertexId v : head)
    if (points[v].dot(anatomy.front) > 0.5 * (front + back) && points[v].dot(anatomy.up) <= forehead)
      face.push_back(v);
  return face;
}

/// The largest nearness of a landmark of this kind and side.
double nearness(LandmarkKind kind, BodySide side, const Vec3& p, const Anatomy& anatomy) {
  double most = 0;
  for (const Landmark& mark : anatomy.landmarks)
    if (mark.kind == kind && mark.side == side) most = std::max(most, mark.nearness(p));
  return most;
}

void add_landmarks(const Points& points, const Anatomy& anatomy, PartList& list) {
  constexpr double kNear = 0.5;
  for (const auto& [kind, name] : kLandmarkNames) {
    IdVector<VertexId, double> side(points.size(), 0);
    std::vector<VertexId> near;
    for (VertexId v : ids<VertexId>(points.size())) {
      const double left = nearness(kind, BodySide::Left, points[v], anatomy),
                   right = nearness(kind, BodySide::Right, points[v], anatomy),
                   middle = nearness(kind, BodySide::Middle, points[v], anatomy);
      if (std::max({left, right, middle}) <= kNear) continue;
      near.push_back(v);
      side[v] = left - right;
    }
    list.add_with_sides(name, near, side);
  }
}

void add_anatomy(const Body& body, const Anatomy& anatomy, PartList& list) {
  const Points& points = body.mesh().positions;
  const IdVector<VertexId, double> left = leftness(body);
  const BodyParts parts = body_parts(body);
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    std::vector<VertexId> vertices;
    for (VertexId v : ids<VertexId>(points.size()))
      if (parts.part_of[v] == static_cast<int>(i)) vertices.push_back(v);
    if (parts.names[i] == "head") {
      const std::vector<VertexId> face = face_of(vertices, points, anatomy);
      list.add("head", std::move(vertices));
      list.add("face", face);
    } else if (parts.names[i].ends_with('s') || parts.names[i] == "feet") {
      list.add_with_sides(parts.names[i], vertices, left);
    } else {
      list.add(parts.names[i], std::move(vertices));
    }
  }
  add_landmarks(points, anatomy, list);
}

/// The connected pieces, by falling numbers of faces; equally large ones by their first faces.
void add_pieces(const Body& body, PartList& list) {
  constexpr std::size_t kMostPieces = 64;
  const Mesh& mesh = body.mesh();
  std::vector<std::vector<VertexId>> pieces = vertex_components(mesh);
  IdVector<VertexId, std::size_t> piece_of(mesh.vertex_count(), 0);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (VertexId v : pieces[i]) piece_of[v] = i;
  std::vector<std::size_t> faces(pieces.size(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count())) ++faces[piece_of[mesh.face(f)[0]]];
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (faces[i] > 0) order.push_back(i);
  if (order.size() < 2) return;
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return faces[i]; });
  for (std::size_t i = 0; i < std::min(order.size(), kMostPieces); ++i)
    list.add(fmt::format("piece {}", i + 1), std::move(pieces[order[i]]));
}

}  // namespace

std::vector<PartOfBody> parts_of_body(const Body& body) {
  PartList list(body);
  if (const std::optional<Anatomy> anatomy = read_parts(body)) add_anatomy(body, *anatomy, list);
  add_pieces(body, list);
  return list.take();
}

}  // namespace cutis
