#include "cutis/skin/eulerian/eulerian_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/problem/null_space.h"
#include "cutis/skin/problem/skin_ligaments.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/surface/field/surface_stroke.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace {

/// Of the springs that hold skin on keyed paths over that of the skin: at a strain of one, skin gets away by
/// so small a share of an edge.
constexpr double kTransportStiffness = 1e4;
/// The slide limit of skin that keyed paths carry, which nothing else holds [m].
constexpr double kUntied = 1e6;
/// By how much limits may differ, as a share of the way between: they are those of the skin as a step begins,
/// and where they grew faster than it slides it would be thrown to and fro from step to step.
constexpr double kMaxLimitSlope = 0.5;
/// A limit below this share of an edge is that of the vertex's own skin, which is never far: limits between
/// vertices would not be seen.
constexpr double kOwnLimitBelow = 0.5;

std::vector<VertexId> fixed_vertices(const Body& body, bool free_border) {
  std::vector<VertexId> fixed = body.weld().split_vertices();
  if (free_border) return fixed;
  const std::vector<VertexId> border = border_vertices(*body.surface());
  fixed.insert(fixed.end(), border.begin(), border.end());
  std::sort(fixed.begin(), fixed.end());
  fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
  return fixed;
}

/// Skin at an open border that may slide does so along it: a curve through each loop.
SkinOptions with_border_curves(SkinOptions options, bool free_border, const SlideSurface& at_rest) {
  if (!free_border) return options;
  const Topology& topology = at_rest.rest().topology();
  const Points positions = at_rest.on_surface();
  for (const HalfedgeId first : topology.border_loops()) {
    SkinCurve curve;
    curve.name = "the border of the skin";
    HalfedgeId h = first;
    do {
      curve.vertices.push_back(topology.from(h));
      curve.points.push_back(positions[topology.from(h)]);
      h = topology.next(h);
    } while (h != first);
    curve.points.push_back(curve.points.front());
    options.curves.push_back(std::move(curve));
  }
  return options;
}

EulerianOptions checked_options(EulerianOptions options, std::size_t vertices) {
  const auto check = [&](const char* name, const IdVector<VertexId, double>& values, double most) {
    if (!values.empty() && values.size() != vertices)
      throw InputError(
          fmt::format("{}: {} values for {} vertices of the body", name, values.size(), vertices));
    for (double value : values)
      if (!(value >= 0 && value <= most))
        throw InputError(fmt::format("{}: {} is not between 0 and {}", name, value, most));
  };
  check("skin.stickiness", options.stickiness, 1);
  check("skin.stickiness_limit", options.stickiness_limit, std::numeric_limits<double>::infinity());
  if (!options.start_velocity.empty() && options.start_velocity.size() != vertices)
    throw InputError(fmt::format("start_velocity: {} values for {} vertices of the body",
                                 options.start_velocity.size(), vertices));
  check("skin.density", options.density, std::numeric_limits<double>::max());
  return options;
}

IdVector<VertexId, double> rest_masses(const Surface& rest, const TissueField& tissue) {
  IdVector<VertexId, double> masses = vertex_areas(rest.mesh());
  for (VertexId v : ids<VertexId>(masses.size()))
    if (rest.topology().halfedge(v).valid()) masses[v] *= tissue.mass(rest.point(v));
  return masses;
}

/// At vertices whose own skin is free, too: other skin may come by.
std::vector<Ligament> ligaments_everywhere(const Surface& rest, SkinOptions options) {
  double longest = 0;
  for (const double limit : options.slide_limit)
    if (std::isfinite(limit)) longest = std::max(longest, limit);
  if (longest > 0)
    for (double& limit : options.slide_limit) limit = std::min(limit, longest);
  return skin_ligaments(rest, options);
}

/// Lowers limits until none differs from that of a neighbour by more than kMaxLimitSlope of the way.
IdVector<VertexId, double> with_bounded_slope(const Surface& rest, IdVector<VertexId, double> limits) {
  for (double& limit : limits) limit = std::min(limit, kUntied);
  if (limits.empty()) return limits;
  const Points& x = rest.positions();
  for (bool lowered = true; lowered;) {
    lowered = false;
    for (FaceId f : ids<FaceId>(rest.mesh().face_count())) {
      const auto c = rest.mesh().face(f);
      for (std::size_t a = 0; a < 3; ++a)
        for (const std::size_t b : {(a + 1) % 3, (a + 2) % 3}) {
          const double most = limits[c[a]] + kMaxLimitSlope * (x[c[a]] - x[c[b]]).norm();
          if (limits[c[b]] <= most) continue;
          limits[c[b]] = most;
          lowered = true;
        }
    }
  }
  return limits;
}

double sum_of(const Term& term, std::size_t stencils, const SkinConfiguration& at) {
  std::vector<double> parts(stencils);
  parallel_for(stencils, [&](std::size_t i) { parts[i] = term.energy(i, at); });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

SkinConstraints of_the_mesh(SkinConstraints constraints) {
  constraints.release_prescribed();
  return constraints;
}

SlideSurface without_offsets(SlideSurface surface) {
  surface.drop_offsets();
  return surface;
}

}  // namespace

