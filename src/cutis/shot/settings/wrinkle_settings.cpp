#include "cutis/shot/settings/wrinkle_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/material/membrane/isotropic_laws.h"
#include "cutis/shot/settings/layer_map.h"
#include "cutis/shot/settings/skin_law.h"
#include "cutis/shot/spec/spec.h"
#include "cutis/surface/map/subdivision.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/wrinkle/critical_wavelength.h"

namespace cutis {
namespace {

/// Edges of the result in the smallest wavelength: with eight a crest keeps at least cos(pi / 8), 92 %, of
/// its height.
constexpr double kEdgesPerWave = 8;
constexpr int kMostLevels = 8;
/// How often faces are subdivided to see which of them the outline of a region passes through, and how many
/// rings of faces around those that lie in it are looked at.
constexpr int kOutlineLevel = 2, kOutlineRings = 2;
/// Faces with longer edges are cut by the outline of a region; that of shorter ones is not seen where
/// wrinkles fade [wavelengths].
constexpr double kLongFace = 1;

/// What [skin.material] says of how skin stiffens, scaled to the layer and cut to what its constants allow.
SkinLaw layer_law(const WrinkleLayerSection& section, const SkinLaw& skin) {
  SkinLaw law;
  law.model = section.model;
  law.young = section.young;
  law.poisson = section.poisson;
  law.fung_exponent = skin.fung_exponent;
  law.fung_stiffness = std::min(skin.fung_stiffness * law.young / skin.young,
                                FungLaw::largest_stiffness(law.young, law.poisson, law.fung_exponent));
  return law;
}

WrinkleLayer plain_layer(const WrinkleLayerSection& section, const SkinLaw& skin) {
  WrinkleLayer layer;
  layer.reference = {section.young, section.thickness, section.wavelength.value_or(0)};
  layer.poisson = section.poisson;
  layer.density = section.density;
  layer.fibre_ratio = section.fibre_ratio;
  layer.law = layer_law(section, skin);
  return layer;
}

void paint_layers(const SkinSettings& settings, const Body& body, WrinkleOptions& options) {
  const std::vector<WrinkleLayerSection>& sections = settings.shot().wrinkle.layer;
  const std::vector<LayerProperties> references = reference_layers(options);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    if (!sections[k].map) continue;
    const std::string key = fmt::format("wrinkle.layer[{}].map", k);
    const auto map = std::make_shared<const LayerMap>(*sections[k].map, body,
                                                      settings.shot().place(key) + without_indices(key));
    LayerProperties reference = references[k];
    if (map->scales_wavelength()) reference.wavelength = wavelength_of(options, references, k);
    options.layers[k].painted = [map, reference](const SurfacePoint& p) { return (*map)(reference, p); };
  }
}

/// Faces of a mesh in the region that wrinkles.
IdVector<FaceId, char> faces_in_region(const SkinSettings& settings, const std::vector<Region>& regions,
                                       const Mesh& mesh) {
  IdVector<FaceId, char> faces(mesh.face_count(), 0);
  for (FaceId f : region_named(regions, settings.shot().wrinkle.region).faces) faces[f] = 1;
  return faces;
}

/// Faces that share a vertex with one that is marked are marked, too.
void grow(const Mesh& mesh, IdVector<FaceId, char>& faces) {
  IdVector<VertexId, char> reached(mesh.vertex_count(), 0);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f))
      if (faces[f]) reached[v] = 1;
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f))
      if (reached[v]) faces[f] = 1;
}

/// Faces of the body's mesh that have a part in the region.
IdVector<FaceId, char> touched_faces(const SkinSettings& settings) {
  const Mesh& mesh = settings.body().mesh();
  IdVector<FaceId, char> faces = faces_in_region(settings, settings.regions(), mesh);
  for (int ring = 0; ring < kOutlineRings; ++ring) grow(mesh, faces);
  const SubdividedBody finer(settings.body(), faces, kOutlineLevel);
  faces.assign(mesh.face_count(), 0);
  const std::vector<Region> regions = find_regions(settings.shot(), finer, settings.regions());
  for (FaceId f : region_named(regions, settings.shot().wrinkle.region).faces) faces[finer.polygon(f)] = 1;
  return faces;
}

