#include "cutis/measure/measures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/measure/fields.h"
#include "cutis/surface/field/line_turn.h"

namespace cutis {
namespace {

/// One shape of a frame, skin or body, and which part of it counts.
struct Sample {
  const MeasureRest& rest;
  std::span<const Vec3> points;
  std::span<const Vec3> previous;  ///< of the frame before; empty at the first
  std::span<const Vec3> body;      ///< plain skinning; empty where it is not stored
  std::vector<char> inside;        ///< a vertex; empty: all
  std::vector<double> areas;       ///< at rest, of the triangles that count, else 0 [m²]
  const MeasuredFrame& frame;
  const Parameters& with;

  bool counts(std::size_t vertex) const { return inside.empty() || inside[vertex]; }
  std::vector<double> log_areas() const {
    return log_area_ratios(rest.areas, triangle_areas(points, rest.mesh.triangles));
  }
};

/// 0 / 0 is 0: a body without extent does not move by any part of it.
double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

double number(const Parameters& with, const std::string& name, double otherwise) {
  const auto found = with.find(name);
  return found == with.end() ? otherwise : std::get<double>(found->second);
}

std::string text(const Parameters& with, const std::string& name) {
  const auto found = with.find(name);
  return found == with.end() ? "" : std::get<std::string>(found->second);
}

double largest_distance(const Sample& s, std::span<const Vec3> from) {
  double largest = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (s.counts(i)) largest = std::max(largest, (s.points[i] - from[i]).squaredNorm());
  return std::sqrt(largest);
}

double log_area_percentile(const Sample& s, double share) {
  return weighted_percentile(s.log_areas(), s.areas, share);
}

double area_over_rest(const Sample& s) {
  double now = 0, before = 0;
  const std::vector<double> areas = triangle_areas(s.points, s.rest.mesh.triangles);
  for (std::size_t t = 0; t < areas.size(); ++t)
    if (s.areas[t] > 0) {
      now += areas[t];
      before += s.areas[t];
    }
  return ratio(now, before);
}

double displacement_roughness(const Sample& s) {
  const auto rest = s.rest.points();
  std::vector<Vec3> displacement(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) displacement[i] = s.points[i] - rest[i];
  return dirichlet_energy(rest, s.rest.mesh.triangles, std::span<const Vec3>(displacement));
}

using Strain = double (*)(const Mat32&);

/// A strain of each triangle; 0 where it has no shape at rest.
std::vector<double> strains(const Sample& s, Strain strain) {
  std::vector<double> values(s.rest.triangles.size(), 0);
  for (std::size_t t = 0; t < values.size(); ++t) {
    const RestTriangle& rest = s.rest.triangles[t];
    if (rest.degenerate()) continue;
    const auto& corners = s.rest.mesh.triangles[t];
    const auto at = [&](int k) {
      return s.points[static_cast<std::size_t>(corners[static_cast<std::size_t>(k)])];
    };
    values[t] = strain(deformation_gradient(rest, at(0), at(1), at(2)));
  }
  return values;
}

double strain_percentile(const Sample& s, Strain strain) {
  return weighted_percentile(strains(s, strain), s.areas, number(s.with, "share", 0.99));
}

/// Dirichlet energy of a strain, taken to the vertices as the mean over the triangles around by rest area.
double strain_roughness(const Sample& s, Strain kind) {
  const std::vector<double> strain = strains(s, kind);
  std::vector<double> sums(s.points.size(), 0), weights(s.points.size(), 0);
  std::vector<IndexTriangle> counted;
  for (std::size_t t = 0; t < strain.size(); ++t) {
    if (!(s.areas[t] > 0)) continue;
    counted.push_back(s.rest.mesh.triangles[t]);
    for (std::int32_t v : counted.back()) {
      sums[static_cast<std::size_t>(v)] += s.areas[t] * strain[t];
      weights[static_cast<std::size_t>(v)] += s.areas[t];
    }
  }
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v] = ratio(sums[v], weights[v]);
  return dirichlet_energy(s.rest.points(), counted, std::span<const double>(sums));
}

double seam_gap(const Sample& s) {
  // Welded vertices are numbered by their first source vertex, so the first to name one stands for it.
  std::vector<int> first(s.points.size(), -1);
  double largest = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    int& representative = first[s.rest.mesh.welded[SourceVertexId(i)].index()];
    if (representative < 0) representative = static_cast<int>(i);
    largest = std::max(largest, (s.points[i] - s.points[static_cast<std::size_t>(representative)]).norm());
  }
  return ratio(largest, s.rest.size);
}

