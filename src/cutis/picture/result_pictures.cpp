#include "cutis/picture/result_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/folder.h"
#include "cutis/core/log.h"
#include "cutis/io/gltf/gltf_texture.h"
#include "cutis/io/image/png.h"
#include "cutis/measure/fields.h"
#include "cutis/picture/draw/box_uvs.h"
#include "cutis/picture/draw/uv_view.h"
#include "cutis/picture/render/film.h"
#include "cutis/picture/result_character.h"
#include "cutis/picture/result_field.h"
#include "cutis/picture/result_lines.h"
#include "cutis/shot/bound_meshes.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// A few vertices spread over the surface: each the furthest from those before it, at rest.
std::vector<int> trail_vertices(const ResultMesh& mesh) {
  const auto& points = mesh.mesh.positions.raw();
  std::vector<double> distance(points.size(), INFINITY);
  std::vector<int> chosen = {0};
  while (chosen.size() < std::min<std::size_t>(12, points.size())) {
    for (std::size_t i = 0; i < points.size(); ++i)
      distance[i] = std::min(distance[i], (points[i] - points[chosen.back()]).norm());
    chosen.push_back(static_cast<int>(std::max_element(distance.begin(), distance.end()) - distance.begin()));
  }
  return chosen;
}

std::string field_name(const PictureSection& settings) { return settings.field.value_or(kStandardField); }

std::vector<Vec3> body_in(const ResultReader& result, int number) {
  const ResultFrame frame = result.frame(number);
  const auto found = frame.fields.find("body");
  if (found == frame.fields.end() || found->second.count() != 3 * frame.positions.size())
    throw InputError(
        "picture.body: the frames do not hold plain skinning; add \"body\" to output.fields and run again");
  return field_vectors(found->second);
}

/// The field of plain skinning, by frame number.
std::function<std::vector<double>(int)> body_field(const std::shared_ptr<const ResultReader>& result,
                                                   const PictureSection& settings) {
  const FieldInfo* field = field_info(field_name(settings));
  if (!field || field->needs != FieldNeeds::Nothing)
    throw InputError(
        fmt::format("picture.body: plain skinning has no field \"{}\"; show a geometric one beside it",
                    field_name(settings)));
  return [result, field, evaluate = std::make_shared<FieldEvaluator>(result->mesh())](int number) {
    const SourcePoints body(body_in(*result, number));
    return (*evaluate)(*field, {body});
  };
}

/// The area at rest that each value of a field stands for: of vertices a third of the triangles around, or of
/// faces their triangles.
std::vector<double> rest_areas(const ResultMesh& mesh, std::size_t values) {
  const std::vector<double> areas = triangle_areas(mesh.mesh.positions.raw(), mesh.triangles);
  std::vector<double> weights(values, 0);
  for (std::size_t t = 0; t < areas.size(); ++t)
    if (values == mesh.mesh.vertex_count())
      for (const std::int32_t v : mesh.triangles[t]) weights[static_cast<std::size_t>(v)] += areas[t] / 3;
    else
      weights[static_cast<std::size_t>(mesh.triangle_faces[t])] += areas[t];
  return weights;
}

/// The frame that is worth a still: where the field is largest on average, or, without one, that which is
/// furthest from rest on average.
int most_telling_frame(const ResultReader& result, const PictureSection& settings, const FrameRange& frames) {
  std::optional<ResultField> field;
  if (settings.look == PictureLook::Field) field.emplace(result, field_name(settings));
  int best = frames.first;
  double most = -1;
  for (int i = frames.first; i <= frames.last; ++i) {
    double sum = 0;
    if (field) {
      const std::vector<double> values = field->values(i), areas = rest_areas(result.mesh(), values.size());
      for (std::size_t k = 0; k < values.size(); ++k)
        if (std::isfinite(values[k])) sum += areas[k] * std::abs(values[k]);
    } else {
      const ResultFrame frame = result.frame(i);
      for (SourceVertexId v : ids<SourceVertexId>(frame.positions.size()))
        sum += (frame.positions[v] - result.mesh().mesh.positions[v]).norm();
    }
    if (sum > most) {
      most = sum;
      best = i;
    }
  }
  return best;
}

constexpr int kScaleFrames = 12;  ///< that a colour scale is taken from, spread over the shot

