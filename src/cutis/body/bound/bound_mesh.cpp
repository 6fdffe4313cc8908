#include "cutis/body/bound/bound_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cutis/body/bound/rigid_motion.h"
#include "cutis/body/not_skin.h"
#include "cutis/core/cubic_step.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/vertex_components.h"

namespace cutis {
namespace {

/// What is no further from the skin at rest lies on it [m]; up to ten times as far it does so in part.
constexpr double kLies = 1e-4;
/// Over the size of the skin: what is nearer follows it in full, what is further than the second follows the
/// animation alone.
constexpr double kFollows = 0.05, kIsFree = 0.2;
/// A place is displaced and turned as the skin within its distance to the vertex is, by no more vertices than
/// these, and no more than this share of the skin's size around.
constexpr std::size_t kMostNear = 48;
constexpr double kWidestNear = 0.05;
/// Weights that differ by less are the same: those of files are rounded, at worst to eighths of a byte.
constexpr double kSameWeight = 1e-3;

double lies(double distance) { return 1 - cubic_step(kLies, 10 * kLies, distance); }

/// The vertices that each vertex shares a triangle with.
class Neighbours {
 public:
  explicit Neighbours(const Mesh& triangles) : of_(triangles.vertex_count()) {
    for (FaceId f : ids<FaceId>(triangles.face_count())) {
      const auto corners = triangles.face(f);
      for (VertexId a : corners)
        for (VertexId b : corners)
          if (a != b && std::ranges::find(of_[a], b) == of_[a].end()) of_[a].push_back(b);
    }
  }
  const std::vector<VertexId>& of(VertexId v) const { return of_[v]; }

