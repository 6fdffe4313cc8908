#include "cutis/run/runner.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/words.h"
#include "cutis/measure/fields.h"
#include "cutis/run/field_array.h"
#include "cutis/run/layer_mesh_writer.h"
#include "cutis/run/machine.h"
#include "cutis/run/result.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

constexpr int kMostFrames = 999999;  ///< that six digits can name
/// How far the method's positions may be from where its map puts them, over the size of the body. What
/// quantising the map takes comes on top: how far that moves a point the smooth surface alone tells.
constexpr double kMapRounding = 1e-9;

/// Further than this from where the body has a vertex, over the size of the body, is not skin or flesh of it
/// any more, whatever its solver says: a limb's length of lag is far below.
constexpr double kFurthestFromBody = 1;

/// Seconds since it was made or last asked.
class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Summary planned_summary(const RunPlan& plan) {
  Summary s;
  s.versions = software_versions();
  s.shot = plan.shot;
  s.inputs = plan.inputs;
  s.machine = this_machine();
  s.fps = plan.fps;
  s.metres_per_unit = plan.metres_per_unit;
  s.precision = plan.precision;
  s.storage = plan.storage;
  s.slides_on = plan.slides_on;
  s.frames = static_cast<int>(plan.times.size());
  s.times = plan.times;
  s.made = plan.made;
  s.remedy = plan.remedy;
  s.still = plan.still;
  s.below = plan.below;
  s.stopped = "still running, or ended without a word";
  return s;
}

bool any_needs(const std::vector<std::string>& fields, FieldNeeds what) {
  return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
    const FieldInfo* info = field_info(field);
    return info && info->needs == what;
  });
}

bool is_flesh(const Slide& slide) { return !slide.flesh_strain().phase.empty(); }

/// What fields can be computed from, of this slide on this body.
std::vector<FieldNeeds> field_sources(const Body& body, const Slide& slide, const SkinState& skin) {
  std::vector<FieldNeeds> has = {FieldNeeds::Nothing, FieldNeeds::Body, FieldNeeds::Below};
  if (skin.map) has.insert(has.end(), {FieldNeeds::Map, FieldNeeds::Placed});
  if (!slide.slide_limits().empty()) has.push_back(FieldNeeds::Limits);
  if (is_flesh(slide)) has.push_back(FieldNeeds::Flesh);
  if (is_flesh(slide) || body.animation(body.duration().begin)) has.push_back(FieldNeeds::FleshSurface);
  if (slide.tissue()) has.insert(has.end(), {FieldNeeds::Elastic, FieldNeeds::Stress});
  return has;
}

/// Skin slides, but not where a vertex has no face.
void check_mappable(const Body& body) {
  if (const auto v = unmappable_vertex(*body.surface()))
    throw InputError(
        fmt::format("vertex {} has no face, so there is no map of the skin on the body; remove it, or do "
                    "without output.storage = \"map\" and the field \"slide\"",
                    body.weld().representative[*v].value));
}

void check_plan(const RunPlan& plan, const ResultMesh& mesh, const Body& body, const Slide& slide) {
  if (plan.times.empty()) throw InputError("the shot has no frames; give it a longer stretch of time");
  for (std::size_t i = 0; i < plan.times.size(); ++i)
    if (!std::isfinite(plan.times[i]) || (i > 0 && plan.times[i] <= plan.times[i - 1]))
      throw InputError(
          fmt::format("frame {} is at {} s, which is not after the frame before; frames go forwards", i + 1,
                      plan.times[i]));
  assert(std::ranges::is_sorted(plan.preroll));
  assert(plan.preroll.empty() || plan.preroll.back() < plan.times.front());
  auto mistakes = figure_mistakes(plan.figures, mesh, plan.fields, static_cast<int>(plan.times.size()));
  const bool stores_map = plan.storage == FrameStorage::Map;
  const bool asks =
      stores_map || any_needs(plan.fields, FieldNeeds::Map) || any_needs(plan.fields, FieldNeeds::Placed);
  const SkinState skin = asks ? slide.skin() : SkinState();
  if (asks && !skin.map) check_mappable(body);
  const auto wrong_fields = field_mistakes(plan.fields, field_sources(body, slide, skin));
  mistakes.insert(mistakes.end(), wrong_fields.begin(), wrong_fields.end());
  if (stores_map && (!skin.map || !skin.offsets.empty()))
    mistakes.emplace_back(
        "output.storage: \"map\" needs skin that slides over its body, and this method's leaves it; store "
        "\"positions\"");
  if (skin.map)
    if (const std::string why = map_defect(*skin.map, mesh); !why.empty())
      mistakes.push_back(fmt::format("output.storage: {}; store \"positions\"", why));
  if (!mistakes.empty()) throw InputError(mistakes);
}