/// Where plain skinning is beside the skin: up to its 99th percentile by area, in the frame where that is the
/// largest, so that what the skin relieves is seen.
void set_top_by_body(const ResultReader& result, const std::function<std::vector<double>(int)>& of_body,
                     ColorScale& scale) {
  double top = 0;
  for (int frame : spread_frames(result.frame_count(), kScaleFrames)) {
    std::vector<double> values = of_body(frame + 1);
    if (scale.map == ColorMap::Diverging)
      for (double& value : values) value = std::abs(value);
    top = std::max(top, weighted_percentile(values, rest_areas(result.mesh(), values.size()), 0.99));
  }
  const double bottom = scale.map == ColorMap::Diverging ? -top : scale.low;
  if (!(top > bottom)) return;
  scale.low = bottom;
  scale.high = top;
}

ColorScale scale_for(const std::shared_ptr<const ResultReader>& result, const PictureSection& settings,
                     const ResultField& field) {
  std::vector<double> values;
  for (int frame : spread_frames(result->frame_count(), kScaleFrames)) {
    const std::vector<double> some = field.values(frame + 1);
    values.insert(values.end(), some.begin(), some.end());
  }
  ColorScale scale = fit_scale(values, field.map(), field.title(), field.unit());
  if (settings.body == PictureBody::Beside) set_top_by_body(*result, body_field(result, settings), scale);
  scale.low = settings.field_low.value_or(scale.low);
  scale.high = settings.field_high.value_or(scale.high);
  return scale;
}

/// The image that the shot names, or that the character wears in its own file.
std::optional<Raster> texture_of(const ResultCharacter& character, const PictureSection& settings) {
  if (settings.texture) return read_png(*settings.texture);  // refused when broken, shown or not
  std::optional<Raster> own = character.texture();
  if (!own)
    log().warn(
        "picture.look: the character has no image of its own; give one as picture.texture. It is shown "
        "plain");
  return own;
}

constexpr std::array<std::int64_t, 2> kUsualSize{960, 540};  ///< of a picture [pixels]

Look look_from(const std::shared_ptr<const ResultReader>& shared, const ResultCharacter& character,
               const DrawMesh& mesh, const PictureSection& settings) {
  const ResultReader& result = *shared;
  Look look;
  look.finish = skin_finish(static_cast<float>(settings.gloss));
  if (settings.wireframe) look.wire_width = 1.0f;
  if (settings.normal_map)
    look.normal_map = std::make_shared<Texture>(read_png(*settings.normal_map), Texture::Values::Numbers);
  switch (settings.look) {
    case PictureLook::Plain:
      break;
    case PictureLook::Checker:
      look.paint = Paint::Checker;
      break;
    case PictureLook::Texture:
      if (const std::optional<Raster> image = texture_of(character, settings)) {
        look.paint = Paint::Image;
        look.texture = std::make_shared<Texture>(*image);
      }
      if (!result.mesh().mesh.has_uvs()) look.paint = Paint::Checker;  // draw_mesh() has said so
      break;
    case PictureLook::Field:
      look.paint = Paint::Field;
      look.scale = scale_for(shared, settings, ResultField(result, field_name(settings)));
      break;
    case PictureLook::Lines:
      look.paint = Paint::Lines;
      look.lines =
          result_lines(result.mesh(), mesh, double(settings.size ? settings.size->at(1) : kUsualSize[1]));
      break;
  }
  return look;
}

[[noreturn]] void fail_unknown_region(const ResultMesh& mesh, const ResultCharacter& character,
                                      const std::string& name) {
  std::vector<std::string> regions, names = character.names();
  for (const auto& [region, inside] : mesh.regions) regions.push_back(region);
  names.insert(names.end(), regions.begin(), regions.end());
  const std::string near = nearest_word(name, names);
  throw InputError(fmt::format(
      "picture.region: the result has no region, and its character no joint or part, named \"{}\"{}; {}",
      name, near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
      regions.empty() ? "it has no regions" : fmt::format("its regions: {}", fmt::join(regions, ", "))));
}

std::vector<int> focus_of(const ResultMesh& mesh, const ResultCharacter& character,
                          const PictureSection& settings) {
  if (!settings.region) return {};
  const auto found = mesh.regions.find(*settings.region);
  if (found == mesh.regions.end()) {
    std::vector<int> of_joint = character.vertices_of(*settings.region);
    if (of_joint.empty()) fail_unknown_region(mesh, character, *settings.region);
    return of_joint;
  }
  std::vector<int> vertices;
  for (std::size_t v = 0; v < found->second.size(); ++v)
    if (found->second[v]) vertices.push_back(static_cast<int>(v));
  return vertices;
}

