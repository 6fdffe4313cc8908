#include "cutis/measure/fields.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/material/membrane/membrane_stress.h"

namespace cutis {
namespace {

constexpr double kCollapsed = 1e-12;  ///< the smallest area ratio that is told apart
/// Stretches closer than this (as a share of the greater) have no direction.
constexpr double kRound = 1e-9;

/// One triangle that is not degenerate at rest.
struct Element {
  Mat32 F;  ///< geometric or elastic
  Mat32 P = Mat32::Zero();
  double thickness = 0;
  double slack = 0;
};

/// A number of each triangle; at a vertex or a face its mean, weighted by rest area.
struct Scalar {
  const char* name;
  const char* unit;
  const char* doc;
  double at_rest;  ///< where there is no triangle
  double (*value)(const Element&);
};

const std::array kStrains{
    Scalar{"stretch_max", "1", "greatest principal stretch: length over rest length", 1,
           [](const Element& e) { return principal_stretches(e.F).max; }},
    Scalar{"stretch_min", "1", "least principal stretch", 1,
           [](const Element& e) { return principal_stretches(e.F).min; }},
    Scalar{"tensile_strain", "1", "ln of the greatest stretch where it is above 1, else 0", 0,
           [](const Element& e) { return tensile_strain(e.F); }},
    Scalar{"compressive_strain", "1", "-ln of the least stretch where it is below 1, else 0", 0,
           [](const Element& e) { return compressive_strain(e.F); }},
    Scalar{"green_strain", "1", "norm of the Green strain (FᵀF - I) / 2", 0,
           [](const Element& e) { return green_strain_norm(e.F); }},
    Scalar{"area_ratio", "1", "area over rest area", 1, [](const Element& e) { return area_ratio(e.F); }},
};

const std::array kStresses{
    Scalar{"stress_max", "Pa", "greatest principal Cauchy stress", 0,
           [](const Element& e) {
             return principal_values(cauchy_stress(e.F, e.P, thickness_now(e.F, e.thickness)), e.F).max;
           }},
    Scalar{"stress_min", "Pa", "least principal Cauchy stress", 0,
           [](const Element& e) {
             return principal_values(cauchy_stress(e.F, e.P, thickness_now(e.F, e.thickness)), e.F).min;
           }},
    Scalar{"tension_max", "N/m", "greatest principal tension", 0,
           [](const Element& e) { return principal_values(tension(e.F, e.P), e.F).max; }},
    Scalar{"tension_min", "N/m", "least principal tension", 0,
           [](const Element& e) { return principal_values(tension(e.F, e.P), e.F).min; }},
    Scalar{"slack", "1",
           "what wrinkles take up: ln of the material's own stretch over the skin's, the larger", 0,
           [](const Element& e) { return e.slack; }},
};

// Fields that are made in a way of their own.
constexpr const char* kLogArea = "log_area";
constexpr const char* kDisplacement = "displacement";
constexpr const char* kSlide = "slide";
constexpr const char* kSlideChord = "slide_chord";
constexpr const char* kJump = "jump";
constexpr const char* kBody = "body";
constexpr const char* kFlesh = "flesh";
constexpr const char* kLag = "lag";
constexpr const char* kHeight = "height";
constexpr const char* kFleshStretch = "flesh_stretch";
constexpr const char* kPhase = "phase";
constexpr const char* kSlideLimit = "slide_limit";
constexpr const char* kPressure = "pressure";
constexpr const char* kMaxDirection = "stretch_max_direction";
constexpr const char* kMinDirection = "stretch_min_direction";
const std::string kFace = "face_", kElastic = "elastic_";

/// What is measured, without where and of which deformation.
std::string quantity(std::string name) {
  if (name.starts_with(kFace)) name.erase(0, kFace.size());
  if (name.starts_with(kElastic)) name.erase(0, kElastic.size());
  return name;
}

/// Of points over a surface with the same vertices, along its normals there.
std::vector<double> heights(const ResultMesh& mesh, const SourcePoints& surface, const SourcePoints& points) {
  SourcePoints normals(surface.size(), Vec3::Zero());
  for (const IndexTriangle& t : mesh.triangles) {
    const SourceVertexId a(t[0]), b(t[1]), c(t[2]);
    const Vec3 normal = (surface[b] - surface[a]).cross(surface[c] - surface[a]);
    for (const SourceVertexId v : {a, b, c}) normals[v] += normal;
  }
  // Triangles name one of the vertices that are welded together.
  IdVector<VertexId, Vec3> welded(mesh.welded.size(), Vec3::Zero());
  for (SourceVertexId v : ids<SourceVertexId>(normals.size())) welded[mesh.welded[v]] += normals[v];
  std::vector<double> values;
  for (SourceVertexId v : ids<SourceVertexId>(normals.size()))
    values.push_back((points[v] - surface[v]).dot(welded[mesh.welded[v]].normalized()));
  return values;
}

std::vector<FieldInfo> all_fields() {
  using enum FieldPlace;
  std::vector<FieldInfo> all = {
      {kDisplacement, "m", Vertex, 1, FieldNeeds::Nothing, "distance from the place at rest"},
      {kSlide, "m", Vertex, 1, FieldNeeds::Map, "geodesic slide: the way over the body at rest"},
      {kSlideChord, "m", Vertex, 1, FieldNeeds::Placed,
       "straight distance on the body at rest from where the skin began: what the slide limit bounds"},
      {kJump, "m", Vertex, 1, FieldNeeds::Placed,
       "distance from where the body has carried the skin since the frame before; 0 at the first"},
      {kBody, "m", Vertex, 3, FieldNeeds::Body, "where plain skinning puts the vertex, in space"},
      {kFlesh, "m", Vertex, 3, FieldNeeds::FleshSurface, "where flesh puts the vertex, in space"},
      {kLag, "m", Vertex, 1, FieldNeeds::Body,
       "distance from where plain skinning puts the vertex: what flesh and skin do by themselves"},
      {kHeight, "m", Vertex, 1, FieldNeeds::Below,
       "height over the surface below (body, flesh or skin), along the normal there: wrinkles"},
      {kFleshStretch, "1", Vertex, 1, FieldNeeds::Flesh,
       "greatest principal stretch of the flesh just below: length over length without stress"},
      {kPhase, "1", Vertex, 1, FieldNeeds::Flesh,
       "how far the flesh just below is into its stiff phase: 0 soft, 1 stiff"},
      {kSlideLimit, "m", Vertex, 1, FieldNeeds::Limits, "how far the skin may slide from its place"},
      {kPressure, "Pa", Vertex, 1, FieldNeeds::Stress,
       "what the skin presses the body with, by its tension where it is curved; negative where it lifts off"},
  };
  const auto add = [&](const char* name, const char* unit, int components, FieldNeeds needs,
                       const std::string& doc) {
    const bool elastic = needs == FieldNeeds::Elastic;
    const std::string whole = (elastic ? kElastic : "") + name;
    const std::string words = doc + (elastic ? ", pre-stretch included" : "");
    all.push_back({whole, unit, Vertex, components, needs, words});
    all.push_back({kFace + whole, unit, Face, components, needs, words});
  };
  for (const FieldNeeds needs : {FieldNeeds::Nothing, FieldNeeds::Elastic}) {
    add(kLogArea, "1", 1, needs, "ln(area / rest area): 0 is as at rest");
    for (const Scalar& s : kStrains) add(s.name, s.unit, 1, needs, s.doc);
    add(kMaxDirection, "1", 3, needs, "direction of the greatest stretch, in space");
    add(kMinDirection, "1", 3, needs, "direction of the least stretch, in space");
  }
  for (const Scalar& s : kStresses) add(s.name, s.unit, 1, FieldNeeds::Stress, s.doc);
  return all;
}

const Scalar* find_scalar(const std::string& name) {
  for (const Scalar& s : kStrains)
    if (name == s.name) return &s;
  for (const Scalar& s : kStresses)
    if (name == s.name) return &s;
  return nullptr;
}

/// The places of a field: which of them each triangle lies at, and which of them each row of the field is.
class Places {
 public:
  Places(const ResultMesh& mesh, FieldPlace place) : mesh_(mesh), place_(place) {}

