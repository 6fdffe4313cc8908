#include "cutis/shot/export_formats.h"

#include <utility>

namespace cutis {
namespace {

const std::vector<std::pair<std::string, ExportFormat>>& table() {
  static const std::vector<std::pair<std::string, ExportFormat>> formats = {
      {"pc2", {.keeps_units = true, .other_meshes = true}},
      {"mdd", {.keeps_units = true, .other_meshes = true}},
      {"glb", {.keeps_units = true, .moves_uvs = true, .other_meshes = true}},
      {"usda", {.moves_uvs = true, .other_meshes = true}},
      {"obj", {.is_folder = true, .keeps_units = true, .moves_uvs = true, .other_meshes = true}},
      {"npz", {.is_folder = true, .moves_uvs = true}},
      {"vtk", {.is_folder = true}},
      {"exr", {.is_folder = true}},
      {"png", {.is_folder = true}},
      {"st", {.is_folder = true, .moves_uvs = true}}};
  return formats;
}

}  // namespace

const std::vector<std::string>& export_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, format] : table()) all.push_back(name);
    return all;
  }();
  return names;
}

const ExportFormat* export_format(const std::string& wanted) {
  for (const auto& [name, format] : table())
    if (name == wanted) return &format;
  return nullptr;
}

}  // namespace cutis
