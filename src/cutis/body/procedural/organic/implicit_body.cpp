#include "cutis/body/procedural/organic/implicit_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutis {
namespace {

constexpr double kFar = 1e3;  // [m] away from everything

double distance_of(const ImplicitBody::Sample& s) { return s.distance; }

/// A distance together with the share each joint has in it.
struct Shared {
  double distance;
  std::vector<double> share;
};
double distance_of(const Shared& s) { return s.distance; }

void mix(ImplicitBody::Sample& a, const ImplicitBody::Sample& b, double t) {
  a.gradient = (1 - t) * a.gradient + t * b.gradient;
}
void mix(Shared& a, const Shared& b, double t) {
  for (std::size_t j = 0; j < a.share.size(); ++j) a.share[j] = (1 - t) * a.share[j] + t * b.share[j];
}

void negate(ImplicitBody::Sample& a) {
  a.distance = -a.distance;
  a.gradient = -a.gradient;
}
void negate(Shared& a) { a.distance = -a.distance; }

/// Quadratic smooth union: min(a, b) - k/4 h², h = max(0, 1 - |a - b| / k). It has an effect only where the
/// two are nearer to each other than k. Its derivatives by a and b sum to one: they are the shares.
template <class Value>
Value melt(Value a, const Value& b, double k) {
  const double da = distance_of(a), db = distance_of(b);
  const double h = k > 0 ? std::max(0.0, 1 - std::abs(da - db) / k) : 0.0;
  mix(a, b, da <= db ? h / 2 : 1 - h / 2);
  a.distance = std::min(da, db) - k / 4 * h * h;
  return a;
}

ImplicitBody::Sample as_value(const ImplicitBody::Sample& shape, int, const ImplicitBody::Sample&) {
  return shape;
}
Shared as_value(const ImplicitBody::Sample& shape, int joint, const Shared& like) {
  Shared result{shape.distance, std::vector<double>(like.share.size(), 0.0)};
  result.share[joint] = 1;
  return result;
}

}  // namespace

int ImplicitBody::add_part(const Vec3& from, const Vec3& to, const Vec3& seam) {
  parts_.push_back({from, to, seam});
  return static_cast<int>(parts_.size()) - 1;
}

int ImplicitBody::add_joint(const std::string& name, int parent, const Vec3& position, double softness,
                            int part) {
  joints_.push_back({name, parent, position, softness, part});
  branches_.emplace_back();
  const int joint = static_cast<int>(joints_.size()) - 1;
  if (parent >= 0) branches_[parent].children.push_back(joint);
  return joint;
}

void ImplicitBody::add_capsule(int joint, const Vec3& a, const Vec3& b, double radius_a, double radius_b,
                               double blend, const Vec3& wide, double factor) {
  Shape shape;
  shape.to_round = Mat3::Identity() + (1 / factor - 1) * wide * wide.transpose();
  shape.a = a;
  shape.axis = shape.to_round * (b - a);
  shape.radius_a = radius_a;
  shape.radius_b = radius_b;
  shape.blend = blend;
  shape.centre = 0.5 * (a + b);
  shape.reach = 0.5 * (b - a).norm() + std::max(radius_a, radius_b) * std::max(1.0, factor);
  shape.thickness = std::min(radius_a, radius_b) * std::min(1.0, factor);
  add_shape(joint, shape);
}

ImplicitBody::Shape ImplicitBody::ellipsoid(const Vec3& centre, const Vec3& radii, double blend,
                                            const Quat& turn) {
  Shape shape;
  shape.to_round = radii.cwiseInverse().asDiagonal() * turn.toRotationMatrix().transpose();
  shape.a = shape.centre = centre;
  shape.axis = Vec3::Zero();
  shape.radius_a = shape.radius_b = 1;
  shape.blend = blend;
  shape.reach = radii.maxCoeff();
  shape.thickness = kFar;  // a bump on something thicker
  return shape;
}

void ImplicitBody::add_ellipsoid(int joint, const Vec3& centre, const Vec3& radii, double blend,
                                 const Quat& turn) {
  add_shape(joint, ellipsoid(centre, radii, blend, turn));
}

