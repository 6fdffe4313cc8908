#include "cutis/skin/eulerian/skin_inverse.h"

#include <cmath>
#include <utility>

#include "cutis/core/log.h"
#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Steps towards a place of the smooth surface: each leaves what its curvature bends away.
constexpr int kSteps = 4;

std::shared_ptr<const Surface> through(const SlideSurface& smooth) {
  Mesh mesh = smooth.rest().mesh();
  mesh.positions = smooth.on_surface();
  return std::make_shared<const Surface>(std::move(mesh));
}

bool is_vertex(const SurfacePoint& p) { return p.barycentric.maxCoeff() == 1; }

}  // namespace

SkinInverse::SkinInverse(const SlideSurface& surface) : surface_(surface), flat_(through(surface)) {}

SurfacePoint SkinInverse::to_flat(const SurfacePoint& p) const {
  // Without a face: the map needs a point, though no face asks for it.
  if (!p.face.valid()) return {FaceId(0), Vec3(1, 0, 0)};
  if (is_vertex(p)) return p;
  const SurfaceJet jet = surface_.evaluate(p);
  const SurfacePoint found = meet_along(*flat_, p.face, jet.position, jet.normal);
  return found.face.valid() ? found : p;
}

SurfacePoint SkinInverse::to_smooth(const SurfacePoint& p) const {
  if (is_vertex(p)) return p;
  const Vec3 place = flat_->position(p);
  SurfacePoint out = p;
  for (int i = 0; i < kSteps; ++i) {
    const SurfaceJet jet = surface_.evaluate(out);
    out = surface_.retract(out, jet, jet.tangent.transpose() * (place - jet.position));
  }
  return out;
}

SkinPoints SkinInverse::operator()(const SkinPoints& points, const SkinPoints& guess) const {
  const auto flat = [&](const SkinPoints& smooth) {
    SkinPoints out(smooth.size());
    parallel_for(out.size(), [&](std::size_t i) { out[VertexId(i)] = to_flat(smooth[VertexId(i)]); });
    return out;
  };
  const SurfaceMap::Inverse inverse = SurfaceMap(flat_, flat_, flat(points)).inverse(flat(guess));
  SkinPoints out = points;
  parallel_for(out.size(), [&](std::size_t i) {
    if (points[VertexId(i)].face.valid()) out[VertexId(i)] = to_smooth(inverse.map[VertexId(i)]);
  });
  if (!inverse.missed.empty())
    log().warn(
        "{} of {} vertices of the skin were not found on the body, the first is {}: each has the place "
        "nearest to it",
        inverse.missed.size(), out.size(), inverse.missed.front().index());
  return out;
}

}  // namespace cutis
