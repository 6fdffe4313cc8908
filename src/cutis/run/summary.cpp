#include "cutis/run/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/one_line.h"
#include "cutis/core/words.h"
#include "cutis/io/gltf/json_depth.h"
#include "cutis/io/json_words.h"

namespace cutis {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "cutis result 1";
constexpr int deepest = 20;  ///< nesting; a summary has four levels

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<double>(json.get<double>());
}

template <class T>
T whole_number(const Json& json, const char* name, T least) {
  const Json& value = json.at(name);
  // Read as a fraction, a number past the range of T would be undefined behaviour.
  if (!value.is_number_integer() || value > std::numeric_limits<T>::max() || value < least)
    throw InputError(fmt::format("{} is not a whole number from {}", name, least));
  return value;
}

Json parameters_json(const Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters)
    json[name] = std::visit([](const auto& v) { return Json(v); }, value);
  return json;
}

Parameters parameters_from(const Json& json) {
  Parameters parameters;
  for (const auto& [name, value] : json.items())
    if (value.is_boolean())
      parameters[name] = value.get<bool>();
    else if (value.is_number())
      parameters[name] = value.get<double>();
    else
      parameters[name] = value.get<std::string>();
  return parameters;
}

Json figure_json(const Figure& f) {
  Json bound = nullptr;
  if (f.at_least || f.at_most)
    bound = {{"at_least", number_or_null(f.at_least)}, {"at_most", number_or_null(f.at_most)}};
  // JSON has no word for a number that is not finite; null stands for it, and never holds.
  const Json value = std::isfinite(f.value) ? Json(f.value) : Json(nullptr);
  return {{"name", f.name}, {"measure", f.measure}, {"frames", f.frames}, {"value", value},
          {"unit", f.unit}, {"bound", bound},       {"holds", f.holds},   {"with", parameters_json(f.with)}};
}

Figure figure_from(const Json& json) {
  Figure f;
  f.name = json.at("name");
  f.measure = json.at("measure");
  f.frames = json.at("frames");
  f.value = optional_number(json.at("value")).value_or(std::numeric_limits<double>::quiet_NaN());
  f.unit = json.at("unit");
  f.holds = json.at("holds");
  f.with = parameters_from(json.value("with", Json::object()));
  const Json& bound = json.at("bound");
  if (!bound.is_null()) {
    f.at_least = optional_number(bound.at("at_least"));
    f.at_most = optional_number(bound.at("at_most"));
  }
  return f;
}

Json unconverged_json(const UnconvergedFrame& f) {
  return {{"frame", f.frame}, {"residual", f.residual}, {"reason", f.reason}};
}

UnconvergedFrame unconverged_from(const Json& json) {
  return {whole_number(json, "frame", 1), json.at("residual"), json.at("reason")};
}

Json folded_json(const FoldedFrame& f) {
  Json places = Json::array();
  for (const Vec3& p : f.places) places.push_back({p.x(), p.y(), p.z()});
  return {{"frame", f.frame}, {"triangles", f.triangles}, {"places", places}};
}

FoldedFrame folded_from(const Json& json) {
  FoldedFrame f{whole_number(json, "frame", 1), whole_number(json, "triangles", 1), {}};
  for (const Json& p : json.at("places")) f.places.emplace_back(p.at(0), p.at(1), p.at(2));
  return f;
}

