#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "cutis/body/bound/bound_mesh.h"
#include "cutis/body/rig/character.h"
#include "cutis/run/result.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// The other meshes of the character that a result was made from, bound to its skin (see BoundMesh), through
/// the results that were its bodies. None where the character has one mesh only, its file is gone, or the
/// result does not have the vertices of the mesh that got skin.
class BoundMeshes {
 public:
  /// `folder` is that of the result.
  BoundMeshes(const std::filesystem::path& folder, const ResultReader& result);

  std::size_t size() const { return meshes_.size(); }
  bool empty() const { return meshes_.empty(); }
  const BoundMesh& operator[](std::size_t i) const { return *meshes_[i]; }

  /// Of each mesh where it is in a frame, and where plain skinning has it.
  std::vector<SourcePoints> positions(const ResultFrame& frame) const;
  std::vector<SourcePoints> animated(double time) const;

  /// The file that they are from; empty where it is gone.
  const std::filesystem::path& file() const { return file_; }
  /// Of file(), where it is a character of nodes and meshes; else null.
  const Character* character() const { return character_.get(); }
  /// The names of the meshes that got skin.
  const std::vector<std::string>& skin_names() const { return skin_names_; }
  /// The clip that was played; "" for none.
  const std::string& clip_name() const { return clip_name_; }

 private:
  std::filesystem::path file_;
  std::unique_ptr<const Character> character_;
  std::vector<std::string> skin_names_;
  std::string clip_name_;
  std::unique_ptr<const Body> skin_;
  std::vector<std::unique_ptr<BoundMesh>> meshes_;

  void bind(const BodySection& section, const SourceMesh& result);
};

}  // namespace cutis
