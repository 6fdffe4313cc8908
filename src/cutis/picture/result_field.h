#pragma once

#include <string>
#include <vector>

#include "cutis/picture/color_map.h"
#include "cutis/shot/result.h"

namespace cutis {

/// A field of a result that a picture can show.
struct ResultField {
  std::string name;
  std::string title, unit;  ///< for the legend
  ColorMap map = ColorMap::Viridis;
};

/// What pictures work out from the frames of any result, by itself: "log_area" and "displacement".
const std::vector<ResultField>& derived_fields();

/// The description of a field of this result: stored with its frames, or derived. Throws InputError that
/// lists both.
ResultField find_field(const ResultReader& result, const std::string& name);

/// Its values in one frame, one a source vertex or one a source face.
std::vector<double> field_values(const ResultMesh& mesh, const ResultFrame& frame, const std::string& name);

}  // namespace cutis
