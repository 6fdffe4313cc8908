#include "cutis/shot/export_result.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/folder.h"
#include "cutis/core/log.h"
#include "cutis/io/array/npz_sequence.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/pc2.h"
#include "cutis/io/gltf/glb_assembly.h"
#include "cutis/io/gltf/glb_writer.h"
#include "cutis/io/image/field_image_writer.h"
#include "cutis/io/image/st_map_writer.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/obj_sequence.h"
#include "cutis/io/mesh/vtk_writer.h"
#include "cutis/io/usd/usda_writer.h"
#include "cutis/run/result.h"
#include "cutis/shot/bound_meshes.h"
#include "cutis/shot/export_formats.h"
#include "cutis/shot/moving_uv_frames.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// PNG maps need to know the least and the largest value before the first frame.
FieldRanges field_ranges(const ResultReader& result) {
  FieldRanges ranges;
  for (int i = 1; i <= result.frame_count(); ++i) ranges.add(result.frame(i).fields, result.mesh().mesh);
  return ranges;
}

/// Of the frames that are finished.
std::vector<double> finished_times(const ResultReader& result) {
  std::vector<double> times = result.summary().times;
  times.resize(static_cast<std::size_t>(result.frame_count()));
  return times;
}

/// A mesh that is written: the skin, or one bound to it.
struct ExportedMesh {
  std::string name;
  SourceMesh mesh;
  FaceGroups materials;
};

std::unique_ptr<FrameWriter> open_writer(const fs::path& file, const std::string& format,
                                         const ResultReader& result, const ExportedMesh& exported,
                                         int map_size) {
  const SourceMesh& mesh = exported.mesh;
  const std::vector<double> times = finished_times(result);
  // Point caches count in scene frames: the first frame of the shot is the scene frame of its time.
  if (format == "pc2")
    return std::make_unique<Pc2Writer>(file, mesh.vertex_count(), times.size(),
                                       times.front() * result.summary().fps);
  if (format == "mdd") return std::make_unique<MddWriter>(file, mesh.vertex_count(), times);
  if (format == "usda") return std::make_unique<UsdaWriter>(file, mesh, times, result.summary().fps);
  if (format == "obj") return std::make_unique<ObjSequenceWriter>(file, mesh, times.size());
  if (format == "npz") return std::make_unique<NpzSequenceWriter>(file, mesh, times);
  if (format == "vtk") return std::make_unique<VtkWriter>(file, mesh, times);
  if (format == "st") return std::make_unique<StMapWriter>(file, mesh, times.size(), map_size);
  if (format == "exr" || format == "png")
    return std::make_unique<FieldMapWriter>(file, mesh, times.size(),
                                            format == "exr" ? MapFormat::Exr : MapFormat::Png, map_size,
                                            field_ranges(result));
  return std::make_unique<GlbWriter>(file, mesh, times, exported.name, exported.materials);
}

/// The file of the character that a result shows, through the results that were its bodies; empty where it
/// has none or the files of the shot are gone.
fs::path character_file(const fs::path& folder, const Summary& summary) {
  try {
    const fs::path file = parse_shot(summary.shot, folder / kSummaryFile).body.file.value_or(fs::path());
    return is_result(file) ? character_file(file, read_summary(file / kSummaryFile)) : file;
  } catch (const InputError&) {
    return {};
  }
}

/// Blender stores an imported glTF mesh with z up, below an armature that may be turned, and starts every
/// cache at the scene frame that its modifier says.
void say_how_to_play(const fs::path& cache, const fs::path& character, double first_frame) {
  const std::string ending = lower_ending(character);
  if (ending != ".glb" && ending != ".gltf") return;
  log().info(
      "{}: on the mesh that Blender imports from {}, the Mesh Cache modifier needs Forward Z, Up -Y and "
      "Start Frame {}; clear the object's parent and transform first",
      cache.filename().string(), character.filename().string(), first_frame);
}

template <class V>
void scale(IdVector<V, Vec3>& points, double factor) {
  if (factor == 1) return;  // to the bit
  for (Vec3& p : points) p *= factor;
}

/// The other meshes of the character, in the file's units where the format keeps them.
void add_others(const BoundMeshes& bound, double unit, std::vector<ExportedMesh>& meshes) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const Body& mesh = bound[i].mesh();
    meshes.push_back({bound[i].name(), mesh.source(), mesh.materials()});
    scale(meshes.back().mesh.positions, unit);
  }
}

/// "skin-YetiEyes.pc2" beside "skin.pc2"; characters that file systems or shells trip over become '_'.
fs::path file_beside(const fs::path& file, const std::string& mesh) {
  std::string name = mesh;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
  return file.parent_path() / (file.stem().string() + "-" + name + file.extension().string());
}