double not_finite(const Sample& s) {
  double count = 0;
  for (const Vec3& p : s.points)
    for (int k = 0; k < 3; ++k) count += std::isfinite(p[k]) ? 0 : 1;
  return count;
}

/// How far skin near the highest point of the body went sideways, as a share of how far the body went.
double motion_share(const Sample& s) {
  const int axis = text(s.with, "axis") == "x" ? 0 : text(s.with, "axis") == "z" ? 2 : 1;
  const auto across = [&](Vec3 v) {
    v[axis] = 0;
    return v.norm();
  };
  const auto higher = [&](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; };
  const Vec3 top = *std::max_element(s.body.begin(), s.body.end(), higher);
  std::vector<double> shares;
  for (std::size_t v = 0; v < s.points.size(); ++v) {
    const Vec3& rest = s.rest.points()[v];
    const double plain = across(s.body[v] - rest);
    if (s.counts(v) && across(s.body[v] - top) <= number(s.with, "radius", s.rest.size) &&
        plain > 1e-3 * s.rest.size)
      shares.push_back(across(s.points[v] - rest) / plain);
  }
  return weighted_percentile(shares, std::vector<double>(shares.size(), 1), number(s.with, "share", 0.5));
}

double field_value(const Sample& s, bool largest) {
  const std::string name = text(s.with, "field");
  const std::vector<double> values = to_doubles(s.frame.fields.at(name));
  std::vector<double> counted;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values.size() != s.points.size() || s.counts(i)) counted.push_back(values[i]);
  if (counted.empty()) return 0;
  return largest ? *std::max_element(counted.begin(), counted.end())
                 : *std::min_element(counted.begin(), counted.end());
}

/// Where the field below the line is 0 or infinite there is nothing to compare with.
double field_percentile(const Sample& s) {
  std::vector<double> values = to_doubles(s.frame.fields.at(text(s.with, "field")));
  const std::string below = text(s.with, "over");
  const std::vector<double> over =
      below.empty() ? std::vector<double>(values.size(), 1) : to_doubles(s.frame.fields.at(below));
  std::vector<double> counted;
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((values.size() != s.points.size() || s.counts(i)) && over[i] > 0 && std::isfinite(over[i]))
      counted.push_back(values[i] / over[i]);
  return weighted_percentile(counted, std::vector<double>(counted.size(), 1), number(s.with, "share", 0.99));
}

/// A field at the vertices, linear on each triangle that counts, about its mean.
struct FieldWaves {
  double square = 0;    ///< ∫ f² dA
  double gradient = 0;  ///< ∫ |∇f|² dA
  double area = 0;
};

/// ∫ f² with a third of the area of each triangle at its corners.
FieldWaves field_waves(const Sample& s) {
  const std::vector<double> f = to_doubles(s.frame.fields.at(text(s.with, "field")));
  FieldWaves waves;
  std::vector<IndexTriangle> counted;
  double sum = 0;
  const auto for_corners = [&](const auto& use) {
    for (std::size_t t = 0; t < s.areas.size(); ++t)
      if (s.areas[t] > 0)
        for (const std::int32_t v : s.rest.mesh.triangles[t])
          use(s.areas[t] / 3, f[static_cast<std::size_t>(v)]);
  };
  for_corners([&](double area, double value) {
    waves.area += area;
    sum += area * value;
  });
  const double mean = ratio(sum, waves.area);
  for_corners([&](double area, double value) { waves.square += area * (value - mean) * (value - mean); });
  for (std::size_t t = 0; t < s.areas.size(); ++t)
    if (s.areas[t] > 0) counted.push_back(s.rest.mesh.triangles[t]);
  waves.gradient = dirichlet_energy(s.rest.points(), counted, f);
  return waves;
}

double field_spread(const Sample& s) {
  const FieldWaves waves = field_waves(s);
  return std::sqrt(ratio(waves.square, waves.area));
}

