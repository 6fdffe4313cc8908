#include "cutis/surface/map/atlas_charts.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/meshes.h"

namespace cutis {
namespace {

constexpr double pi = std::numbers::pi;

Atlas::SurfacePtr surface_of(const Mesh& mesh) { return std::make_shared<Surface>(mesh); }

double difference(const ChartTransition& a, const ChartTransition& b) {
  return (a.turn - b.turn).norm() + (a.shift - b.shift).norm();
}

/// Cotangent of the angle at a corner, from positions in space.
double cotangent(const Surface& s, CornerId c) {
  const Topology& t = s.topology();
  const Vec3 a = s.positions()[t.to(c)] - s.positions()[t.from(c)];
  const Vec3 b = s.positions()[t.from(t.prev(c))] - s.positions()[t.from(c)];
  return a.dot(b) / a.cross(b).norm();
}

/// sum_j w_ij (T_ij x_j - x_i) at an inner vertex, in the chart of its first face.
Vec2 residual(const Atlas& atlas, VertexId v) {
  const Surface& s = *atlas.surface();
  const Topology& t = s.topology();
  const CornerId home = t.halfedge(v);
  Vec2 sum = Vec2::Zero();
  ChartTransition to_home;
  CornerId c = home;
  do {
    const Vec2 x = to_home(atlas.coordinates(c));
    sum += 0.5 * cotangent(s, t.prev(c)) * (to_home(atlas.coordinates(t.next(c))) - x);
    sum += 0.5 * cotangent(s, t.next(c)) * (to_home(atlas.coordinates(t.prev(c))) - x);
    to_home = to_home * atlas.transition(t.twin(t.prev(c)));
    c = t.rotate(c);
  } while (c != home);
  return sum;
}

/// What holds for every chart atlas: continuous through the transitions, harmonic, nothing turned over.
void expect_sound(const Atlas& atlas, const std::function<bool(VertexId)>& pinned) {
  const Topology& t = atlas.surface()->topology();
  EXPECT_TRUE(atlas.is_rigid());
  EXPECT_TRUE(atlas.flipped_faces().empty());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const HalfedgeId g = t.twin(h);
    EXPECT_LT((atlas.carry(h, atlas.coordinates(h)) - atlas.coordinates(t.next(g))).norm(), 1e-12);
    EXPECT_LT((atlas.carry(h, atlas.coordinates(t.next(h))) - atlas.coordinates(g)).norm(), 1e-12);
    EXPECT_LT(difference(atlas.transition(g) * atlas.transition(h), {}), 1e-12);
    EXPECT_EQ(atlas.is_seam(h), atlas.chart(t.face(h)) != atlas.chart(t.face(g)));
  }
  for (VertexId v : ids<VertexId>(t.vertex_count())) {
    if (pinned(v)) continue;
    EXPECT_LT(residual(atlas, v).norm(), 1e-12);
    EXPECT_LT(difference(atlas.around(t.halfedge(v), t.halfedge(v)), {}), 1e-12);
  }
}

bool nowhere(VertexId) { return false; }

/// Along the small circle of a grid torus, the share of the way around at row j: since the cells are
/// isosceles trapezoids, their diagonals have no weight, the sides along it the mean width over the height,
/// and what flows through each row is the same.
std::vector<double> harmonic_rows(int n, int m, double R, double r) {
  std::vector<double> at(1, 0.0);
  for (int j = 0; j < m; ++j) {
    const auto width = [&](int k) { return 2 * (R + r * std::cos(2 * pi * k / m)) * std::sin(pi / n); };
    const double a = width(j), b = width(j + 1), leg = 2 * r * std::sin(pi / m);
    at.push_back(at.back() + std::sqrt(leg * leg - 0.25 * (a - b) * (a - b)) / (a + b));
  }
  const double all = at.back();
  for (double& x : at) x /= all;
  return at;
}

/// Of the smooth torus, for phi from 0 to 2 pi: d share ~ d phi / (R + r cos phi).
double conformal_share(double R, double r, double phi) {
  return std::atan2(std::sqrt(R - r) * std::sin(phi / 2), std::sqrt(R + r) * std::cos(phi / 2)) / pi;
}

TEST(ChartAtlas, TorusInFourChartsIsContinuousHarmonicAndNotTurnedOver) {
  for (const Mesh& mesh : {test::torus(24, 12, 1.0, 0.4), test::torus(15, 9, 2.0, 0.5),
                           test::noisy(test::torus(48, 24, 1.0, 0.4), 0.15, 3)}) {
    const auto surface = surface_of(mesh);
    const Atlas atlas = chart_atlas(surface, torus_layout(*surface, Vec2(3, 1.2)));
    EXPECT_EQ(atlas.chart_count(), 4);
    expect_sound(atlas, nowhere);
    double area = 0;
    for (FaceId f : ids<FaceId>(mesh.face_count())) area += 0.5 * atlas.twice_area(f);
    EXPECT_NEAR(area, 4 * 3 * 1.2, 1e-10);
  }
}

TEST(ChartAtlas, RegularTorusHasTheClosedForm) {
  const int n = 16, m = 10;
  const double R = 1, r = 0.4;
  const auto surface = surface_of(test::torus(n, m, R, r));
  const Topology& t = surface->topology();
  const ChartLayout layout = torus_layout(*surface);
  const Atlas atlas = chart_atlas(surface, layout);
  const auto rows = harmonic_rows(n, m, R, r);
  for (CornerId c : ids<CornerId>(t.corner_count())) {
    const Vec2 uv = surface->mesh().uvs[c];
    const Vec2 share(uv.x(), rows[static_cast<std::size_t>(std::lround(uv.y() * m))]);
    const int chart = layout.chart[t.face(c)];
    // Two charts a way round, each of size one; the pinned corner has uv = 0.
    EXPECT_LT((atlas.coordinates(c) - (2 * share - Vec2(chart % 2, chart / 2))).norm(), 1e-12);
  }
}

TEST(ChartAtlas, TorusConvergesToTheConformalMapAtSecondOrder) {
  const double R = 1, r = 0.5;
  const auto error = [&](int m) {
    const auto surface = surface_of(test::torus(2 * m, m, R, r));
    const Atlas atlas = chart_atlas(surface, torus_layout(*surface));
    double worst = 0;
    for (CornerId c : ids<CornerId>(surface->topology().corner_count())) {
      const double v = surface->mesh().uvs[c].y();
      const double share = conformal_share(R, r, 2 * pi * v);
      const int chart = atlas.chart(surface->topology().face(c));
      worst = std::max(worst, std::abs(atlas.coordinates(c).y() - (2 * share - chart / 2)));
    }
    return worst;
  };
  const double coarse = error(12), fine = error(24);
  EXPECT_LT(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
}

/// Charts turned and moved by any rigid motion each: the coordinates move along and nothing else changes.
TEST(ChartAtlas, DoesNotDependOnHowTheChartsLie) {
  const auto surface = surface_of(test::noisy(test::torus(20, 12, 1.0, 0.4), 0.1, 5));
  const Topology& t = surface->topology();
  const ChartLayout plain = torus_layout(*surface);
  test::Random random(23);
  std::vector<ChartTransition> motion(4);
  for (ChartTransition& g : motion) {
    const double angle = random(-pi, pi);
    g = {Vec2(std::cos(angle), std::sin(angle)), Vec2(random(-2, 2), random(-2, 2)), false};
  }
  const auto of = [&](FaceId f) { return motion[static_cast<std::size_t>(plain.chart[f])]; };
  ChartLayout moved = plain;
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count()))
    if (plain.chart[t.face(h)] != plain.chart[t.face(t.twin(h))])
      moved.transitions[h] = of(t.face(t.twin(h))) * plain.transitions[h] * of(t.face(h)).inverse();
  for (ChartLayout::Pin& pin : moved.pins) pin.coordinates = of(t.face(pin.corner))(pin.coordinates);