/// The files that the skin and the meshes bound to it are written to, side by side. A GLB takes all meshes in
/// one file, which is put together of temporary ones at the end.
class MeshFiles {
 public:
  MeshFiles(const fs::path& file, const std::string& format, const ResultReader& result,
            const BoundMeshes* bound, const std::vector<ExportedMesh>& meshes, int map_size)
      : file_(file), result_(result), bound_(bound) {
    assembled_ = format == "glb" && bound->character();
    for (const ExportedMesh& mesh : meshes) {
      fs::path name = files_.empty() ? file : file_beside(file, mesh.name);
      while (std::ranges::find(files_, name) != files_.end()) name = file_beside(name, "other");
      if (assembled_) name = fmt::format("{}.part{}", file.string(), files_.size());
      files_.push_back(name);
      writers_.push_back(open_writer(name, format, result, mesh, map_size));
    }
  }
  ~MeshFiles() {
    std::error_code gone;
    if (assembled_)
      for (const fs::path& part : files_) fs::remove(part, gone);
  }
  MeshFiles(const MeshFiles&) = delete;
  MeshFiles& operator=(const MeshFiles&) = delete;

  FrameWriter& writer(std::size_t mesh) { return *writers_[mesh]; }
  void finish() {
    for (const auto& writer : writers_) writer->finish();
    if (assembled_) assemble_glb(file_, files_, surroundings());
  }

 private:
  fs::path file_;
  const ResultReader& result_;
  const BoundMeshes* bound_;
  bool assembled_ = false;
  std::vector<fs::path> files_;
  std::vector<std::unique_ptr<FrameWriter>> writers_;

  /// What stands beside the meshes in the character's file.
  GlbSurroundings surroundings() const {
    const std::string ending = lower_ending(bound_->file());
    GlbSurroundings surroundings;
    if (ending == ".glb" || ending == ".gltf") surroundings.materials = bound_->file();
    surroundings.character = bound_->character();
    surroundings.clip = bound_->clip_name();
    surroundings.times = finished_times(result_);
    return surroundings;
  }
};

const ExportFormat& format_for(const std::string& name, const ExportOptions& options) {
  const ExportFormat* format = export_format(name);
  if (!format)
    throw InputError(
        fmt::format("\"{}\": no such format; there are: {}", name, fmt::join(export_formats(), ", ")));
  if (options.moving_uvs && !format->moves_uvs)
    throw InputError(fmt::format(
        "\"{}\" has no room for texture coordinates that move; usda, glb, obj, npz and st have", name));
  return *format;
}

void check_frames(const ResultReader& result, const fs::path& folder) {
  if (result.frame_count() == 0)
    throw InputError(fmt::format("{}: has no finished frame yet", folder.string()));
  if (result.frame_count() > result.summary().frames)
    throw InputError(fmt::format("{}: has {} frames, but its summary.json speaks of {}", folder.string(),
                                 result.frame_count(), result.summary().frames));
}

}  // namespace

fs::path export_result(const fs::path& folder, const std::string& name, const ExportOptions& options) {
  const ExportFormat& format = format_for(name, options);
  const ResultReader result(folder, open_recorded_body);
  check_frames(result, folder);
  SourceMesh mesh = result.mesh().mesh;
  IdVector<CornerId, Vec2> layout;
  if (!options.uvs.empty()) layout = read_obj_uvs(options.uvs, mesh);
  std::optional<MovingUvFrames> moving;
  if (options.moving_uvs || name == "st")
    moving.emplace(result, folder, options.reach, layout);
  else if (!layout.empty())
    mesh.uvs = std::move(layout);
  fs::path file = options.file;
  if (file.empty()) file = folder / (format.is_folder ? name : "skin." + name);
  make_folder_of(file);
  const double unit = format.keeps_units ? 1 / result.summary().metres_per_unit : 1;
  scale(mesh.positions, unit);
  std::optional<BoundMeshes> bound;
  if (format.other_meshes) bound.emplace(folder, result);
  std::vector<ExportedMesh> meshes{{"cutis", mesh, result.mesh().materials}};
  if (bound) add_others(*bound, unit, meshes);
  MeshFiles files(file, name, result, bound ? &*bound : nullptr, meshes, options.map_size);
  for (int i = 1; i <= result.frame_count(); ++i) {
    ResultFrame frame = result.frame(i);
    std::vector<SourcePoints> carried;
    if (bound) carried = bound->positions(frame);
    if (moving) moving->put_on_body(frame);
    scale(frame.positions, unit);
    files.writer(0).add(frame.positions, frame.fields);
    for (std::size_t k = 0; k < carried.size(); ++k) {
      scale(carried[k], unit);
      files.writer(k + 1).add(carried[k]);
    }
  }
  files.finish();
  if (moving) moving->tell(file);
  if (name == "pc2" || name == "mdd")
    say_how_to_play(file, character_file(folder, result.summary()),
                    result.summary().times.front() * result.summary().fps);
  return file;
}

}  // namespace cutis
