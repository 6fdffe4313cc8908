#pragma once

#include <string>
#include <vector>

namespace cutis {

/// A format that a result can be written in for other programs; docs/formats.md says what each keeps.
struct ExportFormat {
  bool is_folder = false;     ///< of numbered files, in place of one file
  bool keeps_units = false;   ///< those of the character's file, beside which it lies; else metres
  bool moves_uvs = false;     ///< can show texture coordinates that move
  bool other_meshes = false;  ///< the character's other meshes are written, too
};

/// The names of all there are.
const std::vector<std::string>& export_formats();
/// Null when there is none of that name.
const ExportFormat* export_format(const std::string& name);

}  // namespace cutis
