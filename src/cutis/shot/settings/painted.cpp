#include "cutis/shot/settings/painted.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/surface/field/uv_map.h"

namespace cutis {
namespace {

const char* channel_name(Channel channel) {
  constexpr const char* names[] = {"red", "green", "blue", "alpha"};
  return names[static_cast<int>(channel)];
}

/// Which component of `count` stands for the channel; a single one stands for every colour.
std::size_t component(Channel channel, std::size_t count, const std::string& place, const std::string& map) {
  const auto wanted = static_cast<std::size_t>(channel);
  if (count <= 2 && channel != Channel::Alpha) return 0;
  if (count == 2) return 1;  // grey and alpha
  if (wanted < count) return wanted;
  throw InputError(fmt::format("{}: {} has no {} channel", place, map, channel_name(channel)));
}

using Values = IdVector<SourceVertexId, double>;

Values from_image(const Painted& painted, const SourceMesh& mesh, const std::string& place) {
  const FloatImage image = read_uv_image(painted.image, mesh, place);
  const std::size_t k =
      component(painted.channel, std::size_t(image.channels), place, painted.image.string());
  Values sums(mesh.vertex_count(), 0);
  std::vector<int> counts(mesh.vertex_count(), 0);
  for (CornerId c : ids<CornerId>(mesh.corner_count())) {
    const double value = sample_uv_map(image, mesh.uvs[c], static_cast<int>(k));
    if (!std::isfinite(value))
      throw InputError(fmt::format("{}: {} is not finite at u = {:.4g}, v = {:.4g}", place,
                                   painted.image.string(), mesh.uvs[c].x(), mesh.uvs[c].y()));
    sums[mesh.corners[c]] += value;
    ++counts[mesh.corners[c].index()];
  }
  for (SourceVertexId v : ids<SourceVertexId>(sums.size())) sums[v] /= std::max(counts[v.index()], 1);
  return sums;
}

Values from_attribute(const Painted& painted, const Body& body, const std::string& name,
                      const std::string& place) {
  const auto attribute = body.attribute(name);
  if (!attribute) {
    const std::vector<std::string> names = body.attribute_names();
    const std::string near = nearest_word(name, names);
    throw InputError(
        fmt::format("{}: the body has no {}{}; it has {}", place,
                    name == vertex_color_name ? "vertex colours" : "vertex group \"" + name + "\"",
                    near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near),
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  const std::size_t k = component(painted.channel, attribute->components, place, "\"" + name + "\"");
  Values values(body.source().vertex_count());
  for (SourceVertexId v : ids<SourceVertexId>(values.size())) {
    values[v] = attribute->values[v.index() * attribute->components + k];
    if (!std::isfinite(values[v]))
      throw InputError(fmt::format("{}: \"{}\" is not finite at vertex {}", place, name, v.value));
  }
  return values;
}

}  // namespace

bool is_exr(const std::filesystem::path& image) { return lower_ending(image) == ".exr"; }

FloatImage read_uv_image(const std::filesystem::path& image, const SourceMesh& mesh,
                         const std::string& place) {
  if (!mesh.has_uvs())
    throw InputError(fmt::format(
        "{}: the body has no texture coordinates to look up {} with; unwrap it, or paint its vertices", place,
        image.string()));
  return is_exr(image) ? read_exr(image) : read_png_map(image);
}

Values painted_values(const Painted& painted, const Body& body, const std::string& place) {
  if (painted.source == Painted::Source::Constant) return Values(body.source().vertex_count(), painted.value);
  Values values = painted.source == Painted::Source::Image ? from_image(painted, body.source(), place)
                  : painted.source == Painted::Source::VertexColor
                      ? from_attribute(painted, body, vertex_color_name, place)
                      : from_attribute(painted, body, painted.group, place);
  for (double& value : values) value = painted.low + value * (painted.high - painted.low);
  return values;
}

IdVector<VertexId, double> welded_values(const Weld& weld, const Values& values) {
  IdVector<VertexId, double> result(weld.mesh.vertex_count(), 0);
  IdVector<VertexId, int> counts(weld.mesh.vertex_count(), 0);
  for (SourceVertexId v : ids<SourceVertexId>(values.size())) {
    result[weld.vertex_of[v]] += values[v];
    ++counts[weld.vertex_of[v]];
  }
  for (VertexId v : ids<VertexId>(result.size())) {
    const VertexId first = weld.first(v);  // never behind v
    result[v] = first == v ? result[v] / counts[v] : result[first];
  }
  return result;
}

}  // namespace cutis
