#include "cutis/flesh/lattice/cut_tet.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cutis/core/disjoint_sets.h"
#include "cutis/flesh/lattice/inside_volume.h"
#include "cutis/flesh/lattice/touched_tets.h"

namespace cutis {
namespace {

constexpr int kSampleCount = TetSubdivision::kSamples;
// Of the length of a segment: nearer to its start it meets the triangle it starts on.
constexpr double kAtStart = 1e-9;

struct LocalFace {
  std::array<int, 3> v;
  std::array<Vec3, 3> x;
  Vec3 normal;  ///< outwards, not of unit length
};

/// An edge between two samples meets a face.
struct Hit {
  int edge;
  double place;  ///< along the edge, 0 to 1
  bool leaving;  ///< the body
  int face;
  bool operator<(const Hit& b) const {
    // Where two surfaces touch, the body is left before it is entered again: they stay apart.
    return std::tie(edge, place, b.leaving, face) < std::tie(b.edge, b.place, leaving, b.face);
  }
};

/// Whether the line from p to q passes to the left of the directed edge from a to b; both triangles at an
/// edge get the same number, so no line slips between them or meets both.
bool left_of(const Vec3& p, const Vec3& q, const LocalFace& face, std::size_t k) {
  const std::size_t l = (k + 1) % 3;
  const bool rising = face.v[k] < face.v[l];
  const Vec3 &a = face.x[rising ? k : l], &b = face.x[rising ? l : k];
  return ((q - p).dot((a - p).cross(b - p)) >= 0) == rising;
}

bool line_meets(const Vec3& p, const Vec3& q, const LocalFace& face) {
  const bool first = left_of(p, q, face, 0);
  return first == left_of(p, q, face, 1) && first == left_of(p, q, face, 2);
}

/// Items are the samples, then the faces.
class TetCutter {
 public:
  TetCutter(const BccTet& tet, const std::array<BodySample, kSampleCount>& samples,
            std::span<const FaceId> faces, const CuttingSurface& surface)
      : tet_(tet), samples_(samples), sets_(at(kSampleCount) + faces.size()) {
    const TetSubdivision& table = TetSubdivision::table();
    for (int i = 0; i < kSampleCount; ++i) {
      places_[at(i)] = table.place(tet, i);
      x_[at(i)] = places_[at(i)].cast<double>() / TetSubdivision::kParts;
    }
    faces_.reserve(faces.size());
    for (FaceId f : faces) {
      const IndexTriangle& t = surface.triangles[f.index()];
      LocalFace face{{t[0], t[1], t[2]}, {}, {}};
      for (std::size_t k = 0; k < 3; ++k) face.x[k] = surface.points[at(t[k])];
      face.normal = (face.x[1] - face.x[0]).cross(face.x[2] - face.x[0]);
      faces_.push_back(face);
    }
  }

  CutTet cut() {
    find_hits();
    join_along_edges();
    join_neighbouring_faces();
    attach_loose_faces();
    return result();
  }

 private:
  const BccTet& tet_;
  const std::array<BodySample, kSampleCount>& samples_;
  std::array<LatticePoint, kSampleCount> places_;
  std::array<Vec3, kSampleCount> x_;
  std::vector<LocalFace> faces_;
  std::vector<Hit> hits_;
  DisjointSets sets_;

  std::size_t face_item(int face) const { return at(kSampleCount + face); }

  /// From the sample that comes first in the whole lattice: all tetrahedra at an edge run through it the same
  /// way, and find the same.
  std::array<int, 2> directed(const std::array<int, 2>& edge) const {
    const LatticePoint &p = places_[at(edge[0])], &q = places_[at(edge[1])];
    const bool ordered = std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
    return ordered ? edge : std::array<int, 2>{edge[1], edge[0]};
  }

  void find_hits() {
    const auto& edges = TetSubdivision::table().edges();
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const LocalFace& face = faces_[at(f)];
      std::array<double, kSampleCount> height;
      for (std::size_t i = 0; i < at(kSampleCount); ++i) height[i] = face.normal.dot(x_[i] - face.x[0]);
      for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        const auto& edge = edges[at(e)];
        if ((height[at(edge[0])] < 0) == (height[at(edge[1])] < 0)) continue;
        const auto [p, q] = directed(edge);
        if (!line_meets(x_[at(p)], x_[at(q)], face)) continue;
        const double hp = height[at(p)], hq = height[at(q)];
        hits_.push_back({e, hp / (hp - hq), hp < 0, f});
      }
    }
    std::sort(hits_.begin(), hits_.end());
  }

