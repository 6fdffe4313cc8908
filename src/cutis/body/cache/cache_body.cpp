#include "cutis/body/cache/cache_body.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/body/cache/frame_blend.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

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
  set_face_groups(options.materials, options.parts);
}

Interval CacheBody::duration() const { return {cache_.times.front(), cache_.times.back()}; }

SourcePoints CacheBody::compute_positions(double time) const {
  const FrameBlend blend = blend_at(cache_.times, time);
  SourcePoints points(cache_.vertex_count);
  parallel_for(points.size(), [&](std::size_t i) {
    const SourceVertexId v(i);
    points[v] = scale_ * blended(blend, [&](std::size_t frame) { return cache_.point(frame, v); });
  });
  return points;
}

}  // namespace cutis
