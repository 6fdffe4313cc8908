#include "cutis/shot/export_result.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/io/field_map_writer.h"
#include "cutis/io/glb_writer.h"
#include "cutis/io/mdd.h"
#include "cutis/io/obj_sequence.h"
#include "cutis/io/pc2.h"
#include "cutis/io/usda_writer.h"
#include "cutis/io/vtk_writer.h"
#include "cutis/shot/result.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// What writers know of all frames before the first.
struct Contents {
  std::vector<double> times;
  FieldRanges ranges;
};

std::unique_ptr<FrameWriter> open_writer(const fs::path& file, const std::string& format,
                                         const ResultReader& result, const SourceMesh& mesh,
                                         const Contents& contents, int map_size) {
  const std::vector<double>& times = contents.times;
  // Point caches count in scene frames: the first frame of the shot is the scene frame of its time.
  if (format == "pc2")
    return std::make_unique<Pc2Writer>(file, mesh.vertex_count(), times.size(),
                                       times.front() * result.summary().fps);
  if (format == "mdd") return std::make_unique<MddWriter>(file, mesh.vertex_count(), times);
  if (format == "usda") return std::make_unique<UsdaWriter>(file, mesh, times, result.summary().fps);
  if (format == "obj") return std::make_unique<ObjSequenceWriter>(file, mesh, times.size());
  if (format == "vtk") return std::make_unique<VtkWriter>(file, mesh, times);
  if (format == "exr" || format == "png")
    return std::make_unique<FieldMapWriter>(file, mesh, times.size(),
                                            format == "exr" ? MapFormat::Exr : MapFormat::Png, map_size,
                                            contents.ranges);
  return std::make_unique<GlbWriter>(file, mesh, times);
}

/// Files that lie beside the character they came from are in its own units; the others are in metres and say
/// so.
bool keeps_units(const std::string& format) {
  return format == "pc2" || format == "mdd" || format == "glb" || format == "obj";
}

template <class V>
void scale(IdVector<V, Vec3>& points, double factor) {
  if (factor == 1) return;  // to the bit
  for (Vec3& p : points) p *= factor;
}

/// Formats that are a folder of numbered files.
bool is_folder_format(const std::string& format) {
  return format == "obj" || format == "vtk" || format == "exr" || format == "png";
}

}  // namespace

const std::vector<std::string>& export_formats() {
  static const std::vector<std::string> formats = {"pc2", "mdd", "glb", "usda", "obj", "vtk", "exr", "png"};
  return formats;
}

fs::path export_result(const fs::path& folder, const std::string& format, fs::path file, int map_size) {
  const auto& formats = export_formats();
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    throw InputError(fmt::format("\"{}\": no such format; there are: {}", format, fmt::join(formats, ", ")));
  const ResultReader result(folder);
  if (result.frame_count() == 0)
    throw InputError(fmt::format("{}: has no finished frame yet", folder.string()));
  if (file.empty()) file = folder / (is_folder_format(format) ? format : "skin." + format);
  Contents contents;
  for (int i = 1; i <= result.frame_count(); ++i) {
    const ResultFrame frame = result.frame(i);
    contents.times.push_back(frame.time);
    contents.ranges.add(frame.fields, result.mesh().mesh);
  }
  const double unit = keeps_units(format) ? 1 / result.summary().metres_per_unit : 1;
  SourceMesh mesh = result.mesh().mesh;
  scale(mesh.positions, unit);
  const auto writer = open_writer(file, format, result, mesh, contents, map_size);
  for (int i = 1; i <= result.frame_count(); ++i) {
    ResultFrame frame = result.frame(i);
    scale(frame.positions, unit);
    writer->add(frame.positions, frame.fields);
  }
  writer->finish();
  return file;
}

}  // namespace cutis
