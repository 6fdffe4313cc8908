#include "cutis/body/anatomy/human_bones.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cutis {
namespace {

constexpr int kSlices = 192;  // of a bone and as much again before and behind it

int slice(double along) {
  return static_cast<int>(std::clamp((along + 1) / 3 * kSlices, 0.0, kSlices - 1.0));
}

/// Where the ray meets a triangle, in front of its origin (Moeller and Trumbore 1997); borders count.
struct TriangleHit {
  double distance;
  Vec3 barycentric;
};
std::optional<TriangleHit> hit_triangle(const Vec3& origin, const Vec3& direction, const Vec3& a,
                                        const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, p = direction.cross(ac);
  const double det = ab.dot(p);
  if (det == 0) return std::nullopt;
  const Vec3 from = origin - a, q = from.cross(ab);
  const double u = from.dot(p) / det, v = direction.dot(q) / det, t = ac.dot(q) / det;
  constexpr double slack = 1e-9;
  if (!(u >= -slack && v >= -slack && u + v <= 1 + slack && t >= 0)) return std::nullopt;
  const Vec3 weights = Vec3(1 - u - v, u, v).cwiseMax(0.0);
  return TriangleHit{t, weights / weights.sum()};
}

/// Builds the bones of one body.
class BoneBuilder {
 public:
  BoneBuilder(const std::map<std::string, Vec3>& joints, const Surface& surface)
      : joints_(joints), surface_(surface) {
    const auto hips = middle("hip"), shoulders = middle("shoulder");
    const auto low = hips ? hips : joint("pelvis"), high = shoulders ? shoulders : joint("neck");
    if (low && high && (*high - *low).norm() > 0) up_ = (*high - *low).normalized();
    for (const char* pair : {"hip", "shoulder"}) {
      const auto left = joint(std::string("left_") + pair), right = joint(std::string("right_") + pair);
      if (!left || !right) continue;
      const Vec3 across = (*left - *right) - (*left - *right).dot(up_) * up_;
      if (across.norm() > 0) left_ = across.normalized();
    }
    if (std::abs(left_.dot(up_)) > 0.1) left_ = up_.unitOrthogonal();
    front_ = left_.cross(up_);
    if (low && high) add("trunk", *low, *high, 1, front_, 0.75);
  }

  void add_limb(const std::string& side, int sign) {
    const auto shoulder = joint(side + "shoulder"), elbow = joint(side + "elbow"),
               wrist = joint(side + "wrist");
    const auto hip = joint(side + "hip"), knee = joint(side + "knee"), ankle = joint(side + "ankle"),
               toes = joint(side + "toes");
    if (shoulder && elbow) add(side + "upper_arm", *shoulder, *elbow, -sign, front_, 0.38);
    if (elbow && wrist) {
      add(side + "forearm", *elbow, *wrist, -sign, front_, 0.35);
      // Rigs differ in where fingers begin; a hand is about two thirds of the forearm long.
      add(side + "hand", *wrist, *wrist + 0.65 * (*wrist - *elbow), -sign, front_, 0.4);
    }
    if (hip && knee) add(side + "thigh", *hip, *knee, -sign, front_, 0.42);
    if (knee && ankle) add(side + "shin", *knee, *ankle, -sign, front_, 0.35);
    if (ankle && toes) add(side + "foot", *ankle, *toes, -sign, up_, 0.8);
  }

  void add_head() {
    const auto neck = joint("neck"), head = joint("head");
    if (neck && head) add("neck", *neck, *head, 1, front_, 1.3);
    if (!head) return;
    // From the joint to the top, then up to there from the height at which the face reaches furthest.
    const double longest = surface_.size();
    HumanBone whole = make(*head, *head + up_, 1, front_, longest);
    const auto top = exit(*head, up_, longest);
    if (!top) return;
    whole.to = *top;
    whole.reach = 1.2 * (whole.to - whole.from).norm();
    whole.outer = true;
    const BoneRays rays(surface_, whole);
    double nose = 0, furthest = -1;
    for (int i = 0; i <= 40; ++i) {
      const double along = i * 0.6 / 40;
      const SurfacePoint p = rays(along, 0);
      const double d = p.face.valid() ? (surface_.position(p) - whole.axis_point(along)).norm() : -1;
      if (d > furthest) furthest = d, nose = along;
    }
    whole.from = whole.axis_point(nose);
    bones.emplace("head", whole);
  }

  std::map<std::string, HumanBone> bones;

 private:
  const std::map<std::string, Vec3>& joints_;
  const Surface& surface_;
  Vec3 up_ = Vec3::UnitY(), left_ = Vec3::UnitX(), front_ = Vec3::UnitZ();