  const Atlas before = chart_atlas(surface, plain), after = chart_atlas(surface, moved);
  expect_sound(after, nowhere);
  for (CornerId c : ids<CornerId>(t.corner_count()))
    EXPECT_LT((after.coordinates(c) - of(t.face(c))(before.coordinates(c))).norm(), 1e-11);
}

/// Around regular vertices any way leads to the same coordinates.
TEST(ChartAtlas, TrianglesAcrossChartsAreBroughtTogether) {
  const auto surface = surface_of(test::noisy(test::torus(20, 12, 1.0, 0.4), 0.1, 5));
  const Topology& t = surface->topology();
  const Atlas atlas = chart_atlas(surface, torus_layout(*surface));
  test::Random random(29);
  int across = 0;
  for (FaceId f : ids<FaceId>(t.face_count())) {
    // The corners of f, each named by some face around its vertex.
    std::array<SurfacePoint, 3> points;
    for (std::size_t k = 0; k < 3; ++k) {
      CornerId c(t.halfedge(f).index() + k);
      for (int turns = random.below(6); turns > 0; --turns) c = t.rotate(c);
      const FaceId g = t.face(c);
      points[k] = {g, Vec3::Unit(static_cast<int>(c.index() - t.halfedge(g).index()))};
      across += atlas.chart(g) != atlas.chart(f);
    }
    const auto together = atlas.together(points);
    ASSERT_TRUE(together);
    const ChartTransition way = *atlas.between(points[0].face, f);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LT((way((*together)[k]) - atlas.coordinates(CornerId(t.halfedge(f).index() + k))).norm(), 1e-12);
  }
  EXPECT_GT(across, 50);
}

