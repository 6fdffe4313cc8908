#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cutis/picture/draw/color_map.h"
#include "cutis/picture/draw/line_pattern.h"
#include "cutis/picture/render/draw_mesh.h"
#include "cutis/picture/render/image.h"
#include "cutis/picture/render/texture.h"

namespace cutis {

/// What a surface is made of.
struct Finish {
  Color color = srgb(0xd8a68e);
  float roughness = 0.5f;  ///< of the highlight: 0.1 is wet, 0.8 is chalk
  float shine = 1;         ///< strength of highlight and sheen; 0 is matt
  float softness = 1;      ///< how far light bleeds past the shadow's edge, reddish, as in skin; 0 is stone
  float relief = 1;        ///< how much light and shadow model the form; 0 shows the bare colour
};
Finish skin_finish(float gloss = 0);  ///< from dry skin to wet skin, 1
Finish clay_finish();

enum class Paint {
  Plain,    ///< the finish's own colour
  Checker,  ///< follows the texture coordinates
  Image,    ///< `texture`
  Field,    ///< `scale` applied to the object's field; lit more flatly, so that it can be read
  Lines,    ///< `lines` as streaks of `line_color` over the finish's own colour
};

/// How an object looks. Checker and Image need texture coordinates; an object without them is drawn plain.
struct Look {
  Paint paint = Paint::Plain;
  Finish finish;
  int checker_cells = 24;
  std::shared_ptr<const Texture> texture;
  /// Normals in tangent space (x along u, y along v, 0.5 is zero), as Texture::Values::Numbers; null: smooth.
  std::shared_ptr<const Texture> normal_map;
  ColorScale scale;
  std::shared_ptr<const LinePattern> lines;  ///< made for the object's mesh
  Color line_color = srgb(0x7a3b2c);
  float wire_width = 0;  ///< pixels, along polygon edges; 0 draws none
  Color wire_color = srgb(0x1d2733);
  float wire_opacity = 0.75f;
  float opacity = 1;  ///< below 1 the object is a ghost: seen through, and without a shadow
};

/// A mesh in a scene. Only positions change from frame to frame; the mesh is shared.
struct SceneObject {
  std::shared_ptr<const DrawMesh> mesh;
  std::vector<Vec3> positions;  ///< one per vertex [m]
  Look look;
  std::vector<double> field;  ///< for Paint::Field: one per vertex or one per face
  std::vector<Vec2> uvs;      ///< one per corner; when empty, the mesh's own
};

/// The way a point went, drawn as a thin tube that fades towards its oldest end.
struct Trail {
  std::vector<Vec3> points;  ///< oldest first [m]
  double radius = 0.002;     ///< [m]
  Color color = srgb(0xe4572e);
};

struct Scene {
  std::vector<SceneObject> objects;
  std::vector<Trail> trails;
  std::optional<double> ground;  ///< height of a floor that takes shadows and is else the background [m]
};

}  // namespace cutis
