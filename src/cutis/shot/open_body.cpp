#include "cutis/shot/open_body.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/body/cache_body.h"
#include "cutis/body/cast/cast.h"
#include "cutis/body/morph_table.h"
#include "cutis/body/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/gltf_reader.h"
#include "cutis/io/mdd.h"
#include "cutis/io/mesh_sequence.h"
#include "cutis/io/morph_table_file.h"
#include "cutis/io/obj.h"
#include "cutis/io/pc2.h"
#include "cutis/io/ply.h"
#include "cutis/io/usda_reader.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

PointCache read_cache(const fs::path& file, double fps) {
  if (lower_ending(file) == ".pc2") return read_pc2(file, fps);
  if (lower_ending(file) == ".mdd") return read_mdd(file, fps);
  throw InputError(fmt::format("{}: not a point cache; .pc2 and .mdd are read", file.string()));
}

CacheBodyOptions cache_options(const BodySection& section) {
  CacheBodyOptions options;
  options.rest = section.rest.value_or("first");
  options.scale = section.scale;
  options.weld_tolerance = section.weld.value_or(-1);
  return options;
}

std::unique_ptr<Body> open_cache(const BodySection& section) {
  const fs::path& file = *section.file;
  if (lower_ending(file) != ".obj" && lower_ending(file) != ".ply")
    throw InputError(fmt::format(
        "{}: a point cache moves the vertices of an OBJ or PLY; this file has a motion of its own "
        "or another vertex order",
        file.string()));
  MeshInstance instance = read_character(file).meshes.front();
  CacheBodyOptions options = cache_options(section);
  options.attributes = std::move(instance.attributes);
  return std::make_unique<CacheBody>(std::move(instance.mesh), file.string(),
                                     read_cache(*section.cache, section.cache_fps.value_or(24)), options);
}

/// Numbered files, or the samples of a USD file.
std::unique_ptr<Body> open_sequence(const BodySection& section) {
  MeshSequence sequence = lower_ending(*section.file) == ".usda"
                              ? UsdaScene(*section.file).read(section.mesh)
                              : read_mesh_sequence(*section.file, section.cache_fps.value_or(24));
  CacheBodyOptions options = cache_options(section);
  options.attributes = std::move(sequence.attributes);
  return std::make_unique<CacheBody>(std::move(sequence.mesh), section.file->string(),
                                     std::move(sequence.cache), options);
}

void add_mesh(Character& character, const std::string& name, SourceMesh mesh,
              std::vector<VertexAttribute> attributes) {
  MeshInstance& instance = character.meshes.emplace_back();
  instance.name = name;
  instance.node = static_cast<int>(character.nodes.size());
  instance.mesh = std::move(mesh);
  instance.attributes = std::move(attributes);
  character.nodes.emplace_back().name = name;
}

/// The meshes of a USD file as they stand at its first time.
Character usda_character(const fs::path& file) {
  Character character;
  character.name = file.stem().string();
  const UsdaScene scene(file);
  for (const std::string& name : scene.mesh_names()) {
    MeshSequence mesh = scene.read({name});
    add_mesh(character, name, std::move(mesh.mesh), std::move(mesh.attributes));
  }
  return character;
}

/// A character of one mesh on one node, which holds still.
Character still_character(const fs::path& file) {
  Character character;
  character.name = file.stem().string();
  if (lower_ending(file) == ".obj") {
    add_mesh(character, character.name, read_obj(file), {});
  } else {
    PlyMesh ply = read_ply(file);
    add_mesh(character, character.name, std::move(ply.mesh), color_attributes(ply.colors));
  }
  return character;
}

/// The files beside a .gltf that hold its numbers; the reader has refused any that lie elsewhere.
void add_buffers(const fs::path& gltf, std::vector<fs::path>& files) {
  const Bytes bytes = read_file(gltf);
  const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!json.is_object() || !json.contains("buffers")) return;
  for (const auto& buffer : json["buffers"]) {
    const fs::path file = gltf.parent_path() / buffer.value("uri", "");
    if (fs::is_regular_file(file)) files.push_back(file);
  }
}

/// A member of the cast that has blend shapes to drive.
Character character_of(const BodySection& section) {
  CastShape shape = make_cast_member(*section.make, section.resolution.value_or(0));
  if (Character* character = std::get_if<Character>(&shape)) return std::move(*character);
  throw InputError(fmt::format("body.weights: the body \"{}\" has no blend shapes", *section.make));
}

}  // namespace

bool can_open_as_character(const fs::path& file) {
  const std::string name = lower_ending(file);
  return name == ".glb" || name == ".gltf" || name == ".obj" || name == ".ply" || name == ".usda";
}

Character read_character(const fs::path& file) {
  const std::string name = lower_ending(file);
  if (name == ".glb" || name == ".gltf") return read_gltf(file);
  if (name == ".obj" || name == ".ply")
    return still_character(is_sequence(file) ? sequence_files(file)[0] : file);
  if (name == ".usda") return usda_character(file);
  if (name == ".abc")
    throw InputError(
        fmt::format("{}: Alembic is not read by this build; export numbered OBJ files, USD ASCII, PC2 "
                    "or MDD",
                    file.string()));
  throw InputError(fmt::format("{}: cannot be read; .glb, .gltf, .usda, .obj and .ply can", file.string()));
}

std::unique_ptr<Body> open_body(const BodySection& section) {
  if (section.cache) return open_cache(section);
  if (section.file && (is_sequence(*section.file) || lower_ending(*section.file) == ".usda"))
    return open_sequence(section);
  RigChoice choice;
  choice.meshes = section.mesh;
  choice.clip = section.clip.value_or("");
  choice.rest = section.rest.value_or("bind");
  choice.scale = section.scale;
  choice.weld_tolerance = section.weld.value_or(-1);
  if (section.make && !section.weights)
    return open_cast_member(*section.make, section.resolution.value_or(0), choice);
  Character character = section.make ? character_of(section) : read_character(*section.file);
  if (section.weights) choice.clip = drive_morphs(character, read_morph_table(*section.weights), choice.clip);
  return std::make_unique<RigBody>(character, choice);
}

std::vector<fs::path> input_files(const Shot& shot) {
  std::vector<fs::path> files;
  if (shot.body.file && is_sequence(*shot.body.file))
    files = sequence_files(*shot.body.file);
  else if (shot.body.file)
    files.push_back(*shot.body.file);
  if (shot.body.file && lower_ending(*shot.body.file) == ".gltf") add_buffers(*shot.body.file, files);
  if (shot.body.cache) files.push_back(*shot.body.cache);
  if (shot.body.weights) files.push_back(*shot.body.weights);
  if (shot.skin.direction.file) files.push_back(*shot.skin.direction.file);
  return files;
}

}  // namespace cutis