TEST(ChartAtlas, LocateWalksBackOverSeams) {
  const auto surface = surface_of(test::noisy(test::torus(20, 12, 1.0, 0.4), 0.1, 5));
  const Topology& t = surface->topology();
  const Atlas atlas = chart_atlas(surface, torus_layout(*surface));
  test::Random random(31);
  for (int i = 0; i < 500; ++i) {
    const FaceId start(random.below(static_cast<int>(t.face_count())));
    const double a = random(), b = random(0, 1 - a);
    const SurfacePoint p{start, Vec3(1 - a - b, a, b)};
    Vec2 x = atlas.coordinates(p);
    FaceId f = p.face;
    for (int step = 0; step < 40; ++step) {
      const HalfedgeId h(t.halfedge(f).index() + static_cast<std::size_t>(random.below(3)));
      x = atlas.carry(h, x);
      f = t.face(t.twin(h));
    }
    const auto found = atlas.locate(f, x);
    ASSERT_TRUE(found);
    EXPECT_LT((surface->position(*found) - surface->position(p)).norm(), 1e-11);
  }
}

/// The cube from -1 to 1 as six grids of k by k cells, and its faces as charts that lie flat in the plane.
/// Three faces meet in each of its corners: irregular.
struct ChartedCube {
  Mesh mesh;
  ChartLayout layout;
  IdVector<CornerId, Vec2> flat;  ///< coordinates in the plane of the cube's face

  ChartedCube(int k, double jitter, unsigned seed);
  static bool is_node(const Vec3& p) { return p.cwiseAbs().minCoeff() == 1; }

 private:
  std::map<std::array<int, 3>, VertexId> vertices_;
  VertexId vertex(const std::array<int, 3>& at, int k, double jitter, test::Random& random);
};

VertexId ChartedCube::vertex(const std::array<int, 3>& at, int k, double jitter, test::Random& random) {
  const auto [entry, fresh] = vertices_.try_emplace(at);
  if (fresh) {
    // Inner vertices move within their face, those on an edge along it, corners not at all.
    Vec3 p;
    for (int i = 0; i < 3; ++i) {
      const int x = at[static_cast<std::size_t>(i)];
      p[i] = x == 0 || x == k ? 2.0 * x / k - 1 : 2.0 * (x + random(-jitter, jitter)) / k - 1;
    }
    entry->second = mesh.positions.push_back(p);
  }
  return entry->second;
}

ChartedCube::ChartedCube(int k, double jitter, unsigned seed) {
  test::Random random(seed);
  for (int side = 0; side < 6; ++side) {
    const std::size_t w = static_cast<std::size_t>(side / 2), u = (w + 1) % 3, v = (w + 2) % 3;
    const int top = side % 2;
    const auto at = [&](int i, int j) {
      std::array<int, 3> x;
      x[w] = top * k;
      x[top ? u : v] = i;
      x[top ? v : u] = j;
      return vertex(x, k, jitter, random);
    };
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < k; ++i)
        for (const auto& face : {std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1)},
                                 std::array{at(i, j), at(i + 1, j + 1), at(i, j + 1)}}) {
          mesh.add_face(face);
          layout.chart.push_back(side);
          for (VertexId x : face) {
            const Vec3& p = mesh.positions[x];
            const int a = static_cast<int>(top ? u : v), b = static_cast<int>(top ? v : u);
            flat.push_back(Vec2(p[a], p[b]));
          }
        }
  }
  const Topology t(mesh);
  layout.transitions.resize(t.corner_count());
  for (HalfedgeId h : ids<HalfedgeId>(t.corner_count())) {
    const HalfedgeId g = t.twin(h);
    layout.transitions[h] = ChartTransition::rigid(flat[h], flat[t.next(h)], flat[t.next(g)], flat[g]);
  }
  for (VertexId v : ids<VertexId>(t.vertex_count()))
    if (is_node(mesh.positions[v])) layout.pins.push_back({t.halfedge(v), flat[t.halfedge(v)]});
}

/// A cube is flat but for its corners, and cotangent weights are exact on linear functions: the coordinates
/// are those of the faces as they lie, wherever the vertices are.
TEST(ChartAtlas, CubeWithIrregularNodesHasTheClosedForm) {
  const ChartedCube cube(6, 0.3, 37);
  ASSERT_EQ(cube.layout.pins.size(), 8u);
  const auto surface = surface_of(cube.mesh);
  const Atlas atlas = chart_atlas(surface, cube.layout);
  EXPECT_EQ(atlas.chart_count(), 6);
  const auto node = [&](VertexId v) { return ChartedCube::is_node(cube.mesh.positions[v]); };
  expect_sound(atlas, node);
  for (CornerId c : ids<CornerId>(cube.mesh.corner_count()))
    EXPECT_LT((atlas.coordinates(c) - cube.flat[c]).norm(), 1e-12);
  for (VertexId v : ids<VertexId>(cube.mesh.vertex_count())) {
    const CornerId c = surface->topology().halfedge(v);
    const Vec2 turn = atlas.around(c, c).turn;
    EXPECT_LT((turn - (node(v) ? Vec2(0, 1) : Vec2(1, 0))).norm(), 1e-12);
  }
}

