#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cutis/measure/measured_frames.h"
#include "cutis/run/map_frames.h"
#include "cutis/run/summary.h"
#include "cutis/skin/slide.h"

namespace cutis {

/// A result is a folder; docs/results.md describes each file in it.
inline constexpr const char* kSummaryFile = "summary.json";
/// In the result of a shot's last stage: the results of its earlier ones, each in a folder of its own.
inline constexpr const char* kStagesFolder = "stages";
/// The meshes that a stage computed on, where the shot asks for them.
inline constexpr const char* kLayersFolder = "layers";

/// An instant before a frame and after the one before it.
struct FrameSample : SurfaceSample {
  /// Of the joints of the mesh's skeleton: Body::joint_transforms() and their rates of change.
  std::vector<JointTransform> joints = {}, joint_velocities = {};
};

struct ResultFrame : MeasuredFrame {
  /// Where the skin lies on the body, in a result that stores maps; positions follow from it then.
  std::optional<FrameMap> map = std::nullopt;
  SourcePoints velocities = {};  ///< of the vertices [m/s]; empty where the stage does not know them
  SourcePoints animation = {};   ///< of flesh: where plain skinning puts the vertices [m]; else empty
  std::vector<JointTransform> joints = {}, joint_velocities = {};  ///< as in FrameSample
  std::vector<FrameSample> samples = {};                           ///< rising
};

/// Whether the folder holds a result (finished or not).
bool is_result(const std::filesystem::path& folder);

/// Whether it is finished and each of its files is there as its checksum says. Throws InputError when it is
/// not a result.
bool is_whole(const std::filesystem::path& result);

/// Throws InputError when a result cannot be written to the folder because it holds something else. Earlier
/// stages of the same shot may lie there.
void check_free(const std::filesystem::path& folder);

/// Writes a result. A kill at any moment leaves frames that are whole and can be resumed from; a full disk
/// throws IoError and leaves every finished frame as it was. One writer at a time: a second one throws.
class ResultWriter {
  class FolderLock;

 public:
  enum class Start {
    Fresh,  ///< an older result in the folder is replaced
    Resume  ///< goes on after the last good frame, or from the beginning where there is none
  };
  /// Makes the folder where needed. Throws InputError when the folder holds something that is not a result,
  /// when another run is writing there, or when a result to resume was made from something else, naming it.
  ResultWriter(const std::filesystem::path& folder, const ResultMesh& mesh, const Summary& summary,
               Start start);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  int frames() const { return frames_; }  ///< finished so far
  /// What was saved with the last finished frame of a resumed result; empty when frames() began at 0.
  const State& saved_state() const { return state_; }
  /// Those of the frames that a resumed result had finished.
  const std::vector<UnconvergedFrame>& unconverged() const { return unconverged_; }
  const std::vector<FoldedFrame>& folded() const { return folded_; }
  const std::vector<FrameNote>& notes() const { return notes_; }

  /// The frame must be the next one: number == frames() + 1. The state is that of the stage after it.
  void write_frame(const ResultFrame& frame, const State& state);
  void write_summary(const Summary& summary);

 private:
  std::filesystem::path folder_;
  FramePrecision precision_;
  FrameStorage storage_;
  std::unique_ptr<FolderLock> lock_;
  int frames_ = 0;
  State state_;
  std::vector<UnconvergedFrame> unconverged_;
  std::vector<FoldedFrame> folded_;
  std::vector<FrameNote> notes_;

  void begin(const Bytes& mesh, const Summary& summary);
  bool go_on(const Bytes& mesh_bytes);
};

/// Reads a result, finished or not.
class ResultReader final : public MeasuredFrames {
 public:
  /// Where maps are stored, positions are worked out with the recorded body, which `open` opens when it is
  /// first needed; without `open` such frames cannot be read. Throws InputError when the folder is not a
  /// result.
  explicit ResultReader(const std::filesystem::path& folder, BodyOpener open = nullptr);
  /// The same with `body` in place of the recorded one.
  ResultReader(const std::filesystem::path& folder, std::shared_ptr<const Body> body);
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  const Summary& summary() const { return summary_; }
  const ResultMesh& mesh() const override { return mesh_; }
  int frame_count() const override { return frame_count_; }
  /// Throws InputError naming the file when it is missing, damaged or of another size than the mesh, or when
  /// the body that a map needs cannot be had. Thread-safe.
  ResultFrame frame(int number) const;
  MeasuredFrame measured_frame(int number) const override { return frame(number); }

 private:
  std::filesystem::path folder_;
  Summary summary_;
  ResultMesh mesh_;
  int frame_count_ = 0;
  std::unique_ptr<MapExpander> expander_;  ///< where maps are stored

  ResultReader(const std::filesystem::path& folder, std::shared_ptr<const Body> body, BodyOpener open);
};

}  // namespace cutis
