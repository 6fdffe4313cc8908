#pragma once

#include <vector>

#include "cutis/picture/render/light.h"
#include "cutis/picture/stage.h"

namespace cutis {

/// How much light reaches what each pixel's centre shows, sampled with few rays and then smoothed along
/// surfaces but never across their edges. Colours are not in it, so they stay sharp.
class ReachMap {
 public:
  enum Kind : int { Nothing = -2, Floor = -1 };  ///< 0 and up: a solid object

  ReachMap(const Stage& stage, const Light& light, const RenderOptions& options);

  /// Whether something other than the bare background or floor shows within a pixel of this one.
  bool busy(int x, int y) const;
  /// Whether the floor may miss some light there.
  bool shaded(int x, int y) const { return shaded_[tile(x, y)] != 0; }
  /// The light that reaches a surface point seen at (x, y) [pixels].
  Reach at(float x, float y, int kind, const Vec3f& position, const Vec3f& normal, float pixel) const;

 private:
  struct Cell {
    Reach reach;
    int kind = Nothing;
    bool covered = false;  ///< by a solid, a ghost or a trail
    float pixel = 0;
    Vec3f position = Vec3f::Zero(), normal = Vec3f::UnitY();
  };
  const Stage& stage_;
  int width_, height_, samples_;
  std::vector<Vec3f> key_directions_;  ///< towards the key light, in the order in which pixels take them
  std::vector<Vec3f> sky_directions_;  ///< the same towards the sky, z along the normal
  std::vector<Cell> cells_;
  std::vector<char> shaded_;  ///< by tiles: whether some light is missing in it or in one beside it

  /// Smoothing reaches less far than this many pixels.
  static constexpr int kTile = 16;
  int tile_columns() const { return (width_ + kTile - 1) / kTile; }
  int tile_rows() const { return (height_ + kTile - 1) / kTile; }
  std::size_t tile(int x, int y) const {
    return std::size_t(y / kTile) * std::size_t(tile_columns()) + std::size_t(x / kTile);
  }
  const Cell& cell(int x, int y) const {
    return cells_[std::size_t(y) * std::size_t(width_) + std::size_t(x)];
  }
  Cell look(int x, int y, bool lit) const;
  void light_floor(int block);
  void find_shaded_tiles();
  Reach trace(const Vec3f& origin, const Vec3f& normal, int first, int count) const;
  void smooth(int step, bool floor_only = false);
  static float kinship(const Cell& a, int kind, const Vec3f& position, const Vec3f& normal, float pixel);
};

/// How far from the subject the floor still takes shadows, in stage units: all within, none beyond twice it.
constexpr float kFloorReach = 1.7f;

}  // namespace cutis
