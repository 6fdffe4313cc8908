#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cutis/measure/result_mesh.h"
#include "cutis/run/quantized_map.h"
#include "cutis/run/summary.h"
#include "cutis/skin/slide_surface.h"
#include "cutis/surface/map/surface_map.h"

namespace cutis {

/// Frames that are stored as a map: where the skin lies on the body, not where it is. The body's positions
/// are not stored; they are computed again from the shot and the inputs that the result records.
/// docs/results.md.

/// Tells the body of a frame from another one.
struct BodyCheck {
  std::uint32_t crc = 0;  ///< of the positions, to the bit
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  bool operator==(const BodyCheck&) const = default;
};
BodyCheck body_check(const SourcePoints& body);

/// What a frame holds instead of positions.
struct FrameMap {
  QuantizedMap points;  ///< for each welded vertex of the skin, a place on the triangles of the result's mesh
  BodyCheck body;
  bool operator==(const FrameMap&) const = default;
};

/// Why a slide's map cannot be stored with this mesh; empty when it can.
std::string map_defect(const SurfaceMap& map, const ResultMesh& mesh);

/// Opens the body of a shot that a summary records; `file` names the summary in errors. Throws InputError
/// when the shot or the body cannot be read.
using BodyOpener = std::function<std::unique_ptr<Body>(const std::string& shot, const std::string& file)>;

/// What needs the recorded body, as messages say it.
inline constexpr const char* kFramesAreMaps = "its frames are stored as a map on the body";

/// The body that a result was made with. Throws InputError when an input is missing or changed, when the body
/// has become another, or when nothing can open it; `why` says what it is needed for.
std::unique_ptr<Body> recorded_body(const Summary& summary, const ResultMesh& mesh, const std::string& folder,
                                    const BodyOpener& open, const char* why = kFramesAreMaps);

/// Turns stored maps into positions, with the recorded body, which `open` opens at the first use, unless one
/// is given.
class MapExpander {
 public:
  MapExpander(const ResultMesh& mesh, const Summary& summary, std::string folder,
              std::shared_ptr<const Body> body, BodyOpener open);
  /// Throws InputError when the body cannot be had or is another at that time. When only its last bits
  /// differ, as they may on another processor, it says so once through log().
  SourcePoints operator()(const FrameMap& map, double time);
  /// The body, once it has been used.
  const Body& body() const { return *body_; }

 private:
  const ResultMesh& mesh_;
  const Summary& summary_;
  std::string folder_;
  std::mutex mutex_;
  std::shared_ptr<const Body> body_;
  BodyOpener open_;
  std::optional<SlideSurface> surface_;
  bool told_ = false;

  void open();
  void check(const BodyCheck& now, const BodyCheck& then, double time);
};

}  // namespace cutis
