#include "cutis/picture/result_field.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/measure/fields.h"

namespace cutis {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("picture.field: \"{}\": {}", name, why));
}

/// Whether a picture can work the field out and show it.
bool derivable(const FieldInfo& field) { return field.needs == FieldNeeds::Nothing && field.components == 1; }

std::vector<std::string> names_in(const ResultFrame& frame) {
  std::vector<std::string> names;
  for (const FieldInfo& field : fields())
    if (derivable(field)) names.push_back(field.name);
  for (const auto& [stored, array] : frame.fields)
    if (std::find(names.begin(), names.end(), stored) == names.end()) names.push_back(stored);
  return names;
}

}  // namespace

const char* const kStandardField = "log_area";

ResultField::ResultField(const ResultReader& result, const std::string& name)
    : result_(result), name_(name), title_(name) {
  std::replace(title_.begin(), title_.end(), '_', ' ');
  const FieldInfo* info = field_info(name);
  const ResultFrame first = result.frame(1);
  if (info) {
    if (info->components != 1) refuse(name, "is a direction, and colours show numbers");
    unit_ = info->unit == "1" ? "" : info->unit;
    if (name.ends_with("log_area")) map_ = ColorMap::Diverging;
  }
  if (first.fields.contains(name))
    stored(first);
  else if (info && derivable(*info))
    evaluator_ = std::make_unique<FieldEvaluator>(result.mesh());
  else
    refuse(name,
           fmt::format("no such field in this result; there are: {}", fmt::join(names_in(first), ", ")));
}

ResultField::~ResultField() = default;

std::vector<double> ResultField::stored(const ResultFrame& frame) const {
  const auto found = frame.fields.find(name_);
  if (found == frame.fields.end()) refuse(name_, fmt::format("is not in frame {}", frame.number));
  const std::size_t count = found->second.count();
  if (count != result_.mesh().mesh.vertex_count() && count != result_.mesh().mesh.face_count())
    refuse(name_, "is neither one number a vertex nor one a face");
  return to_doubles(found->second);
}

std::vector<double> ResultField::values(int number) const {
  const ResultFrame frame = result_.frame(number);
  if (!evaluator_) return stored(frame);
  return (*evaluator_)(*field_info(name_), {frame.positions});
}

}  // namespace cutis