/// "1-3, 7"; of many runs of frames the first ones, and how many frames more.
template <class Frame>
std::string frame_ranges(const std::vector<Frame>& frames) {
  constexpr std::size_t kMostRanges = 8;  ///< that one line can name
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < frames.size();) {
    std::size_t end = i + 1;
    while (end < frames.size() && frames[end].frame == frames[end - 1].frame + 1) ++end;
    if (ranges.size() == kMostRanges) {
      return fmt::format("{} and {} more", fmt::join(ranges, ", "), frames.size() - i);
    }
    ranges.push_back(end - i == 1 ? fmt::format("{}", frames[i].frame)
                                  : fmt::format("{}-{}", frames[i].frame, frames[end - 1].frame));
    i = end;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

Json timings_json(const std::vector<std::pair<std::string, double>>& phases, const FrameTimes& frames) {
  Json stages = Json::object();
  for (const auto& [phase, seconds] : phases) stages[phase] = seconds;
  return {{"unit", "s"},
          {"stages", stages},
          {"frame",
           {{"count", frames.count},
            {"total", frames.total},
            {"mean", frames.mean()},
            {"shortest", frames.shortest},
            {"longest", frames.longest}}}};
}

void read_timings(const Json& json, std::vector<std::pair<std::string, double>>& phases, FrameTimes& frames) {
  for (const auto& [phase, seconds] : json.at("stages").items()) phases.emplace_back(phase, seconds);
  const Json& frame = json.at("frame");
  frames = {whole_number(frame, "count", 0), frame.at("total"), frame.at("shortest"), frame.at("longest")};
}

/// By what was done, each with its frames: [number, elements, largest effect].
Json notes_json(const std::vector<FrameNote>& notes) {
  Json json = Json::object();
  for (const auto& [frame, note] : notes) {
    Json& of = json[note.what];
    if (of.is_null()) of = {{"unit", note.unit}, {"frames", Json::array()}};
    of["frames"].push_back({frame, note.count, note.largest});
  }
  return json;
}

std::vector<FrameNote> notes_from(const Json& json) {
  std::vector<FrameNote> notes;
  for (const auto& [what, of] : json.items())
    for (const Json& frame : of.at("frames"))
      notes.push_back({frame.at(0).get<int>(),
                       {what, frame.at(1).get<std::size_t>(), frame.at(2).get<double>(), of.at("unit")}});
  std::ranges::stable_sort(notes, {}, &FrameNote::frame);
  return notes;
}

Json earlier_json(const EarlierStage& stage) {
  Json folded = Json::array();
  for (const FoldedFrame& f : stage.folded) folded.push_back(folded_json(f));
  return {{"stage", stage.name},
          {"frames", stage.frames},
          {"unconverged", stage.unconverged},
          {"folded", folded},
          {"notes", notes_json(stage.notes)},
          {"timings", timings_json(stage.seconds, stage.frame_times)},
          {"peak_memory_bytes", stage.peak_memory}};
}

EarlierStage earlier_from(const Json& json) {
  EarlierStage stage;
  stage.name = json.at("stage");
  stage.frames = whole_number(json, "frames", 0);
  stage.unconverged = whole_number(json, "unconverged", 0);
  for (const Json& frame : json.at("folded")) stage.folded.push_back(folded_from(frame));
  stage.notes = notes_from(json.at("notes"));
  read_timings(json.at("timings"), stage.seconds, stage.frame_times);
  stage.peak_memory = whole_number<decltype(stage.peak_memory)>(json, "peak_memory_bytes", 0);
  return stage;
}

Summary summary_from(const Json& json) {
  Summary s;
  for (const auto& [name, version] : json.at("versions").items()) s.versions.emplace_back(name, version);
  s.shot = json.at("shot");
  for (const Json& input : json.at("inputs")) s.inputs.push_back({input.at("name"), input.at("sha256")});
  const Json& machine = json.at("machine");
  s.machine = {machine.at("cpu"), whole_number(machine, "cores", 0), whole_number(machine, "threads", 0)};
  s.fps = json.at("fps");
  if (!(s.fps > 0)) throw InputError("fps is not above zero");
  s.metres_per_unit = json.at("metres_per_unit");
  if (!(s.metres_per_unit > 0)) throw InputError("metres_per_unit is not above zero");
  s.precision = json.at("precision") == "float32" ? FramePrecision::Float32 : FramePrecision::Float64;
  s.storage = json.value("storage", "positions") == "map" ? FrameStorage::Map : FrameStorage::Positions;
  const std::string surface = json.value("surface", "polygon");
  s.slides_on = surface == "cage" ? SlidesOn::Cage : surface == "limit" ? SlidesOn::Limit : SlidesOn::Polygon;
  s.frames = whole_number(json, "frames", 0);
  s.times = json.at("times").get<std::vector<double>>();
  if (s.times.size() != static_cast<std::size_t>(s.frames)) throw InputError("it has not one time a frame");
  s.frames_written = whole_number(json, "frames_written", 0);
  s.made = json.value("made", "");  // not in results of earlier versions, as what follows
  s.remedy = json.value("remedy", "");
  s.complete = json.at("complete");
  s.stopped = json.at("stopped");
  for (const Json& frame : json.value("unconverged", Json::array()))
    s.unconverged.push_back(unconverged_from(frame));
  for (const Json& frame : json.value("folded", Json::array())) s.folded.push_back(folded_from(frame));
  s.notes = notes_from(json.value("notes", Json::object()));
  for (const Json& stage : json.value("earlier_stages", Json::array()))
    s.below.push_back(earlier_from(stage));
  s.still = json.value("still", "");
  read_timings(json.at("timings"), s.stages, s.frame_times);
  s.peak_memory = whole_number<decltype(s.peak_memory)>(json, "peak_memory_bytes", 0);
  const Json lags = json.value("lag", Json::object());
  for (const auto& [part, lag] : lags.items())
    s.lag.push_back({part, 1e-3 * lag.at("p99_mm").get<double>(), 1e-3 * lag.at("largest_mm").get<double>()});
  for (const Json& figure : json.at("figures")) s.figures.push_back(figure_from(figure));
  return s;
}

std::string first_changed_line(const std::string& before, const std::string& now) {
  std::istringstream a(before), b(now);
  for (int line = 1;; ++line) {
    std::string x, y;
    const bool more_a = static_cast<bool>(std::getline(a, x)), more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return "only in its line ends";
    if (more_a != more_b || x != y)
      return fmt::format("line {} was \"{}\" and is \"{}\"", line, more_a ? x : "", more_b ? y : "");
  }
}

std::string version_of(const Summary& s, const std::string& name) {
  for (const auto& [key, version] : s.versions)
    if (key == name) return version;
  return "unknown";
}

std::string changed_input(const Summary& before, const Summary& now) {
  for (const InputFile& input : now.inputs)
    if (std::find(before.inputs.begin(), before.inputs.end(), input) == before.inputs.end())
      return fmt::format("the input {} changed", input.name);
  return before.inputs.size() != now.inputs.size() ? "the list of inputs changed" : "";
}

}  // namespace

