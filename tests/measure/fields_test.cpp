#include "cutis/measure/fields.h"

#include <cmath>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/parallel.h"
#include "run/lagging.h"
#include "support/meshes.h"
#include "support/still_body.h"

namespace cutis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SourceMesh as_source(const Mesh& mesh) {
  SourceMesh source;
  for (const Vec3& p : mesh.positions) source.positions.push_back(p);
  source.face_offsets = mesh.face_offsets;
  for (VertexId v : mesh.corners) source.corners.push_back(SourceVertexId(v.value));
  return source;
}

ResultMesh mesh_of(const SourceMesh& source) { return result_mesh(test::StillBody(source)); }

SourcePoints moved(const ResultMesh& mesh, const Mat3& map) {
  SourcePoints points = mesh.mesh.positions;
  for (Vec3& p : points) p = map * p + Vec3(3, -2, 1);
  return points;
}

/// A flat sheet of quads in z = 0, and fields of it under one linear map.
class SheetFields : public testing::Test {
 protected:
  ResultMesh mesh_ = mesh_of(as_source(test::quad_sheet(6, 5, 0.3, 2)));
  FieldEvaluator evaluate_{mesh_};

  std::vector<double> values(const std::string& name, const FieldInputs& inputs) {
    const FieldInfo* field = field_info(name);
    EXPECT_TRUE(field) << name;
    std::vector<double> v = evaluate_(*field, inputs);
    const std::size_t places =
        field->place == FieldPlace::Face ? mesh_.mesh.face_count() : mesh_.mesh.vertex_count();
    EXPECT_EQ(v.size(), places * field->components) << name;
    return v;
  }
  void expect_everywhere(const std::string& name, const FieldInputs& inputs, double expected,
                         double scale = 1) {
    for (const std::string place : {"", "face_"})
      for (double value : values(place + name, inputs))
        ASSERT_NEAR(value, expected, 1e-12 * scale) << place << name;
  }
  void expect_direction(const std::string& name, const FieldInputs& inputs, const Vec3& expected) {
    for (const std::string place : {"", "face_"}) {
      const std::vector<double> v = values(place + name, inputs);
      for (std::size_t i = 0; i < v.size(); i += 3)
        ASSERT_LT((Vec3(v[i], v[i + 1], v[i + 2]) - expected).norm(), 1e-9) << place << name;
    }
  }
};

Mat3 sheared(double g) {
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = g;
  return shear;
}

TEST_F(SheetFields, SimpleShearHasItsClosedForm) {
  const double g = 0.8, greater = std::sqrt(1 + g * g / 4) + g / 2;
  const SourcePoints now = moved(mesh_, sheared(g));
  expect_everywhere("stretch_max", {now}, greater);
  expect_everywhere("stretch_min", {now}, 1 / greater);
  expect_everywhere("green_strain", {now}, std::sqrt(g * g / 2 + g * g * g * g / 4));
  expect_everywhere("area_ratio", {now}, 1);
  expect_everywhere("log_area", {now}, 0);
  expect_direction("stretch_max_direction", {now}, Vec3(greater, 1, 0).normalized());
  // The largest component of a direction is positive.
  expect_direction("stretch_min_direction", {now}, Vec3(-1, greater, 0).normalized());
}

TEST_F(SheetFields, ATurnChangesNothingAndHasNoDirection) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const SourcePoints now = moved(mesh_, turn);
  expect_everywhere("stretch_max", {now}, 1);
  expect_everywhere("green_strain", {now}, 0);
  expect_direction("stretch_max_direction", {now}, Vec3::Zero());
  for (double d : values("displacement", {mesh_.mesh.positions})) EXPECT_EQ(d, 0);
  const std::vector<double> far = values("displacement", {moved(mesh_, Mat3::Identity())});
  for (double d : far) EXPECT_NEAR(d, std::sqrt(14.0), 1e-14);
}

