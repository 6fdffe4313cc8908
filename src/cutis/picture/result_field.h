#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/picture/draw/color_map.h"
#include "cutis/run/result.h"

namespace cutis {

class FieldEvaluator;

/// A field of a result as a picture shows it: stored with the frames, or worked out from their positions;
/// docs/fields.md. The result must outlive it.
class ResultField {
 public:
  /// Throws InputError, which lists what there is, when this result has no such field or it is not numbers.
  ResultField(const ResultReader& result, const std::string& name);
  ~ResultField();

  const std::string& title() const { return title_; }
  const std::string& unit() const { return unit_; }  ///< for the legend; empty for plain ratios
  ColorMap map() const { return map_; }

  /// Its values in a frame (from 1), one per source vertex or one per source face.
  std::vector<double> values(int frame) const;

 private:
  const ResultReader& result_;
  std::string name_, title_, unit_;
  ColorMap map_ = ColorMap::Viridis;
  std::unique_ptr<FieldEvaluator> evaluator_;  ///< where the field is not stored

  std::vector<double> stored(const ResultFrame& frame) const;
};

/// What a picture shows unless it is told: "log_area".
extern const char* const kStandardField;

}  // namespace cutis
