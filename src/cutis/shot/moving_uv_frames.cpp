#include "cutis/shot/moving_uv_frames.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/quantity.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/image/st_map_writer.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/field/uv_turn.h"

namespace cutis {
namespace {

constexpr const char* kWhy = "texture coordinates that move are worked out on its body";

const Body& with_uvs(const Body& body, const std::filesystem::path& folder) {
  if (!body.mesh().has_uvs())
    throw InputError(
        fmt::format("{}: the body has no texture coordinates that could move; unwrap it and run again, or "
                    "export it with vertices that slide",
                    folder.string()));
  return body;
}

UvLayout layout_of(const Body& body, const std::filesystem::path& folder,
                   const IdVector<CornerId, Vec2>& uvs) {
  return uvs.empty() ? UvLayout(with_uvs(body, folder)) : UvLayout(with_uvs(body, folder), uvs);
}

}  // namespace

MovingUvFrames::MovingUvFrames(const ResultReader& result, const std::filesystem::path& folder, double reach,
                               const IdVector<CornerId, Vec2>& layout)
    : skin_(result, folder, open_recorded_body, kWhy),
      layout_(layout_of(skin_.body(), folder, layout)),
      uvs_(layout_.polygons, layout_.triangles, layout_.surface, reach),
      welded_corner_(welded_corners(skin_.body())) {
  for (FaceId f : ids<FaceId>(skin_.body().mesh().face_count())) own_chart_.push_back(uvs_.own_chart(f));
}

Npz MovingUvFrames::pulled(const Npz& fields, const SurfaceMap& map) const {
  const Weld& weld = skin_.body().weld();
  const SourceMesh& source = skin_.body().source();
  Npz result;
  for (const FrameField& field : frame_fields(fields, source)) {
    if (field.place != FrameField::Place::Vertex) continue;
    const std::vector<double> values = to_doubles(*field.array);
    std::vector<double> there(values.size());
    for (SourceVertexId v : ids<SourceVertexId>(source.vertex_count())) {
      const SurfacePoint& p = map[weld.vertex_of[v]];
      const auto corners = map.to()->mesh().face(p.face);
      for (std::size_t k = 0; k < field.components; ++k)
        for (int i = 0; i < 3; ++i)
          there[v.index() * field.components + k] +=
              p.barycentric[i] * values[weld.representative[corners[i]].index() * field.components + k];
    }
    result[field.name] = npy_array(there.data(), there.size(), field.array->shape);
  }
  return result;
}

void MovingUvFrames::put_on_body(ResultFrame& frame) {
  const SkinOnBody::Frame skin = skin_(frame);
  const MovingUvs::Frame moved = uvs_(skin.body_to_skin);
  overhang_ = std::max(overhang_, moved.overhang);
  torn_ = std::max(torn_, moved.torn.size());
  missed_ = std::max(missed_, skin.missed.size());

  const Body& body = skin_.body();
  const IdVector<CornerId, double> turns =
      uv_turns(body.mesh(), body.weld().gather(skin.body), own_chart_, moved.uvs, moved.chart);
  std::vector<double> uvs, turn;
  for (CornerId c : ids<CornerId>(body.source().corner_count())) {
    const CornerId welded = welded_corner_[c];
    const Vec2& uv = welded.valid() ? moved.uvs[welded] : body.source().uvs[c];
    uvs.insert(uvs.end(), {uv.x(), uv.y()});
    turn.push_back(welded.valid() ? turns[welded] : 0);
  }
  frame.fields = pulled(frame.fields, skin.body_to_skin);
  frame.fields[moving_uvs_name] = npy_array(uvs.data(), uvs.size(), {turn.size(), 2});
  frame.fields[corner_turn_name] = npy_array(turn);
  frame.positions = skin.body;
}

void MovingUvFrames::tell(const std::filesystem::path& file) const {
  if (overhang_ > 0)
    log().info(
        "{}: faces reach up to {:.3g} mm past the borders of their charts; cutis extend-texture paints the "
        "texture that far",
        file.filename().string(), 1e3 * overhang_);
  if (torn_ > 0)
    log().warn("{}: in a frame {} faces are stretched so far that their corners fit in no chart together",
               file.filename().string(), torn_);
  if (missed_ > 0)
    log().warn(
        "{}: in a frame {} of the body's vertices have no skin on them (past its border, or it is folded "
        "there) and show the nearest",
        file.filename().string(), missed_);
}

}  // namespace cutis
