#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/io/npz.h"
#include "cutis/shot/summary.h"
#include "cutis/slide/slide.h"
#include "cutis/surface/measure.h"

namespace cutis {

/// A result is a folder; docs/results.md describes each file in it.

/// What is the same in all frames.
struct ResultMesh {
  SourceMesh mesh;                            ///< at rest, in the source's own vertex order
  IdVector<SourceVertexId, VertexId> welded;  ///< source vertex -> the welded vertex it belongs to
  std::vector<IndexTriangle> triangles;       ///< source vertices, one for each welded vertex
  std::vector<std::int32_t> triangle_faces;   ///< the source face each triangle was cut from
};
ResultMesh result_mesh(const Body& body);

struct ResultFrame {
  int number = 0;   ///< from 1
  double time = 0;  ///< [s]
  SourcePoints positions;
  Npz fields;  ///< further arrays by name; not "frame", "time" or "positions"
};

/// Whether the folder holds a result (finished or not).
bool is_result(const std::filesystem::path& folder);

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

  /// The frame must be the next one: number == frames() + 1. The state is that of the stage after it.
  void write_frame(const ResultFrame& frame, const State& state);
  void write_summary(const Summary& summary);

 private:
  std::filesystem::path folder_;
  FramePrecision precision_;
  std::unique_ptr<FolderLock> lock_;
  int frames_ = 0;
  State state_;

  void begin(const Bytes& mesh, const Summary& summary);
  bool go_on(const Bytes& mesh);
};

/// Reads a result, finished or not.
class ResultReader {
 public:
  /// Throws InputError when the folder is not a result.
  explicit ResultReader(const std::filesystem::path& folder);

  const Summary& summary() const { return summary_; }
  const ResultMesh& mesh() const { return mesh_; }
  int frame_count() const { return frame_count_; }  ///< finished frames, numbered from 1
  /// Throws InputError naming the file when it is missing, damaged or of another size than the mesh.
  ResultFrame frame(int number) const;

 private:
  std::filesystem::path folder_;
  Summary summary_;
  ResultMesh mesh_;
  int frame_count_ = 0;
};

}  // namespace cutis