std::vector<char> triangles_of(const TriangleMesh& triangles, const IdVector<FaceId, char>& faces) {
  std::vector<char> marked;
  for (FaceId polygon : triangles.polygon) marked.push_back(faces[polygon]);
  return marked;
}

/// Of each triangle of a finer mesh: that of the nearest triangle of the face it was cut from, turned into
/// its plane.
std::vector<Vec3> fibres_on(const SubdividedBody& finer, const Body& body, const std::vector<Vec3>& fibres) {
  const auto middle = [](const Mesh& mesh, FaceId t) {
    return interpolate(mesh, mesh.positions, {t, Vec3::Constant(1.0 / 3)});
  };
  const TriangleMesh &from = body.triangles(), &to = finer.triangles();
  IdVector<FaceId, std::vector<FaceId>> triangles(body.mesh().face_count());
  for (FaceId t : ids<FaceId>(from.mesh.face_count())) triangles[from.polygon[t]].push_back(t);
  std::vector<Vec3> out;
  for (FaceId t : ids<FaceId>(to.mesh.face_count())) {
    const std::vector<FaceId>& candidates = triangles[finer.polygon(to.polygon[t])];
    const Vec3 x = middle(to.mesh, t);
    const FaceId nearest = *std::min_element(candidates.begin(), candidates.end(), [&](FaceId a, FaceId b) {
      return (middle(from.mesh, a) - x).squaredNorm() < (middle(from.mesh, b) - x).squaredNorm();
    });
    const auto v = to.mesh.face(t);
    const Points& p = to.mesh.positions;
    const Vec3 normal = (p[v[1]] - p[v[0]]).cross(p[v[2]] - p[v[0]]).normalized();
    const Vec3& fibre = fibres[nearest.index()];
    out.push_back((fibre - fibre.dot(normal) * normal).normalized());
  }
  return out;
}

/// The directions of the shot, where a layer has fibres.
std::vector<Vec3> fibres(const SkinSettings& settings) {
  const std::vector<WrinkleLayerSection>& layers = settings.shot().wrinkle.layer;
  const bool needed = std::any_of(layers.begin(), layers.end(),
                                  [](const WrinkleLayerSection& layer) { return layer.fibre_ratio != 1; });
  return needed ? settings.directions().field.raw() : std::vector<Vec3>();
}

/// Calls f with the triangles that wrinkle.
template <class F>
void for_each_wrinkling(const WrinkleOptions& options, const Mesh& triangles, const F& f) {
  for (FaceId t : ids<FaceId>(triangles.face_count()))
    if (options.region.empty() || options.region[t.index()]) f(t);
}

/// How many vertices layer k has with edges as long as may be over the whole region: even triangles with an
/// edge a have a vertex for each area of sqrt(3)/2 a².
double estimated_vertices(const WrinkleOptions& options, const Mesh& triangles, std::size_t k) {
  const std::vector<double> areas = triangle_areas(triangles.positions.raw(), index_triangles(triangles));
  double count = 0;
  for_each_wrinkling(options, triangles, [&](FaceId t) {
    const double edge =
        options.edge * wavelength_of(options, layers_at(options, {t, Vec3::Constant(1.0 / 3)}), k);
    count += areas[t.index()] / (std::sqrt(3.0) / 2 * edge * edge);
  });
  return count;
}

void check_vertices(const Shot& shot, const WrinkleOptions& options, const Mesh& triangles) {
  for (std::size_t k = 0; k < options.layers.size(); ++k) {
    const double count = estimated_vertices(options, triangles, k);
    if (count <= options.max_vertices) continue;
    const double wavelength = 1000 * wavelength_of(options, reference_layers(options), k);
    throw InputError(fmt::format(
        "{}wrinkle.max_vertices: layer {} would have about {:.2g} vertices, more than {}: its wrinkles have "
        "a wavelength of {:.3g} mm and {} edges in each; let only a wrinkle.region wrinkle, take a longer "
        "wrinkle.edge or stiffer and thicker layers (a wavelength of {:.2g} mm would do), or raise it",
        shot.place("wrinkle.max_vertices"), k + 1, count, options.max_vertices, wavelength,
        std::lround(1 / options.edge), 1.05 * wavelength * std::sqrt(count / options.max_vertices)));
  }
}

