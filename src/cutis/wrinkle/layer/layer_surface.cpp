#include "cutis/wrinkle/layer/layer_surface.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "cutis/core/parallel.h"
#include "cutis/core/phase_times.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/map/subdivision.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/vertex_means.h"
#include "cutis/surface/remesh/remesh.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"
#include "cutis/wrinkle/critical_wavelength.h"
#include "cutis/wrinkle/layer/property_discontinuities.h"
#include "cutis/wrinkle/layer/triangle_samples.h"

namespace cutis {
namespace {

/// Each side of a triangle is cut into so many parts to average what is painted over it.
constexpr int kSamplesAcross = 6;
/// The fine mesh is made on one with edges of this share of the longest wavelength, which knows how the
/// wavelength varies; where layers are painted, of a share that shows where they jump.
constexpr double kPreparedEdge = 0.5, kPaintedEdge = 0.125;
/// More would not be needed for any body that fits into memory.
constexpr int kMostPreparedLevels = 6;
/// Rounds in which random heights are smoothed: bumps about two edges wide.
constexpr int kSmoothings = 2;

/// Means over a piece of a layer.
struct LayerMeans {
  ShellMean shell;
  // Times the area:
  double thickness = 0, wavelength = 0;
  double along = 0;   ///< wavelength along the fibres
  double height = 0;  ///< over the surface of the body, below which are all layers above it
};

/// Takes in what the layers are at points of a triangle. Its wavelength is that of its homogeneous material:
/// the mean of the wavelengths that its parts would have alone is shorter, by a tenth where stiffness varies
/// sevenfold.
class TriangleMeans {
 public:
  TriangleMeans(const WrinkleOptions& options, std::size_t k)
      : options_(options), k_(k), sums_(options.layers.size()) {}

  void add(double area, const SurfacePoint& on_body) {
    const std::vector<LayerProperties> layers = layers_at(options_, on_body);
    for (std::size_t j = 0; j < layers.size(); ++j) {
      sums_[j].young += area * layers[j].young;
      sums_[j].thickness += area * layers[j].thickness;
    }
    if (layers[k_].wavelength > 0) {
      painted_area_ += area;
      painted_wavelength_ += area * layers[k_].wavelength;
    }
    ShellFace face{layers[k_].young, layers[k_].thickness};
    if (options_.layers[k_].fibre_ratio != 1) {
      face.fibres = options_.fibres[on_body.face.index()];
      face.fibre_ratio = options_.layers[k_].fibre_ratio;
    }
    shell_.add(face, area);
  }

  LayerMeans means() const {
    const double area = shell_.area();
    std::vector<LayerProperties> mean = sums_;
    for (LayerProperties& layer : mean) {
      layer.young /= area;
      layer.thickness /= area;
    }
    const ShellFace face = shell_.face();
    mean[k_].young = face.young;
    mean[k_].thickness = face.thickness;
    LayerMeans means{shell_, sums_[k_].thickness, painted_wavelength_};
    if (painted_area_ < area) means.wavelength += (area - painted_area_) * wavelength_of(options_, mean, k_);
    means.along = means.wavelength * wavelength_ratio_along_fibres(options_, mean, k_);
    for (std::size_t above = k_ + 1; above < sums_.size(); ++above) means.height -= sums_[above].thickness;
    return means;
  }

 private:
  const WrinkleOptions& options_;
  std::size_t k_;
  std::vector<LayerProperties> sums_;  ///< of each layer, times the area
  ShellMean shell_;
  double painted_area_ = 0, painted_wavelength_ = 0;
};

/// Finds the place on the region, and on the triangles of the body, of points near to it.
class RegionPlaces {
 public:
  explicit RegionPlaces(const RegionSurface& region) : region_(region), tree_(region.surface.mesh()) {}
  SurfacePoint operator()(const Vec3& x) const { return tree_(x).point; }
  SurfacePoint on_body(const Vec3& x) const { return region_.on_body(tree_(x).point); }