void FrameTimes::add(double seconds) {
  shortest = count == 0 ? seconds : std::min(shortest, seconds);
  longest = std::max(longest, seconds);
  total += seconds;
  ++count;
}

std::string to_json(const Summary& s) {
  Json json = {{"format", kFormat}};
  json["made"] = s.made;
  if (!s.remedy.empty()) json["remedy"] = s.remedy;
  json["complete"] = s.complete;
  json["stopped"] = s.stopped;
  json["frames"] = s.frames;
  json["frames_written"] = s.frames_written;
  json["fps"] = s.fps;
  json["times"] = s.times;
  json["metres_per_unit"] = s.metres_per_unit;
  json["precision"] = s.precision == FramePrecision::Float32 ? "float32" : "float64";
  json["storage"] = s.storage == FrameStorage::Map ? "map" : "positions";
  json["surface"] = s.slides_on == SlidesOn::Cage    ? "cage"
                    : s.slides_on == SlidesOn::Limit ? "limit"
                                                     : "polygon";
  json["unconverged"] = Json::array();
  for (const UnconvergedFrame& f : s.unconverged) json["unconverged"].push_back(unconverged_json(f));
  json["folded"] = Json::array();
  for (const FoldedFrame& f : s.folded) json["folded"].push_back(folded_json(f));
  if (!s.notes.empty()) json["notes"] = notes_json(s.notes);
  if (!s.still.empty()) json["still"] = s.still;
  json["warning"] = fmt::format("{}", fmt::join(warnings(s), "; "));
  if (!s.lag.empty()) json["lag"] = Json::object();
  for (const PartLag& lag : s.lag)
    json["lag"][lag.part] = {{"p99_mm", 1000 * lag.percentile}, {"largest_mm", 1000 * lag.largest}};
  json["figures"] = Json::array();
  for (const Figure& f : s.figures) json["figures"].push_back(figure_json(f));
  json["versions"] = Json::object();
  for (const auto& [name, version] : s.versions) json["versions"][name] = version;
  json["machine"] = {{"cpu", s.machine.cpu}, {"cores", s.machine.cores}, {"threads", s.machine.threads}};
  json["timings"] = timings_json(s.stages, s.frame_times);
  json["peak_memory_bytes"] = s.peak_memory;
  if (!s.below.empty()) json["earlier_stages"] = Json::array();
  for (const EarlierStage& stage : s.below) json["earlier_stages"].push_back(earlier_json(stage));
  json["inputs"] = Json::array();
  for (const InputFile& input : s.inputs)
    json["inputs"].push_back({{"name", input.name}, {"sha256", input.sha256}});
  json["shot"] = s.shot;
  // File names need not be UTF-8; what is not becomes a replacement sign instead of an exception.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Summary read_summary(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  const auto refuse = [&](const char* why) -> Summary {
    throw InputError(
        fmt::format("{}: is not the summary of a Cutis result: {}", path.string(), one_line(why)));
  };
  try {
    if (json_nests_deeper({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, deepest))
      throw InputError(fmt::format("it is nested more than {} levels deep", deepest));
    const Json json = Json::parse(bytes.begin(), bytes.end());
    const Json& format = json.at("format");
    if (format != kFormat)
      throw InputError(fmt::format("its format is {}, this program reads \"{}\"",
                                   format.is_string() ? format.get<std::string>() : "no word", kFormat));
    return summary_from(json);
  } catch (const Json::exception& error) {
    return refuse(json_words(error.what()).c_str());
  } catch (const InputError& error) {
    return refuse(error.what());
  }
}