double smallest_wavelength(const WrinkleOptions& options, const Mesh& triangles) {
  double smallest = std::numeric_limits<double>::infinity();
  for_each_wrinkling(options, triangles, [&](FaceId t) {
    for (std::size_t k = 0; k < options.layers.size(); ++k)
      for (const Vec3& b :
           {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ()), Vec3(Vec3::Constant(1.0 / 3))})
        smallest = std::min(smallest, wavelength_of(options, layers_at(options, {t, b}), k));
  });
  return smallest;
}

/// Springs turn with the layer below: where that is solved for, too, neither comes to rest.
void check_give(const Shot& shot, const WrinkleOptions& options) {
  if (options.give == 0 || options.layers.size() == 1 || options.coupling == LayerCoupling::BottomUp) return;
  throw InputError(
      fmt::format("{}wrinkle.give: layers that are solved together cannot give way; leave it out, or take "
                  "wrinkle.coupling = \"bottom-up\"",
                  shot.place("wrinkle.give")));
}

/// Edges are cut where their halves are not too short: those may be half as long as wrinkles need them.
void check_smallest_edge(const Shot& shot, const WrinkleOptions& options, const Mesh& triangles) {
  const double needed = options.edge * smallest_wavelength(options, triangles);
  if (options.smallest_edge <= needed / 2) return;
  throw InputError(fmt::format(
      "{}wrinkle.smallest_edge: {:.3g} mm, but wrinkles need edges of {:.3g} mm, {:.3g} of their wavelength "
      "(wrinkle.edge), and longer ones are only cut in halves; take {:.3g} mm or less, or leave it out",
      shot.place("wrinkle.smallest_edge"), 1000 * options.smallest_edge, 1000 * needed, options.edge,
      1000 * needed / 2));
}

/// Triangles of the faces of the body that are in the region.
std::vector<char> own_triangles(const SkinSettings& settings) {
  const Body& body = settings.body();
  return triangles_of(body.triangles(), faces_in_region(settings, settings.regions(), body.mesh()));
}

/// Whether the region ends within faces of the body: on a smooth surface, where these are large.
bool has_own_outline(const SkinSettings& settings, WrinkleOptions options) {
  const Mesh& mesh = settings.body().mesh();
  if (settings.shot().wrinkle.surface != SubdividedSurface::Limit || options.region.empty()) return false;
  options.region = own_triangles(settings);
  return longest_edge(mesh, faces_in_region(settings, settings.regions(), mesh)) >
         kLongFace * smallest_wavelength(options, settings.body().triangles().mesh);
}

/// Which level the shot asks for; throws where that is too fine.
int asked_level(const Shot& shot, const Mesh& mesh, const IdVector<FaceId, char>& faces) {
  const int level = *shot.wrinkle.output_level;
  const std::size_t count = subdivided_vertex_count(mesh, faces, level);
  if (count > static_cast<std::size_t>(shot.wrinkle.max_vertices))
    throw InputError(
        fmt::format("{}wrinkle.output_level: the result would have {} vertices, more than "
                    "wrinkle.max_vertices ({}); take a lower level, let only a wrinkle.region wrinkle, or "
                    "raise wrinkle.max_vertices",
                    shot.place("wrinkle.output_level"), count, shot.wrinkle.max_vertices));
  return level;
}

/// The level at which edges are short enough for the smallest wavelength, or the last before it that has not
/// too many vertices.
int usual_level(const Shot& shot, const Mesh& mesh, const IdVector<FaceId, char>& faces, double wavelength) {
  const int wanted = subdivision_level(mesh, faces, wavelength / kEdgesPerWave, kMostLevels);
  int level = wanted;
  while (level > 0 &&
         subdivided_vertex_count(mesh, faces, level) > static_cast<std::size_t>(shot.wrinkle.max_vertices))
    --level;
  if (level < wanted)
    log().warn(
        "{}wrinkle.output_level: {} in place of {}, with which the result would have {} vertices: wrinkles "
        "of {:.3g} mm are shown on edges of up to {:.3g} mm; let only a wrinkle.region wrinkle, or raise "
        "wrinkle.max_vertices",
        shot.place("wrinkle.output_level"), level, wanted, subdivided_vertex_count(mesh, faces, wanted),
        1000 * wavelength, 1000 * std::ldexp(longest_edge(mesh, faces), -level));
  return level;
}

}  // namespace

