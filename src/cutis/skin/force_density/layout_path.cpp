#include "cutis/skin/force_density/layout_path.h"

#include <algorithm>
#include <cmath>

namespace cutis {
namespace {

constexpr int kMostPathSteps = 10000;

class Path {
 public:
  Path(const Mesh& mesh, const Topology& topology, const Layout& layout, VertexId from, const Vec2& target,
       double longest)
      : mesh_(mesh),
        topology_(topology),
        layout_(layout),
        origin_(layout[from]),
        target_(target),
        way_(target - origin_),
        longest_(longest) {
    const HalfedgeId home = topology.halfedge(from);
    path_.end = {topology.face(home), Vec3::Unit(corner(home))};
  }

  LayoutPath walk(VertexId from) {
    HalfedgeId side = first_side(from);
    for (int step = 0; side.valid() && step < kMostPathSteps; ++step) {
      const FaceId f = topology_.face(side);
      const Vec2 a = layout_[topology_.from(side)] - origin_, b = layout_[topology_.to(side)] - origin_;
      // The way passes between a on its right and b on its left. When that is beyond the target, the target
      // lies in this triangle.
      const double left = cross(way_, b), right = cross(way_, a);
      const double share = left > right ? std::clamp(-right / (left - right), 0.0, 1.0) : 0.5;
      if ((a + share * (b - a)).dot(way_) >= way_.squaredNorm()) {
        go_to(f, target_in(f));
        break;
      }
      Vec3 crossing = Vec3::Zero();
      crossing[corner(side)] = 1 - share;
      crossing[corner(topology_.next(side))] = share;
      if (!go_to(f, crossing)) break;
      side = beyond(side);
    }
    return path_;
  }

 private:
  const Mesh& mesh_;
  const Topology& topology_;
  const Layout& layout_;
  Vec2 origin_, target_, way_;
  double longest_;
  LayoutPath path_;

  static int corner(HalfedgeId h) { return h.value % 3; }

  /// The half-edge facing `from` in the triangle around it that the way leads into; invalid when it leads
  /// over a border or nowhere.
  HalfedgeId first_side(VertexId from) const {
    if (way_.squaredNorm() == 0) return {};
    for (HalfedgeId h = topology_.halfedge(from), start = h;;) {
      if (!topology_.is_border(h)) {
        const Vec2 b = layout_[topology_.to(h)] - origin_;
        const Vec2 c = layout_[topology_.from(topology_.prev(h))] - origin_;
        if (cross(b, c) > 0 && cross(b, way_) >= 0 && cross(way_, c) >= 0) return topology_.next(h);
      }
      h = topology_.rotate(h);
      if (h == start) return {};
    }
  }

  /// The side by which the way leaves the triangle beyond `side`.
  HalfedgeId beyond(HalfedgeId side) const {
    const HalfedgeId twin = topology_.twin(side);
    if (topology_.is_border(twin)) return {};
    const HalfedgeId next = topology_.next(twin), prev = topology_.prev(twin);
    const bool apex_left = cross(way_, layout_[topology_.from(prev)] - origin_) > 0;
    // The twin runs from left to right: next leads from the right corner to the apex.
    return apex_left ? next : prev;
  }

  Vec3 target_in(FaceId f) const {
    const auto face = mesh_.face(f);
    const Vec2 a = layout_[face[0]] - target_, b = layout_[face[1]] - target_, c = layout_[face[2]] - target_;
    const Vec3 area = Vec3(cross(b, c), cross(c, a), cross(a, b)).cwiseMax(0.0);
    return area.sum() > 0 ? Vec3(area / area.sum()) : Vec3::Constant(1.0 / 3);
  }

  /// Goes on to a point of this face; false when the way ends before.
  bool go_to(FaceId f, const Vec3& to) {
    const auto place = [&](const SurfacePoint& p) { return interpolate(mesh_, mesh_.positions, p); };
    const Vec3 begin = place(path_.end), end = place({f, to});
    const double length = (end - begin).norm();
    if (path_.length + length <= longest_) {
      path_.length += length;
      path_.end = {f, to};
      return true;
    }
    // The start of this piece as a point of this face: it lies on the side that was crossed.
    const Vec3 from = in_face(f, path_.end);
    const double share = (longest_ - path_.length) / length;
    path_.end = {f, from + share * (to - from)};
    path_.length = longest_;
    return false;
  }

  Vec3 in_face(FaceId f, const SurfacePoint& p) const {
    if (p.face == f) return p.barycentric;
    Vec3 result = Vec3::Zero();
    const auto face = mesh_.face(f), other = mesh_.face(p.face);
    for (int k = 0; k < 3; ++k)
      for (int o = 0; o < 3; ++o)
        if (face[static_cast<std::size_t>(k)] == other[static_cast<std::size_t>(o)])
          result[k] = p.barycentric[o];
    return result;
  }
};

}  // namespace

LayoutPath walk_layout(const Mesh& triangles, const Topology& topology, const Layout& layout, VertexId from,
                       const Vec2& target, double longest) {
  return Path(triangles, topology, layout, from, target, longest).walk(from);
}

}  // namespace cutis