/// Why the slide's positions cannot be written; empty when they can.
std::string defect(const SourcePoints& positions, const SourcePoints& velocities, const SourceMesh& source) {
  if (positions.size() != source.vertex_count())
    return fmt::format("the skin has {} vertices where the body has {}", positions.size(),
                       source.vertex_count());
  for (SourceVertexId v : ids<SourceVertexId>(positions.size())) {
    const Vec3& p = positions[v];
    if (!is_place(p))
      return fmt::format("vertex {} is at ({}, {}, {}), which is no place", v.value, p.x(), p.y(), p.z());
  }
  if (!velocities.empty() && velocities.size() != positions.size())
    return fmt::format("the skin has {} velocities for {} vertices", velocities.size(), positions.size());
  for (SourceVertexId v : ids<SourceVertexId>(velocities.size()))
    if (!is_place(velocities[v])) return fmt::format("vertex {} has a velocity that is no number", v.value);
  return "";
}

/// The report of a step that leads to these positions: not converged where a vertex is too far from the body.
StepReport bounded(StepReport step, const SourcePoints& positions, const SourcePoints& body) {
  if (!step.converged || positions.size() != body.size()) return step;
  const double most = kFurthestFromBody * bounding_diagonal(body.raw());
  double furthest = most;
  for (SourceVertexId v : ids<SourceVertexId>(positions.size())) {
    const double away = (positions[v] - body[v]).norm();
    if (!(away > furthest)) continue;
    furthest = away;
    step.converged = false;
    step.reason =
        fmt::format("vertex {} is {:.3g} m from where the body has it, and the body is {:.3g} m across",
                    v.value, away, most / kFurthestFromBody);
  }
  return step;
}

/// Whether the positions where a map puts the skin are the slide's; else which are not.
std::string map_error(const SourcePoints& mapped, const SourcePoints& slide, const SourcePoints& body) {
  const double size = bounding_diagonal(body.raw());
  for (SourceVertexId v : ids<SourceVertexId>(slide.size()))
    if (const double off = (mapped[v] - slide[v]).norm(); !(off <= kMapRounding * size))
      return fmt::format(
          "vertex {} is {:.3g} m from where its map puts it; use output.storage = \"positions\"", v.value,
          off);
  return "";
}

/// One session of a run: from where the writer stands to the end, or to what stops it.
class Session {
 public:
  Session(const Body& body, Slide& slide, const RunPlan& plan, const RunOptions& options)
      : body_(body), slide_(slide), plan_(plan), options_(options), summary_(planned_summary(plan)) {
    mesh_.regions = plan.regions;
    mesh_.directions = plan.directions;
    mesh_.strokes = plan.strokes;
  }

  RunReport run() {
    check_plan(plan_, mesh_, body_, slide_);
    ResultWriter writer(options_.out, mesh_, summary_,
                        options_.resume ? ResultWriter::Start::Resume : ResultWriter::Start::Fresh);
    if (writer.frames() > 0) {
      slide_.restore(writer.saved_state());
      summary_.unconverged = writer.unconverged();
      summary_.folded = writer.folded();
      summary_.notes = writer.notes();
      log().info("going on after frame {} of {}", writer.frames(), plan_.times.size());
    }
    setting_up_ = clock_.lap();
    try {
      const CancellationScope scope(options_.stop);
      go_through(writer);
    } catch (const Cancelled&) {
      end(RunOutcome::Stopped, fmt::format("stopped as asked {}", doing_));
    } catch (const std::exception& error) {
      say_why(writer, error.what());
      throw;
    }
    finish(writer);
    return report_;
  }