TEST_F(SheetFields, ElasticFieldsIncludeThePrestretch) {
  // The skin at rest is stretched by 1.2 along x and 0.9 along y already; then by 1.5 along x.
  const Mat3 prestretch = Vec3(1.2, 0.9, 1).asDiagonal();
  const SourcePoints now = moved(mesh_, Vec3(1.5, 1, 1).asDiagonal().toDenseMatrix());
  SkinState skin;
  const auto rest = rest_triangles(mesh_.mesh.positions.raw(), mesh_.triangles);
  for (std::size_t t = 0; t < rest.size(); ++t) {
    const auto at = [&](int k) { return now[SourceVertexId(mesh_.triangles[t][k])]; };
    skin.deformation.push_back(deformation_gradient(rest[t], at(0), at(1), at(2)) *
                               (rest[t].axes.transpose() * prestretch * rest[t].axes));
  }
  FieldInputs inputs{now};
  inputs.skin = &skin;
  expect_everywhere("elastic_stretch_max", inputs, 1.8);
  expect_everywhere("elastic_stretch_min", inputs, 0.9);
  expect_everywhere("elastic_area_ratio", inputs, 1.62);
  expect_everywhere("elastic_log_area", inputs, std::log(1.62));
  expect_everywhere("elastic_green_strain", inputs, std::hypot((1.8 * 1.8 - 1) / 2, (0.9 * 0.9 - 1) / 2));
  expect_direction("elastic_stretch_max_direction", inputs, Vec3::UnitX());
  // What is geometric does not know of it.
  expect_everywhere("stretch_max", inputs, 1.5);
  expect_everywhere("stretch_min", inputs, 1);
}

TEST_F(SheetFields, StressAndTensionOfAStretchedSheetHaveTheirClosedForm) {
  // St. Venant-Kirchhoff with P in N/m: P = F S, S = modulus ((1 - nu) E + nu tr(E) I).
  const double modulus = 500, nu = 0.4, thickness = 2e-3, a = 1.4, b = 0.95;
  const SourcePoints now = moved(mesh_, Vec3(a, b, 1).asDiagonal().toDenseMatrix());
  SkinState skin;
  const auto rest = rest_triangles(mesh_.mesh.positions.raw(), mesh_.triangles);
  for (std::size_t t = 0; t < rest.size(); ++t) {
    const auto at = [&](int k) { return now[SourceVertexId(mesh_.triangles[t][k])]; };
    const Mat32 F = deformation_gradient(rest[t], at(0), at(1), at(2));
    const Mat2 E = green_strain(F);
    skin.deformation.push_back(F);
    skin.stress.push_back(F * (modulus * ((1 - nu) * E + nu * E.trace() * Mat2::Identity())));
  }
  skin.thickness.assign(rest.size(), thickness);
  FieldInputs inputs{now};
  inputs.skin = &skin;
  const double ea = (a * a - 1) / 2, eb = (b * b - 1) / 2;
  const double along = a / b * modulus * (ea + nu * eb), across = b / a * modulus * (eb + nu * ea);
  expect_everywhere("tension_max", inputs, along, modulus);
  expect_everywhere("tension_min", inputs, across, modulus);
  // The skin keeps its volume: it is thinner by a b.
  expect_everywhere("stress_max", inputs, along * a * b / thickness, modulus / thickness);
  expect_everywhere("stress_min", inputs, across * a * b / thickness, modulus / thickness);
}

TEST(Fields, PressureFollowsLaplacesLaw) {
  // A ball and a tube whose skin has the same tension all ways: 2 T / r and T / r.
  const double tension = 40, radius = 1;
  struct Shape {
    Mesh mesh;
    double expected;
  };
  for (const Shape& shape : {Shape{test::icosphere(4), 2 * tension / radius},
                             {test::cylinder(48, 12, radius, 1), tension / radius}}) {
    const ResultMesh mesh = mesh_of(as_source(shape.mesh));
    const auto rest = rest_triangles(mesh.mesh.positions.raw(), mesh.triangles);
    SkinState skin;
    for (const RestTriangle& triangle : rest) {
      skin.deformation.push_back(triangle.axes);
      skin.stress.push_back(tension * triangle.axes);
    }
    skin.thickness.assign(rest.size(), 1e-3);
    FieldInputs inputs{mesh.mesh.positions};
    inputs.skin = &skin;
    const std::vector<double> pressure = FieldEvaluator(mesh)(*field_info("pressure"), inputs);
    for (std::size_t v = 0; v < pressure.size(); ++v) {
      const double z = mesh.mesh.positions[SourceVertexId(v)].z();
      if (shape.expected < 2 * tension && (z < 0.01 || z > 0.99)) continue;  // the tube's border
      EXPECT_NEAR(pressure[v], shape.expected, 0.01 * shape.expected) << "vertex " << v;
    }
  }
}

