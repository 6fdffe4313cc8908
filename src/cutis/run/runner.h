#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/measure/figures.h"
#include "cutis/run/layer_mesh_format.h"
#include "cutis/run/on_failure.h"
#include "cutis/run/summary.h"
#include "cutis/skin/slide.h"
#include "cutis/skin/slides_on.h"
#include "cutis/surface/field/line_field.h"

namespace cutis {

/// What is to be run, besides the body and the slide.
struct RunPlan {
  std::vector<double> times;    ///< of the frames [s], ascending
  std::vector<double> preroll;  ///< times before them that the slide goes through first; nothing is written
  double fps = 24;
  double metres_per_unit = 1;  ///< of the character's file, for files that go back to it
  FramePrecision precision = FramePrecision::Float64;
  FrameStorage storage = FrameStorage::Positions;
  SlidesOn slides_on = SlidesOn::Polygon;                ///< what turns a stored map into positions
  std::vector<std::string> fields;                       ///< to store with each frame; docs/fields.md
  LayerMeshFormat layer_meshes = LayerMeshFormat::None;  ///< of those that the stage computes on
  std::vector<FigureRequest> figures;
  OnFailure on_failure = OnFailure::Continue;
  std::map<std::string, std::vector<char>> regions;  ///< this and the next two: see ResultMesh
  LineDirections directions;
  std::vector<LineSample> strokes;
  std::string made;                 ///< what it is that is run, in words, where the shot tells
  std::string remedy;               ///< as in the summary
  bool is_flesh = false;            ///< the summary has its lag
  std::vector<PartLag> lag;         ///< that of flesh below, for the summary
  std::vector<EarlierStage> below;  ///< the stages before this one, for the summary
  std::string still;                ///< says that the body does not move; "" where it does
  bool still_despite_clip = false;  ///< though it plays a clip: no figure holds
  std::string shot;                 ///< the shot file with every default filled in
  std::vector<InputFile> inputs;    ///< every file that was read
};

/// Times of the frames from the beginning of the interval to its end, both included where they fall on one.
/// Throws InputError when that is not 1 to 999999 frames.
std::vector<double> frame_times(const Interval& interval, double fps);

struct Progress {
  std::string stage;        ///< an earlier one of a shot with several; empty for the last
  int frame = 0;            ///< just finished, from 1
  int frames = 0;           ///< in all
  double seconds = 0;       ///< that this frame took
  double seconds_left = 0;  ///< estimated from the frames of this session
};

struct RunOptions {
  std::filesystem::path out;
  bool resume = false;
  std::function<void(const Progress&)> progress;  ///< called after each frame, where given
  /// When it turns true the run ends within about a second, in the midst of a frame, too.
  const std::atomic<bool>* stop = nullptr;
};

enum class RunOutcome {
  Complete,
  Stopped,  ///< as asked through RunOptions::stop
  Failed    ///< a frame could not be computed; those before it stay
};

struct RunReport {
  std::string stage;  ///< the earlier one that is not complete, of a shot with several; empty for the last
  RunOutcome outcome = RunOutcome::Complete;
  int frames = 0;               ///< written, in all sessions
  std::string reason;           ///< why it is not complete
  std::string made;             ///< as in the plan
  std::vector<Figure> figures;  ///< when complete
  std::vector<PartLag> lag;     ///< when complete: of flesh, here or below
  std::vector<UnconvergedFrame> unconverged;
  std::vector<EarlierStage> stages;  ///< what each took, this one last and without a name
  std::string still;                 ///< as in the plan
  bool figures_hold() const;
};

/// Runs the slide over the frames into a result folder, going on from an unfinished one where asked: then the
/// frames and the figures have the same bits as those of a run that was never disturbed. A frame that does
/// not converge is written and named in the summary, or ends the run, as the plan says; a step that ends in
/// no state to go on from, positions that are not finite and a map that does not lead to them always end it
/// (RunOutcome::Failed); the reason names frame and vertex. Throws InputError (the plan's mistakes, a folder
/// that cannot be used, what changed since the run to resume) and IoError (a full disk); every finished frame
/// stays whole.
RunReport run(const Body& body, Slide& slide, const RunPlan& plan, const RunOptions& options);

}  // namespace cutis
