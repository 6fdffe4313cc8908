#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "cutis/surface/limit/limit_chart.h"
#include "cutis/surface/limit/limit_patches.h"
#include "cutis/surface/limit/limit_surface.h"
#include "cutis/surface/mesh/topology.h"
#include "support/meshes.h"
#include "support/polygon_meshes.h"

namespace cutis {
namespace {

using test::Random;

struct Case {
  const char* name;
  Mesh mesh;
  SubdivisionScheme scheme;
  std::vector<Crease> creases;
};

/// The edges around a vertex of a triangle mesh, opposite to it.
std::vector<Crease> ring_creases(const Mesh& mesh, VertexId v, double sharpness) {
  std::vector<Crease> creases;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    for (int k = 0; k < 3; ++k)
      if (face[k] == v) creases.push_back({face[(k + 1) % 3], face[(k + 2) % 3], sharpness});
  }
  return creases;
}

std::vector<Case> cases() {
  const auto catmull_clark = SubdivisionScheme::CatmullClark, loop = SubdivisionScheme::Loop;
  const Mesh icosphere = test::noisy(test::icosphere(1), 0.2, 4);
  const Mesh irregular = test::irregular(test::icosphere(1), 1, 3);
  std::vector<Crease> rim;
  for (const auto& [a, b] : {std::pair{4, 5}, {5, 7}, {7, 6}, {6, 4}})
    rim.push_back({VertexId(a), VertexId(b), 1.5});
  return {{"cube", test::noisy(test::cube(), 0.2, 1), catmull_clark, {}},
          {"creased cube", test::noisy(test::cube(), 0.2, 1), catmull_clark, rim},
          {"mixed polygons", test::noisy(test::mixed_torus(10, 5, 1, 0.4), 0.1, 2), catmull_clark, {}},
          {"3 to 12 sides", test::dual(irregular), catmull_clark, {}},
          {"valences to 12", irregular, catmull_clark, {}},
          {"quad sheet", test::noisy(test::quad_sheet(4, 4, 0, 1), 0.2, 3), catmull_clark, {}},
          {"sharp ring", icosphere, catmull_clark, ring_creases(icosphere, VertexId(0), 10)},
          {"sharp ring, Loop", icosphere, loop, ring_creases(icosphere, VertexId(0), 10)},
          {"soft ring, Loop", icosphere, loop, ring_creases(icosphere, VertexId(0), 2.3)},
          {"icosphere, Loop", icosphere, loop, {}},
          {"valences to 12, Loop", irregular, loop, {}},
          {"sheet, Loop", test::noisy(test::sheet(5, 5, 0.2, 1), 0.1, 5), loop, {}}};
}

LimitOptions options_of(const Case& c, int isolation) {
  LimitOptions options;
  options.scheme = c.scheme;
  options.creases = c.creases;
  options.isolation = isolation;
  return options;
}

double angle(const Vec3& a, const Vec3& b) {  // in degrees
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / std::numbers::pi;
}

// ---- Across the borders of patches ----

/// A parameter face and a place in it.
struct Place {
  int face;
  Vec2 uv;
};

class Borders {
 public:
  Borders(const Case& c, int isolation)
      : case_(c),
        topology_(c.mesh),
        loop_(c.scheme == SubdivisionScheme::Loop),
        patches_(c.mesh, loop_, options_of(c, isolation)),
        cell_(std::ldexp(1.0, -patches_.isolation())),
        size_(bounding_diagonal(c.mesh.positions.raw())) {
    patches_.refine(c.mesh.positions, points_);
    for (FaceId f : ids<FaceId>(c.mesh.face_count())) {
      first_.push_back(faces_);
      const int sides = static_cast<int>(c.mesh.face_size(f));
      faces_ += loop_ || sides == 4 ? 1 : sides;
    }
  }

  double kink = 0;    ///< largest angle between normals [degrees]
  double gap = 0;     ///< largest distance, by the size
  double second = 0;  ///< largest second derivative by u or v, by the size

  int isolation() const { return patches_.isolation(); }

  void measure() {
    Random random(1);
    for (EdgeId e : ids<EdgeId>(topology_.edge_count())) across_edge(e, random);
    for (int f = 0; f < faces_; ++f) inside_face(f, random);
  }