  void join_along_edges() {
    const auto& edges = TetSubdivision::table().edges();
    auto hit = hits_.begin();
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const auto first = hit;
      while (hit != hits_.end() && hit->edge == e) ++hit;
      join_along_edge(directed(edges[at(e)]), {first, hit});
    }
  }

  /// Follows an edge through the body: all that is met while inside is connected.
  void join_along_edge(const std::array<int, 2>& edge, std::span<const Hit> hits) {
    double winding = samples_[at(edge[0])].winding;
    std::size_t last = at(edge[0]);
    for (const Hit& hit : hits) {
      const std::size_t face = face_item(hit.face);
      if (winding > 0.5) sets_.join(last, face);
      winding += hit.leaving ? -1 : 1;
      last = face;
    }
    if (winding > 0.5 && samples_[at(edge[1])].inside()) sets_.join(last, at(edge[1]));
  }

  void join_neighbouring_faces() {
    struct Side {
      int low, high, face;
      auto edge() const { return std::pair(low, high); }
    };
    std::vector<Side> sides;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(faces_[at(f)].v[k], faces_[at(f)].v[(k + 1) % 3]);
        sides.push_back({low, high, f});
      }
    std::stable_sort(sides.begin(), sides.end(),
                     [](const Side& a, const Side& b) { return a.edge() < b.edge(); });
    for (std::size_t i = 1; i < sides.size(); ++i) {
      const Side &a = sides[i - 1], &b = sides[i];
      if (a.edge() != b.edge() || sets_.root(face_item(a.face)) == sets_.root(face_item(b.face))) continue;
      if (touches(tet_, corner(a.face, a.low), corner(a.face, a.high)))
        sets_.join(face_item(a.face), face_item(b.face));
    }
  }

  const Vec3& corner(int face, int vertex) const {
    const LocalFace& f = faces_[at(face)];
    return f.x[f.v[0] == vertex ? 0 : f.v[1] == vertex ? 1 : 2];
  }

  /// Faces that no edge between samples has met dip into the tetrahedron between them: they belong to what
  /// can be seen from them straight through the body.
  void attach_loose_faces() {
    std::vector<char> held(sets_size(), 0);
    for (int i = 0; i < kSampleCount; ++i)
      if (samples_[at(i)].inside()) held[sets_.root(at(i))] = 1;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const std::size_t root = sets_.root(face_item(f));
      if (held[root] || faces_[at(f)].normal.isZero(0)) continue;
      const std::size_t seen = seen_from(f);
      if (seen == face_item(f)) continue;
      const bool other_held = held[sets_.root(seen)];
      sets_.join(face_item(f), seen);
      held[sets_.root(seen)] = other_held;
    }
  }
  std::size_t sets_size() const { return at(kSampleCount) + faces_.size(); }

  /// The face behind this one, or the nearest sample in sight, or else the face itself.
  std::size_t seen_from(int f) const {
    const LocalFace& face = faces_[at(f)];
    const ClippedTriangle part = clipped(tet_, face.x);
    if (part.count == 0) return face_item(f);
    const Vec3 from = part.centre();
    // No point of a tetrahedron is further than two half cells from another.
    const int behind = first_met(f, from, from - 2 * face.normal.stableNormalized());
    if (behind >= 0 && faces_[at(behind)].normal.dot(face.normal) < 0 && in_tet(f, behind, from))
      return face_item(behind);
    int best = -1;
    double nearest = 0;
    for (int i = 0; i < kSampleCount; ++i) {
      const Vec3 way = x_[at(i)] - from;
      if (!samples_[at(i)].inside() || way.dot(face.normal) >= 0) continue;
      if (best >= 0 && way.squaredNorm() >= nearest) continue;
      if (first_met(f, from, x_[at(i)]) >= 0) continue;
      best = i;
      nearest = way.squaredNorm();
    }
    return best >= 0 ? at(best) : face_item(f);
  }

  /// The first face other than f that the segment meets, or -1.
  int first_met(int f, const Vec3& from, const Vec3& to) const {
    int met = -1;
    double nearest = 1;
    for (int g = 0; g < static_cast<int>(faces_.size()); ++g) {
      const LocalFace& face = faces_[at(g)];
      const double a = face.normal.dot(from - face.x[0]), b = face.normal.dot(to - face.x[0]);
      if (g == f || (a < 0) == (b < 0)) continue;
      const double place = a / (a - b);
      if (place <= kAtStart || place >= nearest || !line_meets(from, to, face)) continue;
      met = g;
      nearest = place;
    }
    return met;
  }

  /// Whether the segment inwards from a point of face f meets face g within the tetrahedron.
  bool in_tet(int f, int g, const Vec3& from) const {
    const Vec3 inwards = -faces_[at(f)].normal.stableNormalized();
    const LocalFace& other = faces_[at(g)];
    const double length = other.normal.dot(other.x[0] - from) / other.normal.dot(inwards);
    return tet_.barycentric(from + length * inwards).minCoeff() >= -kAtStart;
  }

  CutTet result() {
    CutTet cut;
    std::vector<int> number(sets_size(), -1);
    const auto part = [&](std::size_t item) {
      int& n = number[sets_.root(item)];
      return n >= 0 ? n : n = cut.parts++;
    };
    for (int i = 0; i < kSampleCount; ++i)
      cut.part_of_sample[at(i)] = samples_[at(i)].inside() ? part(at(i)) : -1;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) cut.part_of_face.push_back(part(face_item(f)));
    fill_parts(cut);
    return cut;
  }

  /// Each piece of the subdivision is shared by the parts that its inner corners belong to.
  void fill_parts(CutTet& cut) const {
    cut.fill.assign(at(cut.parts), 0);
    for (const auto& sub_tet : TetSubdivision::table().sub_tets()) {
      Vec4 distance;
      int inside = 0;
      for (int k = 0; k < 4; ++k) {
        const BodySample& sample = samples_[at(sub_tet[at(k)])];
        distance[k] = sample.inside() ? -std::abs(sample.distance) : std::abs(sample.distance);
        inside += sample.inside();
      }
      if (inside == 0) continue;
      const double share = negative_part(distance).share / (inside * TetSubdivision::kSubTets);
      for (int corner : sub_tet)
        if (const int part = cut.part_of_sample[at(corner)]; part >= 0) cut.fill[at(part)] += share;
    }
  }
};

}  // namespace

CutTet full_tet() {
  CutTet cut;
  cut.parts = 1;
  cut.part_of_sample.fill(0);
  cut.fill = {1.0};
  return cut;
}

CutTet cut_tet(const BccTet& tet, const std::array<BodySample, kSampleCount>& samples,
               std::span<const FaceId> faces, const CuttingSurface& surface) {
  return TetCutter(tet, samples, faces, surface).cut();
}

}  // namespace cutis