WrinkleOptions wrinkle_options(const SkinSettings& settings) {
  const Shot& shot = settings.shot();
  const WrinkleSection& wrinkle = shot.wrinkle;
  WrinkleOptions options;
  options.substrate = {wrinkle.substrate_young, wrinkle.substrate_thickness, 0};
  options.law = wrinkle.law;
  options.law_factor = wrinkle.law_factor;
  options.solver = wrinkle.solver;
  options.coupling = wrinkle.coupling;
  if (!wrinkle.region.empty()) options.region = own_triangles(settings);
  options.fade = wrinkle.fade;
  options.support = wrinkle.support;
  options.give = wrinkle.give;
  options.edge = wrinkle.edge;
  options.imperfection = wrinkle.imperfection;
  options.seed = static_cast<std::uint64_t>(wrinkle.seed);
  options.load_step = wrinkle.load_step;
  options.damping = wrinkle.damping;
  options.adaptive = wrinkle.adaptive;
  options.smallest_edge = wrinkle.smallest_edge.value_or(0);
  options.contact = wrinkle.contact;
  options.max_vertices = wrinkle.max_vertices;
  const SkinLaw skin = skin_law(shot.skin);
  for (const WrinkleLayerSection& layer : wrinkle.layer) options.layers.push_back(plain_layer(layer, skin));
  if (options.layers.empty()) options.layers = default_layers();
  check_give(shot, options);
  paint_layers(settings, settings.body(), options);
  options.fibres = fibres(settings);
  if (has_own_outline(settings, options))
    options.region = triangles_of(settings.body().triangles(), touched_faces(settings));
  check_vertices(shot, options, settings.body().triangles().mesh);
  if (options.adaptive) check_smallest_edge(shot, options, settings.body().triangles().mesh);
  return options;
}

std::unique_ptr<SubdividedBody> wrinkled_body(const SkinSettings& settings, const WrinkleOptions& options) {
  const Shot& shot = settings.shot();
  const Body& body = settings.body();
  IdVector<FaceId, char> faces(body.mesh().face_count(), options.region.empty());
  for (FaceId t : ids<FaceId>(options.region.size()))
    if (options.region[t.index()]) faces[body.triangles().polygon[t]] = 1;
  const double wavelength = smallest_wavelength(options, body.triangles().mesh);
  const int level = shot.wrinkle.output_level ? asked_level(shot, body.mesh(), faces)
                                              : usual_level(shot, body.mesh(), faces, wavelength);
  auto finer = std::make_unique<SubdividedBody>(body, faces, level, shot.wrinkle.surface);
  log().info(
      "wrinkles of {:.3g} mm and more are given on {} vertices: faces that wrinkle are subdivided {} times, "
      "to edges of up to {:.3g} mm (wrinkle.output_level)",
      1000 * wavelength, finer->source().vertex_count(), level,
      1000 * std::ldexp(longest_edge(body.mesh(), faces), -level));
  return finer;
}

std::vector<Region> wrinkled_regions(const SkinSettings& settings, const WrinkleOptions& options,
                                     const SubdividedBody& finer) {
  return has_own_outline(settings, options) ? find_regions(settings.shot(), finer, settings.regions())
                                            : regions_on(finer, settings.regions());
}

WrinkleOptions options_on(const SubdividedBody& finer, const SkinSettings& settings,
                          const std::vector<Region>& regions, WrinkleOptions options) {
  if (!options.region.empty())
    options.region = triangles_of(finer.triangles(), faces_in_region(settings, regions, finer.mesh()));
  paint_layers(settings, finer, options);
  if (!options.fibres.empty()) options.fibres = fibres_on(finer, settings.body(), options.fibres);
  return options;
}

}  // namespace cutis