 private:
  void go_through(ResultWriter& writer) {
    if (writer.frames() == 0 && !go_through_preroll()) return;
    if (!go_through_frames(writer)) return;
    doing_ = "while the figures were measured";
    check_cancelled();
    measure();
  }

  /// Whether it came to the first frame.
  bool go_through_preroll() {
    if (plan_.preroll.empty()) return true;
    log().info("before the first frame the run goes through {}, unseen (time.preroll)",
               counted(plan_.preroll.size(), "frame"));
    doing_ = "before the first frame";
    for (const double time : plan_.preroll) {
      check_cancelled();
      const StepReport step = slide_.advance(time);
      if (ends_run(step)) {
        end(RunOutcome::Failed,
            fmt::format("before the first frame ({:.6g} s): {}", time, why_unconverged(step)));
        return false;
      }
    }
    prerolling_ = clock_.lap();
    return true;
  }

  /// Whether it came to the last frame.
  bool go_through_frames(ResultWriter& writer) {
    const int frames = static_cast<int>(plan_.times.size());
    while (writer.frames() < frames) {
      const int number = writer.frames() + 1;
      doing_ = fmt::format("in frame {} of {}", number, frames);
      check_cancelled();
      if (!make_frame(number, writer)) return false;
      tell(number, frames);
    }
    return true;
  }

  bool make_frame(int number, ResultWriter& writer) {
    const double time = plan_.times[static_cast<std::size_t>(number - 1)];
    Clock frame_clock;
    const bool places = any_needs(plan_.fields, FieldNeeds::Placed);
    if (places && number > 1 && !map_before_) map_before_ = slide_.skin().map;  // in a resumed run
    const SourcePoints body = body_.source_positions(time);
    const StepReport step = bounded(slide_.advance(time), slide_.positions(), body);
    advancing_ += clock_.lap();
    ResultFrame frame{{number, time, slide_.positions(), {}, step.residual, step.barrier}, {}};
    frame.velocities = slide_.velocities();
    std::string why =
        ends_run(step) ? why_unconverged(step) : defect(frame.positions, frame.velocities, body_.source());
    if (!why.empty()) return fail(number, time, why);
    if (is_flesh_) frame.animation = body_.animation(time).value_or(body);
    if (mesh_.skeleton) {
      frame.joints = body_.joint_transforms(time);
      frame.joint_velocities = body_.joint_velocities(time);
    }
    // Of the time before the first frame the result knows nothing.
    if (number > 1) why = add_samples(frame);
    if (!why.empty()) return fail(number, time, why);
    const SkinState skin = needs_skin_ ? slide_.skin() : SkinState();
    if (plan_.storage == FrameStorage::Map) why = put_on_body(frame, body, skin.map.value());
    if (!why.empty()) return fail(number, time, why);
    add_fields(frame, body, skin);
    if (places) map_before_ = skin.map;
    fields_seconds_ += clock_.lap();
    const CancellationScope uninterrupted(nullptr);  // what is computed is written
    note_flaws(number, step, writer);
    if (layer_meshes_.writes()) layer_meshes_.write(slide_.layer_meshes(), number);
    writer.write_frame(frame, slide_.save());
    writing_ += clock_.lap();
    last_seconds_ = frame_clock.lap();
    summary_.frame_times.add(last_seconds_);
    return true;
  }

  /// Says why not where they cannot be written.
  std::string add_samples(ResultFrame& frame) {
    for (SurfaceSample& sample : slide_.samples()) {
      const std::string why = defect(sample.positions, sample.velocities, body_.source());
      if (!why.empty()) return why;
      const double time = sample.time;
      frame.samples.push_back(
          {std::move(sample), body_.joint_transforms(time), body_.joint_velocities(time)});
    }
    return "";
  }

  bool ends_run(const StepReport& step) const {
    return !step.converged && (plan_.on_failure == OnFailure::Stop || !std::isfinite(step.residual));
  }