 private:
  const RegionSurface& region_;
  ClosestPointTree tree_;
};

bool uniform(const WrinkleOptions& options) {
  return std::none_of(options.layers.begin(), options.layers.end(),
                      [](const WrinkleLayer& layer) { return static_cast<bool>(layer.painted); });
}

/// Of every triangle, averaged over points spread evenly in it.
std::vector<LayerMeans> face_means(const RegionSurface& region, const WrinkleOptions& options, std::size_t k,
                                   const Mesh& fine) {
  const RegionPlaces place_of(region);
  const int n = uniform(options) ? 1 : kSamplesAcross;
  std::vector<LayerMeans> means(fine.face_count());
  parallel_for(
      means.size(),
      [&](std::size_t f) {
        const auto v = fine.face(FaceId(f));
        const Vec3 &a = fine.positions[v[0]], &b = fine.positions[v[1]], &c = fine.positions[v[2]];
        const double area = (b - a).cross(c - a).norm() / 2;
        TriangleMeans mean(options, k);
        for_each_sample(a, b, c, n, [&](const Vec3& x) { mean.add(area / (n * n), place_of.on_body(x)); });
        means[f] = mean.means();
      },
      16);
  return means;
}

/// What a layer has around each vertex, the mean by area.
IdVector<VertexId, double> vertex_means(const Mesh& fine, const std::vector<LayerMeans>& faces,
                                        double LayerMeans::*sum) {
  return cutis::vertex_means(
      fine, 0.0, [&](FaceId f) { return faces[f.index()].*sum; },
      [&](FaceId f) { return faces[f.index()].shell.area(); });
}

WavelengthField wavelengths(const RegionSurface& region, const WrinkleOptions& options, std::size_t k,
                            const LayerSurface& layer, const std::vector<LayerMeans>& faces) {
  const Mesh& fine = layer.fine->mesh();
  WavelengthField field;
  field.across = vertex_means(fine, faces, &LayerMeans::wavelength);
  if (options.layers[k].fibre_ratio == 1) return field;
  field.along = vertex_means(fine, faces, &LayerMeans::along);
  for (const SurfacePoint& place : layer.body)
    field.fibres.push_back(region.turn.transpose() * options.fibres[place.face.index()]);
  return field;
}

/// Triangles with edges that are the given share of the wavelength, none of them across a jump of what is
/// painted.
RemeshResult fine_mesh(const RegionSurface& region, const WrinkleOptions& options, std::size_t k) {
  const auto wavelength_at = [&](const SurfacePoint& p) {
    return wavelength_of(options, layers_at(options, region.on_body(p)), k);
  };
  double longest = 0, shortest = INFINITY;
  for (FaceId f : ids<FaceId>(region.face.size())) {
    const double wavelength = wavelength_at({f, Vec3::Constant(1.0 / 3)});
    longest = std::max(longest, wavelength);
    shortest = std::min(shortest, wavelength);
  }
  const bool painted = static_cast<bool>(options.layers[k].painted);
  const Mesh& coarse = region.surface.mesh();
  const IdVector<FaceId, char> all(coarse.face_count(), 1);
  const LinearSubdivision prepared =
      subdivided(coarse, triangulated(coarse), all,
                 subdivision_level(coarse, all, painted ? kPaintedEdge * shortest : kPreparedEdge * longest,
                                   kMostPreparedLevels));
  RemeshOptions remeshing;
  IdVector<VertexId, double> wavelength;
  for (const SurfacePoint& place : prepared.places) wavelength.push_back(wavelength_at(place));
  CutMesh source{prepared.mesh, {}};
  const RegionPlaces place_of(region);
  if (painted) {
    source = cut_at_discontinuities(prepared.mesh, wavelength, [&](const Vec3& x) {
      const LayerProperties p = options.layers[k].painted(place_of.on_body(x));
      return std::log(p.young) + 3 * std::log(p.thickness);
    });
    for (std::size_t v = wavelength.size(); v < source.mesh.vertex_count(); ++v)
      wavelength.push_back(wavelength_at(place_of(source.mesh.positions[VertexId(v)])));
  }
  for (const double l : wavelength)
    remeshing.sizes.push_back(options.even_edge > 0 ? options.even_edge : options.edge * l);
  remeshing.kept_edges = source.discontinuities;
  return remesh(Surface(std::move(source.mesh)), options.edge * longest, remeshing);
}

/// Random, with a root mean square of 1.
IdVector<VertexId, double> rough_heights(const Surface& fine, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  IdVector<VertexId, double> heights(fine.positions().size());
  for (double& h : heights) h = normal(random);
  const Topology& t = fine.topology();
  for (int round = 0; round < kSmoothings; ++round) {
    IdVector<VertexId, double> sum = heights;
    IdVector<VertexId, double> count(heights.size(), 1);
    for (EdgeId e : ids<EdgeId>(t.edge_count())) {
      const VertexId a = t.from(t.halfedge(e)), b = t.to(t.halfedge(e));
      sum[a] += heights[b];
      sum[b] += heights[a];
      ++count[a];
      ++count[b];
    }
    for (VertexId v : ids<VertexId>(heights.size())) heights[v] = sum[v] / count[v];
  }
  double squares = 0;
  for (const double h : heights) squares += h * h;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(heights.size()));
  for (double& h : heights) h *= scale;
  return heights;
}

/// On the border of the region, where the body goes on.
IdVector<VertexId, char> held_vertices(const RegionSurface& region, const Surface& fine) {
  const RegionPlaces place_of(region);
  IdVector<VertexId, char> held(fine.positions().size(), 0);
  for (VertexId v : ids<VertexId>(held.size()))
    if (fine.topology().is_border(v)) held[v] = on_cut(region, place_of(fine.positions()[v]));
  return held;
}

/// What was made in the frame of the region.
LayerSurface in_space(const RegionSurface& region, LayerSurface layer) {
  Mesh fine = layer.fine->mesh();
  for (Vec3& x : fine.positions) x = region.in_space(x);
  layer.fine = std::make_shared<const Surface>(std::move(fine));
  for (Vec3& d : layer.wavelength.fibres) d = region.turn * d;
  return layer;
}

}  // namespace

