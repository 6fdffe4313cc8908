#include "cutis/body/cache/cache_body.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<double> uneven{-0.5, 0, 0.125, 1, 1.25, 2};

SourceMesh triangle() {
  SourceMesh mesh;
  for (const Vec3& p : {Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(5, 1, 0)}) mesh.positions.push_back(p);
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2)});
  return mesh;
}

template <class F>
PointCache cache_of(const std::vector<double>& times, const F& position, int vertices = 3) {
  PointCache cache{"walk.pc2", times, static_cast<std::size_t>(vertices), {}};
  auto& coordinates = cache.coordinates.emplace<std::vector<float>>();
  for (double t : times)
    for (int v = 0; v < vertices; ++v) {
      const Vec3 p = position(t, v);
      for (int i = 0; i < 3; ++i) coordinates.push_back(static_cast<float>(p[i]));
    }
  return cache;
}

Vec3 wave(double t, int v) { return Vec3(v + std::sin(3 * t + v), std::cos(5 * t), v * t * t * t); }
// Its values at the uneven times are exact in 32 bits.
Vec3 parabola(double t, int v) { return Vec3(v + 2 * t - t * t, 3 + v * t * t, v - t); }

CacheBody body(const PointCache& cache, const CacheBodyOptions& options = {}) {
  return CacheBody(triangle(), "hero.obj", cache, options);
}

TEST(CacheBody, IsExactAtFrames) {
  const PointCache cache = cache_of(uneven, wave);
  const CacheBody b = body(cache);
  for (std::size_t i = 0; i < uneven.size(); ++i)
    EXPECT_EQ(b.source_positions(uneven[i]), cache.frame(i)) << "frame " << i;
}

TEST(CacheBody, HoldsStillOutsideItsFrames) {
  const PointCache cache = cache_of(uneven, wave);
  const CacheBody b = body(cache);
  EXPECT_EQ(b.duration().begin, -0.5);
  EXPECT_EQ(b.duration().end, 2);
  EXPECT_EQ(b.source_positions(-100), cache.frame(0));
  EXPECT_EQ(b.source_positions(100), cache.frame(5));
}

TEST(CacheBody, ReproducesQuadraticMotionFromFirstFrameToLast) {
  for (const auto& times : {uneven, {0, 1, 2, 3, 4}, {0, 0.25, 2}}) {
    const CacheBody b = body(cache_of(times, parabola));
    for (double t = times.front(); t <= times.back(); t += 0.01)
      for (int v = 0; v < 3; ++v)
        EXPECT_LT((b.source_positions(t)[SourceVertexId(v)] - parabola(t, v)).norm(), 1e-13) << "t = " << t;
  }
}

TEST(CacheBody, TwoFramesAreJoinedByALineAndOneStands) {
  const CacheBody two = body(cache_of({1, 3}, parabola));
  for (int v = 0; v < 3; ++v) {
    const Vec3 expected = 0.75 * parabola(1, v) + 0.25 * parabola(3, v);
    EXPECT_LT((two.source_positions(1.5)[SourceVertexId(v)] - expected).norm(), 1e-15);
  }
  const CacheBody one = body(cache_of({1}, parabola));
  EXPECT_EQ(one.source_positions(1.5)[SourceVertexId(2)], parabola(1, 2));
}

// One-sided differences on both sides of a frame, of second order: they differ by O(h^2) where the velocity
// is continuous, and by the velocity's jump where it is not (a linear blend jumps by more than 0.1 here).
TEST(CacheBody, VelocityIsContinuousAcrossFrames) {
  const CacheBody b = body(cache_of(uneven, wave));
  const double h = 1e-4;
  const auto at = [&](double t, int v) { return b.source_positions(t)[SourceVertexId(v)]; };
  for (std::size_t i = 1; i + 1 < uneven.size(); ++i)
    for (int v = 0; v < 3; ++v) {
      const double t = uneven[i];
      const Vec3 before = (3 * at(t, v) - 4 * at(t - h, v) + at(t - 2 * h, v)) / (2 * h);
      const Vec3 after = (-3 * at(t, v) + 4 * at(t + h, v) - at(t + 2 * h, v)) / (2 * h);
      EXPECT_LT((after - before).norm(), 1e-5) << "frame " << i << ", vertex " << v;
    }
}

