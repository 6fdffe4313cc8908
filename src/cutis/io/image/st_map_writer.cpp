#include "cutis/io/image/st_map_writer.h"

#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/io/frame_fields.h"
#include "cutis/io/frame_folder.h"
#include "cutis/io/image/exr.h"
#include "cutis/surface/field/uv_map.h"

namespace cutis {
namespace {

constexpr int kStGutter = 8;  ///< pixels, as around other maps
constexpr const char* kStName = "st";
constexpr int kTilesAcross = 10, kFirstTile = 1001;  ///< of UDIM

/// The tile that a face lies in, by its middle.
std::pair<int, int> tile_of(const SourceMesh& mesh, FaceId f) {
  Vec2 middle = Vec2::Zero();
  const std::size_t first = mesh.first_corner(f).index(), count = mesh.face_size(f);
  for (std::size_t k = 0; k < count; ++k) middle += mesh.uvs[CornerId(first + k)] / double(count);
  return {static_cast<int>(std::floor(middle.x())), static_cast<int>(std::floor(middle.y()))};
}

/// A map has room for one face at each place. A few pixels along folds of a layout do no harm.
void check_alone(const std::filesystem::path& folder, const SourceMesh& mesh, int size) {
  constexpr double harmless = 0.01;
  const UvOverlap overlap = uv_overlap(mesh, size, size);
  if (overlap.share <= harmless) return;
  throw InputError(fmt::format(
      "{}: {:.0f} % of the texture belongs to more than one face (faces {} and {}, for one), and an ST map "
      "has room for one; give charts places of their own, or export coordinates per corner: --to usda "
      "--moving-uvs",
      folder.string(), 100 * overlap.share, overlap.first.value, overlap.second.value));
}

}  // namespace

StMapWriter::StMapWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::size_t frame_count,
                         int size)
    : FrameWriter(folder, mesh.vertex_count(), frame_count), size_(size) {
  if (!mesh.has_uvs())
    throw InputError(fmt::format(
        "{}: the body has no texture coordinates to draw ST maps in; unwrap it first", folder.string()));
  find_tiles(mesh);
}

void StMapWriter::find_tiles(const SourceMesh& mesh) {
  std::set<std::pair<int, int>> tiles;  // by row
  std::size_t outside = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto [u, v] = tile_of(mesh, f);
    if (u < 0 || u >= kTilesAcross || v < 0 || v > 99)
      ++outside;
    else
      tiles.insert({v, u});
  }
  if (outside > 0)
    log().warn("{}: {} faces lie outside of the texture and its UDIM tiles; left out", path().string(),
               outside);
  const bool one = tiles.size() == 1 && *tiles.begin() == std::pair(0, 0);
  for (const auto& [v, u] : tiles) {
    Tile tile{one ? kStName : fmt::format("{}_{}", kStName, kFirstTile + u + kTilesAcross * v), mesh};
    for (Vec2& uv : tile.mesh.uvs) uv -= Vec2(u, v);
    check_alone(path(), tile.mesh, size_);
    tiles_.push_back(std::move(tile));
  }
}

void StMapWriter::write_frame(const SourcePoints&, const Npz& fields) {
  const SourceMesh& mesh = tiles_.front().mesh;
  const IdVector<CornerId, Vec2> uvs = moving_uvs(fields, mesh);
  const auto turn = fields.find(corner_turn_name);
  if (uvs.empty() || turn == fields.end() || turn->second.count() != mesh.corner_count())
    throw InputError(
        fmt::format("{}: frame {} has no moving texture coordinates", path().string(), next_ + 1));
  const std::vector<double> turns = to_doubles(turn->second);
  std::vector<double> values;
  for (std::size_t c = 0; c < turns.size(); ++c)
    values.insert(values.end(), {uvs[CornerId(c)].x(), uvs[CornerId(c)].y(), turns[c]});
  for (const Tile& tile : tiles_)
    write_exr(FrameFolder(path(), tile.name, ".exr").file(next_),
              draw_uv_map(tile.mesh, values, 3, size_, size_, kStGutter));
  ++next_;
}

void StMapWriter::write_end() {
  for (const Tile& tile : tiles_) FrameFolder(path(), tile.name, ".exr").remove_from(frame_count());
}

}  // namespace cutis