  static std::string why_unconverged(const StepReport& step) {
    return fmt::format("the step did not converge after {} iterations: {}", step.iterations, step.reason);
  }

  /// Written before the frame itself: after a kill between the two the summary names a frame that is made
  /// again, but never misses one.
  void note_flaws(int number, const StepReport& step, ResultWriter& writer) {
    const std::optional<FoldedFrame> folded = folded_frame(number, step.folded);
    for (const StepNote& note : step.notes) summary_.notes.push_back({number, note});
    if (step.converged && !folded && step.notes.empty()) return;
    if (!step.converged && !std::exchange(warned_, true))
      log().warn("frame {} did not converge: {}; it is written all the same, and the run goes on", number,
                 step.reason);
    if (!step.converged) summary_.unconverged.push_back({number, step.residual, step.reason});
    if (folded) summary_.folded.push_back(*folded);
    summary_.frames_written = writer.frames();
    writer.write_summary(summary_);
  }

  bool fail(int number, double time, const std::string& why) {
    end(RunOutcome::Failed, fmt::format("frame {} ({:.6g} s): {}", number, time, why));
    return false;
  }

  /// Gives the frame its map, and the positions that follow from it; says why not where that cannot be.
  std::string put_on_body(ResultFrame& frame, const SourcePoints& body, const SurfaceMap& map) {
    if (std::string why = map_defect(map, mesh_); !why.empty()) return why;
    frame.map = {quantized(map, mesh_.welded_count()), body_check(body)};
    frame.positions = placed(body, expanded(frame.map->points));
    return map_error(placed(body, map.points()), slide_.positions(), body);
  }

  /// Skin at these points of the body as it lies now.
  SourcePoints placed(const SourcePoints& body, const SkinPoints& points) {
    if (!surface_) surface_.emplace(body_, plan_.slides_on);
    surface_->update(body_.weld().gather(body));
    return surface_->place(body, body_.weld(), points);
  }

  void add_fields(ResultFrame& frame, const SourcePoints& below, const SkinState& skin) {
    const auto needed = [&](FieldNeeds what) { return any_needs(plan_.fields, what); };
    const std::optional<SourcePoints> animation =
        needed(FieldNeeds::Body) ? body_.animation(frame.time) : std::nullopt;
    const IdVector<VertexId, double> limits =
        needed(FieldNeeds::Limits) ? slide_.slide_limits() : IdVector<VertexId, double>();
    SourcePoints at_rest, carried;
    if (needed(FieldNeeds::Placed)) {
      at_rest = placed(body_.source().positions, skin.map->points());
      carried = map_before_ ? placed(below, map_before_->points()) : frame.positions;
    }
    const FleshStrain flesh = needed(FieldNeeds::Flesh) ? slide_.flesh_strain() : FleshStrain();
    FieldInputs inputs{frame.positions};
    inputs.body = animation ? &*animation : &below;
    inputs.below = &below;
    inputs.flesh_surface = is_flesh_ ? &frame.positions : &below;
    inputs.limits = limits.raw();
    inputs.skin = &skin;
    inputs.at_rest = &at_rest;
    inputs.carried = &carried;
    inputs.flesh = &flesh;
    for (const std::string& name : plan_.fields) {
      const FieldInfo& field = *field_info(name);
      frame.fields[name] = field_array(field, evaluate_(field, inputs), plan_.precision);
    }
  }

  void tell(int number, int frames) const {
    if (!options_.progress) return;
    options_.progress({"", number, frames, last_seconds_, summary_.frame_times.mean() * (frames - number)});
  }

  void measure() {
    // Lent, not given: the body outlives the reader.
    const std::shared_ptr<const Body> body(std::shared_ptr<const Body>(), &body_);
    const ResultReader result(options_.out, body);
    report_.figures = compute_figures(result, plan_.figures);
    if (plan_.still_despite_clip)
      for (Figure& figure : report_.figures) figure.holds = false;
    report_.lag = plan_.is_flesh ? measured_lag(result) : plan_.lag;
    measuring_ = clock_.lap();
  }

