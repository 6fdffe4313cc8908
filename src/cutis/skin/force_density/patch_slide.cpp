#include "cutis/skin/force_density/patch_slide.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "cutis/core/parallel.h"
#include "cutis/skin/force_density/harmless_share.h"
#include "cutis/skin/force_density/layout_path.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

// The slide fades out towards the border over this share of the radius of a disk of the patch's area, so that
// no crease shows there (docs/force-density.md has the angles).
constexpr double border_share = 0.3;

// An area ratio below this counts as this: a triangle that plain skinning collapses must not decide alone.
constexpr double kCollapsed = 1e-6;

/// 1 at and beyond `width` from the border, 0 on it, with no slope and no bend at both ends.
IdVector<VertexId, double> border_ease(const Topology& topology, const Mesh& mesh) {
  double area = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    const Vec3& a = mesh.positions[face[0]];
    area += 0.5 * (mesh.positions[face[1]] - a).cross(mesh.positions[face[2]] - a).norm();
  }
  const double width = border_share * std::sqrt(area / std::numbers::pi);
  const GeodesicMetric metric(topology, mesh.positions);
  IdVector<VertexId, double> ease = distance_to_border(metric, width);
  for (double& value : ease) {
    const double s = std::min(value / width, 1.0);
    value = s * s * s * (10 + s * (6 * s - 15));
  }
  return ease;
}

}  // namespace

double saturated(double length, double limit) {
  if (!(limit > 0) || length == 0) return 0;
  if (std::isinf(limit)) return length;
  const double share = length / limit;
  // s / (1 + s⁴)^(1/4): within 1.6 % of s up to half the limit. Large shares the other way round: s⁴ must
  // not overflow.
  const double bounded = share < 1 ? share / std::pow(1 + std::pow(share, 4), 0.25)
                                   : 1 / std::pow(1 + std::pow(share, -4), 0.25);
  return limit * bounded;
}

PatchSlide::PatchSlide(PatchDisk disk, const EmbeddingOptions& options, std::vector<double> slide_limit)
    : disk_(std::move(disk)),
      topology_(disk_.mesh),
      embedding_(disk_, topology_, options),
      locator_(disk_.mesh, topology_),
      ease_(border_ease(topology_, disk_.mesh)),
      limit_(std::move(slide_limit)),
      targets_(embedding_.rest()),
      rest_triangles_(rest_triangles(disk_.mesh.positions.raw(), index_triangles(disk_.mesh))) {
  for (VertexId v : ids<VertexId>(topology_.vertex_count())) points_.push_back(home(v));
}

SurfacePoint PatchSlide::home(VertexId v) const {
  const HalfedgeId h = topology_.halfedge(v);
  return {topology_.face(h), Vec3::Unit(h.value % 3)};
}

EquilibriumReport PatchSlide::advance(const Points& positions) {
  const EquilibriumReport report = embedding_.embed(positions);
  const Layout &now = embedding_.now(), &rest = embedding_.rest();
  for (VertexId v : ids<VertexId>(now.size()))
    targets_[v] = ease_[v] == 1 ? rest[v] : Vec2(now[v] + ease_[v] * (rest[v] - now[v]));
  locator_.locate(now, targets_, points_);
  if (!limit_.empty())
    parallel_for(now.size(), [&](std::size_t i) {
      if (std::isfinite(limit_[i])) slide_within_limit(VertexId(i), 1);
    });
  if (const double share = share_without_harm(positions); share < 1)
    parallel_for(now.size(), [&](std::size_t i) { slide_within_limit(VertexId(i), share); });
  return report;
}

double PatchSlide::share_without_harm(const Points& positions) const {
  Points slid;
  for (VertexId v : ids<VertexId>(points_.size())) {
    const auto corners = disk_.mesh.face(points_[v].face);
    const Vec3& b = points_[v].barycentric;
    slid.push_back(b[0] * positions[corners[0]] + b[1] * positions[corners[1]] +
                   b[2] * positions[corners[2]]);
  }
  return harmless_share(strain_energy(positions, slid, 0),
                        [&](double share) { return strain_energy(positions, slid, share); });
}

/// The integral of the squared logarithms of the stretches, when the skin has gone this share of its slide.
double PatchSlide::strain_energy(const Points& positions, const Points& slid, double share) const {
  const auto at = [&](VertexId v) -> Vec3 { return positions[v] + share * (slid[v] - positions[v]); };
  std::vector<double> energies(rest_triangles_.size(), 0);
  parallel_for(energies.size(), [&](std::size_t i) {
    if (rest_triangles_[i].degenerate()) return;
    const auto corners = disk_.mesh.face(FaceId(i));
    const Mat32 F = deformation_gradient(rest_triangles_[i], at(corners[0]), at(corners[1]), at(corners[2]));
    const double uu = F.col(0).squaredNorm(), vv = F.col(1).squaredNorm(), uv = F.col(0).dot(F.col(1));
    const double J = std::sqrt(std::max(uu * vv - uv * uv, kCollapsed * kCollapsed));
    // Of the stretches a and b: ln a + ln b = ln J, ln a - ln b = acosh((a² + b²) / 2J).
    const double sum = std::log(J), difference = std::acosh(std::max(1.0, (uu + vv) / (2 * J)));
    energies[i] = rest_triangles_[i].area * (sum * sum + difference * difference) / 2;
  });
  return std::accumulate(energies.begin(), energies.end(), 0.0);
}

void PatchSlide::slide_within_limit(VertexId v, double share) {
  const auto walk = [&](double longest) {
    return walk_layout(disk_.mesh, topology_, embedding_.now(), v, targets_[v], longest);
  };
  const double length = walk(std::numeric_limits<double>::infinity()).length;
  const double allowed = share * (limit_.empty() ? length : saturated(length, limit_[v.index()]));
  points_[v] = allowed > 0 ? walk(allowed).end : home(v);
}

std::vector<double> PatchSlide::save() const {
  const PatchEmbedding::Start& start = embedding_.start();
  std::vector<double> numbers;
  for (const Layout* layout : {&start.first, &start.second, &start.before})
    for (const Vec2& place : *layout) numbers.insert(numbers.end(), {place.x(), place.y()});
  for (const SurfacePoint& point : points_) numbers.push_back(point.face.value);
  return numbers;
}

bool PatchSlide::restore(const std::vector<double>& numbers) {
  const std::size_t n = points_.size();
  if (numbers.size() != 7 * n) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!(numbers[6 * n + i] >= 0 && numbers[6 * n + i] < static_cast<double>(topology_.face_count())))
      return false;
  PatchEmbedding::Start start{Layout(n), Layout(n), Layout(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const VertexId v(i);
    start.first[v] = Vec2(numbers[2 * i], numbers[2 * i + 1]);
    start.second[v] = Vec2(numbers[2 * (n + i)], numbers[2 * (n + i) + 1]);
    start.before[v] = Vec2(numbers[2 * (2 * n + i)], numbers[2 * (2 * n + i) + 1]);
    points_[v].face = FaceId(static_cast<int>(numbers[6 * n + i]));
  }
  embedding_.set_start(std::move(start));
  return true;
}

}  // namespace cutis
