#include "cutis/shot/settings/regions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cutis/body/anatomy/parts_of_body.h"
#include "cutis/core/error.h"
#include "cutis/shot/settings/painted.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/topology.h"
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

/// `place` is that of the key that lists them.
std::vector<VertexId> vertices_listed(const std::vector<std::int64_t>& list, const Body& body,
                                      const std::string& place) {
  std::vector<VertexId> vertices;
  const auto count = static_cast<std::int64_t>(body.source().vertex_count());
  for (std::int64_t v : list) {
    if (v >= count)
      throw InputError(
          fmt::format("{}: there is no vertex {}; the body has the vertices 0 to {}", place, v, count - 1));
    vertices.push_back(body.weld().vertex_of[SourceVertexId(static_cast<int>(v))]);
  }
  return vertices;
}

template <class Takes>
std::vector<FaceId> faces_where(const Mesh& mesh, const Takes& takes) {
  std::vector<FaceId> faces;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    if (takes(f)) faces.push_back(f);
  return faces;
}

void sort_unique(std::vector<VertexId>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

/// The faces with one of these names in the file.
std::vector<FaceId> faces_named(const std::vector<std::string>& wanted, const FaceGroups& groups,
                                const Body& body) {
  std::vector<char> chosen(groups.names.size(), 0);
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(groups.names, name);
    if (found != groups.names.end()) chosen[found - groups.names.begin()] = 1;
  }
  return faces_where(body.mesh(), [&](FaceId f) {
    const std::int32_t group = groups.empty() ? -1 : groups.of_face[body.weld().source_face[f].index()];
    return group >= 0 && chosen[group];
  });
}

[[noreturn]] void fail_unknown_name(const std::string& place, const std::string& kind,
                                    const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_word(name, known);
  throw InputError(
      fmt::format("{}: the body has no {} \"{}\"{}; {}", place, kind, name,
                  near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                  known.empty() ? "its file names none" : fmt::format("it has {}", fmt::join(known, ", "))));
}

std::vector<FaceId> faces_of_material(const RegionSection& section, const Body& body,
                                      const std::string& place) {
  const std::vector<std::string>& known = body.materials().names;
  for (const std::string& name : section.material)
    if (std::ranges::find(known, name) == known.end())
      fail_unknown_name(place + ".material", "material", name, known);
  return faces_named(section.material, body.materials(), body);
}

/// Faces of the file's own parts, and those most of whose corners belong to parts of the anatomy.
std::vector<FaceId> faces_of_part(const RegionSection& section, const Body& body, const std::string& place) {
  const std::vector<PartOfBody> anatomy = parts_of_body(body);
  std::vector<std::string> known = body.parts().names;
  for (const PartOfBody& part : anatomy) known.push_back(part.name);
  IdVector<VertexId, char> inside(body.mesh().vertex_count(), 0);
  for (const std::string& name : section.part) {
    const auto of_body = std::ranges::find(anatomy, name, &PartOfBody::name);
    if (of_body != anatomy.end())
      for (VertexId v : of_body->vertices) inside[v] = 1;
    else if (std::ranges::find(known, name) == known.end())
      fail_unknown_name(place + ".part", "part", name, known);
  }
  std::set<FaceId> faces;
  for (FaceId f : faces_named(section.part, body.parts(), body)) faces.insert(f);
  for (FaceId f : faces_where(body.mesh(), [&](FaceId f) {
         const auto corners = body.mesh().face(f);
         return 2 * std::ranges::count_if(corners, [&](VertexId v) { return inside[v] != 0; }) >
                static_cast<std::ptrdiff_t>(corners.size());
       }))
    faces.insert(f);
  return {faces.begin(), faces.end()};
}

