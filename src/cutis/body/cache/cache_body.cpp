#include "cutis/body/cache/cache_body.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

/// A position at some time is a sum of at most four neighbouring frames.
struct Blend {
  std::size_t first = 0;  ///< frame
  int count = 1;
  std::array<double, 4> weights{1, 0, 0, 0};
};

/// Adds `factor` times the velocity at frame i, which is that of the parabola through three neighbours: at an
/// inner frame i itself is the middle one (evenly spaced, this is Catmull and Rom's tangent), at an end it is
/// the outer one. So quadratics in time are reproduced right up to the ends.
void add_velocity(const std::vector<double>& t, std::size_t i, double factor, Blend& blend) {
  if (t.size() == 2) {
    blend.weights[0] -= factor / (t[1] - t[0]);
    blend.weights[1] += factor / (t[1] - t[0]);
    return;
  }
  const std::size_t a = std::clamp<std::size_t>(i, 1, t.size() - 2) - 1;
  // Derivative at t_i of the Lagrange polynomials over t_a, t_{a+1}, t_{a+2}.
  for (std::size_t j = a; j < a + 3; ++j) {
    const std::size_t k = a + (j - a + 1) % 3, l = a + (j - a + 2) % 3;
    const double slope = ((t[i] - t[k]) + (t[i] - t[l])) / ((t[j] - t[k]) * (t[j] - t[l]));
    blend.weights[j - blend.first] += factor * slope;
  }
}

/// Cubic Hermite interpolation between the frames before and after `time`.
Blend blend_at(const std::vector<double>& t, double time) {
  if (!(time > t.front())) return {};
  if (time >= t.back()) return {t.size() - 1, 1, {1, 0, 0, 0}};
  const std::size_t i = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  if (time == t[i]) return {i, 1, {1, 0, 0, 0}};
  Blend blend;
  blend.first = i > 0 ? i - 1 : 0;
  blend.count = static_cast<int>(std::min(i + 2, t.size() - 1) - blend.first) + 1;
  blend.weights = {};
  const double h = t[i + 1] - t[i], u = (time - t[i]) / h;
  blend.weights[i - blend.first] += (1 + 2 * u) * (1 - u) * (1 - u);
  blend.weights[i + 1 - blend.first] += u * u * (3 - 2 * u);
  add_velocity(t, i, h * u * (1 - u) * (1 - u), blend);
  add_velocity(t, i + 1, h * u * u * (u - 1), blend);
  return blend;
}

std::size_t rest_frame(const std::string& rest, const PointCache& cache) {
  if (rest == "first") return 0;
  std::size_t frame = 0;
  const std::size_t prefix = 6;
  const char* end = rest.data() + rest.size();
  if (rest.starts_with("frame:") && rest.size() > prefix) {
    const auto [stop, error] = std::from_chars(rest.data() + prefix, end, frame);
    if (error == std::errc() && stop == end && frame < cache.frame_count()) return frame;
  }
  throw InputError(
      fmt::format("{}: body.rest = \"{}\" is not a shape of it; write \"first\", \"mesh\" or \"frame:N\" "
                  "with N from 0 to {}",
                  cache.file, rest, cache.frame_count() - 1));
}

}  // namespace

CacheBody::CacheBody(SourceMesh mesh, const std::string& mesh_file, PointCache cache,
                     const CacheBodyOptions& options)
    : cache_(std::move(cache)), scale_(options.scale) {
  if (mesh.vertex_count() != cache_.vertex_count)
    throw InputError(
        fmt::format("{}: has {} vertices, but the mesh {} has {}; export both from the same mesh, without "
                    "modifiers that add or join vertices",
                    cache_.file, cache_.vertex_count, mesh_file, mesh.vertex_count()));
  if (!(scale_ > 0) || !std::isfinite(scale_))
    throw InputError(
        fmt::format("{}: body.scale = {} cannot be; write a number above zero", mesh_file, scale_));
  if (options.rest != "mesh") mesh.positions = cache_.frame(rest_frame(options.rest, cache_));
  for (Vec3& p : mesh.positions) {
    p *= scale_;
    if (!is_place(p))
      throw InputError(
          fmt::format("{}: the rest shape is too large to compute with; look at body.scale", mesh_file));
  }
  set_rest(std::move(mesh), options.weld_tolerance);
  set_attributes(options.attributes);
}

Interval CacheBody::duration() const { return {cache_.times.front(), cache_.times.back()}; }

SourcePoints CacheBody::compute_positions(double time) const {
  const Blend blend = blend_at(cache_.times, time);
  SourcePoints points(cache_.vertex_count);
  parallel_for(points.size(), [&](std::size_t i) {
    const SourceVertexId v(i);
    Vec3 sum = blend.weights[0] * cache_.point(blend.first, v);
    for (int k = 1; k < blend.count; ++k)
      sum += blend.weights[static_cast<std::size_t>(k)] *
             cache_.point(blend.first + static_cast<std::size_t>(k), v);
    points[v] = scale_ * sum;
  });
  return points;
}

}  // namespace cutis
