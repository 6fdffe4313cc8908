#include "cutis/measure/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/measure/fields.h"
#include "cutis/measure/measures.h"

namespace cutis {
namespace {

bool selects(const FigureFrames& selection, int frame, int last) {
  switch (selection.which) {
    case FigureFrames::Which::First:
      return frame == 1;
    case FigureFrames::Which::Last:
      return frame == last;
    case FigureFrames::Which::Number:
      return frame == selection.number;
    default:
      return true;
  }
}

/// The largest value so far, or the smallest where that is asked for.
void keep(double& kept, double value, const FigureFrames& frames) {
  const bool least = frames.which == FigureFrames::Which::Least;
  if (std::isnan(kept) || (least ? value < kept : value > kept)) kept = value;
}

void judge(Figure& f) {
  f.holds = std::isfinite(f.value) && (!f.at_least || f.value >= *f.at_least) &&
            (!f.at_most || f.value <= *f.at_most);
}

/// Of the field where one is measured; of a ratio none.
std::string unit_of(const FigureRequest& r) {
  const std::string unit = measure_info(r.measure)->unit;
  if (against_body(r)) return "1";
  if (unit != "field") return unit;
  const auto word = [&](const char* parameter) {
    const auto found = r.with.find(parameter);
    return found == r.with.end() ? std::string() : std::get<std::string>(found->second);
  };
  if (!word("over").empty()) return "1";
  const FieldInfo* field = field_info(word("field"));
  return field ? field->unit : "1";
}

}  // namespace

std::string to_string(const FigureFrames& selection) {
  switch (selection.which) {
    case FigureFrames::Which::All:
      return "all";
    case FigureFrames::Which::Least:
      return "least";
    case FigureFrames::Which::First:
      return "first";
    case FigureFrames::Which::Last:
      return "last";
    case FigureFrames::Which::Number:
      break;
  }
  return fmt::format("{}", selection.number);
}

std::vector<std::string> figure_mistakes(std::span<const FigureRequest> requests, const ResultMesh& mesh,
                                         std::span<const std::string> stored_fields, int frames) {
  std::vector<std::string> mistakes;
  for (const FigureRequest& r : requests) {
    for (const std::string& mistake : measure_mistakes(r, mesh, stored_fields))
      mistakes.push_back(fmt::format("figure {}: {}", r.name, mistake));
    if (r.frames.which == FigureFrames::Which::Number && (r.frames.number < 1 || r.frames.number > frames))
      mistakes.push_back(fmt::format("figure {}: there is no frame {}; the shot has the frames 1 to {}",
                                     r.name, r.frames.number, frames));
  }
  return mistakes;
}

std::vector<Figure> compute_figures(const MeasuredFrames& result, std::span<const FigureRequest> requests) {
  const MeasureRest rest(result.mesh());
  std::vector<Figure> figures;
  for (const FigureRequest& r : requests)
    figures.push_back(
        {r.name, r.measure, to_string(r.frames), NAN, unit_of(r), r.at_least, r.at_most, false, r.with});
  std::vector<double> of_body(requests.size(), NAN);
  MeasuredFrame frame, previous;
  const int last = requests.empty() ? 0 : result.frame_count();
  for (int number = 1; number <= last; ++number) {
    previous = std::move(frame);
    frame = result.measured_frame(number);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const FigureRequest& r = requests[i];
      if (!selects(r.frames, number, last)) continue;
      const auto value = [&](MeasuredShape shape) {
        return measure(r, rest, frame, number > 1 ? &previous : nullptr, shape);
      };
      keep(figures[i].value, value(MeasuredShape::Skin), r.frames);
      if (against_body(r)) keep(of_body[i], value(MeasuredShape::Body), r.frames);
    }
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (against_body(requests[i])) figures[i].value = of_body[i] == 0 ? 0 : figures[i].value / of_body[i];
    judge(figures[i]);
  }
  return figures;
}

std::string bound_words(const Figure& figure) {
  if (figure.at_least && figure.at_most)
    return fmt::format("{:g} to {:g}", *figure.at_least, *figure.at_most);
  if (figure.at_least) return fmt::format("at least {:g}", *figure.at_least);
  return figure.at_most ? fmt::format("at most {:g}", *figure.at_most) : "";
}

}  // namespace cutis
