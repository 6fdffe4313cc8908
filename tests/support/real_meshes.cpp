#include "support/real_meshes.h"

#include <filesystem>
#include <set>

#include "cutis/io/gltf/gltf_reader.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/surface/mesh/repair.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "cutis/surface/mesh/weld.h"
#include "support/support.h"

namespace cutis::test {
namespace fs = std::filesystem;
namespace {

std::set<fs::path> files_ending(const std::set<std::string>& endings) {
  std::set<fs::path> files;
  if (const auto folder = data_folder())
    for (const auto& entry : fs::recursive_directory_iterator(*folder))
      if (endings.contains(entry.path().extension())) files.insert(entry.path());
  return files;
}

std::vector<NamedMesh> load_meshes() {
  std::vector<NamedMesh> meshes;
  const auto add = [&](const std::string& name, const SourceMesh& mesh) {
    meshes.push_back({name, weld(mesh, default_weld_tolerance(mesh)).mesh});
  };
  for (const fs::path& file : files_ending({".glb", ".gltf"}))
    for (const MeshInstance& instance : read_gltf(file).meshes)
      add(file.filename().string() + " " + instance.name, instance.mesh);
  for (const fs::path& file : files_ending({".obj"})) add(file.filename().string(), read_obj(file));
  return meshes;
}

std::vector<NamedMesh> load_surfaces() {
  std::vector<NamedMesh> surfaces;
  for (const auto& [name, mesh] : real_meshes())
    surfaces.push_back({name, triangulated(repair(mesh).mesh).mesh});
  return surfaces;
}

}  // namespace

const std::vector<NamedMesh>& real_meshes() {
  static const std::vector<NamedMesh> meshes = load_meshes();
  return meshes;
}

const std::vector<NamedMesh>& real_surfaces() {
  static const std::vector<NamedMesh> surfaces = load_surfaces();
  return surfaces;
}

}  // namespace cutis::test
