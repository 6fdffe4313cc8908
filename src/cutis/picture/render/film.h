#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cutis/picture/render/camera.h"
#include "cutis/picture/render/render.h"
#include "cutis/picture/render/scene.h"

namespace cutis {

/// What moves with a subject: the eyes and clothes of a character, each drawn in its own look.
struct Companions {
  std::vector<std::shared_ptr<const DrawMesh>> meshes;
  std::vector<Look> looks;                                             ///< one per mesh
  std::function<std::vector<std::vector<Vec3>>(int frame)> positions;  ///< of each mesh
};

/// One moving subject of a film. The functions are asked for a frame when it is drawn, in any order.
struct FilmPanel {
  std::string caption;
  std::shared_ptr<const DrawMesh> mesh;
  Look look;
  std::function<std::vector<Vec3>(int frame)> positions;
  std::function<std::vector<double>(int frame)> field;  ///< for Paint::Field
  std::function<std::vector<Vec2>(int frame)> uvs;      ///< where texture coordinates move
  std::vector<int> trails;                              ///< vertices that leave a trail
  std::vector<int> focus;                               ///< vertices that the camera holds; empty: all
  /// A second shape over the first, as a wireframe ghost: the body under its skin, another method's answer.
  std::shared_ptr<const DrawMesh> ghost;
  std::function<std::vector<Vec3>(int frame)> ghost_positions;
  Companions companions;
};

struct FilmOptions {
  int frames = 1;
  double frames_per_second = 24;
  double first_time = 0;  ///< of frame 0 [s], for captions
  std::string title;
  Framing framing;
  bool ground = true;
  /// Whether the camera goes along, level, with a subject that travels further than half of its own size.
  bool follow = false;
  int trail_frames = 24;  ///< how far back a trail goes
  RenderOptions render;   ///< the size is that of one panel
  /// Whether the legend of a single panel makes the picture wider, in place of taking its room from the
  /// panel.
  bool widen_for_legend = false;
};

/// Pictures of an animation: panels side by side, all seen by one camera that holds every frame, or goes
/// along.
class Film {
 public:
  /// Reads every frame once, for the camera, the floor and the trails. Throws InputError when there is no
  /// panel or no frame, or when a trail names no vertex.
  Film(std::vector<FilmPanel> panels, FilmOptions options);

  Camera camera(int frame) const;
  /// The scene of one panel, to add to before rendering.
  Scene scene(std::size_t panel, int frame) const;
  /// One frame: the panels side by side, with captions, title and legend where there are any.
  Image frame(int frame) const;
  /// About `count` frames, evenly spread over the film, on one page not much wider than 1920 pixels, each
  /// with its time. The panels of one moment stand side by side in one row; `columns` is rounded up to whole
  /// moments.
  Image contact_sheet(int count, int columns) const;

  /// Writes every `step`-th frame into each file (see AnimationWriter). `go_on(done, total)` is asked after
  /// each frame; when it says no, nothing is written. Returns the files written.
  std::vector<std::filesystem::path> write_animation(
      const std::vector<std::filesystem::path>& paths, int step = 1,
      const std::function<bool(int done, int total)>& go_on = {}) const;

 private:
  std::vector<FilmPanel> panels_;
  FilmOptions options_;
  Camera camera_;          ///< of frame 0 where it goes along
  std::vector<Vec3> way_;  ///< how far it has gone in each frame; empty: it stands still
  double floor_ = 0;
  double size_ = 1;                              ///< diagonal of all frames' bounding box
  std::vector<std::vector<Vec3>> trail_points_;  ///< by panel: frame-major positions of its trail vertices

  void survey();
  bool is_bare() const;                           ///< a panel without words around it
  const ColorScale* legend() const;               ///< of the fields that are shown; null where there is none
  Image framed(Image page, double shrink) const;  ///< with the legend beside it
  Image panel_image(std::size_t panel, int frame, double shrink) const;
};

/// `count` frames spread evenly over [0, frames), first and last included.
std::vector<int> spread_frames(int frames, int count);

}  // namespace cutis