  /// Places are vertices welded together, or faces.
  std::size_t count() const {
    return place_ == FieldPlace::Face ? mesh_.mesh.face_count() : mesh_.mesh.vertex_count();
  }
  template <class F>
  void of_triangle(std::size_t t, const F& f) const {
    if (place_ == FieldPlace::Face) {
      f(static_cast<std::size_t>(mesh_.triangle_faces[t]));
      return;
    }
    for (std::int32_t corner : mesh_.triangles[t]) f(mesh_.welded[SourceVertexId(corner)].index());
  }
  std::size_t of_row(std::size_t row) const {
    return place_ == FieldPlace::Face ? row : mesh_.welded[SourceVertexId(row)].index();
  }

 private:
  const ResultMesh& mesh_;
  FieldPlace place_;
};

std::vector<Element> elements(const ResultMesh& mesh, std::span<const RestTriangle> rest,
                              const FieldInfo& field, const FieldInputs& in) {
  const bool elastic = field.needs == FieldNeeds::Elastic || field.needs == FieldNeeds::Stress;
  std::vector<Element> all(rest.size());
  parallel_for(all.size(), [&](std::size_t t) {
    if (rest[t].degenerate()) return;
    const auto corner = [&](int k) { return in.positions[SourceVertexId(mesh.triangles[t][k])]; };
    Element& e = all[t];
    e.F = elastic ? in.skin->deformation[t] : deformation_gradient(rest[t], corner(0), corner(1), corner(2));
    if (field.needs != FieldNeeds::Stress) return;
    e.P = in.skin->stress[t];
    e.thickness = in.skin->thickness[t];
    if (!in.skin->slack.empty()) e.slack = in.skin->slack[t];
  });
  return all;
}

std::vector<double> mean(std::span<const Element> all, std::span<const RestTriangle> rest,
                         const Places& places, double at_rest, double (*value)(const Element&)) {
  std::vector<double> values(all.size());
  parallel_for(all.size(), [&](std::size_t t) {
    if (!rest[t].degenerate()) values[t] = value(all[t]);
  });
  std::vector<double> sums(places.count(), 0), weights(places.count(), 0);
  for (std::size_t t = 0; t < values.size(); ++t)
    if (!rest[t].degenerate())
      places.of_triangle(t, [&](std::size_t place) {
        sums[place] += rest[t].area * values[t];
        weights[place] += rest[t].area;
      });
  std::vector<double> rows(places.count());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t place = places.of_row(row);
    rows[row] = weights[place] > 0 ? sums[place] / weights[place] : at_rest;
  }
  return rows;
}

/// A direction has no sign: the one whose largest component is positive stands for both.
Vec3 with_sign(const Vec3& direction) {
  int largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  return direction[largest] < 0 ? Vec3(-direction) : direction;
}

/// The direction that most triangles agree on: the first eigenvector of the sum of n nᵀ, each weighted by
/// rest area and by how much the two stretches differ, so that triangles without a direction have no say.
std::vector<double> directions(std::span<const Element> all, std::span<const RestTriangle> rest,
                               const Places& places, bool max) {
  std::vector<Mat3> dyads(all.size(), Mat3::Zero());
  parallel_for(all.size(), [&](std::size_t t) {
    if (rest[t].degenerate()) return;
    const PrincipalStretches s = principal_stretches(all[t].F);
    if (!(s.max - s.min > kRound * s.max)) return;
    const Vec3& n = max ? s.max_now : s.min_now;
    dyads[t] = rest[t].area * (s.max - s.min) * n * n.transpose();
  });
  std::vector<Mat3> sums(places.count(), Mat3::Zero());
  for (std::size_t t = 0; t < dyads.size(); ++t)
    places.of_triangle(t, [&](std::size_t place) { sums[place] += dyads[t]; });
  std::vector<double> rows(3 * places.count(), 0);
  parallel_for(places.count(), [&](std::size_t row) {
    const Mat3& sum = sums[places.of_row(row)];
    const double scale = sum.trace();
    if (!(scale > 0)) return;
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(sum / scale);
    if (solver.eigenvalues()[2] - solver.eigenvalues()[1] <= kRound) return;
    const Vec3 direction = with_sign(solver.eigenvectors().col(2));
    std::copy(direction.begin(), direction.end(), rows.begin() + static_cast<std::ptrdiff_t>(3 * row));
  });
  return rows;
}

/// The part of a triangle that is nearer to its first corner than to the others, as its circumcentre divides
/// it; of an obtuse one a half at the obtuse corner, a quarter at the others (Meyer et al. 2003).
double nearest_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double twice = (b - a).cross(c - a).norm();
  const double at_a = (b - a).dot(c - a), at_b = (a - b).dot(c - b), at_c = (a - c).dot(b - c);
  if (at_a <= 0) return twice / 4;
  if (at_b <= 0 || at_c <= 0) return twice / 8;
  return ((b - a).squaredNorm() * at_c + (c - a).squaredNorm() * at_b) / (8 * twice);
}

