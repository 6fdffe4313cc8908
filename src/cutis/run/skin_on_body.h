#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "cutis/run/result.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {

/// Where the skin of a result lies on its body, frame by frame: the map that a frame stores, or one that is
/// found again from its positions.
class SkinOnBody {
 public:
  /// `folder` is that of the result, `why` says in messages what the body is needed for. Throws InputError as
  /// recorded_body() does, and when a vertex of the body has no face.
  SkinOnBody(const ResultReader& result, const std::filesystem::path& folder, const BodyOpener& open,
             const char* why);

  const Body& body() const { return *body_; }

  struct Frame {
    SourcePoints body;             ///< where the body's vertices are [m]
    SurfaceMap body_to_skin;       ///< on the body's own triangles
    std::vector<VertexId> missed;  ///< vertices of the body that no skin lies on: they have the nearest
  };
  /// Frames may be asked for in any order; one after another they are found faster. Throws InputError naming
  /// the vertex when skin is not on the surface of the body, so that there is no map.
  Frame operator()(const ResultFrame& frame);

 private:
  std::string folder_;
  std::unique_ptr<Body> body_;
  SlideSurface surface_;
  SkinPoints last_;  ///< of the frame before

  SkinPoints stored(const FrameMap& map) const;
  SkinPoints found(const ResultFrame& frame, const SourcePoints& body) const;
};

}  // namespace cutis
