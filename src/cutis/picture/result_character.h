#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/io/image/raster.h"
#include "cutis/run/summary.h"

namespace cutis {

/// What a result's pictures ask of the character that it was made from. All of it is left out where the
/// character's files are gone: a result can be looked at without them.
class ResultCharacter {
 public:
  /// `summary` is that of the result in `folder`.
  ResultCharacter(const std::filesystem::path& folder, const Summary& summary);

  /// Where a camera stands that sees it from in front, a little from its left and from above, as a direction
  /// from the body; nothing where the rig does not tell its front.
  std::optional<Vec3> front_view() const;
  /// The source vertices that the joint of this name (upper or lower case) moves, that have a vertex group of
  /// it, or that are this part of the body (PartOfBody); none where there is no such thing.
  std::vector<int> vertices_of(const std::string& joint) const;
  /// The names that vertices_of() knows.
  std::vector<std::string> names() const;
  /// The image that its own materials show; nothing where they have none.
  std::optional<Raster> texture() const;

 private:
  std::filesystem::path file_;
  std::vector<int> vertices_of_part(const std::string& name) const;

  std::unique_ptr<Body> body_;  ///< null where it cannot be opened
};

}  // namespace cutis
