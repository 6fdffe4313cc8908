#include "cutis/picture/result_character.h"

#include <algorithm>

#include "cutis/body/anatomy/anatomy.h"
#include "cutis/body/anatomy/parts_of_body.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/gltf/gltf_texture.h"
#include "cutis/run/result.h"
#include "cutis/shot/open_body.h"

namespace cutis {

ResultCharacter::ResultCharacter(const std::filesystem::path& folder, const Summary& summary) {
  try {
    const BodySection section = parse_shot(summary.shot, folder / kSummaryFile).body;
    file_ = section.file.value_or(std::filesystem::path());
    body_ = open_body(section);
  } catch (const InputError&) {
    body_.reset();
  }
}

std::optional<Vec3> ResultCharacter::front_view() const {
  const std::optional<Anatomy> anatomy = body_ ? read_anatomy(*body_) : std::nullopt;
  if (!anatomy) return std::nullopt;
  const Vec3 front(anatomy->front.x(), 0, anatomy->front.z());
  if (!(front.norm() > 0.5)) return std::nullopt;  // it lies on its back or belly
  const Vec3 ahead = front.normalized();
  return Vec3(ahead + 0.35 * Vec3::UnitY() + 0.6 * Vec3::UnitY().cross(ahead));
}

std::vector<std::string> ResultCharacter::names() const {
  if (!body_) return {};
  std::vector<std::string> names = body_->attribute_names();
  for (PartOfBody& part : parts_of_body(*body_)) names.push_back(std::move(part.name));
  return names;
}

std::vector<int> ResultCharacter::vertices_of(const std::string& joint) const {
  constexpr double kSome = 0.1;  // of a vertex's weight: with its surroundings
  const auto weights = body_ ? body_->attribute(joint) : std::nullopt;
  if (!weights) return vertices_of_part(joint);
  std::vector<int> vertices;
  for (std::size_t v = 0; v * weights->components < weights->values.size(); ++v)
    if (weights->values[v * weights->components] >= kSome) vertices.push_back(static_cast<int>(v));
  return vertices;
}

std::vector<int> ResultCharacter::vertices_of_part(const std::string& name) const {
  std::vector<int> vertices;
  if (!body_) return vertices;
  const std::vector<PartOfBody> parts = parts_of_body(*body_);
  const auto part = std::ranges::find(parts, name, &PartOfBody::name);
  if (part == parts.end()) return vertices;
  const auto& vertex_of = body_->weld().vertex_of;
  for (SourceVertexId s : ids<SourceVertexId>(vertex_of.size()))
    if (std::ranges::binary_search(part->vertices, vertex_of[s])) vertices.push_back(s.value);
  return vertices;
}

std::optional<Raster> ResultCharacter::texture() const {
  const std::string ending = lower_ending(file_);
  if (ending != ".glb" && ending != ".gltf") return std::nullopt;
  const auto* rig = dynamic_cast<const RigBody*>(body_.get());
  return read_gltf_texture(file_, rig ? rig->mesh_names() : std::vector<std::string>());
}

}  // namespace cutis