/// By virtual work: the forces -A T grad N of all triangles at a vertex, over the area that is nearest to it.
/// For even tension on a smooth surface that is Laplace's law, T times the sum of the curvatures.
std::vector<double> pressures(const ResultMesh& mesh, std::span<const Element> all,
                              std::span<const RestTriangle> rest, const SourcePoints& positions) {
  const Places places(mesh, FieldPlace::Vertex);
  std::vector<Vec3> forces(places.count(), Vec3::Zero()), normals(places.count(), Vec3::Zero());
  std::vector<double> areas(places.count(), 0);
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (rest[t].degenerate()) continue;
    const auto corner = [&](int k) { return positions[SourceVertexId(mesh.triangles[t][k % 3])]; };
    const Vec3 area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    if (!(area.norm() > 0)) continue;
    const Vec3 normal = area.normalized();
    const Mat3 T = tension(all[t].F, all[t].P);
    int k = 0;
    places.of_triangle(t, [&](std::size_t place) {
      forces[place] -= 0.5 * T * normal.cross(corner(k + 2) - corner(k + 1));
      normals[place] += area;
      areas[place] += nearest_area(corner(k), corner(k + 1), corner(k + 2));
      ++k;
    });
  }
  std::vector<double> rows(places.count(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t place = places.of_row(row);
    if (areas[place] > 0) rows[row] = -forces[place].dot(normals[place].stableNormalized()) / areas[place];
  }
  return rows;
}

