#include "cutis/shot/settings/regions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {

std::string usual_region_name(std::size_t i) { return fmt::format("region {}", i + 1); }

namespace {

/// How far from the body a centre may be, as a share of the region's radius, before it is taken for a
/// mistake.
constexpr double kFarCentre = 2;

std::vector<FaceId> faces_above(const IdVector<VertexId, double>& values, double threshold,
                                const Mesh& mesh) {
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    double sum = 0;
    for (VertexId v : mesh.face(f)) sum += values[v];
    if (sum > threshold * static_cast<double>(mesh.face(f).size())) faces.push_back(f);
  }
  return faces;
}

std::vector<FaceId> faces_listed(const std::vector<std::int64_t>& list, const Body& body,
                                 const std::string& place) {
  const auto count = static_cast<std::int64_t>(body.source().face_count());
  std::vector<char> named(body.source().face_count(), 0);
  for (std::int64_t f : list) {
    if (f >= count)
      throw InputError(
          fmt::format("{}.faces: there is no face {}; the body has the faces 0 to {}", place, f, count - 1));
    named[static_cast<std::size_t>(f)] = 1;
  }
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(body.mesh().face_count()))
    if (named[body.weld().source_face[f].index()]) faces.push_back(f);
  return faces;
}

/// What finds places on a body and measures from them, made once for all regions.
struct Brush {
  ClosestPointTree closest;
  GeodesicMetric metric;
  Geodesics geodesics{metric};

  explicit Brush(const Body& body)
      : closest(body.triangles().mesh), metric(body.surface()->topology(), body.surface()->positions()) {}
  Brush(const Brush&) = delete;
  Brush& operator=(const Brush&) = delete;
};

std::vector<FaceId> faces_around(const Vec3& center, double radius, const Body& body, Brush& brush,
                                 const std::string& place) {
  const ClosestPoint nearest = brush.closest(center);
  const double distance = std::sqrt(nearest.distance_squared);
  if (distance > kFarCentre * radius)
    throw InputError(
        fmt::format("{}.center: is {:.3g} m away from the body at rest, more than {:g} times the radius; "
                    "`cutis info` says where the body is",
                    place, distance, kFarCentre));
  Geodesics& geodesics = brush.geodesics;
  geodesics.from_points(std::span(&nearest.point, 1), radius);
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(body.mesh().face_count())) {
    const auto corners = body.mesh().face(f);
    if (std::all_of(corners.begin(), corners.end(),
                    [&](VertexId v) { return geodesics.distance(v) <= radius; }))
      faces.push_back(f);
  }
  return faces;
}

std::vector<VertexId> corners_of(const RegionSection& section, const Body& body, const std::string& place) {
  std::vector<VertexId> corners;
  const auto count = static_cast<std::int64_t>(body.source().vertex_count());
  for (std::int64_t v : section.corners) {
    if (v >= count)
      throw InputError(fmt::format("{}.corners: there is no vertex {}; the body has the vertices 0 to {}",
                                   place, v, count - 1));
    corners.push_back(body.weld().vertex_of[SourceVertexId(static_cast<int>(v))]);
  }
  return corners;
}

/// The i-th region of the shot.
Region found(const Shot& shot, std::size_t i, const Body& body, std::optional<Brush>& brush) {
  const RegionSection& section = shot.skin.region[i];
  const std::string key = fmt::format("skin.region[{}]", i), place = shot.place(key) + key;
  Region region{section.name.empty() ? usual_region_name(i) : section.name,
                section.use,
                {},
                corners_of(section, body, place)};
  if (section.map)
    region.faces = faces_above(welded_values(body.weld(), painted_values(*section.map, body, place + ".map")),
                               section.above, body.mesh());
  else if (!section.faces.empty())
    region.faces = faces_listed(section.faces, body, place);
  else {
    if (!brush) brush.emplace(body);
    region.faces = faces_around(*section.center, *section.radius, body, *brush, place);
  }
  if (region.faces.empty())
    throw InputError(fmt::format("{}: no face of the body lies in it; {}", place,
                                 section.map      ? "lower region.above, or paint more"
                                 : section.center ? "a larger radius reaches around whole faces"
                                                  : "name other faces"));
  return region;
}

}  // namespace

std::vector<Region> find_regions(const Shot& shot, const Body& body) {
  std::vector<Region> regions;
  std::optional<Brush> brush;
  for (std::size_t i = 0; i < shot.skin.region.size(); ++i) regions.push_back(found(shot, i, body, brush));
  return regions;
}

std::vector<Region> find_regions(const Shot& shot, const SubdividedBody& finer,
                                 const std::vector<Region>& regions) {
  std::vector<Region> out = regions_on(finer, regions);
  std::optional<Brush> brush;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (shot.skin.region[i].faces.empty()) out[i] = found(shot, i, finer, brush);
  return out;
}

IdVector<FaceId, char> sliding_faces(const std::vector<Region>& regions, const Body& body) {
  const bool everywhere = std::none_of(regions.begin(), regions.end(),
                                       [](const Region& r) { return r.use == RegionUse::Include; });
  IdVector<FaceId, char> slides(body.mesh().face_count(), everywhere ? 1 : 0);
  for (const Region& r : regions)
    if (r.use == RegionUse::Include)
      for (FaceId f : r.faces) slides[f] = 1;
  for (const Region& r : regions)
    if (r.use == RegionUse::Exclude)
      for (FaceId f : r.faces) slides[f] = 0;
  return slides;
}

std::vector<Region> regions_on(const SubdividedBody& finer, const std::vector<Region>& regions) {
  std::vector<Region> out;
  for (const Region& r : regions) {
    const std::set<FaceId> polygons(r.faces.begin(), r.faces.end());
    out.push_back({r.name, r.use, {}, {}});
    for (FaceId f : ids<FaceId>(finer.mesh().face_count()))
      if (polygons.contains(finer.polygon(f))) out.back().faces.push_back(f);
  }
  return out;
}

std::map<std::string, std::vector<char>> region_vertices(const std::vector<Region>& regions,
                                                         const Body& body) {
  std::map<std::string, std::vector<char>> all;
  for (const Region& r : regions) {
    IdVector<VertexId, char> in(body.mesh().vertex_count(), 0);
    for (FaceId f : r.faces)
      for (VertexId v : body.mesh().face(f)) in[body.weld().first(v)] = 1;
    for (VertexId v : body.weld().vertex_of) all[r.name].push_back(in[v]);
  }
  return all;
}

std::vector<VertexId> vertices_of(const Region& region, const Mesh& mesh) {
  std::vector<VertexId> vertices;
  for (FaceId f : region.faces)
    for (VertexId v : mesh.face(f)) vertices.push_back(v);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

const Region& region_named(const std::vector<Region>& regions, const std::string& name) {
  return *std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.name == name; });
}

std::vector<KeyedForce> keyed_forces(const SceneSection& scene, const std::vector<Region>& regions,
                                     const Mesh& mesh) {
  std::vector<KeyedForce> out;
  for (const ForceSection& force : scene.force)
    out.push_back({force.region.empty() ? std::vector<VertexId>()
                                        : vertices_of(region_named(regions, force.region), mesh),
                   force.times, force.forces});
  return out;
}

}  // namespace cutis