/// The body's edges in green over the skin's in red (Fig. 14 of the 2009 paper). Both lie on one surface, so
/// the body is drawn a little above it.
void overlay_body(FilmPanel& panel, const std::shared_ptr<const ResultReader>& result, int first) {
  panel.look.wire_width = 1.6f;
  panel.look.wire_color = srgb(0xc0392b);
  panel.ghost = panel.mesh;
  panel.ghost_positions = [result, first, mesh = panel.mesh](int frame) {
    constexpr double kAbove = 1e-3;
    std::vector<Vec3> points = body_in(*result, frame + first);
    std::vector<Eigen::Vector3f> single;
    for (const Vec3& p : points) single.push_back(p.cast<float>());
    const std::vector<Eigen::Vector3f> normals = mesh->normals(single);
    const double distance = kAbove * bounding_diagonal(points);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] += distance * normals[i].cast<double>();
    return points;
  };
}

std::vector<std::vector<Vec3>> raw(std::vector<SourcePoints> meshes) {
  std::vector<std::vector<Vec3>> all;
  for (SourcePoints& points : meshes) all.push_back(points.raw());
  return all;
}

/// The same panel with plain skinning in place of the skin.
FilmPanel body_panel(FilmPanel panel, const std::shared_ptr<const ResultReader>& result,
                     const std::shared_ptr<const BoundMeshes>& bound, const PictureSection& settings,
                     int first) {
  panel.caption = "plain skinning";
  panel.positions = [result, first](int frame) { return body_in(*result, frame + first); };
  if (panel.companions.positions)
    panel.companions.positions = [bound, result, first](int frame) {
      return raw(bound->animated(result->frame(frame + first).time));
    };
  if (panel.field)
    panel.field = [first, of_body = body_field(result, settings)](int frame) {
      return of_body(frame + first);
    };
  return panel;
}

/// One result as all its pictures show it.
struct Subject {
  std::shared_ptr<const ResultReader> result;
  std::shared_ptr<const ResultCharacter> character;
  std::shared_ptr<const DrawMesh> mesh;
  Look look;
  std::vector<int> focus;
  std::shared_ptr<const BoundMeshes> bound;  ///< null where other meshes are not shown
};
using Subjects = std::vector<Subject>;

/// The mesh, with texture coordinates where the look needs them.
std::shared_ptr<const DrawMesh> draw_mesh(const SourceMesh& mesh, const PictureSection& settings) {
  const bool textured = settings.look == PictureLook::Checker || settings.look == PictureLook::Texture;
  if (!textured || mesh.has_uvs()) return std::make_shared<DrawMesh>(mesh);
  log().warn(
      "picture.look: the mesh has no texture coordinates; a checker is laid on it along the axes, at rest");
  SourceMesh with_uvs = mesh;
  with_uvs.uvs = box_uvs(mesh);
  return std::make_shared<DrawMesh>(with_uvs);
}

Subject subject_from(const fs::path& folder, const PictureSection& settings) {
  Subject subject;
  subject.result = std::make_shared<ResultReader>(folder, open_recorded_body);
  if (subject.result->frame_count() == 0)
    throw InputError(fmt::format("{}: has no finished frame yet", folder.string()));
  subject.character = std::make_shared<ResultCharacter>(folder, subject.result->summary());
  subject.mesh = draw_mesh(subject.result->mesh().mesh, settings);
  subject.look = look_from(subject.result, *subject.character, *subject.mesh, settings);
  subject.focus = focus_of(subject.result->mesh(), *subject.character, settings);
  // Clothes would cover what these are for.
  const bool measures = settings.look == PictureLook::Field || settings.look == PictureLook::Lines;
  if (settings.others && !measures) subject.bound = std::make_shared<BoundMeshes>(folder, *subject.result);
  return subject;
}

