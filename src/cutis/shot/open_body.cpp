#include "cutis/shot/open_body.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/body/avatar/avatar_body.h"
#include "cutis/body/cache/cache_body.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/body/rig/morph_table.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/io/array/smpl_model.h"
#include "cutis/io/cache/amass.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/mesh_sequence.h"
#include "cutis/io/cache/morph_table_file.h"
#include "cutis/io/cache/pc2.h"
#include "cutis/io/gltf/gltf_reader.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/ply.h"
#include "cutis/io/usd/usda_reader.h"
#include "cutis/run/result_body.h"
#include "cutis/shot/spec/spec.h"

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
  options.materials = std::move(instance.materials);
  options.parts = std::move(instance.parts);
  return std::make_unique<CacheBody>(std::move(instance.mesh), file.string(),
                                     read_cache(*section.cache, section.cache_fps.value_or(24)), options);
}

/// Numbered files, or the samples of a USD file.
std::unique_ptr<Body> open_sequence(const BodySection& section, MeshSequence sequence) {
  CacheBodyOptions options = cache_options(section);
  options.attributes = std::move(sequence.attributes);
  options.materials = std::move(sequence.materials);
  options.parts = std::move(sequence.parts);
  return std::make_unique<CacheBody>(std::move(sequence.mesh), section.file->string(),
                                     std::move(sequence.cache), options);
}

std::unique_ptr<Body> open_result(const BodySection& section) {
  const fs::path& folder = *section.file;
  if (!is_result(folder))
    throw InputError(
        fmt::format("{}: is a folder without a result in it; name a character, or the folder of a "
                    "finished result",
                    folder.string()));
  return std::make_unique<ResultBody>(folder, open_recorded_body, section.scale, section.weld.value_or(-1));
}

std::unique_ptr<Body> open_rig(const BodySection& section, Character character) {
  RigChoice choice = rig_choice(section);
  if (section.weights) choice.clip = drive_morphs(character, read_morph_table(*section.weights), choice.clip);
  auto body = std::make_unique<RigBody>(character, choice);
  const std::vector<std::string>& used = body->mesh_names();
  for (const MeshInstance& mesh : character.meshes)
    if (std::find(used.begin(), used.end(), mesh.name) != used.end())
      for (const std::string& repair : mesh.repairs) log().warn("{}: {}", character.name, repair);
  return body;
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

/// The meshes of a USD file on their skeletons, or else as they stand at its first time.
Character usda_character(const UsdaScene& scene, const fs::path& file) {
  if (scene.has_skeleton()) return scene.character();
  Character character;
  character.name = file.stem().string();
  for (const std::string& name : scene.mesh_names()) {
    MeshSequence mesh = scene.read({name});
    add_mesh(character, name, std::move(mesh.mesh), std::move(mesh.attributes));
    character.meshes.back().materials = std::move(mesh.materials);
  }
  return character;
}

/// A character of one mesh on one node, which holds still.
Character still_character(const fs::path& file) {
  Character character;
  character.name = file.stem().string();
  if (lower_ending(file) == ".obj") {
    ObjMesh obj = read_obj_groups(file);
    add_mesh(character, character.name, std::move(obj.mesh), {});
    character.meshes.back().materials = std::move(obj.materials);
    character.meshes.back().parts = std::move(obj.parts);
  } else {
    PlyMesh ply = read_ply(file);
    add_mesh(character, character.name, std::move(ply.mesh), color_attributes(ply.colors));
  }
  return character;
}

std::unique_ptr<Body> open_avatar(const BodySection& section) {
  const std::string clip = section.clip.value_or("");
  if (!clip.empty() && clip != "none")
    throw InputError(fmt::format("{}: a body model has no clip \"{}\"; give a motion as body.cache",
                                 section.file->string(), clip));
  if (section.weights)
    throw InputError(fmt::format("{}: a body model has no blend shapes for body.weights; body.betas shape it",
                                 section.file->string()));
  AvatarOptions options;
  options.betas = section.betas;
  options.fps = section.cache_fps;
  options.up = section.cache_up.value_or(UpAxis::Z);
  options.rest = section.rest.value_or("bind");
  options.scale = section.scale;
  options.weld_tolerance = section.weld.value_or(-1);
  std::optional<AvatarMotion> motion;
  if (section.cache && lower_ending(*section.cache) != ".npz")
    throw InputError(
        fmt::format("{}: moves no body model; an AMASS motion (.npz) does", section.cache->string()));
  if (section.cache && clip.empty()) motion = read_amass(*section.cache);
  return std::make_unique<AvatarBody>(read_smpl_model(*section.file), std::move(motion), options);
}

/// The files beside a .gltf that hold its numbers; the reader has refused any that lie elsewhere.
std::vector<fs::path> buffers_of(const fs::path& gltf) {
  const Bytes bytes = read_file(gltf);
  const auto json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  std::vector<fs::path> files;
  if (!json.is_object() || !json.contains("buffers")) return files;
  for (const auto& buffer : json["buffers"]) {
    const fs::path file = gltf.parent_path() / buffer.value("uri", "");
    std::error_code no_name;  // of numbers that are in the .gltf itself: "data:..." may be any length
    if (fs::is_regular_file(file, no_name)) files.push_back(file);
  }
  return files;
}

/// The files that one value of the shot names, with those that they need in turn.
std::vector<fs::path> files_of(const Key& key, const Value& value) {
  const Painted* painted = std::get_if<Painted>(&value);
  if (painted && painted->source == Painted::Source::Image) return {painted->image};
  if (key.type != KeyType::Path || !std::holds_alternative<std::string>(value)) return {};
  const fs::path file = std::get<std::string>(value);
  if (key.moving_files && is_sequence(file)) return sequence_files(file);
  // Of a result, the list of the sums of all that lies in it.
  std::vector<fs::path> files{fs::is_directory(file) ? file / "checksums.sha256" : file};
  if (lower_ending(file) == ".gltf")
    for (const fs::path& buffer : buffers_of(file)) files.push_back(buffer);
  return files;
}

/// A member of the cast that has blend shapes to drive.
Character character_of(const BodySection& section) {
  ProceduralShape shape = make_cast_member(*section.make, section.resolution.value_or(0));
  if (Character* character = std::get_if<Character>(&shape)) return std::move(*character);
  throw InputError(fmt::format("body.weights: the body \"{}\" has no blend shapes", *section.make));
}

}  // namespace