EulerianModel::EulerianModel(const Body& body, EulerianOptions skin)
    : options(with_fixed_vertices(checked_options(std::move(skin), body.mesh().vertex_count()),
                                  fixed_vertices(body, skin.free_border))),
      rest(body.surface()),
      with_offsets(body.mesh(), body.triangles(), checked_rest(rest, options), SlidesOn::Cage),
      surface(without_offsets(with_offsets)),
      constraints(of_the_mesh({surface, with_border_curves(options, options.free_border, surface)})),
      elements(skin_elements(*rest, options)),
      tissue(*rest, elements, options),
      forces(*rest, options.gravity, options.forces, rest_masses(*rest, tissue)),
      measured(skin_tissue(*rest, elements, options.material)),
      rings(rest->mesh()),
      ligaments(ligaments_everywhere(*rest, options), options.ligament),
      unknowns(elements.elements, constraints, rest->mesh().vertex_count()),
      null_space(null_space_weights(*rest, unknowns, ligaments.ligaments(),
                                    mean_stiffness(elements, *options.material))),
      inverse(surface),
      law(elastic_law(options)),
      flow(tissue, *law, unknowns),
      inversion_barrier(surface, unknowns, mean_stiffness(elements, *options.material)),
      ties(ligaments, surface),
      inertia(rest->mesh().vertex_count()),
      load(rest->mesh().vertex_count()),
      keyed(constraints, surface, inverse, unknowns),
      transport(keyed.empty() ? std::vector<std::array<VertexId, 3>>() : unknowns.corners,
                kTransportStiffness * mean_stiffness(elements, *options.material)),
      problem(surface, constraints, unknowns, {&flow, &inversion_barrier, &ties, &inertia, &load, &transport},
              mean_stiffness(elements, *options.material), SurfaceMotion::StaysAtRest),
      mean_edge(cutis::mean_edge(*rest)),
      scale(energy_scale(elements, unknowns, *options.material)),
      limits_(with_bounded_slope(*rest, options.slide_limit)) {
  for (const Ligament& ligament : ligaments.ligaments()) {
    const int block = unknowns.block[ligament.vertex];
    looked_up_from_.push_back(
        block < 0 ? std::numeric_limits<double>::infinity()
                  : kOwnLimitBelow * unknowns.mean_edge(static_cast<std::size_t>(block), rest->positions()));
  }
}

double EulerianModel::elastic_energy() const {
  return sum_of(flow, unknowns.elements.size(), problem.state());
}

double EulerianModel::barrier_energy() const {
  return sum_of(inversion_barrier, unknowns.elements.size(), problem.state());
}

void EulerianModel::set_paths(double time) {
  if (keyed.empty()) return;
  KeyedSkin::Moment moment = keyed.at(time);
  transport.set_springs(moment.springs);
  below_paths_ = std::move(moment.covered);
  set_limits(problem.state());
}

void EulerianModel::set_skin(const SkinConfiguration& at) {
  IdVector<VertexId, TangentPlane> frames(at.points.size());
  for (VertexId v : ids<VertexId>(frames.size())) frames[v] = {at.jets[v].tangent, at.jets[v].normal};
  skin_coordinates = rings.coordinates(at.positions, frames);
  masses = masses_at(at);
  set_limits(at);
}

/// How steep limits are around a vertex, as a share of the way: to neighbours of lower ones, and to those of
/// higher ones as far as the vertex's own skin has gone there. The skin of a vertex lies between vertices of
/// the body; where these see skin that has come by no more than limit / (1 + slope), so has it.
double EulerianModel::limit_slope(VertexId v, const SurfacePoint& skin) const {
  const Vec3 came_by = surface.slide(v, skin).stableNormalized();
  const Points& x = inverse.flat().positions();
  double steepest = 0;
  for (const VertexRings::Wedge& wedge : rings.wedges(v))
    for (const VertexId w : {wedge.ahead, wedge.left}) {
      const Vec3 edge = x[w] - x[v];
      const double slope = (limits_[w] - limits_[v]) / edge.norm();
      steepest = std::max(steepest, slope > 0 ? slope * -edge.normalized().dot(came_by) : -slope);
    }
  return steepest;
}

/// Those of the skin which is there.
void EulerianModel::set_limits(const SkinConfiguration& at) {
  std::vector<double> limits(looked_up_from_.size());
  parallel_for(limits.size(), [&](std::size_t i) {
    const Ligament& own = ligaments.ligaments()[i];
    const SurfacePoint& skin = at.points[own.vertex];
    if (!below_paths_.empty() && below_paths_[own.vertex]) {
      limits[i] = kUntied;
      return;
    }
    limits[i] = std::min(own.limit, looked_up_from_[i]) / (1 + limit_slope(own.vertex, skin));
    if (own.limit >= looked_up_from_[i])
      limits[i] = std::max(limits[i], interpolate(rest->mesh(), limits_, skin));
  });
  ties.set_limits(limits);
}

/// A third of each triangle.
IdVector<VertexId, double> EulerianModel::masses_at(const SkinConfiguration& at) const {
  IdVector<VertexId, double> out(at.points.size(), 0);
  for (std::size_t i = 0; i < unknowns.corners.size(); ++i) {
    double per_area = 0;
    for (VertexId v : unknowns.corners[i]) per_area += tissue.mass(at.points[v]) / 3;
    for (VertexId v : unknowns.corners[i]) out[v] += per_area * flow.area(i, at) / 3;
  }
  return out;
}

}  // namespace cutis