/// A field that varies by less, in its own unit, is rounding and has no wavelength.
constexpr double kNoWaves = 1e-12;

/// Of a sine wave |∇f|² is on average (2 π / λ)² f².
double field_wavelength(const Sample& s) {
  const FieldWaves waves = field_waves(s);
  if (!(std::sqrt(ratio(waves.square, waves.area)) > kNoWaves)) return 0;
  return 2 * std::numbers::pi * std::sqrt(ratio(waves.square, waves.gradient));
}

/// By the edges' lengths [degrees].
double turn_percentile(const Sample& s, std::span<const LineTurn> turns, double share) {
  std::vector<double> angles, lengths;
  for (const LineTurn& turn : turns) {
    if (!(s.areas[turn.left] > 0 && s.areas[turn.right] > 0)) continue;
    angles.push_back(turn.angle / kDegree);
    lengths.push_back(turn.length);
  }
  return weighted_percentile(angles, lengths, share);
}

/// The triangles with strokes hold the strokes' own directions, so only those beside them tell anything.
/// Where strokes end or come close to each other the field has to turn: hence not the largest.
double stroke_angle(const Sample& s) {
  const ResultMesh& mesh = s.rest.mesh;
  return turn_percentile(s, stroke_turns(s.rest.points(), mesh.triangles, mesh.directions, mesh.strokes),
                         0.95);
}

double direction_turn(const Sample& s) {
  return turn_percentile(s, line_turns(s.rest.points(), s.rest.mesh.triangles, s.rest.mesh.directions), 0.99);
}

struct Measure {
  MeasureInfo info;
  double (*evaluate)(const Sample&);
};

const std::vector<Measure>& all_measures() {
  static const std::vector<Measure> all{
      {{"area_ratio", "1", "area over rest area"}, area_over_rest},
      {{"barrier_share", "1",
        "energy of the barriers that keep triangles from collapsing, over the elastic one"},
       [](const Sample& s) { return s.frame.barrier; }},
      {{"compressive_strain", "1", "99th percentile (or `share`) of the compressive strain", {"share"}},
       [](const Sample& s) { return strain_percentile(s, compressive_strain); }},
      {{"compressive_roughness", "1", "roughness of the compressive strain"},
       [](const Sample& s) { return strain_roughness(s, compressive_strain); }},
      {{"direction_turn_p99", "degrees",
        "99th percentile of how far the skin's directions turn over an edge"},
       direction_turn},
      {{"displacement_roughness", "m²", "roughness of the displacement from rest"}, displacement_roughness},
      {{"field_max", "field", "largest value of a stored field", {"field"}},
       [](const Sample& s) { return field_value(s, true); }},
      {{"field_min", "field", "smallest value of a stored field", {"field"}},
       [](const Sample& s) { return field_value(s, false); }},
      {{"field_percentile",
        "field",
        "99th percentile (or `share`) over the vertices or faces of a stored field, over another field where "
        "`over` names one",
        {"field", "over", "share"}},
       field_percentile},
      {{"field_spread",
        "field",
        "standard deviation of a stored field of vertices over the rest area",
        {"field"}},
       field_spread},
      {{"field_wavelength", "m", "mean wavelength of a stored field of vertices at rest", {"field"}},
       field_wavelength},
      {{"frame_step", "size", "the furthest a vertex moves since the frame before; 0 at the first"},
       [](const Sample& s) { return ratio(largest_distance(s, s.previous), s.rest.size); }},
      {{"log_area_p05", "1", "5th percentile of ln(area / rest area)"},
       [](const Sample& s) { return log_area_percentile(s, 0.05); }},
      {{"log_area_p50", "1", "median of ln(area / rest area)"},
       [](const Sample& s) { return log_area_percentile(s, 0.50); }},
      {{"log_area_p95", "1", "95th percentile of ln(area / rest area)"},
       [](const Sample& s) { return log_area_percentile(s, 0.95); }},
      {{"log_area_spread", "1", "spread of log area"},
       [](const Sample& s) { return weighted_deviation(s.log_areas(), s.areas); }},
      {{"motion_share",
        "1",
        "how much of the body's sideways motion its skin takes part in, near its top",
        {"axis", "radius", "share"}},
       motion_share},
      {{"not_finite", "coordinates", "how many coordinates are not finite numbers"}, not_finite},
      {{"residual", "1", "how far the method was from its solution when it stopped"},
       [](const Sample& s) { return s.frame.residual; }},
      {{"seam_gap", "size", "the furthest apart that two vertices welded together are"}, seam_gap},
      {{"stroke_angle", "degrees",
        "95th percentile of the angle between strokes and the skin's directions beside them"},
       stroke_angle},
      {{"tensile_strain", "1", "99th percentile (or `share`) of the tensile strain", {"share"}},
       [](const Sample& s) { return strain_percentile(s, tensile_strain); }},
      {{"tensile_roughness", "1", "roughness of the tensile strain"},
       [](const Sample& s) { return strain_roughness(s, tensile_strain); }},
      {{"travel", "size", "the furthest a vertex is from its place at rest"},
       [](const Sample& s) { return ratio(largest_distance(s, s.rest.points()), s.rest.size); }},
      {{"vertex_count", "vertices", "how many vertices the frame has"},
       [](const Sample& s) { return static_cast<double>(s.points.size()); }},
      {{"volume_ratio", "1", "enclosed volume over that at rest; of closed surfaces only"},
       [](const Sample& s) {
         return ratio(enclosed_volume(s.points, s.rest.mesh.triangles),
                      enclosed_volume(s.rest.points(), s.rest.mesh.triangles));
       }},
  };
  return all;
}

