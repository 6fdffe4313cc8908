#include "cutis/wrinkle/layer/layer_surface.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/remesh/remesh.h"
#include "cutis/wrinkle/constraint/constraint_centres.h"
#include "cutis/wrinkle/critical_wavelength.h"

namespace cutis {
namespace {

/// Each side of a triangle is cut into so many parts to average what is painted over it.
constexpr int kSamplesAcross = 6;
/// The fine mesh is made on one with edges of this share of the longest wavelength, which knows how the
/// wavelength varies.
constexpr double kPreparedEdge = 0.5;
/// Rounds in which random heights are smoothed: bumps about two edges wide.
constexpr int kSmoothings = 2;

/// All layers at one place of the region.
std::vector<LayerProperties> layers_at(const RegionSurface& region, const WrinkleOptions& options,
                                       const SurfacePoint& place) {
  std::vector<LayerProperties> layers;
  const SurfacePoint on_body{region.face[place.face], place.barycentric};
  for (const WrinkleLayer& layer : options.layers)
    layers.push_back(layer.painted ? layer.painted(on_body) : layer.reference);
  return layers;
}

/// Means over a piece of a layer: of E h and E h³, on which its stretching and bending depend, of h and of
/// the wavelength.
struct LayerMeans {
  double stretching = 0, bending = 0, thickness = 0, wavelength = 0, weight = 0;

  void add(double w, double young, double h, double lambda) {
    stretching += w * young * h;
    bending += w * young * h * h * h;
    thickness += w * h;
    wavelength += w * lambda;
    weight += w;
  }
  void add(const LayerMeans& other) {
    stretching += other.stretching;
    bending += other.bending;
    thickness += other.thickness;
    wavelength += other.wavelength;
    weight += other.weight;
  }
  /// The homogeneous material that stretches and bends alike.
  ShellFace face() const {
    const double h = std::sqrt(bending / stretching);
    return {stretching / weight / h, h};
  }
};

/// Finds the place on the region of points near to it.
class RegionPlaces {
 public:
  explicit RegionPlaces(const RegionSurface& region) : tree_(region.surface.mesh()) {}
  SurfacePoint operator()(const Vec3& x) const { return tree_(x).point; }

 private:
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
        const auto add = [&](double i, double j) {
          const auto layers = layers_at(region, options, place_of(a + i / n * (b - a) + j / n * (c - a)));
          means[f].add(area / (n * n), layers[k].young, layers[k].thickness,
                       wavelength_of(options, layers, k));
        };
        for (int i = 0; i < n; ++i)
          for (int j = 0; i + j < n; ++j) {
            add(i + 1.0 / 3, j + 1.0 / 3);
            if (i + j + 1 < n) add(i + 2.0 / 3, j + 2.0 / 3);
          }
      },
      16);
  return means;
}

IdVector<VertexId, LayerMeans> vertex_means(const Mesh& fine, const std::vector<LayerMeans>& faces) {
  IdVector<VertexId, LayerMeans> means(fine.vertex_count());
  for (FaceId f : ids<FaceId>(fine.face_count()))
    for (VertexId v : fine.face(f)) means[v].add(faces[f.index()]);
  return means;
}

/// Of all layers above k together, at each vertex [m].
IdVector<VertexId, double> depths(const RegionSurface& region, const WrinkleOptions& options, std::size_t k,
                                  const Mesh& fine) {
  IdVector<VertexId, double> depth(fine.vertex_count(), 0);
  for (std::size_t above = k + 1; above < options.layers.size(); ++above) {
    const auto means = vertex_means(fine, face_means(region, options, above, fine));
    for (VertexId v : ids<VertexId>(depth.size())) depth[v] += means[v].thickness / means[v].weight;
  }
  return depth;
}

/// Triangles with edges that are the given share of the wavelength.
RemeshResult fine_mesh(const RegionSurface& region, const WrinkleOptions& options, std::size_t k,
                       CutSurface& prepared, double& longest) {
  const auto wavelength_at = [&](const SurfacePoint& p) {
    return wavelength_of(options, layers_at(region, options, p), k);
  };
  longest = 0;
  for (FaceId f : ids<FaceId>(region.face.size()))
    longest = std::max(longest, wavelength_at({f, Vec3::Constant(1.0 / 3)}));
  prepared = cut_to_edge(region.surface, kPreparedEdge * longest);
  const Surface surface(prepared.mesh);
  RemeshOptions remeshing;
  remeshing.sizes.assign(prepared.mesh.vertex_count(), 0);
  for (VertexId v : ids<VertexId>(prepared.mesh.vertex_count())) {
    remeshing.sizes[v] = options.edge * wavelength_at(prepared.places[v]);
  }
  return remesh(surface, options.edge * longest, remeshing);
}

/// Random, with the given root mean square.
IdVector<VertexId, double> rough_heights(const Surface& fine, std::uint64_t seed, double height) {
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
  const double scale = height / std::sqrt(squares / static_cast<double>(heights.size()));
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

}  // namespace

Vec3 LayerSurface::rest_position(const SurfacePoint& place) const {
  const Mesh& mesh = fine->mesh();
  const Vec3 normal = interpolate(mesh, fine->normals(), place).normalized();
  const double height = interpolate(mesh, imperfection, place) - interpolate(mesh, depth, place);
  return fine->position(place) + height * normal;
}

LayerSurface layer_surface(const RegionSurface& region, const WrinkleOptions& options, std::size_t k) {
  CutSurface prepared;
  double longest = 0;
  RemeshResult remeshed = fine_mesh(region, options, k, prepared, longest);
  LayerSurface layer;
  layer.fine = std::make_shared<const Surface>(std::move(remeshed.mesh));
  const Mesh& fine = layer.fine->mesh();
  const RegionPlaces place_of(region);
  layer.body.assign(fine.vertex_count(), {});
  for (VertexId v : ids<VertexId>(fine.vertex_count())) {
    const SurfacePoint p = place_of(fine.positions[v]);
    layer.body[v] = {region.face[p.face], p.barycentric};
  }
  const std::vector<LayerMeans> faces = face_means(region, options, k, fine);
  for (const LayerMeans& mean : faces) layer.faces.push_back(mean.face());
  const auto vertices = vertex_means(fine, faces);
  layer.shortest_wavelength = longest;
  for (VertexId v : ids<VertexId>(fine.vertex_count())) {
    const LayerMeans& mean = vertices[v];
    layer.wavelength.push_back(mean.wavelength / mean.weight);
    layer.thickness.push_back(mean.thickness / mean.weight);
    layer.critical_strain.push_back(critical_strain(mean.face().thickness, layer.wavelength[v]));
    layer.shortest_wavelength = std::min(layer.shortest_wavelength, layer.wavelength[v]);
  }
  layer.depth = depths(region, options, k, fine);
  const std::uint64_t seed = options.seed + 1000 * k;
  layer.imperfection =
      rough_heights(*layer.fine, seed, options.imperfection * options.layers[k].reference.thickness);
  layer.held = held_vertices(region, *layer.fine);
  for (VertexId v : ids<VertexId>(fine.vertex_count()))
    if (layer.held[v]) layer.imperfection[v] = 0;
  const auto centres = constraint_centres(*layer.fine, layer.wavelength, seed);
  layer.constraints = constraint_functions(*layer.fine, centres, layer.wavelength, options.support);
  return layer;
}

}  // namespace cutis