TEST(Fields, AreMeansWeightedByRestArea) {
  // Two triangles of areas 1/2 and 1; the first stays, the second is stretched by 2 along x.
  SourceMesh source;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(2, 0, 0), Vec3(9, 9, 9)})
    source.positions.push_back(p);
  using V = SourceVertexId;
  source.add_face(std::vector{V(0), V(1), V(2)});
  source.add_face(std::vector{V(0), V(3), V(1)});
  const ResultMesh mesh = mesh_of(source);
  SourcePoints now = source.positions;
  now[V(3)].x() = 4;
  FieldEvaluator evaluate(mesh);
  const double both = (0.5 * 1 + 1 * 2) / 1.5;
  const auto at_vertices = evaluate(*field_info("stretch_max"), {now});
  const std::vector<double> expected = {both, both, 1, 2, 1};  // the last vertex has no face: as at rest
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(at_vertices[i], expected[i], 1e-15);
  const auto at_faces = evaluate(*field_info("face_stretch_max"), {now});
  EXPECT_NEAR(at_faces[0], 1, 1e-15);
  EXPECT_NEAR(at_faces[1], 2, 1e-15);
  EXPECT_NEAR(evaluate(*field_info("log_area"), {now})[0], std::log(2.5 / 1.5), 1e-15);
  // A triangle that collapses still gives a number.
  now[V(3)] = now[V(0)];
  EXPECT_NEAR(evaluate(*field_info("face_log_area"), {now})[1], std::log(1e-12), 1e-12);
}

TEST(Fields, SeamsDoNotShowAndDegenerateTrianglesAreLeftOut) {
  const test::WavingRing body(12, 8, 1);
  ResultMesh mesh = result_mesh(body);
  const SourcePoints now = body.source_positions(0.7);
  for (const FieldInfo& field : fields()) {
    if (field.needs != FieldNeeds::Nothing || field.name == "displacement") continue;
    SCOPED_TRACE(field.name);
    const std::vector<double> values = FieldEvaluator(mesh)(field, {now});
    for (double value : values) ASSERT_TRUE(std::isfinite(value));
    if (field.place == FieldPlace::Vertex) {
      for (SourceVertexId v : ids<SourceVertexId>(mesh.welded.size())) {
        const std::size_t first = body.weld().representative[mesh.welded[v]].index();
        for (int k = 0; k < field.components; ++k)
          EXPECT_EQ(values[v.index() * field.components + k], values[first * field.components + k]);
      }
    }
    ResultMesh with_sliver = mesh;
    with_sliver.triangles.push_back({0, 1, 1});
    with_sliver.triangle_faces.push_back(0);
    EXPECT_EQ(FieldEvaluator(with_sliver)(field, {now}), values);
    set_threads(1);
    EXPECT_EQ(FieldEvaluator(mesh)(field, {now}), values);
    set_threads(0);
  }
}

TEST(Fields, EachHasOneNameAUnitAndAPlaceInTheDocuments) {
  const char* root = std::getenv("CUTIS_ROOT");
  ASSERT_TRUE(root) << "CUTIS_ROOT is not set";
  const Bytes bytes = read_file(std::filesystem::path(root) / "docs/fields.md");
  const std::string page(bytes.begin(), bytes.end());
  std::set<std::string> names;
  for (const FieldInfo& field : fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(field_info(field.name), &field);
    EXPECT_FALSE(field.doc.empty());
    EXPECT_EQ(field.name.starts_with("face_"), field.place == FieldPlace::Face);
    if (field.place == FieldPlace::Vertex && field.needs != FieldNeeds::Elastic) {
      EXPECT_THAT(page, HasSubstr("\n| `" + field.name + "` | " + field.unit + " |"));
    }
  }
  EXPECT_EQ(field_info("nothing"), nullptr);
}

TEST(Fields, RequestsThatCannotBeMetAreExplained) {
  const std::vector<FieldNeeds> sliding = {FieldNeeds::Map};
  const std::vector<std::string> good = {"stretch_max", "face_log_area", "slide"};
  EXPECT_TRUE(field_mistakes(good, sliding).empty());
  EXPECT_THAT(field_mistakes(good, {}), ElementsAre(HasSubstr("\"slide\" needs skin that slides")));
  const std::vector<std::string> bad = {"strech_max",         "xyzzy", "stress_max",
                                        "elastic_area_ratio", "slide", "slide"};
  EXPECT_THAT(field_mistakes(bad, sliding),
              ElementsAre(HasSubstr("did you mean \"stretch_max\""), HasSubstr("cutis list fields"),
                          HasSubstr("needs skin with a material"), HasSubstr("needs skin with a material"),
                          HasSubstr("twice")));
}

}  // namespace
}  // namespace cutis
