#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "character_shot.h"
#include "commands.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/folder.h"
#include "cutis/core/log.h"
#include "cutis/core/quantity.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png.h"
#include "cutis/io/image/png_read.h"
#include "cutis/run/result.h"
#include "cutis/shot/moving_uv_frames.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/map/extend_texture.h"
#include "length_argument.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct ExtendTextureArguments {
  fs::path image, character, out, result;
  std::string reach;
  bool normal_map = false, force = false;
};

const std::string kUdim = "<UDIM>";

fs::path tile_file(const fs::path& pattern, const std::pair<int, int>& tile) {
  std::string name = pattern.string();
  if (const std::size_t at = name.find(kUdim); at != std::string::npos)
    name.replace(at, kUdim.size(), std::to_string(1001 + tile.first + 10 * tile.second));
  return name;
}

FloatImage read_texture(const fs::path& file) {
  const std::string ending = lower_ending(file);
  if (ending == ".exr") return read_exr(file);
  if (ending == ".png") return read_png_map(file);
  throw InputError(fmt::format("{}: give the texture as PNG or EXR", file.string()));
}

/// Whether all values are those of 8 bits.
bool is_of_bytes(const FloatImage& image) {
  return std::all_of(image.data.begin(), image.data.end(), [](float value) {
    return std::abs(value * 255 - std::round(value * 255)) < 1e-3f && value >= 0 && value <= 1;
  });
}

void write_texture(const fs::path& file, const FloatImage& image, bool of_bytes) {
  if (lower_ending(file) == ".exr") return write_exr(file, image);
  if (!of_bytes || image.channels < 3) return write_png_map(file, image);
  Raster raster(image.width, image.height, image.channels);
  std::transform(image.data.begin(), image.data.end(), raster.data.begin(), [](float value) {
    return static_cast<unsigned char>(std::lround(255 * std::clamp(value, 0.0f, 1.0f)));
  });
  write_png(file, raster);
}

TextureTiles read_tiles(const fs::path& image) {
  TextureTiles texture;
  if (image.string().find(kUdim) == std::string::npos) {
    texture.tiles[{0, 0}] = read_texture(image);
    return texture;
  }
  texture.repeats = false;
  for (int row = 0; row < 100; ++row)
    for (int column = 0; column < 10; ++column) {
      const fs::path file = tile_file(image, {column, row});
      if (!fs::exists(file)) continue;
      const FloatImage& tile = texture.tiles[{column, row}] = read_texture(file);
      const FloatImage& first = texture.tiles.begin()->second;
      if (tile.width != first.width || tile.height != first.height || tile.channels != first.channels)
        throw InputError(fmt::format("{}: all tiles must have one size and as many channels", file.string()));
    }
  if (texture.tiles.empty())
    throw InputError(fmt::format("{}: there is no tile of this name, from 1001 on", image.string()));
  return texture;
}

std::unique_ptr<Body> open_layout(const fs::path& character) {
  if (is_result(character)) {
    const Summary summary = read_summary(character / kSummaryFile);
    return open_recorded_body(summary.shot, (character / kSummaryFile).string());
  }
  return open_body(character.extension() == ".toml" ? read_shot(character).body
                                                    : character_shot(character).body);
}

/// How far faces of a result reach past the borders of charts when their coordinates move [m].
double reach_of(const fs::path& folder) {
  const ResultReader result(folder, open_recorded_body);
  MovingUvFrames frames(result, folder, 0);
  for (int i = 1; i <= result.frame_count(); ++i) {
    ResultFrame frame = result.frame(i);
    frames.put_on_body(frame);
  }
  return frames.overhang();
}

TextureReach parse_reach(const ExtendTextureArguments& arguments) {
  if (arguments.reach.empty() == arguments.result.empty())
    throw InputError("extend-texture: give either --reach (\"1 cm\", \"12 px\") or --for RESULT");
  if (!arguments.result.empty()) return {.metres = reach_of(arguments.result)};
  const std::string& text = arguments.reach;
  if (!text.ends_with("px")) return {.metres = length_argument("--reach", text)};
  try {
    std::size_t used = 0;
    const double pixels = std::stod(text, &used);
    if (pixels > 0 && text.find_first_not_of(' ', used) == text.size() - 2) return {.pixels = pixels};
  } catch (const std::exception&) {
  }
  throw InputError(fmt::format("--reach: \"{}\": give pixels as \"12 px\"", text));
}

