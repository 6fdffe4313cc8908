#include "cutis/run/result_body.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cutis/body/cache/frame_blend.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/io/frame_fields.h"

namespace cutis {
namespace {

/// The largest values so far, by the name of the field.
void add_fields(const Npz& fields, const SourceMesh& mesh, std::map<std::string, VertexAttribute>& painted) {
  for (const FrameField& field : frame_fields(fields, mesh)) {
    if (field.place != FrameField::Place::Vertex) continue;
    const std::vector<double> values = to_doubles(*field.array);
    const auto [at, first] =
        painted.try_emplace(field.name, VertexAttribute{field.name, field.components, values});
    if (first) continue;
    for (std::size_t i = 0; i < values.size(); ++i)
      at->second.values[i] = std::max(at->second.values[i], values[i]);
  }
}

}  // namespace

ResultBody::ResultBody(const std::filesystem::path& folder, BodyOpener open, double scale,
                       double weld_tolerance) {
  const ResultReader result(folder, std::move(open));
  const Summary& summary = result.summary();
  if (!summary.complete || result.frame_count() == 0)
    throw InputError(
        fmt::format("{}: the result is not finished, so it cannot be a body; finish it with "
                    "`cutis simulate SHOT --resume`",
                    folder.string()));
  fps_ = summary.fps;
  SourceMesh mesh = result.mesh().mesh;
  std::map<std::string, VertexAttribute> painted;
  for (int i = 1; i <= result.frame_count(); ++i) {
    ResultFrame frame = result.frame(i);
    times_.push_back(frame.time);
    add_fields(frame.fields, mesh, painted);
    for (Vec3& p : frame.positions) p *= scale;
    frames_.push_back(std::move(frame.positions));
  }
  for (Vec3& p : mesh.positions) p *= scale;
  set_rest(std::move(mesh), weld_tolerance);
  std::vector<VertexAttribute> attributes;
  for (auto& [name, attribute] : painted) attributes.push_back(std::move(attribute));
  set_attributes(std::move(attributes));
}

SourcePoints ResultBody::compute_positions(double time) const {
  const FrameBlend blend = blend_at(times_, time);
  if (blend.count == 1) return frames_[blend.first];
  SourcePoints points(source().vertex_count());
  parallel_for(points.size(), [&](std::size_t i) {
    const SourceVertexId v(i);
    points[v] = blended(blend, [&](std::size_t frame) { return frames_[frame][v]; });
  });
  return points;
}

}  // namespace cutis
