#include "cutis/picture/render/film.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/picture/animation.h"
#include "cutis/picture/draw/compose.h"

namespace cutis {
namespace {

constexpr double kSheetWidth = 1920;
constexpr double kTrailRadius = 0.0022;  // of the subject's size

Color trail_color(std::size_t i) {
  static const std::array<Color, 6> colors{srgb(0xe4572e), srgb(0x1b98e0), srgb(0x2a9d8f),
                                           srgb(0xf0a202), srgb(0x8e44ad), srgb(0xd6336c)};
  return colors[i % colors.size()];
}

/// The mean of the points that are finite, and the diagonal of their bounding box.
std::pair<Vec3, double> middle_and_size(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  Eigen::AlignedBox3d box;
  int count = 0;
  for (const Vec3& p : points) {
    if (!p.allFinite()) continue;
    sum += p;
    box.extend(p);
    ++count;
  }
  return {sum / std::max(1, count), count > 0 ? box.diagonal().norm() : 0};
}

Look ghost_look() {
  Look look;
  look.finish.color = srgb(0x7fb58a);
  look.opacity = 0.1f;
  look.wire_width = 1.0f;
  look.wire_color = srgb(0x1f7a3d);
  look.wire_opacity = 0.8f;
  return look;
}

}  // namespace

std::vector<int> spread_frames(int frames, int count) {
  count = std::clamp(count, 1, std::max(1, frames));
  std::vector<int> out;
  for (int i = 0; i < count; ++i)
    out.push_back(count == 1 ? 0 : static_cast<int>(std::lround(double(i) * (frames - 1) / (count - 1))));
  return out;
}

Film::Film(std::vector<FilmPanel> panels, FilmOptions options)
    : panels_(std::move(panels)), options_(std::move(options)), trail_points_(panels_.size()) {
  if (panels_.empty() || options_.frames < 1) throw InputError("a film needs a panel and a frame");
  for (const FilmPanel& panel : panels_) {
    if (!panel.mesh || !panel.positions) throw InputError("a film's panel needs a mesh and its positions");
    for (int v : panel.trails)
      if (v < 0 || std::size_t(v) >= panel.mesh->vertex_count())
        throw InputError(
            fmt::format("a trail follows vertex {}, but the mesh has {}", v, panel.mesh->vertex_count()));
  }
  if (legend() && is_bare() && !options_.widen_for_legend) {
    const int room = legend_room(*legend(), options_.render.height);
    options_.render.width = std::max(options_.render.width - room, options_.render.width / 2);
  }
  survey();
}

void Film::survey() {
  const double aspect = double(options_.render.width) / options_.render.height;
  CameraFit fit(options_.framing, aspect), along(options_.framing, aspect);
  Eigen::AlignedBox3d box, way_box;
  double subject = 0;
  for (std::size_t p = 0; p < panels_.size(); ++p)
    for (int f = 0; f < options_.frames; ++f) {
      const std::vector<Vec3> points = panels_[p].positions(f);
      std::vector<Vec3> seen;
      if (panels_[p].focus.empty()) seen = points;
      for (int v : panels_[p].focus) seen.push_back(points.at(std::size_t(v)));
      if (p == 0) {
        const auto [middle, size] = middle_and_size(seen);
        way_.push_back(f == 0 ? middle : Vec3(middle.x(), way_[0].y(), middle.z()));
        way_box.extend(way_.back());
        subject = std::max(subject, size);
      }
      if (panels_[p].focus.empty() && panels_[p].ghost_positions) {
        const std::vector<Vec3> ghost = panels_[p].ghost_positions(f);
        seen.insert(seen.end(), ghost.begin(), ghost.end());
      }
      if (panels_[p].focus.empty() && panels_[p].companions.positions)
        for (const std::vector<Vec3>& companion : panels_[p].companions.positions(f)) {
          seen.insert(seen.end(), companion.begin(), companion.end());
          for (const Vec3& point : companion)
            if (point.allFinite()) box.extend(point);
        }
      fit.add(seen);
      const Vec3 gone = way_[std::size_t(f)] - way_[0];
      for (Vec3& point : seen) point -= gone;
      along.add(seen);
      for (const Vec3& point : points)
        if (point.allFinite()) box.extend(point);
      for (int v : panels_[p].trails) trail_points_[p].push_back(points.at(std::size_t(v)));
    }
  const bool travels = options_.follow && way_box.diagonal().norm() > 0.5 * subject;
  camera_ = travels ? along.camera() : fit.camera();
  if (travels)
    for (std::size_t f = way_.size(); f-- > 0;) way_[f] -= way_[0];
  else
    way_.clear();
  if (box.isEmpty()) return;
  floor_ = box.min().y();
  size_ = box.diagonal().norm();
}

Camera Film::camera(int frame) const {
  Camera camera = camera_;
  if (!way_.empty()) camera.eye += way_.at(std::size_t(frame));
  return camera;
}

Scene Film::scene(std::size_t p, int frame) const {
  const FilmPanel& panel = panels_[p];
  Scene scene;
  if (options_.ground) scene.ground = floor_;
  SceneObject object{panel.mesh, panel.positions(frame), panel.look, {}, {}};
  if (panel.field) object.field = panel.field(frame);
  if (panel.uvs) object.uvs = panel.uvs(frame);
  scene.objects.push_back(std::move(object));
  if (panel.ghost && panel.ghost_positions)
    scene.objects.push_back({panel.ghost, panel.ghost_positions(frame), ghost_look(), {}, {}});
  if (const Companions& companions = panel.companions; companions.positions) {
    std::vector<std::vector<Vec3>> positions = companions.positions(frame);
    for (std::size_t k = 0; k < positions.size(); ++k)
      scene.objects.push_back({companions.meshes[k], std::move(positions[k]), companions.looks[k], {}, {}});
  }
  for (std::size_t k = 0; k < panel.trails.size(); ++k) {
    Trail trail{{}, kTrailRadius * size_, trail_color(k)};
    for (int f = std::max(0, frame - options_.trail_frames); f <= frame; ++f)
      trail.points.push_back(trail_points_[p][std::size_t(f) * panel.trails.size() + k]);
    scene.trails.push_back(std::move(trail));
  }
  return scene;
}

Image Film::panel_image(std::size_t panel, int frame, double shrink) const {
  RenderOptions options = options_.render;
  options.width = std::max(1, static_cast<int>(std::lround(shrink * options.width)));
  options.height = std::max(1, static_cast<int>(std::lround(shrink * options.height)));
  return render(scene(panel, frame), camera(frame), options);
}

Image Film::frame(int frame) const {
  if (is_bare()) return framed(panel_image(0, frame, 1), 1);
  std::vector<Panel> row;
  for (std::size_t p = 0; p < panels_.size(); ++p)
    row.push_back({panel_image(p, frame, 1), panels_[p].caption});
  return framed(side_by_side(row, options_.title), 1);
}

bool Film::is_bare() const {
  return panels_.size() == 1 && panels_[0].caption.empty() && options_.title.empty();
}

const ColorScale* Film::legend() const {
  for (const FilmPanel& panel : panels_)
    if (panel.look.paint == Paint::Field) return &panel.look.scale;
  return nullptr;
}

Image Film::framed(Image page, double shrink) const {
  const int height = static_cast<int>(std::lround(shrink * options_.render.height));
  return legend() ? with_legend(page, *legend(), height) : std::move(page);
}

Image Film::contact_sheet(int count, int columns) const {
  const int panels = static_cast<int>(panels_.size());
  columns = (std::max(1, columns) + panels - 1) / panels * panels;
  const double shrink = std::min(1.0, kSheetWidth / (columns * double(options_.render.width)));
  std::vector<Panel> cells;
  for (int f : spread_frames(options_.frames, count))
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      std::string caption = fmt::format("{:.2f} s", options_.first_time + f / options_.frames_per_second);
      if (!panels_[p].caption.empty()) caption = fmt::format("{}, {}", panels_[p].caption, caption);
      cells.push_back({panel_image(p, f, shrink), caption});
    }
  return framed(cutis::contact_sheet(cells, columns, options_.title), shrink);
}

std::vector<std::filesystem::path> Film::write_animation(const std::vector<std::filesystem::path>& paths,
                                                         int step,
                                                         const std::function<bool(int, int)>& go_on) const {
  step = std::max(1, step);
  AnimationWriter writer(paths, options_.frames_per_second / step);
  const int total = (options_.frames + step - 1) / step;
  for (int i = 0; i < total; ++i) {
    writer.add(frame(i * step));
    if (go_on && !go_on(i + 1, total)) return {};
  }
  return writer.finish();
}

}  // namespace cutis