std::string written(const TextureReach& reach) {
  return reach.pixels > 0 ? fmt::format("{:.1f} px", reach.pixels)
                          : fmt::format("{:.3g} mm", 1e3 * reach.metres);
}

/// The face of the character's file that a triangle was cut from.
int source_face(const Body& body, FaceId triangle) {
  return triangle.valid() ? body.weld().source_face[body.triangles().polygon[triangle]].value : -1;
}

int extend_texture_command(const ExtendTextureArguments& arguments) {
  const auto body = open_layout(arguments.character);
  if (!body->mesh().has_uvs())
    throw InputError(fmt::format("{}: has no texture coordinates, so no texture lies on it; unwrap it first",
                                 arguments.character.string()));
  TextureTiles texture = read_tiles(arguments.image);
  if (!texture.repeats && arguments.out.string().find(kUdim) == std::string::npos)
    throw InputError(fmt::format("--out: \"{}\": write {} into the name, as in that of the texture",
                                 arguments.out.string(), kUdim));
  const bool of_bytes = std::all_of(texture.tiles.begin(), texture.tiles.end(),
                                    [](const auto& tile) { return is_of_bytes(tile.second); });
  const TextureReach reach = parse_reach(arguments);
  ExtendedCharts charts(uv_atlas(body->surface()));
  const TextureExtension done = extend_texture(charts, texture, reach, arguments.normal_map, arguments.force);
  if (done.shared > 0.01)
    log().warn(
        "{}: {:.0f} % of the texture belongs to more than one chart: what is painted there shows on all",
        arguments.character.string(), 100 * done.shared);
  if (!done.fits) {
    const std::string what = fmt::format(
        "{}: the charts lie too close together: their gutters have room for {} of {} (faces {} and {} need "
        "the "
        "same place, for instance)",
        arguments.image.string(), written(done.room), written(reach), source_face(*body, done.first),
        source_face(*body, done.second));
    if (!arguments.force)
      throw InputError(what +
                       "; lay the charts out further apart, ask for a lower --reach, or fill what there "
                       "is with --force");
    log().warn("{}", what);
  }
  if (done.cramped > 0.01)
    log().warn(
        "{}: {:.0f} % of what charts need lies in notches and cuts of their own that are too narrow; seams "
        "may show there",
        arguments.image.string(), 100 * done.cramped);
  for (const auto& [tile, image] : texture.tiles) {
    const fs::path file = tile_file(arguments.out, tile);
    make_folder_of(file);
    write_texture(file, image, of_bytes);
    if (!quiet()) fmt::print("{}\n", file.string());
  }
  log().info("{} pixels beside the charts were filled, {} past their borders", done.filled, written(reach));
  if (reach.metres > 0)
    log().info("cutis export --moving-uvs --reach \"{}\" keeps faces in their charts that far",
               written(reach));
  return 0;
}

}  // namespace

void add_extend_texture(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExtendTextureArguments>();
  CLI::App* command = app.add_subcommand(
      "extend-texture", "Paint a texture on past its charts, for texture coordinates that move");
  command
      ->add_option("IMAGE", arguments->image,
                   "The texture (.png, .exr); <UDIM> in its name stands for the numbers of tiles")
      ->required();
  command
      ->add_option("CHARACTER", arguments->character,
                   "The character that wears it, a shot file (.toml) or a result")
      ->required();
  command->add_option("--out,-o", arguments->out, "The image to write (.png, .exr)")->required();
  command->add_option("--reach", arguments->reach,
                      "How far past the borders of charts: a length (\"1 cm\") or pixels (\"12 px\")");
  command->add_option("--for", arguments->result,
                      "As far as faces of this result reach, in place of --reach");
  command->add_flag("--normal-map", arguments->normal_map,
                    "The image holds normals in tangent space: turn them along");
  command->add_flag("--force", arguments->force,
                    "Where charts lie too close together, fill what there is instead of refusing");
  command->footer(
      "Examples:\n  cutis extend-texture skin.png hero.glb --for hero-result -o skin-extended.png\n"
      "  cutis extend-texture \"skin.<UDIM>.exr\" hero.usda --reach \"12 px\" -o \"extended.<UDIM>.exr\"");
  command->callback(
      [&action, arguments] { action = [arguments] { return extend_texture_command(*arguments); }; });
}

}  // namespace cutis::app
