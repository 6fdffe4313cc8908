#include "cutis/wrinkle/layer/layer_mesh.h"

#include <algorithm>
#include <cmath>

#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/surface/mesh/vertex_means.h"

namespace cutis {
namespace {

using VertexField = IdVector<VertexId, double>;

/// Of a value of each triangle, weighted by the areas [m²]; 0 where a vertex has no area around it.
VertexField area_weighted_means(const Mesh& mesh, const std::vector<double>& values,
                                const std::vector<double>& areas) {
  return vertex_means(
      mesh, 0.0, [&](FaceId f) { return areas[f.index()] * values[f.index()]; },
      [&](FaceId f) { return areas[f.index()]; });
}

VertexField young_moduli(const LayerSurface& surface) {
  const Mesh& fine = surface.fine->mesh();
  std::vector<double> values;
  for (const ShellFace& face : surface.faces) values.push_back(face.young);
  return area_weighted_means(fine, values, triangle_areas(fine.positions.raw(), index_triangles(fine)));
}

VertexField supports(const LayerSurface& surface) {
  const VertexField areas = vertex_areas(surface.fine->mesh());
  VertexField sums(areas.size(), 0);
  for (const ConstraintFunction& f : surface.constraints) {
    // Samples are the values of the function times the area of their vertex.
    double largest = 0;
    for (const VertexWeight& w : f.samples) largest = std::max(largest, w.weight / areas[w.vertex]);
    for (const VertexWeight& w : f.samples) sums[w.vertex] += w.weight / areas[w.vertex] / largest;
  }
  const double peak = *std::max_element(sums.begin(), sums.end());
  for (double& sum : sums) sum /= peak;
  return sums;
}

VertexField nearest_constraints(const LayerSurface& surface) {
  std::vector<VertexId> centres;
  for (const ConstraintFunction& f : surface.constraints) centres.push_back(f.centre);
  const GeodesicMetric metric = metric_in_wavelengths(*surface.fine, surface.wavelength);
  Geodesics geodesics(metric);
  geodesics.from_vertices(centres);
  VertexField numbers;
  for (VertexId v : ids<VertexId>(surface.fine->positions().size())) numbers.push_back(geodesics.source(v));
  return numbers;
}

/// Fills in the fields of one mesh.
class LayerMeshBuilder {
 public:
  LayerMeshBuilder(const LayerShell& layer, std::string name)
      : layer_(layer), fine_(*layer.surface().fine), places_(layer.material().places) {
    result_.name = std::move(name);
    result_.mesh = layer.material().mesh;
    result_.mesh.positions = layer.positions();
  }

  LayerMesh build() {
    add_shape();
    add_strain();
    const LayerSurface& surface = layer_.surface();
    add_from_fine("wavelength", surface.wavelength.across);
    if (!surface.wavelength.along.empty()) add_from_fine("wavelength_along", surface.wavelength.along);
    add_from_fine("thickness", surface.thickness);
    add_from_fine("young", young_moduli(surface));
    add_constraints();
    return std::move(result_);
  }

 private:
  const LayerShell& layer_;
  const Surface& fine_;
  const IdVector<VertexId, SurfacePoint>& places_;  ///< of the vertices on the fine mesh
  LayerMesh result_;

  void add(std::string name, VertexField values) {
    result_.fields.push_back({std::move(name), 1, std::move(values.raw())});
  }

  void add_from_fine(std::string name, const VertexField& fine) {
    VertexField values;
    for (const SurfacePoint& place : places_) values.push_back(interpolate(fine_.mesh(), fine, place));
    add(std::move(name), std::move(values));
  }

  void add_shape() {
    VertexAttribute rest{"rest", 3, {}};
    for (const Vec3& X : layer_.rest_positions()) rest.values.insert(rest.values.end(), X.begin(), X.end());
    result_.fields.push_back(std::move(rest));
    const Points& x = layer_.positions();
    const IdVector<VertexId, Vec3> normals = angle_weighted_normals(result_.mesh, x);
    VertexField height, slope;
    for (VertexId v : ids<VertexId>(x.size())) {
      const Vec3 up = layer_.carrier().normal(fine_, places_[v]);
      height.push_back(up.dot(x[v] - layer_.carrier().position(fine_, places_[v])));
      slope.push_back(std::atan2(up.cross(normals[v]).norm(), up.dot(normals[v])));
    }
    add("height", std::move(height));
    add("slope", std::move(slope));
  }

  void add_strain() {
    const Mesh& mesh = result_.mesh;
    const Points &X = layer_.rest_positions(), &x = mesh.positions;
    std::vector<double> tensile, compressive, areas;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const auto v = mesh.face(f);
      const RestTriangle rest = rest_triangle(X[v[0]], X[v[1]], X[v[2]]);
      const Mat32 F =
          rest.degenerate() ? Mat32::Identity() : deformation_gradient(rest, x[v[0]], x[v[1]], x[v[2]]);
      tensile.push_back(tensile_strain(F));
      compressive.push_back(compressive_strain(F));
      areas.push_back(rest.area);
    }
    add("tensile_strain", area_weighted_means(mesh, tensile, areas));
    add("compressive_strain", area_weighted_means(mesh, compressive, areas));
  }

  void add_constraints() {
    const VertexField nearest = nearest_constraints(layer_.surface());
    VertexField numbers;
    for (const SurfacePoint& place : places_) {
      Eigen::Index corner = 0;
      place.barycentric.maxCoeff(&corner);
      numbers.push_back(nearest[fine_.mesh().face(place.face)[static_cast<std::size_t>(corner)]]);
    }
    add("constraint", std::move(numbers));
    add_from_fine("support", supports(layer_.surface()));
  }
};

}  // namespace

LayerMesh layer_mesh(const LayerShell& layer, std::string name) {
  return LayerMeshBuilder(layer, std::move(name)).build();
}

}  // namespace cutis