void ImplicitBody::carve_ellipsoid(int joint, const Vec3& centre, const Vec3& radii, double blend,
                                   const Quat& turn) {
  Shape shape = ellipsoid(centre, radii, blend, turn);
  shape.hollow = true;
  add_shape(joint, shape);
}

void ImplicitBody::add_shape(int joint, const Shape& shape) {
  branches_[joint].shapes.push_back(shape);
  for (int j = joint; j >= 0; j = joints_[j].parent) {
    // The ball around two balls.
    Branch& branch = branches_[j];
    branch.blend = std::max(branch.blend, shape.blend);
    const Vec3 apart = shape.centre - branch.centre;
    const double distance = apart.norm();
    if (branch.reach == 0 || distance + branch.reach <= shape.reach) {
      branch.centre = shape.centre;
      branch.reach = shape.reach;
    } else if (distance + shape.reach > branch.reach) {
      const double reach = 0.5 * (distance + branch.reach + shape.reach);
      branch.centre += apart / distance * (reach - branch.reach);
      branch.reach = reach;
    }
  }
}

ImplicitBody::Sample ImplicitBody::sample_shape(const Shape& shape, const Vec3& p) {
  const Vec3 q = shape.to_round * (p - shape.a);
  const double length2 = shape.axis.squaredNorm();
  const double t = length2 > 0 ? std::clamp(q.dot(shape.axis) / length2, 0.0, 1.0) : 0.0;
  const Vec3 out = q - t * shape.axis;
  const double norm = std::max(out.norm(), 1e-12);
  const double round = norm - (shape.radius_a + t * (shape.radius_b - shape.radius_a));
  // Back in the body's space the gradient is to_roundᵀ n; dividing by its length makes the distance true to
  // first order.
  const Vec3 gradient = shape.to_round.transpose() * (out / norm);
  const double scale = std::max(gradient.norm(), 1e-12);
  return {round / scale, gradient / scale};
}

template <class Value>
Value ImplicitBody::evaluate(int joint, const Vec3& p, Value stem) const {
  const Branch& branch = branches_[joint];
  for (const Shape& shape : branch.shapes) {
    const double least = (p - shape.centre).norm() - shape.reach;
    if (least >= (shape.hollow ? -stem.distance : stem.distance) + shape.blend) continue;
    // What is left of a when b is taken away is the outside of b united with the outside of a.
    if (shape.hollow) negate(stem);
    const Value added = as_value(sample_shape(shape, p), joint, stem);
    stem = melt(std::move(stem), added, shape.blend);
    if (shape.hollow) negate(stem);
  }
  Value result = stem;
  for (int child : branch.children) {
    const Branch& below = branches_[child];
    // Too far away to change anything.
    if ((p - below.centre).norm() - below.reach >= stem.distance + below.blend) continue;
    Value grown = evaluate(child, p, stem);
    // Branches melt only where both have left the stem: where they are the stem, nothing may swell.
    const double left = stem.distance - std::max(result.distance, grown.distance);
    result = melt(std::move(result), grown, std::clamp(left, 0.0, web_));
  }
  return result;
}

ImplicitBody::Sample ImplicitBody::sample(const Vec3& p) const {
  return evaluate(0, p, Sample{kFar, Vec3::Zero()});
}

std::vector<double> ImplicitBody::shares(const Vec3& p) const {
  return evaluate(0, p, Shared{kFar, std::vector<double>(joints_.size(), 0.0)}).share;
}

void ImplicitBody::bounds(Vec3& low, Vec3& high) const {
  low.setConstant(std::numeric_limits<double>::max());
  high = -low;
  for (const Branch& branch : branches_)
    for (const Shape& shape : branch.shapes) {
      const Vec3 reach = Vec3::Constant(shape.reach + shape.blend / 4);
      low = low.cwiseMin(shape.centre - reach);
      high = high.cwiseMax(shape.centre + reach);
    }
}

double ImplicitBody::thinnest() const {
  double least = kFar;
  for (const Branch& branch : branches_)
    for (const Shape& shape : branch.shapes) least = std::min(least, shape.thickness);
  return least;
}

}  // namespace cutis
