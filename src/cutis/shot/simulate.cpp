#include "cutis/shot/simulate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cutis/body/anatomy/joint_roles.h"
#include "cutis/body/rig/choose.h"
#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/core/quantity.h"
#include "cutis/run/machine.h"
#include "cutis/run/result.h"
#include "cutis/shot/export_result.h"
#include "cutis/shot/make_slide.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/pipeline.h"
#include "cutis/shot/plausible.h"
#include "cutis/shot/settings/flesh_depth.h"
#include "cutis/shot/settings/wrinkle_settings.h"
#include "cutis/shot/spec/spec.h"
#include "cutis/wrinkle/critical_wavelength.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// After so long skin has forgotten how it began: two runs that began half a second apart agree to a
/// millimetre half a second later.
constexpr double kPreroll = 1;  ///< [s]

constexpr const char* kSettingUp = "while it was set up";

/// What the stage is made from, as its summary records it. An earlier stage is named from the folder of the
/// result, so that both can be moved together.
Summary source_of(const ShotStage& stage) {
  Summary source;
  source.versions = software_versions();
  Shot recorded = stage.shot;
  if (!stage.earlier_stage.empty()) recorded.body.file = stage.earlier_stage;
  source.shot = to_toml(recorded);
  for (const fs::path& file : input_files(stage.shot)) {
    const bool of_earlier_stage = !stage.earlier_stage.empty() && file.parent_path() == stage.shot.body.file;
    const fs::path name = of_earlier_stage ? stage.earlier_stage / file.filename() : file;
    source.inputs.push_back({name.string(), sha256(read_file(file))});
  }
  return source;
}