const Measure* find_measure(const std::string& name) {
  for (const Measure& m : all_measures())
    if (name == m.info.name) return &m;
  return nullptr;
}

/// Parameters of every measure, and what kind of value each has.
const std::map<std::string, bool> kNumeric = {
    {"of", false},   {"against", false}, {"where", false}, {"region", false}, {"above", true},
    {"axis", false}, {"radius", true},   {"share", true},  {"field", false},  {"over", false}};
const std::vector<std::string> kCommon = {"of", "against", "where", "above", "region"};

/// Vertices of the source where a stored field is above a number, or that lie in a region.
std::vector<char> counted_vertices(const FigureRequest& request, const MeasureRest& rest,
                                   const MeasuredFrame& frame) {
  const std::string where = text(request.with, "where"), region = text(request.with, "region");
  std::vector<char> inside;
  if (!where.empty()) {
    const double above = number(request.with, "above", 0);
    for (double value : to_doubles(frame.fields.at(where))) inside.push_back(value > above);
  }
  if (!region.empty()) {
    const std::vector<char>& in = rest.mesh.regions.at(region);
    if (inside.empty()) inside.assign(in.size(), 1);
    for (std::size_t v = 0; v < in.size(); ++v) inside[v] = inside[v] && in[v];
  }
  return inside;
}

/// A triangle counts when its three corners do.
std::vector<double> counted_areas(const MeasureRest& rest, const std::vector<char>& inside) {
  std::vector<double> areas = rest.areas;
  if (inside.empty()) return areas;
  for (std::size_t t = 0; t < areas.size(); ++t)
    for (std::int32_t v : rest.mesh.triangles[t])
      if (!inside[static_cast<std::size_t>(v)]) areas[t] = 0;
  return areas;
}

/// Plain skinning; empty where it is not stored.
std::vector<Vec3> body_in(const MeasuredFrame& frame) {
  const auto found = frame.fields.find("body");
  return found == frame.fields.end() ? std::vector<Vec3>() : field_vectors(found->second);
}

bool needs_body(const FigureRequest& request) {
  return !text(request.with, "of").empty() || !text(request.with, "against").empty() ||
         request.measure == "motion_share";
}

/// What is wrong with one parameter; empty when it is right.
std::string parameter_mistake(const MeasureInfo& info, const std::string& name,
                              const Parameters::mapped_type& value) {
  std::vector<std::string> known = kCommon;
  known.insert(known.end(), info.with.begin(), info.with.end());
  if (std::find(known.begin(), known.end(), name) == known.end())
    return fmt::format("measure \"{}\" has no parameter \"{}\"; it has {}", info.name, name,
                       fmt::join(known, ", "));
  if (kNumeric.at(name) ? !std::holds_alternative<double>(value)
                        : !std::holds_alternative<std::string>(value))
    return fmt::format("\"{}\" is a {}", name, kNumeric.at(name) ? "number" : "text");
  if ((name == "of" || name == "against") && std::get<std::string>(value) != "body")
    return fmt::format("\"{}\" can only be \"body\": plain skinning", name);
  return "";
}

}  // namespace