std::string unconverged_words(const Summary& s) {
  constexpr const char* kRemedy =
      "take smaller steps (solver.substeps, time.fps), more iterations (solver.max_iterations) or a larger "
      "solver.tolerance";
  if (s.unconverged.empty()) return "";
  const auto worst = std::max_element(
      s.unconverged.begin(), s.unconverged.end(),
      [](const UnconvergedFrame& a, const UnconvergedFrame& b) { return a.residual < b.residual; });
  return fmt::format(
      "{} of {} did not converge: {} (largest residual {:.3g}, in frame {}: {}); {}; "
      "solver.on_failure = \"stop\" ends the run at the first",
      s.unconverged.size(), counted(s.frames, "frame"), frame_ranges(s.unconverged), worst->residual,
      worst->frame, worst->reason, s.remedy.empty() ? kRemedy : s.remedy);
}

std::optional<FoldedFrame> folded_frame(int frame, const std::vector<Vec3>& folded) {
  constexpr std::size_t kMostPlaces = 5;  ///< enough to find them by; folded triangles lie close together
  if (folded.empty()) return std::nullopt;
  const auto end = folded.begin() + static_cast<std::ptrdiff_t>(std::min(folded.size(), kMostPlaces));
  return FoldedFrame{frame, static_cast<int>(folded.size()), {folded.begin(), end}};
}