  std::vector<PartLag> measured_lag(const ResultReader& result) const {
    LagByPart lag(body_);
    for (int number = 1; number <= result.frame_count(); ++number) {
      const MeasuredFrame frame = result.measured_frame(number);
      lag.add(frame.time, frame.positions);
    }
    return lag.parts();
  }

  void end(RunOutcome outcome, const std::string& reason) {
    report_.outcome = outcome;
    report_.reason = reason;
  }

  void finish(ResultWriter& writer) {
    report_.frames = writer.frames();
    report_.made = plan_.made;
    report_.unconverged = summary_.unconverged;
    report_.still = plan_.still;
    for (const std::string& words : warnings(summary_))
      if (words != plan_.still) log().warn(words);  // which was said before the first frame
    for (const std::string& words : note_words(summary_.notes, writer.frames())) log().info(words);
    summary_.complete = report_.outcome == RunOutcome::Complete;
    summary_.stopped = report_.reason;
    summary_.frames_written = writer.frames();
    summary_.stages = {{"set_up", setting_up_},     {"preroll", prerolling_}, {"slide", advancing_},
                       {"fields", fields_seconds_}, {"write", writing_},      {"figures", measuring_}};
    summary_.peak_memory = peak_memory();
    summary_.lag = report_.lag;
    summary_.figures = report_.figures;
    writer.write_summary(summary_);
    report_.stages = summary_.below;
    report_.stages.push_back(as_earlier_stage("", summary_));
  }

  /// Leaves the reason in the summary where that is still possible; the error itself matters more.
  void say_why(ResultWriter& writer, const std::string& reason) {
    end(RunOutcome::Failed, reason);
    report_.figures.clear();
    report_.lag.clear();
    try {
      finish(writer);
    } catch (const IoError&) {
      log().debug("the summary could not be brought up to date");
    }
  }

  const Body& body_;
  Slide& slide_;
  const RunPlan& plan_;
  const RunOptions& options_;
  ResultMesh mesh_ = result_mesh(body_);
  FieldEvaluator evaluate_{mesh_};
  LayerMeshWriter layer_meshes_{options_.out, plan_.layer_meshes, plan_.times};
  std::optional<SlideSurface> surface_;   ///< where points of the body are to be placed
  std::optional<SurfaceMap> map_before_;  ///< of the frame before, where a field needs it
  const bool is_flesh_ = is_flesh(slide_);
  std::string doing_ = "before the first frame";  ///< in words, for a run that is stopped
  bool warned_ = false;                           ///< of a frame that did not converge, in this session
  /// Whether something that is stored is computed from the SkinState.
  bool needs_skin_ = plan_.storage == FrameStorage::Map || any_needs(plan_.fields, FieldNeeds::Map) ||
                     any_needs(plan_.fields, FieldNeeds::Placed) ||
                     any_needs(plan_.fields, FieldNeeds::Elastic) ||
                     any_needs(plan_.fields, FieldNeeds::Stress);
  Summary summary_;
  RunReport report_;
  Clock clock_;
  double setting_up_ = 0, prerolling_ = 0, advancing_ = 0, fields_seconds_ = 0, writing_ = 0, measuring_ = 0,
         last_seconds_ = 0;
};

}  // namespace

std::vector<double> frame_times(const Interval& interval, double fps) {
  // The slack keeps a clip of exactly n frames from losing its last one to rounding.
  const double steps = std::floor(interval.length() * fps + 1e-6);
  if (!(fps > 0) || !(steps >= 0) || steps >= kMostFrames)
    throw InputError(fmt::format("from {} s to {} s at {} frames a second is not a shot of 1 to {} frames",
                                 interval.begin, interval.end, fps, kMostFrames));
  std::vector<double> times;
  for (int i = 0; i <= steps; ++i) times.push_back(std::min(interval.begin + i / fps, interval.end));
  return times;
}

bool RunReport::figures_hold() const {
  return std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.holds; });
}

RunReport run(const Body& body, Slide& slide, const RunPlan& plan, const RunOptions& options) {
  return Session(body, slide, plan, options).run();
}

}  // namespace cutis