/// The other meshes of the character, in its own images where the skin is shown so, else in plain colours.
Companions companions_of(const Subject& subject, const PictureSection& settings, int first) {
  Companions companions;
  const BoundMeshes& bound = *subject.bound;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const SourceMesh& mesh = bound[i].mesh().source();
    Look look;
    look.finish = clay_finish();
    const bool wears = settings.look == PictureLook::Texture && !settings.texture && mesh.has_uvs();
    const std::string ending = lower_ending(bound.file());
    if (wears && (ending == ".glb" || ending == ".gltf"))
      if (const std::optional<Raster> image = read_gltf_texture(bound.file(), {bound[i].name()})) {
        look.paint = Paint::Image;
        look.texture = std::make_shared<Texture>(*image);
      }
    companions.meshes.push_back(std::make_shared<DrawMesh>(mesh));
    companions.looks.push_back(look);
  }
  companions.positions = [bound = subject.bound, result = subject.result, first](int frame) {
    return raw(bound->positions(result->frame(frame + first)));
  };
  return companions;
}

FilmPanel panel_for(const Subject& subject, const PictureSection& settings, const std::string& caption,
                    int first) {
  const auto& result = subject.result;
  FilmPanel panel;
  panel.caption = caption;
  panel.mesh = subject.mesh;
  panel.look = subject.look;
  panel.positions = [result, first](int frame) { return result->frame(frame + first).positions.raw(); };
  if (settings.look == PictureLook::Field)
    panel.field = [result, first, field = std::make_shared<ResultField>(*result, field_name(settings))](
                      int frame) { return field->values(frame + first); };
  if (settings.trails) panel.trails = trail_vertices(result->mesh());
  panel.focus = subject.focus;
  if (settings.body == PictureBody::Overlay) overlay_body(panel, result, first);
  if (subject.bound && !subject.bound->empty()) panel.companions = companions_of(subject, settings, first);
  return panel;
}

/// The frames that are to be shown, of those that all subjects have.
FrameRange shown_frames(const Subjects& subjects, const std::optional<FrameRange>& asked) {
  int frames = subjects.front().result->frame_count();
  for (const Subject& subject : subjects) frames = std::min(frames, subject.result->frame_count());
  const FrameRange range = asked.value_or(FrameRange{1, frames});
  if (range.first < 1 || range.first > range.last || range.last > frames)
    throw InputError(fmt::format("frames {} to {}: give frames from 1 to {}, the first of them first",
                                 range.first, range.last, frames));
  return range;
}

/// As the shot says, else from in front of the character, else from where most files have their front.
Vec3 camera_of(const Subject& subject, const PictureSection& settings) {
  if (settings.camera) return *settings.camera;
  return subject.character->front_view().value_or(Vec3(0.6, 0.35, 1.0));
}

/// "lagrangian skin", "flesh of about 20000 tetrahedra": the first words of what the run made.
std::string what_it_is(const Summary& summary) {
  return summary.made.empty() ? "skin" : summary.made.substr(0, summary.made.find_first_of(":;"));
}

/// Width and height in pixels: as the settings say, else as many as usual in the shape of what is seen of the
/// first subject, which the camera follows.
std::array<int, 2> picture_size(const Subject& subject, const PictureSection& settings, int first,
                                int count) {
  if (settings.size) return {static_cast<int>(settings.size->at(0)), static_cast<int>(settings.size->at(1))};
  constexpr double kNarrowest = 0.45, kWidest = 2.2;  // height over width, and width over height
  const Camera axes = CameraFit(framing_from(camera_of(subject, settings)), 1).camera();
  Eigen::AlignedBox2d seen;
  for (int frame : spread_frames(count, kScaleFrames)) {
    const std::vector<Vec3> points = subject.result->frame(first + frame).positions.raw();
    Eigen::AlignedBox3d box;
    std::vector<Vec3> shown;
    if (subject.focus.empty()) shown = points;
    for (const int v : subject.focus) shown.push_back(points[static_cast<std::size_t>(v)]);
    for (const Vec3& p : shown) box.extend(p);
    const Vec3 middle = box.center();
    for (const Vec3& p : shown)
      seen.extend(Vec2((p - Vec3(middle.x(), 0, middle.z())).dot(axes.right),
                       (p - Vec3(middle.x(), 0, middle.z())).dot(axes.up)));
  }
  const double shape = std::clamp(seen.sizes().x() / seen.sizes().y(), kNarrowest, kWidest);
  const double pixels = static_cast<double>(kUsualSize[0] * kUsualSize[1]);
  // Even numbers: half the size is drawn, too, and films need them.
  const auto even = [](double length) { return 4 * static_cast<int>(std::lround(length / 4)); };
  return {even(std::sqrt(pixels * shape)), even(std::sqrt(pixels / shape))};
}