 private:
  LimitJet at(const Place& p) const {
    const double u = p.uv.x(), v = p.uv.y();
    const std::array points{points_.data()};
    std::array<LimitJet, 1> jet;
    patches_.evaluate(points, patches_.find(p.face, u, v), u, v, jet);
    return jet[0];
  }

  void compare(const Place& a, const Place& b) {
    const LimitJet x = at(a), y = at(b);
    kink = std::max(kink, angle(x.normal(), y.normal()));
    gap = std::max(gap, (x.position - y.position).norm() / size_);
    for (const LimitJet& jet : {x, y})
      second = std::max({second, jet.d11.norm() / size_, jet.d12.norm() / size_, jet.d22.norm() / size_});
  }

  /// The share t of a side of a polygon, in the polygon's own parameter faces.
  Place on_side(HalfedgeId h, double t) const {
    const FaceId f = topology_.face(h);
    const int k = h.value - case_.mesh.first_corner(f).value;
    const int n = static_cast<int>(case_.mesh.face_size(f)), first = first_[f.index()];
    if (loop_) {
      Vec3 b = Vec3::Zero();
      b[k] = 1 - t, b[(k + 1) % 3] = t;
      return {first, b.tail<2>()};
    }
    const Vec2 square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    if (n == 4) return {first, (1 - t) * square[k] + t * square[(k + 1) % 4]};
    if (t <= 0.5) return {first + k, Vec2(2 * t, 0)};
    return {first + (k + 1) % n, Vec2(0, 2 - 2 * t)};
  }

  bool is_sharp(HalfedgeId h) const {
    const VertexId a = topology_.from(h), b = topology_.to(h);
    for (const Crease& c : case_.creases)
      if (c.sharpness >= 10 && ((c.a == a && c.b == b) || (c.a == b && c.b == a))) return true;
    return false;
  }

  void across_edge(EdgeId e, Random& random) {
    const HalfedgeId a = topology_.halfedge(e), b = topology_.twin(a);
    if (topology_.is_border(e) || is_sharp(a)) return;
    for (int i = 0; i < 20; ++i) {
      const double near = 2 * cell_ * random();
      for (double t : {near, 1 - near, random()}) compare(on_side(a, t), on_side(b, 1 - t));
    }
  }

  /// Lines of the grid of caps near each corner, from both sides a hair apart.
  void inside_face(int f, Random& random) {
    constexpr double hair = 1e-12;
    for (int corner = 0; corner < (loop_ ? 3 : 4); ++corner)
      for (int line = 1; line <= 3; ++line)
        for (int i = 0; i < 4; ++i) {
          const double x = line * cell_, y = 4 * cell_ * random(0.01, 0.99);
          if (x + y >= 1) continue;
          compare(from_corner(f, corner, x - hair, y), from_corner(f, corner, x + hair, y));
          compare(from_corner(f, corner, y, x - hair), from_corner(f, corner, y, x + hair));
          const double share = random(0.01, 0.99) * x;
          if (loop_)
            compare(from_corner(f, corner, share, x - share - hair),
                    from_corner(f, corner, share, x - share + hair));
        }
  }

  Place from_corner(int f, int corner, double x, double y) const {
    if (loop_) {
      Vec3 b;
      b[corner] = 1 - x - y, b[(corner + 1) % 3] = x, b[(corner + 2) % 3] = y;
      return {f, b.tail<2>()};
    }
    return {f, Vec2(corner & 1 ? 1 - x : x, corner & 2 ? 1 - y : y)};
  }

