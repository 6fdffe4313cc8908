#pragma once

#include "cutis/picture/render/camera.h"
#include "cutis/picture/render/image.h"
#include "cutis/picture/render/scene.h"

namespace cutis {

struct RenderOptions {
  int width = 960;
  int height = 540;
  int samples = 10;        ///< rays through a pixel that something covers
  int light_samples = 14;  ///< shadow rays, and as many sky rays, from a pixel
  /// The floor's light is worked out once in a block of this many pixels each way: 2 takes a quarter of the
  /// time and makes its shadows softer.
  int floor_block = 1;
  bool lit = true;  ///< false shows the bare colours: for flat pictures
  Color background_top = srgb(0xf7f6f4);
  Color background_bottom = srgb(0xdfdedd);
};

/// Ray traces a picture on the CPU. The same bits at any number of threads. Throws InputError when an
/// object's arrays do not fit its mesh, or when the picture has no pixel or more than 2^25; points that are
/// not finite are left out with their triangles.
Image render(const Scene& scene, const Camera& camera, const RenderOptions& options);

}  // namespace cutis
