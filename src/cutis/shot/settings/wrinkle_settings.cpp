#include "cutis/shot/settings/wrinkle_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/shot/settings/layer_map.h"
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

WrinkleLayer plain_layer(const WrinkleLayerSection& section) {
  WrinkleLayer layer;
  layer.reference = {section.young, section.thickness, section.wavelength.value_or(0)};
  layer.poisson = section.poisson;
  layer.density = section.density;
  layer.fibre_ratio = section.fibre_ratio;
  return layer;
}

void paint_layers(const SkinSettings& settings, WrinkleOptions& options) {
  const std::vector<WrinkleLayerSection>& sections = settings.shot().wrinkle.layer;
  const std::vector<LayerProperties> references = reference_layers(options);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    if (!sections[k].map) continue;
    const std::string key = fmt::format("wrinkle.layer[{}].map", k);
    const auto map = std::make_shared<const LayerMap>(*sections[k].map, settings.body(),
                                                      settings.shot().place(key) + without_indices(key));
    LayerProperties reference = references[k];
    if (map->scales_wavelength()) reference.wavelength = wavelength_of(options, references, k);
    options.layers[k].painted = [map, reference](const SurfacePoint& p) { return (*map)(reference, p); };
  }
}

/// Faces of the body's mesh that wrinkle.
IdVector<FaceId, char> wrinkling_faces(const SkinSettings& settings) {
  const std::string& name = settings.shot().wrinkle.region;
  IdVector<FaceId, char> faces(settings.body().mesh().face_count(), name.empty() ? 1 : 0);
  if (!name.empty())
    for (FaceId f : region_named(settings.regions(), name).faces) faces[f] = 1;
  return faces;
}

std::vector<char> wrinkling_triangles(const SkinSettings& settings) {
  if (settings.shot().wrinkle.region.empty()) return {};
  const IdVector<FaceId, char> faces = wrinkling_faces(settings);
  std::vector<char> triangles;
  for (FaceId polygon : settings.body().triangles().polygon) triangles.push_back(faces[polygon]);
  return triangles;
}

/// The directions of the shot, where a layer has fibres.
std::vector<Vec3> fibres(const SkinSettings& settings) {
  const std::vector<WrinkleLayerSection>& layers = settings.shot().wrinkle.layer;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    if (layers[k].fibre_ratio == 1) continue;
    const std::string key = fmt::format("wrinkle.layer[{}].fibre_ratio", k);
    if (settings.directions().field.empty())
      throw InputError(fmt::format(
          "{}{}: nothing says which way the fibres run; give [skin.direction] langer, axis or file",
          settings.shot().place(key), without_indices(key)));
    return settings.directions().field.raw();
  }
  return {};
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
    throw InputError(fmt::format(
        "{}wrinkle.max_vertices: layer {} would have about {:.2g} vertices, more than {}: its wrinkles have "
        "a "
        "wavelength of {:.3g} mm and {} edges in each; let only a wrinkle.region wrinkle, take a longer "
        "wrinkle.edge or stiffer and thicker layers, or raise it",
        shot.place("wrinkle.max_vertices"), k + 1, count, options.max_vertices,
        1000 * wavelength_of(options, reference_layers(options), k), std::lround(1 / options.edge)));
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

/// Which level the shot asks for; throws where that is too fine.
int asked_level(const Shot& shot, const Mesh& mesh, const IdVector<FaceId, char>& faces) {
  const int level = *shot.wrinkle.output_level;
  const std::size_t count = subdivided_vertex_count(mesh, faces, level);
  if (count > static_cast<std::size_t>(shot.wrinkle.max_vertices))
    throw InputError(
        fmt::format("{}wrinkle.output_level: the result would have {} vertices, more than "
                    "wrinkle.max_vertices ({}); take "
                    "a lower level, let only a wrinkle.region wrinkle, or raise wrinkle.max_vertices",
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
        "of "
        "{:.3g} mm are shown on edges of up to {:.3g} mm; let only a wrinkle.region wrinkle, or raise "
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
  options.region = wrinkling_triangles(settings);
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
  for (const WrinkleLayerSection& layer : wrinkle.layer) options.layers.push_back(plain_layer(layer));
  if (options.layers.empty()) options.layers = default_layers();
  paint_layers(settings, options);
  options.fibres = fibres(settings);
  check_vertices(shot, options, settings.body().triangles().mesh);
  return options;
}

std::unique_ptr<SubdividedBody> wrinkled_body(const SkinSettings& settings, const WrinkleOptions& options) {
  const Shot& shot = settings.shot();
  const Body& body = settings.body();
  const IdVector<FaceId, char> faces = wrinkling_faces(settings);
  const double wavelength = smallest_wavelength(options, body.triangles().mesh);
  const int level = shot.wrinkle.output_level ? asked_level(shot, body.mesh(), faces)
                                              : usual_level(shot, body.mesh(), faces, wavelength);
  auto finer = std::make_unique<SubdividedBody>(body, faces, level);
  log().info(
      "wrinkles of {:.3g} mm and more are given on {} vertices: faces that wrinkle are subdivided {} times, "
      "to "
      "edges of up to {:.3g} mm (wrinkle.output_level)",
      1000 * wavelength, finer->source().vertex_count(), level,
      1000 * std::ldexp(longest_edge(body.mesh(), faces), -level));
  return finer;
}

}  // namespace cutis