std::vector<double> coordinates(const SourcePoints& points) {
  std::vector<double> numbers;
  for (const Vec3& p : points) numbers.insert(numbers.end(), p.begin(), p.end());
  return numbers;
}

std::vector<double> distances(const SourcePoints& from, const SourcePoints& now) {
  std::vector<double> values;
  for (SourceVertexId v : ids<SourceVertexId>(now.size())) values.push_back((now[v] - from[v]).norm());
  return values;
}

}  // namespace

const std::vector<FieldInfo>& fields() {
  static const std::vector<FieldInfo> all = all_fields();
  return all;
}

const FieldInfo* field_info(const std::string& name) {
  for (const FieldInfo& field : fields())
    if (field.name == name) return &field;
  return nullptr;
}

std::vector<std::string> field_mistakes(std::span<const std::string> names, std::span<const FieldNeeds> has) {
  std::vector<std::string> mistakes, known;
  for (const FieldInfo& field : fields()) known.push_back(field.name);
  for (auto name = names.begin(); name != names.end(); ++name) {
    const FieldInfo* field = field_info(*name);
    if (!field) {
      const std::string near = nearest_word(*name, known);
      mistakes.push_back(fmt::format("output.fields: unknown field \"{}\"; {}", *name,
                                     near.empty() ? "`cutis list fields` shows what there is"
                                                  : fmt::format("did you mean \"{}\"?", near)));
    } else if (std::find(names.begin(), name, *name) != name) {
      mistakes.push_back(fmt::format("output.fields: \"{}\" is there twice; once is enough", *name));
    } else if (field->needs != FieldNeeds::Nothing &&
               std::find(has.begin(), has.end(), field->needs) == has.end()) {
      const char* what = field->needs == FieldNeeds::Map || field->needs == FieldNeeds::Placed
                             ? "skin that slides over its body"
                         : field->needs == FieldNeeds::Body   ? "a body below the skin"
                         : field->needs == FieldNeeds::Below  ? "a surface below the skin"
                         : field->needs == FieldNeeds::Limits ? "a slide limit"
                         : field->needs == FieldNeeds::Flesh  ? "flesh without skin (skin.method = \"none\")"
                         : field->needs == FieldNeeds::FleshSurface ? "flesh (flesh.use = true)"
                                                                    : "skin with a material";
      mistakes.push_back(fmt::format(
          "output.fields: \"{}\" needs {}, which this method has not; leave it out or choose another method",
          *name, what));
    }
  }
  return mistakes;
}