std::vector<MeasureInfo> measures() {
  std::vector<MeasureInfo> infos;
  for (const Measure& m : all_measures()) infos.push_back(m.info);
  return infos;
}

const MeasureInfo* measure_info(const std::string& name) {
  const Measure* found = find_measure(name);
  return found ? &found->info : nullptr;
}

MeasureRest::MeasureRest(const ResultMesh& m)
    : mesh(m),
      size(bounding_diagonal(points())),
      areas(triangle_areas(points(), m.triangles)),
      triangles(rest_triangles(points(), m.triangles)) {}

std::vector<std::string> measure_mistakes(const FigureRequest& request, const ResultMesh& mesh,
                                          std::span<const std::string> stored_fields) {
  std::vector<std::string> mistakes;
  const MeasureInfo* info = measure_info(request.measure);
  if (!info) {
    std::vector<std::string> known;
    for (const Measure& m : all_measures()) known.emplace_back(m.info.name);
    const std::string near = nearest_word(request.measure, known);
    return {fmt::format("unknown measure \"{}\"; {}", request.measure,
                        near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                     : fmt::format("did you mean \"{}\"?", near))};
  }
  for (const auto& [name, value] : request.with)
    if (const std::string mistake = parameter_mistake(*info, name, value); !mistake.empty())
      mistakes.push_back(mistake);
  if (!mistakes.empty()) return mistakes;
  const auto stored = [&](const std::string& field, const char* what) {
    if (std::find(stored_fields.begin(), stored_fields.end(), field) == stored_fields.end())
      mistakes.push_back(
          fmt::format("{} needs the field \"{}\" in the frames; add it to output.fields", what, field));
  };
  if (needs_body(request)) stored("body", "a comparison with plain skinning");
  if (const std::string where = text(request.with, "where"); !where.empty()) {
    stored(where, "\"where\"");
    const FieldInfo* field = field_info(where);
    if (field && (field->place != FieldPlace::Vertex || field->components != 1))
      mistakes.push_back(fmt::format("\"where\" needs a field of one number a vertex; \"{}\" is not", where));
  }
  if (request.measure.starts_with("field_")) stored(text(request.with, "field"), "the measure");
  if (const std::string over = text(request.with, "over"); !over.empty()) stored(over, "\"over\"");
  if (const std::string region = text(request.with, "region");
      !region.empty() && !mesh.regions.contains(region))
    mistakes.push_back(fmt::format("no [[skin.region]] is named \"{}\"", region));
  if (request.measure == "direction_turn_p99" && mesh.directions.empty())
    mistakes.emplace_back("the skin has no directions; give skin.direction.langer, .axis or .file");
  if (request.measure == "stroke_angle" && mesh.strokes.empty())
    mistakes.emplace_back(
        "there are no strokes to compare the skin's directions with; give skin.direction.langer, or a file "
        "of strokes");
  if (request.measure == "volume_ratio" && !is_closed(mesh.triangles))
    mistakes.emplace_back(
        "volume_ratio needs a closed surface, and this one is open; measure area_ratio instead");
  return mistakes;
}

bool against_body(const FigureRequest& request) { return !text(request.with, "against").empty(); }

double measure(const FigureRequest& request, const MeasureRest& rest, const MeasuredFrame& frame,
               const MeasuredFrame* previous, MeasuredShape shape) {
  const std::vector<char> inside = counted_vertices(request, rest, frame);
  const std::vector<double> areas = counted_areas(rest, inside);
  const std::vector<Vec3> body = body_in(frame);
  std::vector<Vec3> body_before;
  std::span<const Vec3> now = frame.positions.raw(), before;
  if (previous) before = previous->positions.raw();
  if (shape == MeasuredShape::Body || !text(request.with, "of").empty()) {
    now = body;
    if (previous) body_before = body_in(*previous);
    before = body_before;
  }
  return find_measure(request.measure)
      ->evaluate({rest, now, before, body, inside, areas, frame, request.with});
}

}  // namespace cutis
