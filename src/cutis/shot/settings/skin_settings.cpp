#include "cutis/shot/settings/skin_settings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "cutis/surface/remesh/evenness.h"

namespace cutis {
namespace {

/// Tracked skin takes as short steps as its flattest triangle needs: where that is flatter than this share of
/// an even one, more than three times as many as on even triangles, it is solved on those.
constexpr double kFlattestOfTracked = 1.0 / 6;

/// Where nobody says, tracked skin is solved on about so many triangles at most: a frame takes the time of
/// their number to the power of 1.5, as smaller ones take shorter steps, and 10,000 take a second or less.
constexpr double kUsualTriangles = 10'000;

/// Of tracked skin, whose steps are as short as its poorest triangle wants them.
RemeshOptions even_triangles() {
  RemeshOptions options;
  options.smallest_angle = 25 * kDegree;
  return options;
}

/// For tracked skin on a body with slivers, triangles without area or more triangles than an artist would
/// wait for; null where it needs none.
std::shared_ptr<const SimulationMesh> even_mesh(const std::vector<Region>& regions, const Body& body) {
  const Evenness own = evenness(body.surface()->mesh());
  const auto triangles = static_cast<double>(body.surface()->mesh().face_count());
  // Regions may be smaller than a larger triangle.
  const double coarser = regions.empty() ? std::sqrt(std::max(1.0, triangles / kUsualTriangles)) : 1;
  if ((own.least_height >= kFlattestOfTracked && coarser == 1) || !(own.edge > 0)) return nullptr;
  try {
    auto even = std::make_shared<SimulationMesh>(body.surface(), coarser * own.edge, even_triangles());
    log().info(
        "the body has {} triangles, the flattest {:.2g} as high as an even one: skin is solved on {} even "
        "ones with edges of about {:.3g} mm and no angle below {:.3g} degrees (skin.resolution)",
        triangles, own.least_height, even->surface()->mesh().face_count(), 1000 * coarser * own.edge,
        even->quality().smallest_angle / kDegree);
    return even;
  } catch (const InputError& error) {
    log().info("skin is solved on the body's own triangles, though it has {} and some may be slivers: {}",
               triangles, error.what());
    return nullptr;
  }
}

std::shared_ptr<const SimulationMesh> simulation_mesh_of(const Shot& shot, const std::vector<Region>& regions,
                                                         const Body& body) {
  if (shot.skin.method == SkinMethod::None) return nullptr;
  if (!shot.skin.resolution)
    return shot.skin.method == SkinMethod::Tracked && !shot.skin.tracked.silhouette && !shot.flesh.use
               ? even_mesh(regions, body)
               : nullptr;
  try {
    return std::make_shared<SimulationMesh>(
        body.surface(), *shot.skin.resolution,
        shot.skin.method == SkinMethod::Tracked ? even_triangles() : RemeshOptions());
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}skin.resolution: {}", shot.place("skin.resolution"), error.what()));
  }
}

}  // namespace

SkinSettings::SkinSettings(const Shot& shot, const Body& body)
    : shot_(shot),
      body_(body),
      regions_(find_regions(shot, body)),
      directions_(
          body_directions(shot.skin.direction, body, shot.place("skin.direction") + "skin.direction")),
      simulation_mesh_(simulation_mesh_of(shot, regions_, body)) {}

/// The simulation mesh's vertices that have one of these as the nearest corner of their triangle of the body.
std::vector<VertexId> SkinSettings::vertices_nearest(const std::vector<VertexId>& of_body) const {
  std::vector<VertexId> nearest;
  if (of_body.empty()) return nearest;
  const IdVector<VertexId, SurfacePoint>& places = simulation_mesh_->on_source();
  for (VertexId v : ids<VertexId>(places.size())) {
    Eigen::Index corner = 0;
    places[v].barycentric.maxCoeff(&corner);
    if (std::ranges::binary_search(of_body, body_.triangles().mesh.face(places[v].face)[corner]))
      nearest.push_back(v);
  }
  return nearest;
}

std::vector<Region> SkinSettings::solved_regions() const {
  if (!simulation_mesh_) return regions_;
  const IdVector<FaceId, FaceId>& polygon = body_.triangles().polygon;
  const Mesh& mesh = simulation_mesh_->surface()->mesh();
  std::vector<Region> solved;
  for (const Region& region : regions_) {
    IdVector<FaceId, char> inside(body_.mesh().face_count(), 0);
    for (FaceId f : region.faces) inside[f] = 1;
    solved.push_back({region.name, region.use, {}, {}, vertices_nearest(region.vertices)});
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const auto corners = mesh.face(f);
      if (std::all_of(corners.begin(), corners.end(),
                      [&](VertexId v) { return inside[polygon[simulation_mesh_->on_source()[v].face]]; }))
        solved.back().faces.push_back(f);
    }
    if (solved.back().faces.empty() && (region.use != RegionUse::Name || solved.back().vertices.empty()))
      throw InputError(fmt::format(
          "{}skin.resolution: no triangle of that size lies in region \"{}\"; choose a smaller one",
          shot_.place("skin.resolution"), region.name));
  }
  return solved;
}

IdVector<VertexId, double> SkinSettings::at_vertices(const Painted& painted, const std::string& key) const {
  return solved(welded_values(body_.weld(), painted_values(painted, body_, shot_.place(key) + key)));
}

IdVector<VertexId, double> SkinSettings::solved(const IdVector<VertexId, double>& values) const {
  return simulation_mesh_ ? simulation_mesh_->to_simulation_mesh(values) : values;
}

}  // namespace cutis