 private:
  IdVector<VertexId, std::vector<VertexId>> of_;
};

/// Over the edges of the surface from the corners of a face, so that what lies near but belongs to another
/// part (the other lip) is not among them. The corners come first.
std::vector<VertexId> vertices_around(const Mesh& triangles, const Neighbours& neighbours, FaceId face,
                                      const Vec3& centre, double radius) {
  const auto corners = triangles.face(face);
  std::vector<VertexId> found(corners.begin(), corners.end());
  for (std::size_t i = 0; i < found.size() && found.size() < kMostNear; ++i)
    for (VertexId next : neighbours.of(found[i]))
      if (found.size() < kMostNear && (triangles.positions[next] - centre).norm() < radius &&
          std::ranges::find(found, next) == found.end())
        found.push_back(next);
  return found;
}

double mean_edge(const Mesh& triangles, FaceId face) {
  const auto c = triangles.face(face);
  const Points& x = triangles.positions;
  return ((x[c[0]] - x[c[1]]).norm() + (x[c[1]] - x[c[2]]).norm() + (x[c[2]] - x[c[0]]).norm()) / 3;
}

/// The shares of the vertices around a place in a Gaussian of this width; the face's corners come first.
std::vector<std::pair<VertexId, double>> shares_around(const Mesh& triangles, const Neighbours& neighbours,
                                                       FaceId face, const Vec3& centre, double width) {
  std::vector<std::pair<VertexId, double>> shares;
  double sum = 0;
  for (VertexId v : vertices_around(triangles, neighbours, face, centre, 2 * width)) {
    shares.emplace_back(v, std::exp(-(triangles.positions[v] - centre).squaredNorm() / (width * width)));
    sum += shares.back().second;
  }
  for (auto& [v, share] : shares) share /= sum;
  return shares;
}

/// The joints that move a vertex, by rising number, and how much.
using Weights = std::map<int, double>;

IdVector<VertexId, Weights> joint_weights_of(const Body& body) {
  IdVector<VertexId, Weights> weights(body.mesh().vertex_count());
  const std::optional<Skeleton> skeleton = body.skeleton();
  if (!skeleton) return weights;  // it hangs on a node: all of it moves alike
  const Influences& w = skeleton->influences;
  for (VertexId v : ids<VertexId>(weights.size())) {
    const std::size_t s = body.weld().representative[body.weld().first(v)].index();
    for (auto k = w.offsets[s]; k < w.offsets[s + 1]; ++k) weights[v][w.joints[k]] += w.weights[k];
  }
  return weights;
}

bool same_weights(const Weights& a, const Weights& b) {
  double difference = 0;
  for (const auto& [joint, weight] : a) {
    const auto other = b.find(joint);
    difference = std::max(difference, std::abs(weight - (other == b.end() ? 0 : other->second)));
  }
  for (const auto& [joint, weight] : b)
    if (!a.contains(joint)) difference = std::max(difference, weight);
  return difference < kSameWeight;
}

}  // namespace

BoundMesh::BoundMesh(const Body& skin, std::unique_ptr<const Body> mesh, std::string name)
    : skin_(skin), mesh_(std::move(mesh)), name_(std::move(name)) {
  size_ = bounding_diagonal(skin_.mesh().positions.raw());
  bind_places();
  find_pieces();
}

double BoundMesh::follows(double distance) const {
  return 1 - cubic_step(kFollows * size_, kIsFree * size_, distance);
}

void BoundMesh::bind_places() {
  const Mesh& triangles = skin_.triangles().mesh;
  const Points& rest = mesh_->mesh().positions;
  const Neighbours neighbours(triangles);
  const ClosestPointTree closest(triangles);
  std::vector<ClosestPoint> found(rest.size());
  closest(rest.raw(), found);
  places_ = IdVector<VertexId, Place>(rest.size());
  for (VertexId v : ids<VertexId>(rest.size())) {
    Place& place = places_[v];
    place.point = found[v.index()].point;
    place.distance = std::sqrt(found[v.index()].distance_squared);
    place.at_rest = interpolate(triangles, triangles.positions, place.point);
    // A Gaussian of the width at which the mesh itself, or the distance, does not tell details apart.
    const double edge = mean_edge(triangles, place.point.face),
                 width = std::max(edge, std::clamp(place.distance, 1e-9 * size_, kWidestNear * size_));
    const double smoothed = cubic_step(kLies, std::max(edge, 2 * kLies), place.distance);
    place.first = near_.size();
    for (const auto& [near, share] :
         shares_around(triangles, neighbours, place.point.face, place.at_rest, width)) {
      const std::size_t corner = near_.size() - place.first;
      const double flat = corner < 3 ? place.point.barycentric[static_cast<int>(corner)] : 0;
      near_.push_back({near, smoothed * share + (1 - smoothed) * flat, share});
    }
    place.last = near_.size();
  }
}

void BoundMesh::find_pieces() {
  const NamedAs named = named_as(name_);
  if (named == NamedAs::Soft) return;
  const IdVector<VertexId, Weights> weights = joint_weights_of(*mesh_);
  const std::vector<IdVector<VertexId, double>> shapes = mesh_->shape_lengths();
  const auto moves_whole = [&](const std::vector<VertexId>& vertices) {
    return std::ranges::all_of(vertices, [&](VertexId v) {
      return same_weights(weights[v], weights[vertices.front()]) &&
             std::ranges::all_of(shapes, [&](const auto& lengths) { return lengths[v] == 0; });
    });
  };
  std::vector<Weights> weights_of;  // of each piece; those that move alike are one: teeth of one jaw
  for (const std::vector<VertexId>& component : vertex_components(mesh_->mesh())) {
    const bool whole = moves_whole(component);
    const auto on_skin =
        std::ranges::count_if(component, [&](VertexId v) { return places_[v].distance <= kLies; });
    const bool lies_on_it = 2 * on_skin > static_cast<std::ptrdiff_t>(component.size());
    if (named != NamedAs::Rigid && (!whole || lies_on_it)) continue;
    const Weights& moved_by = weights[component.front()];
    const auto alike = std::ranges::find_if(
        weights_of, [&](const Weights& other) { return whole && same_weights(moved_by, other); });
    const auto piece = static_cast<std::size_t>(alike - weights_of.begin());
    if (alike == weights_of.end()) {
      pieces_.emplace_back().as_at_rest = !whole;
      // No other piece is like one that bends.
      weights_of.push_back(whole ? moved_by : Weights{{-1, 2.0}});
    }
    std::vector<VertexId>& vertices = pieces_[piece].vertices;
    vertices.insert(vertices.end(), component.begin(), component.end());
  }
  for (Piece& piece : pieces_) weigh(piece);
}

/// Where it meets the skin decides: roots, not tips.
void BoundMesh::weigh(Piece& piece) const {
  std::vector<Vec3> points;
  double least = INFINITY, reach = 0;
  for (VertexId v : piece.vertices) {
    points.push_back(mesh_->mesh().positions[v]);
    least = std::min(least, places_[v].distance);
    reach = std::max(reach, mean_edge(skin_.triangles().mesh, places_[v].point.face));
  }
  reach = std::max(reach, bounding_diagonal(points) / 8);
  for (VertexId v : piece.vertices) {
    const double further = (places_[v].distance - least) / reach;
    piece.weights.push_back(std::exp(-further * further));
  }
}

Vec3 BoundMesh::carried_place(VertexId v, const Vec3& animated_place, const Points& animated,
                              const Points& carried) const {
  const Place& place = places_[v];
  const Points& rest = skin_.mesh().positions;
  std::vector<Vec3> at_rest, before, after;
  std::vector<double> turns;
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  for (std::size_t i = place.first; i < place.last; ++i) {
    const Near& near = near_[i];
    at_rest.push_back(rest[near.vertex]);
    before.push_back(animated[near.vertex]);
    after.push_back(carried[near.vertex]);
    turns.push_back(near.turns);
    from += near.displaces * animated[near.vertex];
    to += near.displaces * carried[near.vertex];
  }
  Vec3 p = animated_place;
  if (const double on_skin = lies(place.distance); on_skin > 0) {
    // Joint weights of its own may carry it off the skin that it lies on.
    const Mat3 turn = fit_rigid_motion(at_rest, before, turns).rotation;
    const Vec3 on_place = interpolate(skin_.triangles().mesh, animated, place.point) +
                          turn * (mesh_->mesh().positions[v] - place.at_rest);
    p += on_skin * (on_place - p);
  }
  const Mat3 turn = fit_rigid_motion(before, after, turns).rotation;
  return p + follows(place.distance) * (to + turn * (p - from) - p);
}

void BoundMesh::move_pieces(const Points& animated_mesh, Points& moved) const {
  for (const Piece& piece : pieces_) {
    const Points& shape = piece.as_at_rest ? mesh_->mesh().positions : animated_mesh;
    std::vector<Vec3> from, to;
    for (VertexId v : piece.vertices) {
      from.push_back(shape[v]);
      to.push_back(moved[v]);
    }
    const RigidMotion motion = fit_rigid_motion(from, to, piece.weights);
    for (VertexId v : piece.vertices) moved[v] = motion(shape[v]);
  }
}

SourcePoints BoundMesh::positions(const Points& animated, const Points& carried, double time) const {
  SourcePoints points = mesh_->source_positions(time);
  const Points before = mesh_->weld().gather(points);
  Points moved(before.size());
  parallel_for(
      moved.size(),
      [&](std::size_t i) {
        moved[VertexId(i)] = carried_place(VertexId(i), before[VertexId(i)], animated, carried);
      },
      64);
  move_pieces(before, moved);
  // Seams that the animation opens stay as open.
  for (SourceVertexId s : ids<SourceVertexId>(points.size())) {
    const VertexId v = mesh_->weld().vertex_of[s];
    points[s] += moved[v] - before[v];
  }
  return points;
}

IdVector<SourceVertexId, double> BoundMesh::distances() const {
  IdVector<SourceVertexId, double> distances(mesh_->source().vertex_count());
  for (SourceVertexId s : ids<SourceVertexId>(distances.size()))
    distances[s] = places_[mesh_->weld().vertex_of[s]].distance;
  return distances;
}

}  // namespace cutis