Vec3 LayerSurface::rest_position(const SurfacePoint& place) const {
  const Mesh& mesh = fine->mesh();
  const Vec3 normal = interpolate(mesh, fine->normals(), place).normalized();
  const double raised = interpolate(mesh, imperfection, place) + interpolate(mesh, height, place);
  return fine->position(place) + raised * normal;
}

double buckling_energy(const LayerSurface& layer) {
  const Mesh& mesh = layer.fine->mesh();
  const auto areas = triangle_areas(mesh.positions.raw(), index_triangles(mesh));
  double energy = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const ShellFace& face = layer.faces[f.index()];
    for (const VertexId v : mesh.face(f))
      energy += areas[f.index()] / 3 * face.young * face.thickness * layer.critical_strain[v] *
                layer.critical_strain[v] / 2;
  }
  return energy;
}

LayerSurface layer_surface(const RegionSurface& region, const WrinkleOptions& options, std::size_t k) {
  LayerSurface layer;
  RemeshResult made = fine_mesh(region, options, k);
  layer.fine = std::make_shared<const Surface>(std::move(made.mesh));
  layer.discontinuities = std::move(made.kept_edges);
  const Mesh& fine = layer.fine->mesh();
  const RegionPlaces places(region);
  for (const Vec3& x : fine.positions) layer.body.push_back(places.on_body(x));
  const std::vector<LayerMeans> faces = face_means(region, options, k, fine);
  for (const LayerMeans& mean : faces) layer.faces.push_back(mean.shell.face());
  layer.wavelength = wavelengths(region, options, k, layer, faces);
  layer.shortest_wavelength =
      *std::min_element(layer.wavelength.across.begin(), layer.wavelength.across.end());
  layer.thickness = vertex_means(fine, faces, &LayerMeans::thickness);
  layer.height = vertex_means(fine, faces, &LayerMeans::height);
  for (VertexId v : ids<VertexId>(fine.vertex_count())) {
    layer.longest_wavelength = std::max(layer.longest_wavelength, layer.wavelength.longest(v));
    layer.critical_strain.push_back(critical_strain(layer.thickness[v], layer.wavelength.longest(v)));
  }
  constexpr std::uint64_t kSeedsOfALayer = 1000;  // layers have other numbers at any seed below this
  const std::uint64_t seed = options.seed + kSeedsOfALayer * k;
  layer.imperfection = rough_heights(*layer.fine, seed);
  layer.held = held_vertices(region, *layer.fine);
  for (VertexId v : ids<VertexId>(fine.vertex_count()))
    layer.imperfection[v] *= layer.held[v] ? 0 : options.imperfection * layer.thickness[v];
  const PhaseTimer timer("wrinkle: constraints");
  const GeodesicMetric metric = metric_in_wavelengths(*layer.fine, layer.wavelength);
  layer.constraints = constraint_functions(fine, metric, constraint_centres(metric, seed), options.support);
  return in_space(region, std::move(layer));
}

}  // namespace cutis