std::string folded_words(const Summary& s) {
  if (s.folded.empty()) return "";
  const auto worst =
      std::max_element(s.folded.begin(), s.folded.end(),
                       [](const FoldedFrame& a, const FoldedFrame& b) { return a.triangles < b.triangles; });
  const Vec3 at = worst->places.empty() ? Vec3(Vec3::Zero()) : worst->places.front();
  return fmt::format(
      "{} of {} have folded triangles: {} (most in frame {}: {}, near {:.3f} {:.3f} {:.3f} m at "
      "rest); "
      "a patch whose border bends less, or without the hole next to them, avoids it",
      s.folded.size(), counted(s.frames, "frame"), frame_ranges(s.folded), worst->frame, worst->triangles,
      at.x(), at.y(), at.z());
}

std::vector<std::string> note_words(const std::vector<FrameNote>& notes, int frames) {
  struct Sum {
    std::string what;
    std::vector<FrameNote> of;
    double largest = 0;
  };
  std::vector<Sum> sums;  // in the order in which they first were noted
  for (const FrameNote& note : notes) {
    auto sum = std::ranges::find(sums, note.note.what, &Sum::what);
    if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{note.note.what, {}, 0});
    sum->of.push_back(note);
    sum->largest = std::max(sum->largest, note.note.largest);
  }
  std::vector<std::string> lines;
  for (const Sum& sum : sums) {
    const FrameNote& most =
        *std::ranges::max_element(sum.of, {}, [](const FrameNote& note) { return note.note.count; });
    const std::string effect =
        most.note.unit.empty() ? "" : fmt::format(", by up to {:.3g} {}", sum.largest, most.note.unit);
    lines.push_back(fmt::format("{}: in {} of {}, at most {} (in frame {}){}", sum.what, sum.of.size(),
                                counted(frames, "frame"), most.note.count, most.frame, effect));
  }
  return lines;
}

EarlierStage as_earlier_stage(const std::string& name, const Summary& s) {
  return {name,     s.stages, s.frame_times, s.peak_memory, s.frames, static_cast<int>(s.unconverged.size()),
          s.folded, s.notes};
}

std::string cost_words(const EarlierStage& stage) {
  double frames = 0, rest = 0;
  for (const auto& [phase, seconds] : stage.seconds)
    (phase == "slide" || phase == "fields" || phase == "write" ? frames : rest) += seconds;
  return fmt::format("{} in {:.3g} s, the rest in {:.3g} s, {:.0f} MB",
                     counted(stage.frame_times.count, "frame"), frames, rest,
                     static_cast<double>(stage.peak_memory) / 1e6);
}

std::vector<std::string> warnings(const Summary& s) {
  std::vector<std::string> all = {s.still, unconverged_words(s), folded_words(s)};
  std::erase(all, "");
  return all;
}

std::string source_difference(const Summary& before, const Summary& asked) {
  // As it would come back from a file, so that text which JSON cannot hold makes no difference.
  const Summary now = summary_from(Json::parse(to_json(asked)));
  if (before.shot != now.shot) return "the shot changed: " + first_changed_line(before.shot, now.shot);
  if (const std::string input = changed_input(before, now); !input.empty()) return input;
  if (const auto a = version_of(before, "cutis"), b = version_of(now, "cutis"); a != b)
    return fmt::format("the version of cutis changed from {} to {}", a, b);
  return "";
}

std::string difference(const Summary& before, const Summary& now) {
  if (const std::string source = source_difference(before, now); !source.empty()) return source;
  if (before.frames != now.frames)
    return fmt::format("the number of frames changed from {} to {}", before.frames, now.frames);
  if (before.times != now.times) return "the times of the frames changed";
  if (before.fps != now.fps)
    return fmt::format("the frames a second changed from {} to {}", before.fps, now.fps);
  if (before.precision != now.precision) return "the precision of the frames changed";
  if (before.storage != now.storage) return "what the frames store changed";
  if (before.slides_on != now.slides_on) return "the surface that the skin slides on changed";
  return "";
}

}  // namespace cutis