RigChoice rig_choice(const BodySection& section) {
  RigChoice choice;
  choice.meshes = section.mesh;
  choice.clip = section.clip.value_or("");
  choice.rest = section.rest.value_or("bind");
  choice.scale = section.scale;
  choice.weld_tolerance = section.weld.value_or(-1);
  return choice;
}

bool can_open_as_character(const fs::path& file) {
  const std::string name = lower_ending(file);
  return name == ".glb" || name == ".gltf" || name == ".obj" || name == ".ply" || name == ".usda" ||
         name == ".npz";
}

Character read_character(const fs::path& file) {
  const std::string name = lower_ending(file);
  if (name == ".glb" || name == ".gltf") return read_gltf(file);
  if (name == ".obj" || name == ".ply")
    return still_character(is_sequence(file) ? sequence_files(file)[0] : file);
  if (name == ".usda") return usda_character(UsdaScene(file), file);
  if (name == ".npz") return to_character(read_smpl_model(file), file.stem().string());
  if (name == ".abc")
    throw InputError(
        fmt::format("{}: Alembic is not read by this build; export numbered OBJ files, USD ASCII, PC2 "
                    "or MDD",
                    file.string()));
  throw InputError(
      fmt::format("{}: cannot be read; .glb, .gltf, .usda, .obj, .ply and .npz can", file.string()));
}

std::unique_ptr<Body> open_body(const BodySection& section) {
  if (section.shot)
    throw InputError(
        fmt::format("{}: a shot that is to be a body has to run first: `cutis simulate` does that",
                    section.shot->string()));
  if (section.file && fs::is_directory(*section.file)) return open_result(section);
  if (section.file && lower_ending(*section.file) == ".npz") return open_avatar(section);
  if (section.cache) return open_cache(section);
  if (section.make) {
    if (section.weights) return open_rig(section, character_of(section));
    return open_cast_member(*section.make, section.resolution.value_or(0), rig_choice(section));
  }
  const fs::path& file = *section.file;
  if (is_sequence(file))
    return open_sequence(section, read_mesh_sequence(file, section.cache_fps.value_or(24)));
  if (lower_ending(file) == ".usda") {
    const UsdaScene scene(file);
    return scene.has_skeleton() ? open_rig(section, scene.character())
                                : open_sequence(section, scene.read(section.mesh));
  }
  return open_rig(section, read_character(file));
}

std::unique_ptr<Body> open_recorded_body(const std::string& shot, const std::string& file) {
  return open_body(parse_shot(shot, file).body);
}

std::vector<fs::path> input_files(const Shot& shot) {
  std::vector<fs::path> files;
  for (const Section& section : spec())
    for (std::size_t i = 0; i < section.count(shot); ++i)
      for (const Key& key : section.keys)
        for (const fs::path& file : files_of(key, key.get(shot, i)))
          if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  return files;
}

}  // namespace cutis
