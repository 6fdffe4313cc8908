#include "cutis/surface/remesh/remesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/diagnose.h"
#include "cutis/surface/mesh/repair.h"
#include "cutis/surface/mesh/triangle_measures.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "support/meshes.h"
#include "support/same_bits.h"

namespace cutis {
namespace {

double area(const Mesh& mesh) { return total_area(mesh.positions.raw(), index_triangles(mesh)); }
double volume(const Mesh& mesh) { return enclosed_volume(mesh.positions.raw(), index_triangles(mesh)); }

std::vector<double> edge_lengths(const Mesh& mesh) {
  const Topology t(mesh);
  std::vector<double> lengths;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    lengths.push_back((mesh.positions[t.to(h)] - mesh.positions[t.from(h)]).norm());
  }
  return lengths;
}

double share_within(const std::vector<double>& values, double low, double high) {
  const auto inside = [&](double x) { return x >= low && x <= high; };
  return double(std::count_if(values.begin(), values.end(), inside)) / double(values.size());
}

/// Faces turned against the source's smooth normals at their corners.
int turned_over(const Surface& source, const RemeshResult& r) {
  int count = 0;
  for (FaceId f : ids<FaceId>(r.mesh.face_count())) {
    const auto v = r.mesh.face(f);
    const Vec3& a = r.mesh.positions[v[0]];
    Vec3 up = Vec3::Zero();
    for (VertexId x : v) up += interpolate(source.mesh(), source.normals(), r.source[x]);
    count += !((r.mesh.positions[v[1]] - a).cross(r.mesh.positions[v[2]] - a).dot(up) > 0);
  }
  return count;
}

/// Largest distance from vertices and face centres of `a` to `b`.
double one_way(const Mesh& a, const Mesh& b) {
  const ClosestPointTree tree(b);
  double worst = 0;
  for (const Vec3& p : a.positions) worst = std::max(worst, tree(p).distance_squared);
  for (FaceId f : ids<FaceId>(a.face_count()))
    worst = std::max(worst, tree(interpolate(a, a.positions, {f, Vec3::Constant(1.0 / 3)})).distance_squared);
  return std::sqrt(worst);
}

std::vector<std::array<int, 3>> shape(const Mesh& mesh) {
  std::vector<std::array<int, 3>> parts;
  for (const PartReport& part : diagnose(mesh).parts)
    parts.push_back({part.genus, part.euler(), int(part.borders)});
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// Cuts the two faces at the edge a-b open at a vertex at `way` along it and puts two faces without area into
/// the gap.
Mesh with_flat_faces(const Mesh& in, VertexId a, VertexId b, double way) {
  Mesh out;
  out.positions = in.positions;
  const VertexId m = out.positions.push_back((1 - way) * in.positions[a] + way * in.positions[b]);
  for (FaceId f : ids<FaceId>(in.face_count())) {
    std::array<VertexId, 3> v{in.face(f)[0], in.face(f)[1], in.face(f)[2]};
    while (!(v[0] == a && v[1] == b) && v[0] != in.face(f)[2]) std::rotate(v.begin(), v.begin() + 1, v.end());
    if (v[0] == a && v[1] == b) {
      out.add_face(std::array{a, m, v[2]});
      out.add_face(std::array{m, b, v[2]});
      out.add_face(std::array{a, b, m});
    } else {
      out.add_face(in.face(f));
    }
  }
  return out;
}

Mesh cube(int n) {
  // Six sheets around the unit cube, welded at the edges by their coordinates.
  Mesh mesh;
  std::vector<Vec3> known;
  const auto vertex = [&](const Vec3& p) {
    for (std::size_t i = 0; i < known.size(); ++i)
      if ((known[i] - p).norm() < 1e-9) return VertexId(i);
    known.push_back(p);
    return mesh.positions.push_back(p);
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const bool far : {false, true})
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto at = [&](int a, int b) {
            Vec3 p;
            p[axis] = far;
            p[(axis + 1) % 3] = double(far ? a : b) / n;
            p[(axis + 2) % 3] = double(far ? b : a) / n;
            return vertex(p);
          };
          mesh.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
        }
  return triangulated(mesh).mesh;
}

TEST(Remesh, EdgesHaveTheLengthAskedForAndTheAreaStays) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    if (name.find("noisy") != std::string::npos || name == "two parts") continue;
    const Surface source(mesh);
    for (const double part : {0.02, 0.035}) {
      SCOPED_TRACE(name + " " + std::to_string(part));
      const double edge = part * source.size();
      const RemeshResult r = remesh(source, edge);
      EXPECT_GT(share_within(edge_lengths(r.mesh), 0.5 * edge, 1.6 * edge), 0.98);
      EXPECT_DOUBLE_EQ(share_within(edge_lengths(r.mesh), 0.5 * edge, 1.6 * edge), r.quality.good_edges);
      EXPECT_GT(r.quality.smallest_angle, 0.35);
      EXPECT_GT(r.quality.mean_angle, 0.6);  // 60 degrees are 1.05
      EXPECT_EQ(turned_over(source, r), 0);
      EXPECT_NEAR(area(r.mesh) / area(mesh), 1, 0.01);
    }
  }
}

