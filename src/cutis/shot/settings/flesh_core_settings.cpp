#include "cutis/shot/settings/flesh_core_settings.h"

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace {

/// The bones at rest, where the body is at rest.
Mesh bones_of(const Shot& shot) {
  const std::string key = shot.flesh.bones_file ? "flesh.bones_file" : "flesh.bones";
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}{}: {}", shot.place(key), key, why));
  };
  BodySection section = shot.body;
  section.mesh.clear();
  if (shot.flesh.bones_file) {
    section = BodySection{};
    section.file = shot.flesh.bones_file;
    section.scale = shot.body.scale;
  } else {
    if (!section.file)
      fail("a body that is made has no file with meshes of bones; give them as flesh.bones_file");
    section.mesh = shot.flesh.bones;
    section.clip = "none";
  }
  try {
    return open_body(section)->triangles().mesh;
  } catch (const InputError& error) {
    fail(error.what());
  }
  return {};
}

}  // namespace

bool core_by_depth(const Shot& shot) {
  return shot.flesh.core == FleshCore::Fixed || shot.flesh.core == FleshCore::Springs;
}

void set_flesh_core(const SkinSettings& settings, FleshOptions& options) {
  const Shot& shot = settings.shot();
  switch (shot.flesh.core) {
    case FleshCore::Fixed:
      break;
    case FleshCore::Springs:
      options.core_stiffness = shot.flesh.core_stiffness;
      break;
    case FleshCore::Bones:
      options.bones = bones_of(shot);
      break;
    case FleshCore::Region:
      options.core_region.assign(settings.body().mesh().vertex_count(), 0);
      for (VertexId v :
           vertices_of(region_named(settings.regions(), shot.flesh.core_region), settings.body().mesh()))
        options.core_region[v] = 1;
  }
}

}  // namespace cutis
