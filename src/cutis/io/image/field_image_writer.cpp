#include "cutis/io/image/field_image_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/io/frame_folder.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/surface/field/uv_map.h"

namespace cutis {
namespace {

constexpr int gutter = 8;  ///< pixels; enough for filtering three mip levels down

const char* ending(MapFormat format) { return format == MapFormat::Exr ? ".exr" : ".png"; }

/// One value per corner and channel, wherever the field lives; missing channels are 0.
std::vector<double> corner_values(const FrameField& field, const SourceMesh& mesh, std::size_t channels) {
  const std::vector<double> values = to_doubles(*field.array);
  std::vector<double> result(mesh.corner_count() * channels, 0);
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (std::size_t i = 0; i < mesh.face_size(f); ++i) {
      const CornerId c(mesh.first_corner(f).index() + i);
      const std::size_t row = field.place == FrameField::Place::Vertex ? mesh.corners[c].index()
                              : field.place == FrameField::Place::Face ? f.index()
                                                                       : c.index();
      for (std::size_t k = 0; k < field.components; ++k)
        result[c.index() * channels + k] = values[row * field.components + k];
    }
  return result;
}

}  // namespace

void FieldRanges::add(const Npz& fields, const SourceMesh& mesh) {
  for (const FrameField& field : frame_fields(fields, mesh))
    for (double value : to_doubles(*field.array)) {
      if (!std::isfinite(value)) continue;
      Range& range = ranges_.try_emplace(field.name, Range{value, value}).first->second;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
}

FieldMapWriter::FieldMapWriter(const std::filesystem::path& folder, const SourceMesh& mesh,
                               std::size_t frame_count, MapFormat format, int size, FieldRanges ranges)
    : FrameWriter(folder, mesh.vertex_count(), frame_count),
      mesh_(mesh),
      format_(format),
      size_(size),
      ranges_(std::move(ranges)) {
  if (!mesh.has_uvs())
    throw InputError(fmt::format("{}: the body has no texture coordinates to draw maps in; unwrap it first",
                                 folder.string()));
  if (ranges_.all().empty())
    throw InputError(fmt::format(
        "{}: the frames have no fields to draw; name some in output.fields and run again", folder.string()));
}

void FieldMapWriter::write_field(const FrameField& field) {
  if (field.components > 4) {
    if (next_ == 0)
      log().warn("{}: {} has {} numbers a place; left out", path().string(), field.name, field.components);
    return;
  }
  const std::size_t channels = field.components == 2 ? 3 : field.components;
  std::vector<double> values = corner_values(field, mesh_, channels);
  if (format_ == MapFormat::Png) {
    const FieldRanges::Range range = ranges_.all().at(field.name);
    const double span = range.high > range.low ? range.high - range.low : 1;
    for (double& value : values) value = (value - range.low) / span;
  }
  const FloatImage image = draw_uv_map(mesh_, values, static_cast<int>(channels), size_, size_, gutter);
  const std::filesystem::path file = FrameFolder(path(), field.name, ending(format_)).file(next_);
  format_ == MapFormat::Exr ? write_exr(file, image) : write_png_map(file, image);
}

void FieldMapWriter::write_frame(const SourcePoints&, const Npz& fields) {
  for (const FrameField& field : frame_fields(fields, mesh_))
    if (ranges_.all().contains(field.name)) write_field(field);
  ++next_;
}

void FieldMapWriter::write_end() {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const auto& [name, range] : ranges_.all()) {
    document[name] = {range.low, range.high};
    FrameFolder(path(), name, ending(format_)).remove_from(frame_count());
  }
  write_file_whole(path() / "ranges.json", document.dump(2) + "\n");
}

}  // namespace cutis
