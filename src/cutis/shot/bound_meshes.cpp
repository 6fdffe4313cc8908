#include "cutis/shot/bound_meshes.h"

#include <algorithm>

#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// The body section of the shot that the first of a chain of results was made from, at the scale of the last.
BodySection first_section(const fs::path& folder, const Summary& summary) {
  BodySection section = parse_shot(summary.shot, folder / kSummaryFile).body;
  if (!section.file || !is_result(*section.file)) return section;
  BodySection first = first_section(*section.file, read_summary(*section.file / kSummaryFile));
  first.scale *= section.scale;
  return first;
}

/// Formats whose characters have meshes on joints, which RigBody plays.
bool is_rig_file(const BodySection& section) {
  if (!section.file || section.cache || section.make || section.weights) return false;
  const std::string ending = lower_ending(*section.file);
  return ending == ".glb" || ending == ".gltf" || ending == ".usda";
}

/// A result of the body has its vertices first, in its order.
bool begins_with(const SourceMesh& result, const SourceMesh& body) {
  const double tolerance = default_weld_tolerance(body);
  if (result.vertex_count() < body.vertex_count()) return false;
  for (SourceVertexId v : ids<SourceVertexId>(body.vertex_count()))
    if ((result.positions[v] - body.positions[v]).norm() > tolerance) return false;
  return true;
}

}  // namespace

BoundMeshes::BoundMeshes(const fs::path& folder, const ResultReader& result) {
  try {
    const BodySection section = first_section(folder, result.summary());
    file_ = section.file.value_or(fs::path());
    if (is_rig_file(section)) bind(section, result.mesh().mesh);
  } catch (const InputError&) {  // the character's files are gone: the result can be used without them
    file_.clear();
    meshes_.clear();
  }
}

void BoundMeshes::bind(const BodySection& section, const SourceMesh& result) {
  character_ = std::make_unique<const Character>(read_character(*section.file));
  // A USD file may have a body that is no rig.
  if (lower_ending(*section.file) == ".usda")
    skin_ = open_body(section);
  else
    skin_ = std::make_unique<const RigBody>(*character_, rig_choice(section));
  const auto* rig = dynamic_cast<const RigBody*>(skin_.get());
  if (!rig) return;
  skin_names_ = rig->mesh_names();
  clip_name_ = rig->clip_name();
  if (!begins_with(result, skin_->source())) return;
  for (const MeshInstance& instance : character_->meshes) {
    if (std::ranges::find(skin_names_, instance.name) != skin_names_.end()) continue;
    RigChoice choice = rig_choice(section);
    choice.meshes = {instance.name};
    try {
      meshes_.push_back(std::make_unique<BoundMesh>(
          *skin_, std::make_unique<const RigBody>(*character_, choice), instance.name));
    } catch (const InputError& error) {
      log().warn("{}: mesh \"{}\" is left out: {}", section.file->string(), instance.name, error.what());
    }
  }
}

std::vector<SourcePoints> BoundMeshes::positions(const ResultFrame& frame) const {
  std::vector<SourcePoints> all;
  if (meshes_.empty()) return all;
  SourcePoints skin(skin_->source().vertex_count());
  for (SourceVertexId v : ids<SourceVertexId>(skin.size())) skin[v] = frame.positions[v];
  const Points animated = skin_->positions(frame.time), carried = skin_->weld().gather(skin);
  for (const auto& mesh : meshes_) all.push_back(mesh->positions(animated, carried, frame.time));
  return all;
}

std::vector<SourcePoints> BoundMeshes::animated(double time) const {
  std::vector<SourcePoints> all;
  for (const auto& mesh : meshes_) all.push_back(mesh->mesh().source_positions(time));
  return all;
}

}  // namespace cutis