  std::optional<Vec3> joint(const std::string& name) const {
    const auto at = joints_.find(name);
    return at == joints_.end() ? std::nullopt : std::optional(at->second);
  }
  std::optional<Vec3> middle(const std::string& name) const {
    const auto left = joint("left_" + name), right = joint("right_" + name);
    return left && right ? std::optional<Vec3>((*left + *right) / 2) : std::nullopt;
  }
  /// `turn` +1 puts the side at axis x front, -1 against it.
  static HumanBone make(const Vec3& from, const Vec3& to, int turn, const Vec3& front, double reach) {
    HumanBone bone{from, to, front, front, reach, false};
    const Vec3 axis = (to - from).normalized();
    const Vec3 across = front - front.dot(axis) * axis;
    bone.front = across.norm() > 1e-6 ? Vec3(across.normalized()) : Vec3(axis.unitOrthogonal());
    bone.side = turn * axis.cross(bone.front);
    return bone;
  }
  void add(const std::string& name, const Vec3& from, const Vec3& to, int turn, const Vec3& front,
           double reach) {
    const double length = (to - from).norm();
    if (length > 1e-6 * surface_.size()) bones.emplace(name, make(from, to, turn, front, reach * length));
  }
  /// The furthest crossing of the surface along a ray.
  std::optional<Vec3> exit(const Vec3& origin, const Vec3& direction, double longest) const {
    double furthest = -1;
    for (FaceId f : ids<FaceId>(surface_.mesh().face_count())) {
      const auto v = surface_.mesh().face(f);
      const auto& x = surface_.positions();
      const auto hit = hit_triangle(origin, direction, x[v[0]], x[v[1]], x[v[2]]);
      if (hit && hit->distance < longest) furthest = std::max(furthest, hit->distance);
    }
    return furthest > 0 ? std::optional<Vec3>(origin + furthest * direction) : std::nullopt;
  }
};

}  // namespace

Vec2 HumanBone::coordinates(const Vec3& p) const {
  const Vec3 axis = to - from;
  return {(p - from).dot(axis) / axis.squaredNorm(), std::atan2((p - from).dot(side), (p - from).dot(front))};
}

Vec3 HumanBone::outwards(double angle) const { return std::cos(angle) * front + std::sin(angle) * side; }

double HumanBone::distance(const Vec3& p) const {
  return (p - axis_point(std::clamp(coordinates(p).x(), 0.0, 1.0))).norm();
}

std::map<std::string, HumanBone> human_bones(const std::map<std::string, Vec3>& joints,
                                             const Surface& surface) {
  BoneBuilder builder(joints, surface);
  builder.add_head();
  builder.add_limb("left_", 1);
  builder.add_limb("right_", -1);
  return std::move(builder.bones);
}

BoneRays::BoneRays(const Surface& surface, const HumanBone& bone)
    : surface_(surface), bone_(bone), slices_(kSlices) {
  for (FaceId f : ids<FaceId>(surface.mesh().face_count())) {
    double low = INFINITY, high = -INFINITY, nearest = INFINITY, size = 0;
    const Vec3& first = surface.positions()[surface.mesh().face(f)[0]];
    for (VertexId v : surface.mesh().face(f)) {
      const Vec3& p = surface.positions()[v];
      const double along = bone.coordinates(p).x();
      low = std::min(low, along);
      high = std::max(high, along);
      nearest = std::min(nearest, (p - bone.axis_point(along)).norm());
      size = std::max(size, (p - first).norm());
    }
    if (nearest > bone.reach + size || high < -1 || low > 2) continue;
    for (int k = slice(low); k <= slice(high); ++k) slices_[std::size_t(k)].push_back(f);
  }
}

SurfacePoint BoneRays::operator()(double along, double angle) const {
  const Vec3 origin = bone_.axis_point(along), direction = bone_.outwards(angle);
  SurfacePoint best;
  if (!(along >= -1 && along <= 2)) return best;
  double at = bone_.outer ? -1 : INFINITY;
  for (FaceId f : slices_[std::size_t(slice(along))]) {
    const auto v = surface_.mesh().face(f);
    const auto& x = surface_.positions();
    const auto hit = hit_triangle(origin, direction, x[v[0]], x[v[1]], x[v[2]]);
    if (!hit || hit->distance > bone_.reach) continue;
    if (bone_.outer ? hit->distance > at : hit->distance < at) {
      at = hit->distance;
      best = {f, hit->barycentric};
    }
  }
  return best;
}

}  // namespace cutis
