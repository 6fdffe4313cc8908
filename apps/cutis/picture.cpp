#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/picture/layer_pictures.h"
#include "pictures.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct PictureOptions {
  std::vector<fs::path> results;
  std::vector<std::string> captions;
  fs::path out;
  std::string look, field, texture, normal_map, size, body, region, frames;
  std::optional<double> gloss;
  std::vector<double> camera;
  int layer = 0;  ///< 0: the result itself
  bool material_space = false, skin_only = false, wireframe = false, trails = false, no_animation = false;
};

void name_file(const fs::path& file) {
  if (!quiet()) fmt::print("{}\n", file.string());
  std::fflush(stdout);
}

void make_pictures(ResultPictures request) {
  ProgressLine line;
  const CancellationScope scope(&stop_requested());
  request.written = name_file;
  request.progress = [&](int done, int total) {
    line.show(fmt::format("animation {}/{}", done, total), done == total);
    return true;
  };
  write_result_pictures(request);
}

std::vector<std::int64_t> parse_size(const std::string& text) {
  std::int64_t width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%ldx%ld%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > 16384 || height > 16384)
    throw InputError(fmt::format("--size: \"{}\": give width and height in pixels, such as 960x540", text));
  return {width, height};
}

/// "12" or "12-40".
FrameRange parse_frames(const std::string& text) {
  FrameRange range;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%d-%d%c", &range.first, &range.last, &rest);
  const bool single = read == 1 && text == std::to_string(range.first);
  if (single) range.last = range.first;
  if ((read != 2 && !single) || range.first < 1 || range.last < range.first)
    throw InputError(fmt::format(
        "--frames: \"{}\": give a frame, such as 12, or the first and the last, such as 12-40", text));
  return range;
}

PictureSection settings_from(const PictureOptions& options) {
  PictureSection settings = picture_settings(options.results.front());
  if (!options.field.empty()) {
    settings.look = PictureLook::Field;
    settings.field = options.field;
  }
  if (!options.texture.empty()) {
    settings.look = PictureLook::Texture;
    settings.texture = options.texture;
  }
  if (!options.normal_map.empty()) settings.normal_map = options.normal_map;
  settings.gloss = options.gloss.value_or(settings.gloss);
  if (options.look == "plain") settings.look = PictureLook::Plain;
  if (options.look == "checker") settings.look = PictureLook::Checker;
  if (options.look == "texture") settings.look = PictureLook::Texture;
  if (options.look == "field") settings.look = PictureLook::Field;
  if (options.look == "lines") settings.look = PictureLook::Lines;
  if (!options.size.empty()) settings.size = parse_size(options.size);
  if (!options.camera.empty())
    settings.camera = Vec3(options.camera[0], options.camera[1], options.camera[2]);
  if (options.body == "hidden") settings.body = PictureBody::Hidden;
  if (options.body == "beside") settings.body = PictureBody::Beside;
  if (options.body == "overlay") settings.body = PictureBody::Overlay;
  if (!options.region.empty()) settings.region = options.region;
  settings.others &= !options.skin_only;
  settings.wireframe |= options.wireframe;
  settings.trails |= options.trails;
  settings.animation &= !options.no_animation;
  return settings;
}

/// What only one of the two kinds of pictures has.
void check_layer_options(const PictureOptions& options) {
  if (options.layer == 0 && options.material_space)
    throw InputError("--material-space: shows the mesh of a layer; choose one with --layer");
  if (options.layer > 0 && options.results.size() > 1)
    throw InputError("--layer: shows a layer of one result; give only one");
}

int layer_command(const PictureOptions& options) {
  LayerPictures request;
  request.result = options.results.front();
  request.layer = options.layer;
  if (!options.field.empty()) request.field = options.field;
  request.material_space = options.material_space;
  request.settings = settings_from(options);
  if (!options.frames.empty()) request.frames = parse_frames(options.frames);
  request.out = options.out.empty() ? request.result / "pictures" : options.out;
  request.written = name_file;
  write_layer_pictures(request);
  return 0;
}

int picture_command(const PictureOptions& options) {
  check_layer_options(options);
  if (options.layer > 0) return layer_command(options);
  ResultPictures request;
  request.results = options.results;
  request.captions = options.captions;
  // Side by side, each result needs a name.
  if (request.captions.empty() && options.results.size() > 1)
    for (const fs::path& result : options.results)
      request.captions.push_back(fs::absolute(result).filename().string());
  request.settings = settings_from(options);
  if (!options.frames.empty()) request.frames = parse_frames(options.frames);
  request.out = options.out.empty() ? options.results.front() / "pictures" : options.out;
  make_pictures(std::move(request));
  return 0;
}

}  // namespace

void make_pictures(const fs::path& result, const PictureSection& settings) {
  make_pictures(ResultPictures{{result}, {}, settings, {}, result / "pictures", {}, {}});
}

void add_picture(CLI::App& app, Action& action) {
  auto o = std::make_shared<PictureOptions>();
  CLI::App* command =
      app.add_subcommand("picture", "Make stills, a contact sheet and an animation of a result");
  command->add_option("RESULT", o->results, "One result, or several to be seen side by side")->required();
  command->add_option("--out,-o", o->out, "Folder for the pictures (default: RESULT/pictures)");
  command->add_option("--caption", o->captions,
                      "A caption for each result (default, when there are several: its name)");
  command->add_option("--look", o->look, "plain, checker, texture, field or lines")
      ->check(CLI::IsMember({"plain", "checker", "texture", "field", "lines"}));
  command->add_option("--field", o->field,
                      "Show this field as colours: see `cutis list fields`, or one the result stores");
  command->add_option("--texture", o->texture,
                      "Show this image (PNG) in the mesh's UV space, in place of the character's own");
  command->add_option("--normal-map", o->normal_map,
                      "Light the skin by this image of normals in tangent space (PNG), on any look");
  command->add_option("--gloss", o->gloss, "Highlights from those of dry skin, 0, to those of wet skin, 1")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--size", o->size, "Width and height of a still, such as 960x540");
  command->add_option("--camera", o->camera, "Where the camera is, as a direction from the body")
      ->expected(3);
  command->add_option("--zoom,--region", o->region,
                      "Look at this region of the shot, or at this joint or part of the character");
  command->add_option("--frames", o->frames, "Show these frames, such as 12-40, or one, such as 12");
  command->add_option("--body", o->body, "Show plain skinning: hidden, beside or overlay")
      ->check(CLI::IsMember({"hidden", "beside", "overlay"}));
  command
      ->add_option("--layer", o->layer,
                   "Show the mesh of this layer of wrinkles, from 1, and its field (default: support)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--material-space", o->material_space, "Show the mesh of the layer as it is at rest");
  command->add_flag("--skin-only", o->skin_only,
                    "Leave out the other meshes of the character (eyes, clothes)");
  command->add_flag("--wireframe", o->wireframe, "Draw the edges of the polygons");
  command->add_flag("--trails", o->trails, "Draw the way that a few points went");
  command->add_flag("--no-animation", o->no_animation, "Stills only");
  command->footer(
      "What the result's own shot says is the default.\nExamples:\n  cutis picture hero-result\n"
      "  cutis picture hero-result --field log_area --out strain\n"
      "  cutis picture hero-result --frames 2-5 --out start\n"
      "  cutis picture before after --out comparison");
  command->callback([&action, o] { action = [o] { return picture_command(*o); }; });
}

}  // namespace cutis::app