/// What a reader says names its file; what is wrong with a member of the cast, or with the name of a clip or
/// mesh, stands in the shot itself.
std::unique_ptr<Body> body_of(const Shot& shot) {
  try {
    return open_body(shot.body);
  } catch (const UnknownName& error) {
    const bool of_rest = error.kind == "clip" && error.name != shot.body.clip;
    const std::string key = "body." + (of_rest ? "rest" : error.kind);
    throw InputError(fmt::format("{}{}: {}", shot.place(key), key, error.what()));
  } catch (const InputError& error) {
    if (!shot.body.make) throw;
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

/// At whole frames before the first, as far as the motion goes back.
std::vector<double> preroll_times(const Shot& shot, const Body& body, double first, double fps) {
  if (!shot.flesh.use && !shot.wrinkle.use && !uses(method_of(shot), *find_key("time.preroll"))) return {};
  const double length = std::min(shot.time.preroll.value_or(kPreroll), first - body.duration().begin);
  std::vector<double> times;
  for (int i = static_cast<int>(std::floor(length * fps + 1e-6)); i > 0; --i)
    times.push_back(first - i / fps);
  return times;
}

bool on_result(const Shot& shot) { return shot.body.file && fs::is_directory(*shot.body.file); }

/// A result is in metres, whatever the unit of the file that its own body came from; what is written goes
/// back to that file.
double metres_per_unit_of_result(const Shot& shot) {
  return on_result(shot) ? read_summary(*shot.body.file / kSummaryFile).metres_per_unit : 1;
}

RunPlan plan_of(const Shot& shot, const Body& body, const Summary& source) {
  RunPlan plan;
  const double own_fps = body.frame_rate() > 0 ? body.frame_rate() : 24;
  plan.fps = shot.time.fps.value_or(shot.body.cache_fps.value_or(own_fps));
  plan.times = shot_times(shot, body, plan.fps);
  plan.preroll = preroll_times(shot, body, plan.times.front(), plan.fps);
  plan.metres_per_unit = shot.body.scale * metres_per_unit_of_result(shot);
  plan.precision = shot.output.precision;
  plan.storage = shot.output.storage;
  plan.slides_on = slides_on(shot);
  plan.fields = shot.output.fields;
  plan.layer_meshes = shot.flesh.use ? shot.flesh.lattice_mesh : shot.wrinkle.layer_meshes;
  plan.figures = shot.figure;
  plan.on_failure = shot.solver.on_failure;
  plan.shot = source.shot;
  plan.inputs = source.inputs;
  return plan;
}

/// A body holds still outside its clip, which is easily taken for skin that does not move.
void mention_frames_beyond_clip(const Shot& shot, const Body& body, const RunPlan& plan) {
  const Interval motion = body.duration();
  const auto beyond = std::count_if(plan.times.begin(), plan.times.end(), [&](double time) {
    return time < motion.begin - 0.5 / plan.fps || time > motion.end + 0.5 / plan.fps;
  });
  if (beyond == 0 || !(motion.end > motion.begin)) return;
  const char* key = plan.times.back() > motion.end ? "time.end" : "time.start";
  log().warn(
      "{}{}: {} of {} frames lie beyond the clip, which goes from {:.4g} s to {:.4g} s; the body holds still "
      "there",
      shot.place(key), key, beyond, plan.times.size(), motion.begin, motion.end);
}

/// Skin slides and wrinkles over a surface.
void check_surface(const Shot& shot, const Body& body) {
  const bool plain = shot.skin.method == SkinMethod::None && !shot.flesh.use && !shot.wrinkle.use;
  if (plain || body.mesh().face_count() > 0) return;
  throw InputError(fmt::format("{}: no face is left once vertices in one place are joined",
                               shot.body.make.value_or(shot.body.file.value_or("").string())));
}

/// "lagrangian skin; 31 of 31 joints recognised by name: 2 arms, ..."
std::string skin_words(const Shot& shot, const Body& body) {
  if (shot.flesh.use)
    return fmt::format("flesh of about {} tetrahedra; {}", shot.flesh.tetrahedra,
                       describe_flesh_depth(shot, body));
  if (shot.skin.method == SkinMethod::None) return "plain skinning";
  const auto skeleton = body.skeleton();
  return fmt::format("{} skin; {}", method_of(shot).name,
                     skeleton ? describe_joints(*skeleton) : "the body has no joints");
}

/// What a stage is run with.
struct PreparedStage {
  std::unique_ptr<SubdividedBody> finer;  ///< that a result with wrinkles is given on; else null
  std::vector<Region> regions;            ///< on `finer`
  std::unique_ptr<Slide> slide;
  std::string words;   ///< what it makes
  std::string remedy;  ///< where it does not converge
};

PreparedStage prepared(const SkinSettings& settings) {
  if (!settings.shot().wrinkle.use)
    return {nullptr, {}, make_slide(settings), skin_words(settings.shot(), settings.body()), ""};
  WrinkleOptions options = wrinkle_options(settings);
  PreparedStage stage;
  stage.finer = wrinkled_body(settings, options);
  stage.regions = wrinkled_regions(settings, options, *stage.finer);
  stage.words = "skin that wrinkles: " + describe_layers(options);
  stage.remedy =
      "take smaller steps (wrinkle.load_step, time.fps) or let less of the body wrinkle (wrinkle.region)";
  stage.slide = make_wrinkles(settings, std::move(options), *stage.finer, stage.regions);
  return stage;
}

/// What a shot says of places on the body.
void add_places(const SkinSettings& settings, const PreparedStage& stage, RunPlan& plan) {
  if (stage.finer) {
    plan.regions = region_vertices(stage.regions, *stage.finer);
    return;
  }
  plan.regions = region_vertices(settings.regions(), settings.body());
  plan.directions = settings.directions().field;
  plan.strokes = settings.directions().strokes;
}

/// What is known of the stages below when the last one runs.
struct Below {
  std::vector<EarlierStage> stages;
  std::vector<PartLag> lag;  ///< of flesh
};

RunReport run_stage(const Shot& shot, const Summary& source, const RunOptions& options, const Below& below) {
  forget_peak_memory();
  for (const std::string& message : unused_keys(shot)) log().warn(message);
  const std::unique_ptr<Body> body = body_of(shot);
  for (const std::string& question : unusual_sizes(shot, *body)) log().warn(question);
  check_surface(shot, *body);
  const SkinSettings settings(shot, *body);
  const PreparedStage stage = prepared(settings);
  RunPlan plan = plan_of(shot, *body, source);
  plan.made = stage.words;
  plan.remedy = stage.remedy;
  plan.is_flesh = shot.flesh.use;
  plan.lag = below.lag;
  plan.below = below.stages;
  const Stillness still = stillness(shot, *body, plan.times);
  plan.still = still.words;
  plan.still_despite_clip = still.despite_clip;
  if (!plan.still.empty()) log().warn(plan.still);
  mention_frames_beyond_clip(shot, *body, plan);
  add_places(settings, stage, plan);
  return run(stage.finer ? *stage.finer : *body, *stage.slide, plan, options);
}

/// What the frames that a stage has written are good for.
struct StoredFrames {
  bool whole = false;   ///< all there: nothing is to be run
  bool usable = false;  ///< they can be gone on with
};

StoredFrames stored_frames(const ShotStage& stage, const Summary& source) {
  if (!is_result(stage.out)) return {};
  const std::string changed = source_difference(read_summary(stage.out / kSummaryFile), source);
  if (!changed.empty()) {
    log().info("stage {}: begins again: {}", stage.name, changed);
    return {};
  }
  return {is_whole(stage.out), true};
}

/// Sees to it that the result of a stage before the last one is there.
RunReport ensure_stage(const ShotStage& stage, const RunOptions& options) {
  const Summary source = source_of(stage);
  const StoredFrames stored = stored_frames(stage, source);
  if (stored.whole) {
    log().info("stage {}: nothing changed, so its frames are used again", stage.name);
    return {};
  }
  RunOptions own = options;
  own.out = stage.out;
  own.resume = stored.usable;
  if (options.progress)
    own.progress = [&](Progress progress) {
      progress.stage = stage.name;
      options.progress(progress);
    };
  RunReport report = run_stage(stage.shot, source, own, {{}, {}});
  report.stage = stage.name;
  for (const Figure& figure : report.figures)
    if (!figure.holds) log().warn("stage {}: the figure \"{}\" does not hold", stage.name, figure.name);
  return report;
}

/// All stages, the last one with its exports. The report is complete as far as it came where it is left by
/// an exception.
void run_stages(const Shot& shot, const RunOptions& options, RunReport& report) {
  std::vector<ShotStage> stages = stages_of(shot, options.out);
  for (const ShotStage& stage : stages) method_of(stage.shot);
  check_free(options.out);
  const ShotStage last = std::move(stages.back());
  stages.pop_back();
  Below below;
  for (const ShotStage& stage : stages) {
    report = {};
    report.stage = stage.name;
    report.reason = kSettingUp;
    report = ensure_stage(stage, options);
    if (report.outcome != RunOutcome::Complete) return;
    const Summary summary = read_summary(stage.out / kSummaryFile);
    if (stage.shot.flesh.use) below.lag = summary.lag;
    below.stages.push_back(as_earlier_stage(stage.name, summary));
  }
  report = {};
  report.reason = kSettingUp;
  report = run_stage(last.shot, source_of(last), options, below);
  if (report.outcome != RunOutcome::Complete) return;
  for (const std::string& format : shot.output.formats) {
    report.reason = fmt::format("while {} was written", format);
    export_result(options.out, format);
  }
  report.reason.clear();
}

}  // namespace

RunReport simulate(const Shot& shot, const RunOptions& options) {
  RunReport report;
  report.reason = kSettingUp;
  try {
    const CancellationScope scope(options.stop);
    run_stages(shot, options, report);
  } catch (const Cancelled& cancelled) {
    report.outcome = RunOutcome::Stopped;
    report.reason = fmt::format("{} {}", cancelled.what(), report.reason);
  }
  return report;
}

}  // namespace cutis
