#include "cutis/shot/open_body.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/body/cache_body.h"
#include "cutis/body/cast/cast.h"
#include "cutis/body/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/io/gltf_reader.h"
#include "cutis/io/mdd.h"
#include "cutis/io/obj.h"
#include "cutis/io/pc2.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

std::string ending(const fs::path& file) {
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

PointCache read_cache(const fs::path& file, double fps) {
  if (ending(file) == ".pc2") return read_pc2(file, fps);
  if (ending(file) == ".mdd") return read_mdd(file, fps);
  throw InputError(fmt::format("{}: not a point cache; .pc2 and .mdd are read", file.string()));
}

std::unique_ptr<Body> open_cache(const BodySection& section) {
  const fs::path& file = *section.file;
  if (ending(file) != ".obj")
    throw InputError(
        fmt::format("{}: a point cache moves the vertices of an OBJ; this file has a motion of its own or "
                    "another vertex order",
                    file.string()));
  CacheBodyOptions options;
  options.rest = section.rest.value_or("first");
  options.scale = section.scale;
  options.weld_tolerance = section.weld.value_or(-1);
  return std::make_unique<CacheBody>(read_obj(file), file.string(),
                                     read_cache(*section.cache, section.cache_fps.value_or(24)), options);
}

}  // namespace

bool can_open_as_character(const fs::path& file) {
  const std::string name = ending(file);
  return name == ".glb" || name == ".gltf" || name == ".obj";
}

Character read_character(const fs::path& file) {
  const std::string name = ending(file);
  if (name == ".glb" || name == ".gltf") return read_gltf(file);
  if (name != ".obj")
    throw InputError(fmt::format("{}: cannot be read; .glb, .gltf and .obj can", file.string()));
  Character character;
  character.name = file.stem().string();
  character.nodes.emplace_back().name = character.name;
  MeshInstance& instance = character.meshes.emplace_back();
  instance.name = character.name;
  instance.node = 0;
  instance.mesh = read_obj(file);
  return character;
}

std::unique_ptr<Body> open_body(const BodySection& section) {
  if (section.cache) return open_cache(section);
  RigChoice choice;
  choice.meshes = section.mesh;
  choice.clip = section.clip.value_or("");
  choice.rest = section.rest.value_or("bind");
  choice.scale = section.scale;
  choice.weld_tolerance = section.weld.value_or(-1);
  if (section.make) return open_cast_member(*section.make, section.resolution.value_or(0), choice);
  return std::make_unique<RigBody>(read_character(*section.file), choice);
}

std::vector<fs::path> input_files(const Shot& shot) {
  std::vector<fs::path> files;
  if (shot.body.file) files.push_back(*shot.body.file);
  if (shot.body.cache) files.push_back(*shot.body.cache);
  return files;
}

}  // namespace cutis