  const Case& case_;
  Topology topology_;
  bool loop_;
  LimitPatches patches_;
  double cell_, size_;
  std::vector<Vec3> points_;
  std::vector<int> first_;
  int faces_ = 0;
};

// ---- Against finite differences ----

struct Errors {
  double first = 0, second = 0;
  int samples = 0;
};

/// Fourth-order central difference of f along a direction of barycentric coordinates.
template <class F>
Vec3 difference(const F& f, const SurfacePoint& p, const Vec3& direction, double h) {
  const auto at = [&](double s) { return f(SurfacePoint{p.face, p.barycentric + s * direction}); };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

const Vec3 along1(-1, 1, 0), along2(-1, 0, 1);

void compare(const LimitSurface& limit, const SurfacePoint& p, double h, Errors& errors) {
  const LimitJet jet = limit.evaluate(p);
  const auto position = [&](const SurfacePoint& q) { return limit.position(q); };
  const auto first1 = [&](const SurfacePoint& q) { return limit.evaluate(q).d1; };
  const auto first2 = [&](const SurfacePoint& q) { return limit.evaluate(q).d2; };
  const double size = std::max(jet.d1.norm(), jet.d2.norm());
  errors.first = std::max({errors.first, (difference(position, p, along1, h) - jet.d1).norm() / size,
                           (difference(position, p, along2, h) - jet.d2).norm() / size});
  const double bend = std::max({size, jet.d11.norm(), jet.d12.norm(), jet.d22.norm()});
  errors.second = std::max({errors.second, (difference(first1, p, along1, h) - jet.d11).norm() / bend,
                            (difference(first1, p, along2, h) - jet.d12).norm() / bend,
                            (difference(first2, p, along1, h) - jet.d12).norm() / bend,
                            (difference(first2, p, along2, h) - jet.d22).norm() / bend});
  ++errors.samples;
}

/// How far a place is from the lines of a grid of 2^level cells, in cells: at most one half.
double to_grid(const Vec2& uv, int level, bool loop) {
  double distance = 1;
  for (double x : {uv.x(), uv.y(), loop ? uv.x() + uv.y() : 0.5 * std::ldexp(1.0, -level)}) {
    const double cells = std::ldexp(x, level);
    distance = std::min(distance, std::abs(cells - std::round(cells)));
  }
  return distance;
}

/// Points that crowd towards the vertices, down to a sixteenth of a cap, with steps that stay in one patch.
Errors against_differences(const Case& c, int isolation) {
  const TriangleMesh triangles = triangulated(c.mesh);
  const LimitSurface limit(c.mesh, triangles, options_of(c, isolation));
  const bool loop = c.scheme == SubdivisionScheme::Loop;
  const LimitChart chart(c.mesh, triangles, loop);
  Random random(9);
  Errors errors;
  for (int i = 0; i < 1500; ++i) {
    const double depth = random(0, limit.isolation() + 4), reach = std::exp2(-depth);
    const double share = random();
    const int k = random.below(3);
    Vec3 b;
    b[k] = 1 - reach, b[(k + 1) % 3] = reach * share, b[(k + 2) % 3] = reach * (1 - share);
    const SurfacePoint p{FaceId(random.below(static_cast<int>(triangles.mesh.face_count()))), b};
    const PatchCoordinates place = chart.at(p);
    const int level = std::max(limit.isolation(), static_cast<int>(std::ceil(depth)) + 1);
    const double free = std::min(to_grid(place.uv, level, loop), std::ldexp(b.minCoeff(), level));
    if (free < 0.1) continue;
    compare(limit, p, 0.004 * std::ldexp(1.0, -level) / std::max(place.d1.norm(), place.d2.norm()), errors);
  }
  return errors;
}

/// Second derivative of the position itself along one direction, or half the mixed one along two.
Vec3 second_difference(const LimitSurface& limit, const SurfacePoint& p, const Vec3& direction, double h) {
  const auto at = [&](double s) { return limit.position({p.face, p.barycentric + s * direction}); };
  return (16 * (at(h) + at(-h)) - (at(2 * h) + at(-2 * h)) - 30 * at(0)) / (12 * h * h);
}

void expect_second_derivatives(const LimitSurface& limit, const SurfacePoint& p) {
  constexpr double h = 2e-3;
  const LimitJet jet = limit.evaluate(p);
  const double bend = std::max({jet.d11.norm(), jet.d12.norm(), jet.d22.norm()});
  const Vec3 d11 = second_difference(limit, p, along1, h), d22 = second_difference(limit, p, along2, h);
  const Vec3 both = second_difference(limit, p, along1 + along2, h);
  EXPECT_LT((d11 - jet.d11).norm(), 1e-6 * bend);
  EXPECT_LT((d22 - jet.d22).norm(), 1e-6 * bend);
  EXPECT_LT(((both - d11 - d22) / 2 - jet.d12).norm(), 1e-6 * bend);
}

TEST(LimitAccuracy, RegularPatchesMatchDifferencesOfPositions) {
  for (const Mesh& mesh : {test::noisy(test::quad_torus(8, 6, 1, 0.4), 0.2, 1),
                           test::noisy(test::torus(8, 6, 1, 0.4), 0.2, 2)}) {
    const TriangleMesh triangles = triangulated(mesh);
    const LimitSurface limit(mesh, triangles);
    EXPECT_EQ(limit.point_count(), mesh.vertex_count()) << "every patch is regular";
    Random random(3);
    for (int i = 0; i < 500; ++i) {
      const double a = random(0.05, 0.45), b = random(0.05, 0.45);
      expect_second_derivatives(limit, {FaceId(random.below(static_cast<int>(triangles.mesh.face_count()))),
                                        Vec3(1 - a - b, a, b)});
    }
  }
}

/// The middle of a triangle with an extraordinary vertex lies on a sub-triangle turned by half, where
/// OpenSubdiv's second derivatives have the wrong sign.
TEST(LimitAccuracy, RotatedTrianglesHaveTheRightSign) {
  const Mesh mesh = test::noisy(test::icosphere(0), 0.2, 1);
  const LimitSurface limit(mesh, triangulated(mesh));
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    expect_second_derivatives(limit, {f, Vec3(0.3, 0.34, 0.36)});
}

/// The largest distance along the normal from the surface with the smallest caps, by the mean length of an
/// edge.
double off_limit(const Case& c, int isolation, const LimitSurface& fine) {
  const TriangleMesh triangles = triangulated(c.mesh);
  const LimitSurface coarse(c.mesh, triangles, options_of(c, isolation));
  const Topology topology(c.mesh);
  double length = 0;
  for (EdgeId e : ids<EdgeId>(topology.edge_count())) {
    const HalfedgeId h = topology.halfedge(e);
    length += (c.mesh.positions[topology.from(h)] - c.mesh.positions[topology.to(h)]).norm();
  }
  Random random(10);
  double farthest = 0;
  for (int i = 0; i < 1000; ++i) {
    const double reach = std::exp2(-random(0, isolation + 2)), share = random();
    const int k = random.below(3);
    Vec3 b;
    b[k] = 1 - reach, b[(k + 1) % 3] = reach * share, b[(k + 2) % 3] = reach * (1 - share);
    const SurfacePoint p{FaceId(random.below(static_cast<int>(triangles.mesh.face_count()))), b};
    const LimitJet jet = fine.evaluate(p);
    farthest = std::max(farthest, std::abs((coarse.position(p) - jet.position).dot(jet.normal())));
  }
  return farthest * static_cast<double>(topology.edge_count()) / length;
}

TEST(LimitAccuracy, NormalsAreContinuousAndDerivativesAreThoseOfThePositions) {
  std::printf("%-22s %5s %12s %9s %9s %9s %9s %9s\n", "mesh", "level", "normal jump", "gap", "off limit",
              "second", "error d", "error dd");
  for (const Case& c : cases()) {
    const LimitSurface fine(c.mesh, triangulated(c.mesh), options_of(c, 10));
    for (int isolation : {1, 2, 3, 4, 6}) {
      Borders borders(c, isolation);
      borders.measure();
      const Errors errors = against_differences(c, isolation);
      std::printf("%-22s %5d %8.1e deg %9.1e %9.1e %9.3g %9.1e %9.1e\n", c.name, isolation, borders.kink,
                  borders.gap, off_limit(c, isolation, fine), borders.second, errors.first, errors.second);
      EXPECT_LT(borders.kink, 1e-6) << c.name;
      EXPECT_LT(borders.gap, 1e-11) << c.name;
      EXPECT_LT(borders.second, 1.2 * std::pow(2.4, borders.isolation())) << c.name;
      EXPECT_LT(errors.first, 1e-6) << c.name;
      EXPECT_LT(errors.second, 5e-6) << c.name;
      EXPECT_GT(errors.samples, 150) << c.name;
    }
  }
}

}  // namespace
}  // namespace cutis