/// A film of the frames `first` .. `first + count - 1` (from 1), its camera fitted to them.
Film film_of(const Subjects& subjects, const ResultPictures& request, double shrink, int first, int count) {
  FilmOptions options;
  options.frames = count;
  options.frames_per_second = subjects.front().result->summary().fps;
  options.first_time = subjects.front().result->frame(first).time;
  options.framing = framing_from(camera_of(subjects.front(), request.settings));
  options.follow = true;
  const auto [width, height] = picture_size(subjects.front(), request.settings, first, count);
  options.render.width = static_cast<int>(std::lround(width * shrink));
  options.render.height = static_cast<int>(std::lround(height * shrink));
  options.widen_for_legend = !request.settings.size;
  options.render.samples = 8;
  options.render.light_samples = 10;
  if (shrink < 1) {
    // Half the size is seen in motion or in a corner of a page, where half of the rays do.
    options.render.samples = 4;
    options.render.light_samples = 4;
    options.render.floor_block = 2;
  }
  std::vector<FilmPanel> panels;
  for (std::size_t i = 0; i < subjects.size(); ++i)
    panels.push_back(panel_for(subjects[i], request.settings,
                               i < request.captions.size() ? request.captions[i] : "", first));
  if (request.settings.body == PictureBody::Beside) {
    if (panels.front().caption.empty())
      panels.front().caption = what_it_is(subjects.front().result->summary());
    panels.insert(panels.begin(), body_panel(panels.front(), subjects.front().result, subjects.front().bound,
                                             request.settings, first));
  }
  // One legend must be true of all panels.
  for (FilmPanel& panel : panels) {
    panel.look.scale.low = std::min(panel.look.scale.low, panels.front().look.scale.low);
    panel.look.scale.high = std::max(panel.look.scale.high, panels.front().look.scale.high);
    panels.front().look.scale = panel.look.scale;
  }
  for (FilmPanel& panel : panels) panel.look.scale = panels.front().look.scale;
  return Film(std::move(panels), options);
}

/// The mesh laid flat, at the still's moment.
Image uv_picture(const Subject& subject, const PictureSection& settings, int frame) {
  SceneObject object;
  object.mesh = subject.mesh;
  object.positions = subject.result->mesh().mesh.positions.raw();
  object.look = subject.look;
  object.look.wire_width = 1;
  if (settings.look == PictureLook::Field)
    object.field = ResultField(*subject.result, field_name(settings)).values(frame);
  return render_uv(object, static_cast<int>(settings.size ? settings.size->at(1) : kUsualSize[1]));
}

}  // namespace

PictureSection picture_settings(const fs::path& result) {
  const Summary summary = ResultReader(result).summary();
  try {
    const Shot shot = parse_shot(summary.shot, result / kSummaryFile);
    PictureSection settings = shot.picture;
    if (!settings.field && !shot.output.fields.empty()) settings.field = shot.output.fields.front();
    return settings;
  } catch (const InputError&) {
    // The shot's files may be gone by now: its result can still be looked at.
    return parse_shot("[body]\nmake = \"arm\"\n", "").picture;
  }
}

void write_result_pictures(const ResultPictures& request) {
  Subjects subjects;
  for (const fs::path& folder : request.results) subjects.push_back(subject_from(folder, request.settings));
  make_folder(request.out);
  const auto save = [&](const Image& image, const char* name) {
    write_png(request.out / name, image);
    if (request.written) request.written(request.out / name);
  };

  const FrameRange shown = shown_frames(subjects, request.frames);
  const int count = shown.last - shown.first + 1;
  const int frame = most_telling_frame(*subjects.front().result, request.settings, shown);
  // A still is framed by itself; with trails, together with the second that led to it.
  const int lead = request.settings.trails ? std::min(frame - 1, FilmOptions().trail_frames) : 0;
  save(film_of(subjects, request, 1, frame - lead, lead + 1).frame(lead), "still.png");
  const Film small = film_of(subjects, request, 0.5, shown.first, count);
  save(small.contact_sheet(request.settings.stills, std::min(3, request.settings.stills)), "sheet.png");
  if (subjects.front().result->mesh().mesh.has_uvs())
    save(uv_picture(subjects.front(), request.settings, frame), "uv.png");
  if (request.settings.animation && count > 1) {
    const auto files = small.write_animation(
        {request.out / "animation.png", request.out / "animation.mp4", request.out / "animation.webp"}, 1,
        request.progress);
    if (request.written)
      for (const fs::path& file : files) request.written(file);
  }
}

}  // namespace cutis