// The error between frames falls with the third power of their distance: it is not merely continuous.
TEST(CacheBody, ConvergesWithFinerFrames) {
  const auto worst = [](int frames) {
    std::vector<double> times;
    for (int i = 0; i <= frames; ++i) times.push_back(2.0 * i / frames);
    const CacheBody b = body(cache_of(times, wave));
    double error = 0;
    for (double t = 0; t < 2; t += 0.003)
      for (int v = 0; v < 3; ++v)
        error = std::max(error, (b.source_positions(t)[SourceVertexId(v)] - wave(t, v)).norm());
    return error;
  };
  EXPECT_GT(worst(20) / worst(40), 6);
}

TEST(CacheBody, RestIsTheShapeThatIsNamed) {
  const PointCache cache = cache_of(uneven, wave);
  EXPECT_EQ(body(cache).source().positions, cache.frame(0));
  EXPECT_EQ(body(cache, {"mesh"}).source().positions, triangle().positions);
  EXPECT_EQ(body(cache, {"frame:4"}).source().positions, cache.frame(4));
  EXPECT_EQ(body(cache).mesh().face_count(), 1u);
  for (const char* wrong :
       {"frame:6", "frame:-1", "frame:", "frame:1x", "bind", "", "frame:99999999999999999999"})
    try {
      body(cache, {wrong});
      FAIL() << wrong;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), AllOf(HasSubstr("walk.pc2"), HasSubstr(wrong), HasSubstr("0 to 5")));
    }
}

TEST(CacheBody, ScaleMakesMetres) {
  const PointCache cache = cache_of(uneven, wave);
  const CacheBody b = body(cache, {"mesh", 0.01});
  EXPECT_EQ(b.source().positions[SourceVertexId(1)], Vec3(0.01 * Vec3(6, 0, 0)));
  EXPECT_EQ(b.source_positions(1)[SourceVertexId(2)], Vec3(0.01 * cache.point(3, SourceVertexId(2))));
  for (double wrong : {0.0, -1.0, double(NAN), double(INFINITY)})
    EXPECT_THROW(body(cache, {"first", wrong}), InputError);
}

TEST(CacheBody, WeldToleranceJoinsVerticesOfTheRestShape) {
  SourceMesh quads = triangle();
  quads.positions.push_back(Vec3(6, 1, 0));
  quads.positions.push_back(Vec3(6, 1e-3, 0));
  quads.add_face(std::vector{SourceVertexId(4), SourceVertexId(3), SourceVertexId(2)});
  const PointCache cache = cache_of({0, 1}, wave, 5);
  const CacheBody apart(quads, "hero.obj", cache, {"mesh"}),
      joined(quads, "hero.obj", cache, {"mesh", 1, 0.01});
  EXPECT_EQ(std::ranges::max(apart.weld().vertex_of), VertexId(4));
  EXPECT_EQ(std::ranges::max(joined.weld().vertex_of), VertexId(3));
}

TEST(CacheBody, DifferingVertexCountsNameBothFiles) {
  try {
    body(cache_of(uneven, wave, 4));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("walk.pc2: has 4 vertices"), HasSubstr("hero.obj has 3")));
  }
}

TEST(CacheBody, ManyThreadsSeeTheSameBits) {
  SourceMesh mesh = triangle();
  while (mesh.vertex_count() < 5000) mesh.positions.push_back(Vec3(0, 0, double(mesh.vertex_count())));
  const CacheBody b(mesh, "hero.obj", cache_of(uneven, wave, 5000));
  set_threads(1);
  std::vector<SourcePoints> expected;
  for (int i = 0; i < 50; ++i) expected.push_back(b.source_positions(-0.5 + 0.05 * i));
  set_threads(0);
  std::vector<int> differing(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = 0; i < 50; ++i)
        differing[k] += b.source_positions(-0.5 + 0.05 * double(i)) != expected[i];
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differing, std::vector<int>(4));
}

}  // namespace
}  // namespace cutis
