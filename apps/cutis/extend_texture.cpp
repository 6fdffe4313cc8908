#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "character_shot.h"
#include "commands.h"
#include "cutis/body/uv_layout.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/folder.h"
#include "cutis/core/log.h"
#include "cutis/core/quantity.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png.h"
#include "cutis/io/image/png_read.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/run/result.h"
#include "cutis/shot/moving_uv_frames.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/map/extend_texture.h"
#include "cutis/surface/map/pack_charts.h"
#include "cutis/surface/map/relay_texture.h"
#include "length_argument.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct ExtendTextureArguments {
  fs::path image, character, out, result, repack, uvs;
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

struct Wearer {
  std::unique_ptr<Body> body;
  double metres_per_unit = 1;  ///< of its own file
};

Wearer open_character(const fs::path& character) {
  if (is_result(character)) {
    const Summary summary = read_summary(character / kSummaryFile);
    return {open_recorded_body(summary.shot, (character / kSummaryFile).string()), summary.metres_per_unit};
  }
  const Shot shot = character.extension() == ".toml" ? read_shot(character) : character_shot(character);
  return {open_body(shot.body), shot.body.scale};
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

/// A texture on its way into the layout that it is written in.
class Extension {
 public:
  Extension(const ExtendTextureArguments& arguments, const Body& body, TextureTiles texture)
      : arguments_(arguments),
        body_(body),
        texture_(std::move(texture)),
        reach_(parse_reach(arguments)),
        own_(uv_atlas(body.surface())),
        uvs_(body.source().uvs) {}

  const TextureTiles& texture() const { return texture_; }
  const TextureReach& reach() const { return reach_; }
  /// Texture coordinates that it is written in, of the source's corners.
  const IdVector<CornerId, Vec2>& uvs() const { return uvs_; }

  /// In the layout that is asked for. Throws InputError where there is too little room.
  TextureExtension extend() {
    TextureExtension done;
    if (!arguments_.uvs.empty()) {
      done = extend_into(read_obj_uvs(arguments_.uvs, body_.source()));
    } else {
      done = extend_texture(own_, texture_, reach_, arguments_.normal_map,
                            arguments_.force && arguments_.repack.empty());
      tell_shared(done.shared);
      if (!done.fits && !arguments_.repack.empty()) done = repack();
    }
    if (!done.fits) tell_narrow(done);
    return done;
  }

 private:
  const ExtendTextureArguments& arguments_;
  const Body& body_;
  TextureTiles texture_;
  TextureReach reach_;
  ExtendedCharts own_;
  IdVector<CornerId, Vec2> uvs_;

  TextureExtension extend_into(IdVector<CornerId, Vec2> uvs) {
    uvs_ = std::move(uvs);
    ExtendedCharts charts(uv_atlas(UvLayout(body_, uvs_).surface));
    texture_ = relaid_texture(own_, texture_, charts, arguments_.normal_map);
    return extend_texture(charts, texture_, reach_, arguments_.normal_map, arguments_.force);
  }

  TextureExtension repack() {
    const auto packed = pack_charts(own_, body_.triangles(), texture_, reach_);
    if (!packed)
      throw InputError(
          fmt::format("{}: even at a sixteenth of their size its charts have no room for gutters "
                      "of {}; ask for a lower --reach",
                      arguments_.image.string(), written(reach_)));
    log().info("{} charts were laid out anew, at {:.0f} % of their size", own_.chart_count(),
               100 * packed->scale);
    return extend_into(source_uvs(body_, packed->uvs));
  }

  void tell_shared(double shared) const {
    if (shared > 0.01)
      log().warn(
          "{}: {:.0f} % of the texture belongs to more than one chart: what is painted there shows on all{}",
          arguments_.character.string(), 100 * shared,
          arguments_.repack.empty() ? "" : "; where charts are laid out anew each gets its own copy");
  }

  void tell_narrow(const TextureExtension& done) const {
    const std::string what = fmt::format(
        "{}: the charts lie too close together: their gutters have room for {} of {} (faces {} and {} need "
        "the same place, for instance)",
        arguments_.image.string(), written(done.room), written(reach_), source_face(body_, done.first),
        source_face(body_, done.second));
    if (!arguments_.force)
      throw InputError(
          what + (arguments_.repack.empty() ? "; have them laid out anew with --repack, ask" : "; ask") +
          " for a lower --reach, or fill what there is with --force");
    log().warn("{}", what);
  }
};

void write_layout(const fs::path& file, const Wearer& character, const IdVector<CornerId, Vec2>& uvs) {
  SourceMesh mesh = character.body->source();
  mesh.uvs = uvs;
  for (Vec3& p : mesh.positions) p /= character.metres_per_unit;
  make_folder_of(file);
  write_obj(file, mesh);
  if (!quiet()) fmt::print("{}\n", file.string());
}

void check(const ExtendTextureArguments& arguments) {
  if (!arguments.repack.empty() && !arguments.uvs.empty())
    throw InputError("extend-texture: --repack makes a layout, --uvs takes one: give one of them");
  if (!arguments.repack.empty() && lower_ending(arguments.repack) != ".obj")
    throw InputError(fmt::format("--repack: \"{}\": the layout is written as OBJ; end its name in .obj",
                                 arguments.repack.string()));
}

int extend_texture_command(const ExtendTextureArguments& arguments) {
  check(arguments);
  const Wearer character = open_character(arguments.character);
  if (!character.body->mesh().has_uvs())
    throw InputError(fmt::format("{}: has no texture coordinates, so no texture lies on it; unwrap it first",
                                 arguments.character.string()));
  TextureTiles texture = read_tiles(arguments.image);
  if (!texture.repeats && arguments.out.string().find(kUdim) == std::string::npos)
    throw InputError(fmt::format("--out: \"{}\": write {} into the name, as in that of the texture",
                                 arguments.out.string(), kUdim));
  const bool of_bytes = std::all_of(texture.tiles.begin(), texture.tiles.end(),
                                    [](const auto& tile) { return is_of_bytes(tile.second); });
  Extension extension(arguments, *character.body, std::move(texture));
  const TextureExtension done = extension.extend();
  if (done.cramped > 0.01)
    log().warn(
        "{}: {:.0f} % of what charts need lies in notches and cuts of their own that are too narrow; seams "
        "may show there",
        arguments.image.string(), 100 * done.cramped);
  for (const auto& [tile, image] : extension.texture().tiles) {
    const fs::path file = tile_file(arguments.out, tile);
    make_folder_of(file);
    write_texture(file, image, of_bytes);
    if (!quiet()) fmt::print("{}\n", file.string());
  }
  if (!arguments.repack.empty()) write_layout(arguments.repack, character, extension.uvs());
  const TextureReach& reach = extension.reach();
  log().info("{} pixels beside the charts were filled, {} past their borders", done.filled, written(reach));
  const fs::path& layout = arguments.repack.empty() ? arguments.uvs : arguments.repack;
  if (reach.metres > 0)
    log().info("cutis export --moving-uvs --reach \"{}\"{} keeps faces in their charts that far",
               written(reach), layout.empty() ? "" : fmt::format(" --uvs {}", layout.string()));
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
  command->add_option("--repack", arguments->repack,
                      "Where charts lie too close together, lay them out anew; the new texture coordinates "
                      "are written to this OBJ, for --uvs here and in cutis export");
  command->add_option("--uvs", arguments->uvs,
                      "Write the texture in the layout of this OBJ: other textures of a character that was "
                      "laid out anew");
  command->add_flag("--force", arguments->force,
                    "Where charts lie too close together, fill what there is instead of refusing");
  command->footer(
      "Examples:\n  cutis extend-texture skin.png hero.glb --for hero-result -o skin-extended.png\n"
      "  cutis extend-texture skin.png hero.glb --for hero-result --repack hero-uvs.obj -o "
      "skin-extended.png\n"
      "  cutis extend-texture \"skin.<UDIM>.exr\" hero.usda --reach \"12 px\" -o \"extended.<UDIM>.exr\"");
  command->callback(
      [&action, arguments] { action = [arguments] { return extend_texture_command(*arguments); }; });
}

}  // namespace cutis::app