TEST(Remesh, KeepsPartsHandlesAndBorders) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    const Surface source(mesh);
    for (const double part : {0.03, 0.1, 0.6}) {
      SCOPED_TRACE(name + " " + std::to_string(part));
      const RemeshResult r = remesh(source, part * source.size());
      EXPECT_TRUE(diagnose(r.mesh).manifold());
      EXPECT_EQ(shape(r.mesh), shape(mesh));
    }
  }
}

TEST(Remesh, VerticesLieOnTheSourceToTheBitAndBordersOnItsBorder) {
  for (const auto& [name, mesh] : test::mesh_families()) {
    SCOPED_TRACE(name);
    const Surface source(mesh);
    const RemeshResult r = remesh(source, 0.05 * source.size());
    const Topology t(r.mesh);
    ASSERT_EQ(r.source.size(), r.mesh.vertex_count());
    for (VertexId v : ids<VertexId>(r.mesh.vertex_count())) {
      const SurfacePoint& p = r.source[v];
      ASSERT_EQ(source.position(p), r.mesh.positions[v]);
      ASSERT_GE(p.barycentric.minCoeff(), 0);
      ASSERT_NEAR(p.barycentric.sum(), 1, 1e-14);
      if (!t.is_border(v)) continue;
      int inside = 0;
      for (int k = 0; k < 3; ++k)
        inside += p.barycentric[k] > 0 && !source.topology().is_border(mesh.face(p.face)[k]);
      EXPECT_EQ(inside, 0) << "vertex " << v.value;
    }
  }
}

TEST(Remesh, ComesToTheSourceAtSecondOrder) {
  const Mesh mesh = test::torus(150, 60, 1, 0.4);
  const Surface source(mesh);
  std::vector<double> distances;
  for (const double edge : {0.3, 0.15, 0.075}) {
    const Mesh coarse = remesh(source, edge).mesh;
    distances.push_back(std::max(one_way(mesh, coarse), one_way(coarse, mesh)));
  }
  RecordProperty("distances", testing::PrintToString(distances));
  EXPECT_LT(distances[1], distances[0] / 2.8) << testing::PrintToString(distances);
  EXPECT_LT(distances[2], distances[1] / 2.8) << testing::PrintToString(distances);
  EXPECT_LT(distances[2], 0.005);
}

TEST(Remesh, FlatSheetsAndCubesWithCreasesKeepTheirShape) {
  const Mesh sheet = test::sheet(20, 15, 0.35, 1);
  EXPECT_NEAR(area(remesh(Surface(sheet), 0.09).mesh), area(sheet), 1e-12);

  const Surface box(cube(5));
  RemeshOptions options;
  options.crease_angle = 0.5;
  for (const double edge : {0.07, 0.3}) {
    const RemeshResult r = remesh(box, edge, options);
    EXPECT_NEAR(area(r.mesh), 6, 1e-12);
    EXPECT_NEAR(volume(r.mesh), 1, 1e-12);
    EXPECT_EQ(r.quality.good_edges, 1);
  }
  EXPECT_LT(volume(remesh(box, 0.3).mesh), 0.999) << "creases are kept only when asked for";
}

TEST(Remesh, SliversFacesWithoutAreaAndNoiseComeOutWell) {
  std::vector<test::NamedMesh> bad = {{"slivers", test::uv_sphere(8, 200)},
                                      {"long triangles", test::cylinder(80, 1, 0.5, 3)},
                                      {"noise", test::noisy(test::icosphere(3), 0.5, 5)},
                                      {"noisy border", test::noisy(test::sheet(30, 30, 0.2, 3), 0.2, 4)}};
  // Every seventh edge gets a vertex in its middle and one of its ends: faces without area, edges without
  // length.
  Mesh flat = test::irregular(test::torus(24, 12, 1, 0.4), 1, 7);
  const Topology t(flat);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    if (e.value % 7 != 0) continue;
    const VertexId a = t.from(t.halfedge(e)), b = t.to(t.halfedge(e));
    flat = with_flat_faces(flat, a, b, e.value % 2 == 0 ? 0.5 : 0.0);
  }
  ASSERT_GT(diagnose(flat).zero_area_faces.size(), 100u);
  bad.push_back({"no area", flat});
  for (const auto& [name, mesh] : bad) {
    const Surface source(mesh);
    for (const double part : {0.03, 0.08}) {
      SCOPED_TRACE(name + " " + std::to_string(part));
      const RemeshResult r = remesh(source, part * source.size());
      EXPECT_EQ(shape(r.mesh), shape(mesh));
      EXPECT_TRUE(diagnose(r.mesh).zero_area_faces.empty());
      EXPECT_EQ(turned_over(source, r), 0);
      EXPECT_GT(r.quality.good_edges, 0.95);
    }
  }
}

