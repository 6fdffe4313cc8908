#include "cutis/shot/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

/// What every frame is measured against.
struct Rest {
  const ResultMesh& mesh;
  double size;
  std::vector<double> areas;
  double area = 0;
  double volume;

  explicit Rest(const ResultMesh& m)
      : mesh(m),
        size(bounding_diagonal(points())),
        areas(triangle_areas(points(), m.triangles)),
        volume(enclosed_volume(points(), m.triangles)) {
    for (double a : areas) area += a;
  }
  std::span<const Vec3> points() const { return mesh.mesh.positions.raw(); }
};

struct Sample {
  const Rest& rest;
  const ResultFrame& frame;
  const ResultFrame* previous;  ///< null at the first frame

  std::span<const Vec3> points() const { return frame.positions.raw(); }
  std::vector<double> log_areas() const {
    return log_area_ratios(rest.areas, triangle_areas(points(), rest.mesh.triangles));
  }
};

/// 0 / 0 is 0: a body without extent does not move by any part of it.
double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).squaredNorm());
  return std::sqrt(largest);
}

double percentile(const Sample& s, double share) {
  return weighted_percentile(s.log_areas(), s.rest.areas, share);
}

double roughness(const Sample& s) {
  const auto rest = s.rest.points(), now = s.points();
  std::vector<Vec3> displacement(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) displacement[i] = now[i] - rest[i];
  return dirichlet_energy(rest, s.rest.mesh.triangles, std::span<const Vec3>(displacement));
}

double seam_gap(const Sample& s) {
  // Welded vertices are numbered by their first source vertex, so the first to name one stands for it.
  std::vector<int> first(s.points().size(), -1);
  double largest = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    int& representative = first[s.rest.mesh.welded[SourceVertexId(i)].index()];
    if (representative < 0) representative = static_cast<int>(i);
    largest = std::max(largest, (s.points()[i] - s.points()[representative]).norm());
  }
  return ratio(largest, s.rest.size);
}

double not_finite(const Sample& s) {
  double count = 0;
  for (const Vec3& p : s.points())
    for (int k = 0; k < 3; ++k) count += std::isfinite(p[k]) ? 0 : 1;
  return count;
}

struct Measure {
  MeasureInfo info;
  double (*evaluate)(const Sample&);
};

const std::array kMeasures{
    Measure{
        {"area_ratio", "1", "area over rest area"},
        [](const Sample& s) { return ratio(total_area(s.points(), s.rest.mesh.triangles), s.rest.area); }},
    Measure{{"displacement_roughness", "m²", "roughness of the displacement from rest"}, roughness},
    Measure{{"frame_step", "size", "the furthest a vertex moves since the frame before; 0 at the first"},
            [](const Sample& s) {
              if (!s.previous) return 0.0;
              return ratio(largest_distance(s.points(), s.previous->positions.raw()), s.rest.size);
            }},
    Measure{{"log_area_p05", "1", "5th percentile of ln(area / rest area)"},
            [](const Sample& s) { return percentile(s, 0.05); }},
    Measure{{"log_area_p50", "1", "median of ln(area / rest area)"},
            [](const Sample& s) { return percentile(s, 0.50); }},
    Measure{{"log_area_p95", "1", "95th percentile of ln(area / rest area)"},
            [](const Sample& s) { return percentile(s, 0.95); }},
    Measure{{"log_area_spread", "1", "spread of log area"},
            [](const Sample& s) { return weighted_deviation(s.log_areas(), s.rest.areas); }},
    Measure{{"not_finite", "coordinates", "how many coordinates are not finite numbers"}, not_finite},
    Measure{{"seam_gap", "size", "the furthest apart that two vertices welded together are"}, seam_gap},
    Measure{
        {"travel", "size", "the furthest a vertex is from its place at rest"},
        [](const Sample& s) { return ratio(largest_distance(s.points(), s.rest.points()), s.rest.size); }},
    Measure{{"vertex_count", "vertices", "how many vertices the frame has"},
            [](const Sample& s) { return static_cast<double>(s.points().size()); }},
    Measure{{"volume_ratio", "1", "enclosed volume over that at rest; of closed surfaces only"},
            [](const Sample& s) {
              return ratio(enclosed_volume(s.points(), s.rest.mesh.triangles), s.rest.volume);
            }},
};

const Measure* find_measure(const std::string& name) {
  for (const Measure& m : kMeasures)
    if (name == m.info.name) return &m;
  return nullptr;
}

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

void judge(Figure& f) {
  f.holds = std::isfinite(f.value) && (!f.at_least || f.value >= *f.at_least) &&
            (!f.at_most || f.value <= *f.at_most);
}

}  // namespace

std::vector<MeasureInfo> measures() {
  std::vector<MeasureInfo> infos;
  for (const Measure& m : kMeasures) infos.push_back(m.info);
  return infos;
}

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

std::vector<std::string> figure_mistakes(std::span<const FigureSection> requests, const ResultMesh& mesh,
                                         int frames) {
  std::vector<std::string> mistakes, known;
  for (const Measure& m : kMeasures) known.emplace_back(m.info.name);
  for (const FigureSection& r : requests) {
    if (!find_measure(r.measure)) {
      const std::string near = nearest_word(r.measure, known);
      mistakes.push_back(fmt::format("figure {}: unknown measure \"{}\"; {}", r.name, r.measure,
                                     near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                                  : fmt::format("did you mean \"{}\"?", near)));
    }
    if (r.frames.which == FigureFrames::Which::Number && (r.frames.number < 1 || r.frames.number > frames))
      mistakes.push_back(fmt::format("figure {}: there is no frame {}; the shot has the frames 1 to {}",
                                     r.name, r.frames.number, frames));
    if (r.measure == "volume_ratio" && !is_closed(mesh.triangles))
      mistakes.push_back(
          fmt::format("figure {}: volume_ratio needs a closed surface, and this one is open; measure "
                      "area_ratio instead",
                      r.name));
  }
  return mistakes;
}

std::vector<Figure> compute_figures(const ResultReader& result, std::span<const FigureSection> requests) {
  const Rest rest(result.mesh());
  std::vector<Figure> figures;
  for (const FigureSection& r : requests)
    figures.push_back({r.name, r.measure, to_string(r.frames), NAN, find_measure(r.measure)->info.unit,
                       r.at_least, r.at_most, false});
  ResultFrame frame, previous;
  const int last = requests.empty() ? 0 : result.frame_count();
  for (int number = 1; number <= last; ++number) {
    previous = std::move(frame);
    frame = result.frame(number);
    const Sample sample{rest, frame, number > 1 ? &previous : nullptr};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!selects(requests[i].frames, number, last)) continue;
      const double value = find_measure(requests[i].measure)->evaluate(sample);
      const bool least = requests[i].frames.which == FigureFrames::Which::Least;
      double& kept = figures[i].value;
      if (std::isnan(kept) || (least ? value < kept : value > kept)) kept = value;
    }
  }
  for (Figure& f : figures) judge(f);
  return figures;
}

std::string bound_words(const Figure& figure) {
  if (figure.at_least && figure.at_most)
    return fmt::format("{:g} to {:g}", *figure.at_least, *figure.at_most);
  if (figure.at_least) return fmt::format("at least {:g}", *figure.at_least);
  return figure.at_most ? fmt::format("at most {:g}", *figure.at_most) : "";
}

}  // namespace cutis
