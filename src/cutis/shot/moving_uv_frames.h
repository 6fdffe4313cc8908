#pragma once

#include <filesystem>
#include <optional>

#include "cutis/body/uv_layout.h"
#include "cutis/run/skin_on_body.h"
#include "cutis/surface/map/moving_uvs.h"

namespace cutis {

/// Turns the frames of a result, whose vertices slide and whose texture coordinates stay, into frames of the
/// body's own vertices with texture coordinates that move.
class MovingUvFrames {
 public:
  /// `reach`: see MovingUvs. `layout`: texture coordinates of the source's corners to be moved instead of the
  /// body's own, unless empty. Throws InputError as SkinOnBody does, and when the body has no texture
  /// coordinates.
  MovingUvFrames(const ResultReader& result, const std::filesystem::path& folder, double reach,
                 const IdVector<CornerId, Vec2>& layout = {});

  /// Positions become the body's. The fields `uvs` and `corner_turn` are added (io/frame_fields.h,
  /// io/image/st_map_writer.h); fields of vertices become those of the skin that lies there, others are left
  /// out. Throws InputError as SkinOnBody does.
  void put_on_body(ResultFrame& frame);

  /// How far past the borders of charts the texture is looked up, in all frames so far [m].
  double overhang() const { return overhang_; }
  /// Says how far that is, and what went wrong; `file` begins the messages.
  void tell(const std::filesystem::path& file) const;

 private:
  SkinOnBody skin_;
  UvLayout layout_;
  MovingUvs uvs_;
  IdVector<CornerId, CornerId> welded_corner_;
  IdVector<FaceId, int> own_chart_;  ///< of each polygon
  double overhang_ = 0;
  std::size_t torn_ = 0, missed_ = 0;  ///< polygons and vertices, the most in a frame

  Npz pulled(const Npz& fields, const SurfaceMap& body_to_skin) const;
};

}  // namespace cutis
