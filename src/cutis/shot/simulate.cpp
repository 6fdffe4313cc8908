#include "cutis/shot/simulate.h"

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/shot/export_result.h"
#include "cutis/shot/make_slide.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/open_body.h"

namespace cutis {
namespace {

std::vector<InputFile> hashed(const std::vector<std::filesystem::path>& files) {
  std::vector<InputFile> inputs;
  for (const auto& file : files) inputs.push_back({file.string(), sha256(read_file(file))});
  return inputs;
}

/// What a reader says names its file; what is wrong with a member of the cast stands in the shot itself.
std::unique_ptr<Body> body_of(const Shot& shot) {
  if (!shot.body.make) return open_body(shot.body);
  try {
    return open_body(shot.body);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}body.make: {}", shot.place("body.make"), error.what()));
  }
}

Interval shot_interval(const Shot& shot, const Body& body) {
  const Interval motion = body.duration();
  const Interval interval{shot.time.start.value_or(motion.begin), shot.time.end.value_or(motion.end)};
  if (interval.end < interval.begin)
    throw InputError(fmt::format("{}time.start: the shot begins at {} s and ends before that, at {} s",
                                 shot.place("time.start"), interval.begin, interval.end));
  return interval;
}

std::vector<double> shot_times(const Shot& shot, const Body& body, double fps) {
  const Interval interval = shot_interval(shot, body);
  try {
    return frame_times(interval, fps);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}time: {}", shot.place("time"), error.what()));
  }
}

RunPlan plan_of(const Shot& shot, const Body& body) {
  RunPlan plan;
  const double own_fps = body.frame_rate() > 0 ? body.frame_rate() : 24;
  plan.fps = shot.time.fps.value_or(shot.body.cache_fps.value_or(own_fps));
  plan.times = shot_times(shot, body, plan.fps);
  plan.metres_per_unit = shot.body.scale;
  plan.precision = shot.output.precision;
  plan.storage = shot.output.storage;
  plan.slides_on = slides_on(shot);
  plan.fields = shot.output.fields;
  plan.figures = shot.figure;
  plan.on_failure = shot.solver.on_failure;
  plan.shot = to_toml(shot);
  plan.inputs = hashed(input_files(shot));
  return plan;
}

/// A horse is 3 m across and a finger 0.1 m: far beyond that the file is probably in another unit.
void mention_odd_size(const Shot& shot, const Body& body) {
  const double size = bounding_diagonal(body.source().positions.raw());
  if (shot.written.contains("body.scale") || (size > 0.02 && size < 20)) return;
  log().warn(
      "the body is {:.3g} m across; if its file is not in metres, set body.scale (cutis info guesses it)",
      size);
}

/// Skin slides over a surface.
void check_surface(const Shot& shot, const Body& body) {
  if (shot.skin.method == SkinMethod::None || body.mesh().face_count() > 0) return;
  throw InputError(fmt::format("{}: no face is left once vertices in one place are joined",
                               shot.body.make.value_or(shot.body.file.value_or("").string())));
}

}  // namespace

RunReport simulate(const Shot& shot, const RunOptions& options) {
  method_of(shot);
  for (const std::string& message : unused_keys(shot)) log().warn(message);
  const std::unique_ptr<Body> body = body_of(shot);
  mention_odd_size(shot, *body);
  check_surface(shot, *body);
  const SkinSettings settings(shot, *body);
  const std::unique_ptr<Slide> slide = make_slide(settings);
  RunPlan plan = plan_of(shot, *body);
  plan.regions = region_vertices(settings.regions(), *body);
  plan.directions = settings.directions().field;
  plan.strokes = settings.directions().strokes;
  const RunReport report = run(*body, *slide, plan, options);
  if (report.outcome == RunOutcome::Complete)
    for (const std::string& format : shot.output.formats) export_result(options.out, format);
  return report;
}

}  // namespace cutis
