#include "cutis/picture/layer_pictures.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/core/error.h"
#include "cutis/core/folder.h"
#include "cutis/io/frame_folder.h"
#include "cutis/io/image/png.h"
#include "cutis/io/mesh/ply.h"
#include "cutis/picture/render/film.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

constexpr const char* kStrain = "strain";

/// A layer's mesh in one frame, as it is drawn.
struct DrawnLayer {
  int frame = 0;
  std::shared_ptr<const DrawMesh> mesh;
  std::vector<Vec3> positions;
  std::vector<double> field;
};

const std::vector<double>& property(const PlyMesh& ply, const std::string& name) {
  std::vector<std::string> names{kStrain};
  for (const VertexAttribute& attribute : ply.properties) {
    if (attribute.name == name) return attribute.values;
    names.push_back(attribute.name);
  }
  throw InputError(
      fmt::format("picture.field: \"{}\": the mesh of the layer has no such field; there are: {}", name,
                  fmt::join(names, ", ")));
}

std::vector<double> field_of(const PlyMesh& ply, const std::string& name) {
  if (name != kStrain) return property(ply, name);
  std::vector<double> strain = property(ply, "compressive_strain");
  const std::vector<double>& tensile = property(ply, "tensile_strain");
  for (std::size_t i = 0; i < strain.size(); ++i) strain[i] -= tensile[i];
  return strain;
}

std::vector<Vec3> rest_positions(const PlyMesh& ply) {
  const auto &x = property(ply, "rest_x"), &y = property(ply, "rest_y"), &z = property(ply, "rest_z");
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < x.size(); ++i) points.emplace_back(x[i], y[i], z[i]);
  return points;
}

DrawnLayer drawn_layer(const LayerPictures& request, int frame) {
  const fs::path path =
      request.result / kLayersFolder / fmt::format("layer{}_{:06}.ply", request.layer, frame);
  if (!fs::is_regular_file(path))
    throw InputError(fmt::format(
        "{}: there is none; run the shot with wrinkle.layer_meshes = \"ply\", and ask for a layer "
        "and a frame that it has",
        path.string()));
  const PlyMesh ply = read_ply(path);
  return {frame, std::make_shared<DrawMesh>(ply.mesh),
          request.material_space ? rest_positions(ply) : ply.mesh.positions.raw(),
          field_of(ply, request.field)};
}

ColorScale scale_of(const std::vector<DrawnLayer>& layers, const LayerPictures& request) {
  static const std::map<std::string, std::string> units{
      {"height", "m"}, {"wavelength", "m"}, {"thickness", "m"}, {"young", "Pa"}, {"slope", "rad"}};
  std::vector<double> values;
  for (const DrawnLayer& layer : layers) values.insert(values.end(), layer.field.begin(), layer.field.end());
  const bool is_signed = request.field == kStrain || request.field == "height";
  std::string title = request.field;
  std::replace(title.begin(), title.end(), '_', ' ');
  const auto unit = units.find(request.field);
  ColorScale scale = fit_scale(values, is_signed ? ColorMap::Diverging : ColorMap::Viridis, title,
                               unit == units.end() ? "" : unit->second);
  scale.low = request.settings.field_low.value_or(scale.low);
  scale.high = request.settings.field_high.value_or(scale.high);
  return scale;
}

Image picture_of(const DrawnLayer& layer, const ColorScale& scale, const PictureSection& settings) {
  FilmPanel panel;
  panel.mesh = layer.mesh;
  panel.look.paint = Paint::Field;
  panel.look.scale = scale;
  panel.look.finish.shine = 0;
  panel.look.wire_width = 1;
  panel.positions = [&](int) { return layer.positions; };
  panel.field = [&](int) { return layer.field; };
  FilmOptions options;
  options.framing = framing_from(settings.camera.value_or(Vec3(0.6, 0.35, 1.0)));
  options.ground = false;
  const std::vector<std::int64_t> size = settings.size.value_or(std::vector<std::int64_t>{960, 540});
  options.render.width = static_cast<int>(size[0]);
  options.render.height = static_cast<int>(size[1]);
  options.render.samples = 8;
  options.render.light_samples = 10;
  return Film({panel}, options).frame(0);
}

}  // namespace

void write_layer_pictures(const LayerPictures& request) {
  const int count = ResultReader(request.result).frame_count();
  const FrameRange range = request.frames.value_or(FrameRange{count, count});
  std::vector<DrawnLayer> layers;
  for (int frame = range.first; frame <= range.last; ++frame) layers.push_back(drawn_layer(request, frame));
  const ColorScale scale = scale_of(layers, request);
  const std::string name = fmt::format("layer{}_{}{}", request.layer, request.field,
                                       request.material_space ? "_material_space" : "");
  const FrameFolder folder(request.out, name, ".png");
  for (const DrawnLayer& layer : layers) {
    const fs::path file = folder.file(static_cast<std::size_t>(layer.frame - 1));
    write_png(file, picture_of(layer, scale, request.settings));
    if (request.written) request.written(file);
  }
}

}  // namespace cutis
