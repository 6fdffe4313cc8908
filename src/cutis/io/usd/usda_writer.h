#pragma once

#include <memory>
#include <vector>

#include "cutis/io/frame_writer.h"

namespace cutis {

/// Writes a USD ASCII file (.usda) with one mesh, a frame at a time: polygons, and time samples of the
/// points, smooth normals, extent, `primvars:st` (moving where the frames have moving texture coordinates,
/// else once) and every further field of the frames, as primvars of vertices ("vertex"), faces ("uniform") or
/// corners
/// ("faceVarying"). Numbers are 32-bit floats, written so that they come back to the bit. Metres, y up.
class UsdaWriter final : public FrameWriter {
 public:
  /// `times` [s], one per frame, strictly increasing; time codes are frames at `fps`.
  UsdaWriter(const std::filesystem::path& path, const SourceMesh& mesh, const std::vector<double>& times,
             double fps);
  ~UsdaWriter() override;

 private:
  struct State;
  std::unique_ptr<State> state_;

  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
