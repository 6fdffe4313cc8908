#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/measure/figures.h"
#include "cutis/run/frame_storage.h"
#include "cutis/run/machine.h"
#include "cutis/run/part_lag.h"
#include "cutis/skin/slides_on.h"

namespace cutis {

/// A file the run read.
struct InputFile {
  std::string name;  ///< absolute, or from the folder of the result
  std::string sha256;
  bool operator==(const InputFile&) const = default;
};

/// How long the frames of one session took [s].
struct FrameTimes {
  int count = 0;
  double total = 0, shortest = 0, longest = 0;
  void add(double seconds);
  double mean() const { return count > 0 ? total / count : 0; }
};

/// A frame that was written though its step did not converge.
struct UnconvergedFrame {
  int frame = 0;  ///< from 1
  double residual = 0;
  std::string reason;
  bool operator==(const UnconvergedFrame&) const = default;
};

/// A frame in which triangles were left turned over.
struct FoldedFrame {
  int frame = 0;  ///< from 1
  int triangles = 0;
  std::vector<Vec3> places;  ///< middles of the first of them, on the body at rest [m]
  bool operator==(const FoldedFrame&) const = default;
};

/// Of one frame; null where nothing is folded.
std::optional<FoldedFrame> folded_frame(int frame, const std::vector<Vec3>& folded);

/// Something that a method did to elements of one frame besides solving.
struct FrameNote {
  int frame = 0;  ///< from 1
  StepNote note;
};

/// What an earlier stage of the same shot took and how it ended, from its own summary.
struct EarlierStage {
  std::string name;                                     ///< of its folder below the result
  std::vector<std::pair<std::string, double>> seconds;  ///< by phase, of its last session
  FrameTimes frame_times;                               ///< of its last session
  std::int64_t peak_memory = 0;                         ///< [bytes]
  int frames = 0;
  int unconverged = 0;  ///< frames
  std::vector<FoldedFrame> folded;
  std::vector<FrameNote> notes;
};

/// All that summary.json says of a run.
struct Summary {
  std::vector<std::pair<std::string, std::string>> versions;
  std::string shot;  ///< the shot file with every default filled in; relative paths start at the result
  std::vector<InputFile> inputs;
  std::string made;    ///< what the run makes, in words
  std::string remedy;  ///< what to do where it does not converge; empty: what holds for skin that slides
  Machine machine;
  double fps = 24;
  double metres_per_unit = 1;  ///< of the character's file; frames are in metres
  FramePrecision precision = FramePrecision::Float64;
  FrameStorage storage = FrameStorage::Positions;
  SlidesOn slides_on = SlidesOn::Polygon;  ///< what turns a stored map into positions
  int frames = 0;                          ///< that the shot asks for
  std::vector<double> times;               ///< of each of them [s]
  int frames_written = 0;                  ///< when the summary was written
  bool complete = false;
  std::string stopped;                                 ///< why it is not complete, where that is known
  std::vector<UnconvergedFrame> unconverged;           ///< by number
  std::vector<FoldedFrame> folded;                     ///< by number
  std::vector<std::pair<std::string, double>> stages;  ///< seconds by stage, of the last session
  FrameTimes frame_times;                              ///< of the last session
  std::int64_t peak_memory = 0;                        ///< [bytes]
  std::vector<FrameNote> notes;                        ///< by frame
  std::vector<EarlierStage> below;                     ///< the stages before this one, in order
  std::string still;            ///< why there is nothing to see; empty where the body moves
  std::vector<PartLag> lag;     ///< of flesh; empty until the run is complete
  std::vector<Figure> figures;  ///< empty until the run is complete
};

std::string to_json(const Summary& summary);
/// Throws InputError naming the file when it is missing or is not the summary of a Cutis result.
Summary read_summary(const std::filesystem::path& path);

/// Which frames did not converge, and what to do, in one line; empty when all did.
std::string unconverged_words(const Summary& summary);
/// In which frames triangles are folded, where, and what to do, in one line; empty when none are.
std::string folded_words(const Summary& summary);
/// One line for each thing that was done to elements besides solving: in how many frames, to how many, how
/// much.
std::vector<std::string> note_words(const std::vector<FrameNote>& notes, int frames);
/// "set up 1.2 s, 24 frames 12.3 s (0.51 s each), 230 MB": what a stage took.
std::string cost_words(const EarlierStage& stage);
/// This stage as a later one of the same shot names it.
EarlierStage as_earlier_stage(const std::string& name, const Summary& summary);
/// That the body is still, that frames did not converge, that triangles are folded: what is the case.
std::vector<std::string> warnings(const Summary& summary);

/// What makes the two runs different, in one line that names it ("the shot changed: ..."); empty when one may
/// go on with the frames of the other.
std::string difference(const Summary& before, const Summary& asked);
/// The same of what a run is made from alone: its shot, its inputs and the version of Cutis.
std::string source_difference(const Summary& before, const Summary& asked);

}  // namespace cutis