FieldEvaluator::FieldEvaluator(const ResultMesh& mesh)
    : mesh_(mesh), rest_(rest_triangles(mesh.mesh.positions.raw(), mesh.triangles)) {}

std::vector<double> FieldEvaluator::operator()(const FieldInfo& field, const FieldInputs& inputs) {
  const std::string what = quantity(field.name);
  const auto of_welded = [&](std::span<const double> welded) {
    std::vector<double> values;
    for (VertexId v : mesh_.welded) values.push_back(welded[v.index()]);
    return values;
  };
  if (what == kDisplacement) return distances(mesh_.mesh.positions, inputs.positions);
  if (what == kJump) return distances(*inputs.carried, inputs.positions);
  if (what == kSlideChord) return distances(mesh_.mesh.positions, *inputs.at_rest);
  if (what == kSlide) {
    const SurfaceMap& map = inputs.skin->map.value();
    if (!slide_) slide_.emplace(map.from());
    return of_welded((*slide_)(map).raw());
  }
  if (what == kBody) return coordinates(*inputs.body);
  if (what == kLag) return distances(*inputs.body, inputs.positions);
  if (what == kFlesh) return coordinates(*inputs.flesh_surface);
  if (what == kHeight) return heights(mesh_, *inputs.below, inputs.positions);
  if (what == kSlideLimit) return of_welded(inputs.limits);
  if (what == kFleshStretch) return of_welded(inputs.flesh->stretch);
  if (what == kPhase) return of_welded(inputs.flesh->phase);
  const Places places(mesh_, field.place);
  const std::vector<Element> all = elements(mesh_, rest_, field, inputs);
  if (what == kPressure) return pressures(mesh_, all, rest_, inputs.positions);
  if (field.components == 3) return directions(all, rest_, places, what == kMaxDirection);
  if (const Scalar* scalar = find_scalar(what))
    return mean(all, rest_, places, scalar->at_rest, scalar->value);
  std::vector<double> values = mean(all, rest_, places, 1, [](const Element& e) { return area_ratio(e.F); });
  for (double& value : values) value = std::log(std::max(value, kCollapsed));
  return values;
}

std::vector<Vec3> field_vectors(const NpyArray& array) {
  const std::vector<double> numbers = to_doubles(array);
  std::vector<Vec3> vectors(numbers.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = Eigen::Map<const Vec3>(&numbers[3 * i]);
  return vectors;
}

}  // namespace cutis