TEST(Remesh, FracturedAndRepairedMeshesSurvive) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const Mesh mesh = triangulated(repair(test::fractured(test::icosphere(3), 0.2, seed)).mesh).mesh;
    const Surface source(mesh);
    const RemeshResult r = remesh(source, 0.1);
    EXPECT_EQ(shape(r.mesh), shape(mesh));
    EXPECT_GT(r.quality.good_edges, 0.9);  // holes and flaps keep their corners
  }
}

TEST(Remesh, SizesMayDifferFromPlaceToPlace) {
  const Surface source(test::icosphere(4));
  RemeshOptions options;
  for (const Vec3& p : source.positions()) options.sizes.push_back(0.1 + 0.05 * p.z());
  const RemeshResult r = remesh(source, 0.1, options);
  EXPECT_GT(r.quality.good_edges, 0.98);
  const Topology t(r.mesh);
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    const HalfedgeId h = t.halfedge(e);
    const Vec3 &a = r.mesh.positions[t.from(h)], &b = r.mesh.positions[t.to(h)];
    const double wanted = 0.1 + 0.025 * (a.z() + b.z());
    EXPECT_GT((a - b).norm(), 0.4 * wanted);
    EXPECT_LT((a - b).norm(), 1.8 * wanted);
  }
}

const bool remesh_bits = test::same_bits("Remesh", [] {
  const RemeshResult result = remesh(Surface(test::noisy(test::torus(60, 30, 1, 0.4), 0.2, 9)), 0.06);
  return std::tuple(result.mesh.positions, result.mesh.corners, result.source);
});

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Remesh, SaysWhatItCannotDo) {
  const Surface source(test::icosphere(1));
  EXPECT_EQ(message([&] { remesh(source, -0.1); }),
            "remesh: the length of edges is -0.1; a length above zero is needed");
  EXPECT_EQ(message([&] { remesh(source, NAN); }),
            "remesh: the length of edges is nan; a length above zero is needed");
  EXPECT_NE(message([&] { remesh(source, 1e-5); }).find("ask for longer ones"), std::string::npos);
  EXPECT_NE(message([&] { remesh(source, 1e-200); }).find("ask for longer ones"), std::string::npos);
  RemeshOptions options;
  options.sizes.assign(3, 0.1);
  EXPECT_EQ(message([&] { remesh(source, 0.1, options); }),
            "remesh: 3 sizes for 42 vertices; give one for each");
  options.sizes.assign(42, 0.1);
  options.sizes[VertexId(7)] = 0;
  EXPECT_EQ(message([&] { remesh(source, 0.1, options); }),
            "remesh: the size at vertex 7 is 0; a length above zero is needed");
  EXPECT_EQ(message([&] { remesh(Surface(Mesh{}), 0.1); }), "remesh: the mesh has no faces");
  Mesh broken = test::icosphere(1);
  broken.positions[VertexId(5)].y() = INFINITY;
  EXPECT_EQ(message([&] { remesh(Surface(broken), 0.1); }),
            "remesh: vertex 5: its position is not finite; repair the mesh first");
}

/// A line across a flat sheet, from border to border: no triangle crosses it.
TEST(Remesh, KeptEdgesStayEdges) {
  const Mesh sheet = triangulated(test::quad_sheet(8, 8, 0, 1)).mesh;
  const Surface source(sheet);
  RemeshOptions options;
  for (EdgeId e : ids<EdgeId>(source.topology().edge_count())) {
    const HalfedgeId h = source.topology().halfedge(e);
    const VertexId a = source.topology().from(h), b = source.topology().to(h);
    if (sheet.positions[a].x() == 0.375 && sheet.positions[b].x() == 0.375)
      options.kept_edges.push_back(std::minmax(a, b));
  }
  ASSERT_EQ(options.kept_edges.size(), 8u);
  const auto crossing = [](const Mesh& mesh) {
    int count = 0;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      bool left = false, right = false;
      for (VertexId v : mesh.face(f)) {
        left |= mesh.positions[v].x() < 0.375 - 1e-9;
        right |= mesh.positions[v].x() > 0.375 + 1e-9;
      }
      count += left && right;
    }
    return count;
  };
  const RemeshResult kept = remesh(source, 0.04, options);
  EXPECT_EQ(crossing(kept.mesh), 0);
  double length = 0;
  for (const auto& [a, b] : kept.kept_edges)
    length += (kept.mesh.positions[a] - kept.mesh.positions[b]).norm();
  EXPECT_NEAR(length, 1, 1e-9);
  EXPECT_GT(kept.quality.smallest_angle, 0.35);
  EXPECT_GT(crossing(remesh(source, 0.04).mesh), 0);
  options.kept_edges = {{VertexId(0), VertexId(70)}};
  EXPECT_THROW(remesh(source, 0.04, options), InputError);
}

}  // namespace
}  // namespace cutis
