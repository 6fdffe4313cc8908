#pragma once

#include <array>
#include <vector>

#include "cutis/io/frame_writer.h"

namespace cutis {

/// The field of frames that says how the tangent frame of a moving texture is turned [rad]: one per corner,
/// see uv_turns().
inline constexpr const char* corner_turn_name = "corner_turn";

/// Writes the moving texture coordinates of frames as ST maps, images in the mesh's own texture space that
/// say where to look a texture up: a folder of st_000001.exr and so on, red and green the coordinates, blue
/// the turn of the tangent frame. Where the layout has several UDIM tiles there is one file for each,
/// st_1001_ 000001.exr and so on.
class StMapWriter final : public FrameWriter {
 public:
  /// `size`: pixels each way, 1 to 16384. Throws InputError when the mesh has no texture coordinates, or when
  /// more than 1 % of the texture belongs to several faces, naming two: a map has room for one.
  StMapWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::size_t frame_count, int size);

 private:
  /// A square of texture space, and the mesh moved so that it is the unit square.
  struct Tile {
    std::string name;
    SourceMesh mesh;
  };
  int size_;
  std::vector<Tile> tiles_;
  std::size_t next_ = 0;

  void find_tiles(const SourceMesh& mesh);
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
