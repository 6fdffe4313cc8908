#include "cutis/run/map_frames.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"

namespace cutis {
namespace {

/// How far the corners of the bounding box may be from those of the run, as a share of its size, for the
/// body to be the same one: far above rounding, far below anything to be seen.
constexpr double kSameBody = 1e-9;

bool same(const BodyCheck& a, const BodyCheck& b) {
  const double size = (a.high - a.low).norm() + (b.high - b.low).norm();
  return (a.low - b.low).norm() <= kSameBody * size && (a.high - b.high).norm() <= kSameBody * size;
}

std::string without_input(const std::string& folder, const InputFile& input, const char* why,
                          const char* what) {
  return fmt::format(
      "{}: {}, and {}, which the body is made from, {}; put it back as it was or run the shot again", folder,
      why, input.name, what);
}

}  // namespace

BodyCheck body_check(const SourcePoints& body) {
  BodyCheck check;
  if (body.empty()) return check;
  const auto* bytes = reinterpret_cast<const unsigned char*>(body.data());
  check.crc = static_cast<std::uint32_t>(crc32_z(0, bytes, body.size() * sizeof(Vec3)));
  check.low = check.high = body.raw().front();
  for (const Vec3& p : body) {
    check.low = check.low.cwiseMin(p);
    check.high = check.high.cwiseMax(p);
  }
  return check;
}

std::string map_defect(const SurfaceMap& map, const ResultMesh& mesh) {
  const auto& corners = map.to()->mesh().corners;
  const std::size_t welded = mesh.welded_count();
  bool same = corners.size() == 3 * mesh.triangles.size() && map.points().size() >= welded;
  for (std::size_t i = 0; same && i < corners.size(); ++i)
    same = corners[CornerId(i)].index() >= welded ||
           corners[CornerId(i)] == mesh.welded[SourceVertexId(mesh.triangles[i / 3][i % 3])];
  if (!same) return "the method's map is not on the body's own triangles";
  for (VertexId v : ids<VertexId>(map.points().size())) {
    const SurfacePoint& p = map[v];
    if (!p.face.valid() || p.face.index() >= mesh.triangles.size() || !p.barycentric.allFinite() ||
        !(p.barycentric.maxCoeff() > 0))
      return fmt::format("the map takes vertex {} to no place", v.value);
  }
  return "";
}

std::unique_ptr<Body> recorded_body(const Summary& summary, const ResultMesh& mesh, const std::string& folder,
                                    const BodyOpener& open, const char* why) {
  if (!open) throw InputError(fmt::format("{}: {}, and no body is at hand here", folder, why));
  for (const InputFile& input : summary.inputs) {
    const std::filesystem::path file = std::filesystem::path(folder) / input.name;
    if (!std::filesystem::is_regular_file(file))
      throw InputError(without_input(folder, input, why, "is missing"));
    if (sha256(read_file(file)) != input.sha256)
      throw InputError(without_input(folder, input, why, "has changed"));
  }
  std::unique_ptr<Body> body = open(summary.shot, folder + "/summary.json");
  const ResultMesh now = result_mesh(*body);
  if (now.mesh.vertex_count() < mesh.mesh.vertex_count())
    throw InputError(fmt::format(
        "{}: {}, and wrinkled skin has a finer mesh than its body; take the skin below it, {}/stages/skin",
        folder, why, folder));
  if (now.triangles != mesh.triangles || now.welded != mesh.welded)
    throw InputError(fmt::format(
        "{}: {}, and this version of Cutis makes another body of the same inputs; run the shot again", folder,
        why));
  return body;
}

MapExpander::MapExpander(const ResultMesh& mesh, const Summary& summary, std::string folder,
                         std::shared_ptr<const Body> body, BodyOpener open)
    : mesh_(mesh),
      summary_(summary),
      folder_(std::move(folder)),
      body_(std::move(body)),
      open_(std::move(open)) {}

void MapExpander::open() {
  if (!body_) body_ = recorded_body(summary_, mesh_, folder_, open_);
  surface_.emplace(*body_, summary_.slides_on);
}

void MapExpander::check(const BodyCheck& now, const BodyCheck& then, double time) {
  if (!same(now, then))
    throw InputError(fmt::format(
        "{}: at {:.6g} s the body is not where it was when its skin was computed; run the shot again",
        folder_, time));
  if (now.crc != then.crc && !std::exchange(told_, true))
    log().warn("{}: the last bits of the body differ from those of the run, as they may on another processor",
               folder_);
}

SourcePoints MapExpander::operator()(const FrameMap& map, double time) {
  const std::lock_guard lock(mutex_);
  if (!surface_) open();
  const SourcePoints now = body_->source_positions(time);
  check(body_check(now), map.body, time);
  surface_->update(body_->weld().gather(now));
  return surface_->place(now, body_->weld(), expanded(map.points));
}

}  // namespace cutis