TEST(ChartAtlas, SphereInSixCharts) {
  ChartedCube cube(8, 0.1, 41);
  IdVector<VertexId, char> node;
  for (Vec3& p : cube.mesh.positions) {
    node.push_back(ChartedCube::is_node(p));
    p.normalize();
  }
  const Atlas atlas = chart_atlas(surface_of(cube.mesh), cube.layout);
  expect_sound(atlas, [&](VertexId v) { return node[v] != 0; });
}

std::string complaint(const Mesh& mesh, const ChartLayout& layout) {
  try {
    chart_atlas(surface_of(mesh), layout);
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(ChartAtlas, NamesWhatIsWrongWithALayout) {
  const ChartedCube cube(3, 0, 43);
  const Topology t(cube.mesh);
  const auto after = [&](const std::function<void(ChartLayout&)>& change) {
    ChartLayout layout = cube.layout;
    change(layout);
    return complaint(cube.mesh, layout);
  };
  using testing::HasSubstr;
  EXPECT_EQ(after([](ChartLayout&) {}), "none");
  const VertexId node = t.from(cube.layout.pins[2].corner);
  EXPECT_THAT(
      after([](ChartLayout& l) { l.pins.erase(l.pins.begin() + 2); }),
      HasSubstr("vertex " + std::to_string(node.value) + " is irregular (once around it turns by 90"));
  EXPECT_THAT(after([](ChartLayout& l) { l.pins[2].coordinates.x() += 1e-6; }), HasSubstr("pin it to ("));
  EXPECT_THAT(after([](ChartLayout& l) { l.pins.push_back(l.pins[3]); }), HasSubstr("pinned twice"));
  EXPECT_THAT(after([](ChartLayout& l) { l.pins[0].corner = CornerId(100000); }),
              HasSubstr("no corner 100000"));
  EXPECT_THAT(after([](ChartLayout& l) { l.transitions[HalfedgeId(4)].turn *= 1.1; }),
              HasSubstr("scale is 1.1"));
  EXPECT_THAT(after([](ChartLayout& l) { l.transitions[HalfedgeId(4)].shift.x() += 0.1; }),
              HasSubstr("there and back"));
  EXPECT_THAT(after([](ChartLayout& l) { l.chart[FaceId(7)] = -1; }), HasSubstr("face 7"));
  EXPECT_THAT(after([](ChartLayout& l) { l.chart.push_back(0); }), HasSubstr("109 faces"));
  // A translation once around a regular vertex can be pinned nowhere: the diagonal of a middle cell.
  const HalfedgeId inner(26);
  EXPECT_THAT(after([&](ChartLayout& l) {
                l.transitions[inner].shift.x() += 0.1;
                l.transitions[t.twin(inner)].shift.x() -= 0.1;
              }),
              HasSubstr("correct the transitions"));

  const auto torus = surface_of(test::torus(8, 6, 1, 0.4));
  ChartLayout free = torus_layout(*torus);
  free.pins.clear();
  EXPECT_THAT(complaint(torus->mesh(), free), HasSubstr("pin one"));
}

TEST(TorusLayout, NamesWhatIsWrongWithTheMesh) {
  const auto complaint_of = [](const Mesh& mesh, const Vec2& size = Vec2(1, 1)) -> std::string {
    try {
      torus_layout(Surface(mesh), size);
    } catch (const InputError& e) {
      return e.what();
    }
    return "none";
  };
  using testing::HasSubstr;
  const Mesh torus = test::torus(8, 6, 1, 0.4);
  EXPECT_EQ(complaint_of(torus), "none");
  EXPECT_THAT(complaint_of(torus, Vec2(1, 0)), HasSubstr("positive"));
  EXPECT_THAT(complaint_of(test::icosphere(1)), HasSubstr("no texture coordinates"));
  Mesh shifted = torus;
  shifted.uvs[CornerId(3)].x() += 0.25;
  EXPECT_THAT(complaint_of(shifted), HasSubstr("jump by"));
  shifted.uvs[CornerId(3)].x() = std::nan("");
  EXPECT_THAT(complaint_of(shifted), HasSubstr("not finite"));
}

}  // namespace
}  // namespace cutis