/// Within `reach` of the open borders.
void find_border(double reach, const Body& body, const std::string& place, Region& region) {
  const Topology& topology = body.surface()->topology();
  const std::size_t count = body.mesh().vertex_count();
  IdVector<VertexId, char> on_border(count, 0), inside(count, 0);
  for (VertexId v : ids<VertexId>(count))
    on_border[v] = topology.halfedge(v).valid() && topology.is_border(v);
  if (std::ranges::none_of(on_border, [](char c) { return c != 0; }))
    throw InputError(fmt::format("{}.border: the body is closed and has no open border", place));
  const GeodesicMetric metric(topology, body.surface()->positions());
  const IdVector<VertexId, double> distance = distance_to_border(metric, reach);
  for (VertexId v : ids<VertexId>(count)) {
    inside[v] = on_border[v] || distance[v] <= reach;
    if (inside[v]) region.vertices.push_back(v);
  }
  region.faces = faces_where(body.mesh(), [&](FaceId f) {
    const auto corners = body.mesh().face(f);
    return std::ranges::any_of(corners, [&](VertexId v) { return on_border[v] != 0; }) ||
           std::ranges::all_of(corners, [&](VertexId v) { return inside[v] != 0; });
  });
}

/// What `region.vertices` hold, as faces.
std::vector<FaceId> faces_between(const std::vector<VertexId>& vertices, const Mesh& mesh) {
  return faces_where(mesh, [&](FaceId f) {
    return std::ranges::all_of(mesh.face(f),
                               [&](VertexId v) { return std::ranges::binary_search(vertices, v); });
  });
}

/// The i-th region of the shot.
Region found(const Shot& shot, std::size_t i, const Body& body, std::optional<Brush>& brush) {
  const RegionSection& section = shot.skin.region[i];
  const std::string key = fmt::format("skin.region[{}]", i), place = shot.place(key) + key;
  Region region{section.name.empty() ? usual_region_name(i) : section.name,
                section.use,
                {},
                vertices_listed(section.corners, body, place + ".corners")};
  if (!section.material.empty())
    region.faces = faces_of_material(section, body, place);
  else if (!section.part.empty())
    region.faces = faces_of_part(section, body, place);
  else if (!section.vertices.empty()) {
    region.vertices = vertices_listed(section.vertices, body, place + ".vertices");
    sort_unique(region.vertices);
    region.faces = faces_between(region.vertices, body.mesh());
    if (region.use == RegionUse::Name && shot.wrinkle.region != region.name) return region;
  } else if (section.border)
    find_border(*section.border, body, place, region);
  else if (section.map)
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
                                 section.map                 ? "lower region.above, or paint more"
                                 : section.center            ? "a larger radius reaches around whole faces"
                                 : !section.vertices.empty() ? "name all corners of some face"
                                 : !section.part.empty()     ? "name a larger part"
                                                             : "name other faces"));
  return region;
}

/// Not told by the faces of the source, so that a finer mesh follows it more closely.
bool has_outline(const RegionSection& section) {
  return section.map || section.center || section.border || !section.part.empty();
}

/// Those of a finer mesh that lie between these of the body below.
std::vector<VertexId> between(const SubdividedBody& finer, const std::vector<VertexId>& vertices) {
  std::vector<VertexId> found;
  if (vertices.empty()) return found;
  const Mesh& triangles = finer.inner().triangles().mesh;
  for (VertexId v : ids<VertexId>(finer.mesh().vertex_count())) {
    const SurfacePoint& p = finer.places()[v];
    if (!p.face.valid()) continue;
    const auto corners = triangles.face(p.face);
    bool inside = true;
    for (std::size_t i = 0; i < 3; ++i)
      inside &= p.barycentric[static_cast<int>(i)] == 0 || std::ranges::binary_search(vertices, corners[i]);
    if (inside) found.push_back(v);
  }
  return found;
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
    if (has_outline(shot.skin.region[i])) out[i] = found(shot, i, finer, brush);
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
    out.push_back({r.name, r.use, {}, {}, between(finer, r.vertices)});
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
    for (VertexId v : vertices_of(r, body.mesh())) in[body.weld().first(v)] = 1;
    for (VertexId v : body.weld().vertex_of) all[r.name].push_back(in[v]);
  }
  return all;
}

std::vector<VertexId> vertices_of(const Region& region, const Mesh& mesh) {
  if (!region.vertices.empty()) return region.vertices;
  std::vector<VertexId> vertices;
  for (FaceId f : region.faces)
    for (VertexId v : mesh.face(f)) vertices.push_back(v);
  sort_unique(vertices);
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
