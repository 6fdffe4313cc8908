#include "cutis/shot/settings/directions.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/body/anatomy/langer_lines.h"
#include "cutis/body/anatomy/lay_strokes.h"
#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "cutis/io/array/strokes_file.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png_read.h"
#include "cutis/shot/open_body.h"
#include "cutis/surface/geodesic/frames.h"
#include "cutis/surface/mesh/triangle_mesh.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// A body's triangles as a surface.
struct BodySkin {
  std::shared_ptr<const Surface> surface;

  explicit BodySkin(const Body& body) : surface(body.surface()) {}
  TangentFrame frame(FaceId f) const { return face_frame(surface->topology(), surface->positions(), f); }
};

std::vector<std::string> joint_names(const Body& body) {
  std::vector<std::string> names;
  for (const SkeletonJoint& joint : body.joints()) names.push_back(joint.name);
  return names;
}

LaidStrokes langer_lines(LangerSet set, const Body& body, const Surface& surface, const std::string& place) {
  LaidStrokes laid = lay_strokes(langer_strokes(set), body.joints(), surface);
  if (laid.samples.empty()) {
    const std::vector<std::string> names = joint_names(body);
    throw InputError(fmt::format(
        "{}.langer: the body has no joints of a human to carry the lines by (it has {}); draw strokes "
        "(skin.direction.file) or give an axis (skin.direction.axis)",
        place, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return laid;
}

bool same_faces(const Mesh& a, const Mesh& b) {
  return a.face_offsets == b.face_offsets && a.corners == b.corners;
}

/// Strokes that were drawn on another body: exact where both have the same faces, else around bones.
LaidStrokes carried_strokes(const StrokesFile& file, const Body& body, const Surface& surface) {
  const std::unique_ptr<Body> from = open_body(default_shot_for(file.drawn_on).body);
  const BodySkin skin(*from);
  if (!same_faces(skin.surface->mesh(), surface.mesh()))
    return lay_strokes(strokes_around_bones(file.strokes, from->joints(), *skin.surface), body.joints(),
                       surface);
  LaidStrokes laid = lay_strokes(file.strokes, from->joints(), *skin.surface);
  laid.samples = line_samples(surface, laid.strokes, INFINITY);
  return laid;
}

LaidStrokes strokes_from(const fs::path& path, const Body& body, const Surface& surface,
                         const std::string& place) {
  const StrokesFile file = read_strokes(path);
  LaidStrokes laid = file.drawn_on.empty() ? lay_strokes(file.strokes, body.joints(), surface)
                                           : carried_strokes(file, body, surface);
  if (laid.samples.empty())
    throw InputError(fmt::format("{}.file: {}: no stroke could be laid onto the body", place, path.string()));
  return laid;
}

/// A direction for all of the skin, where it has a part in the surface.
std::vector<LineSample> from_axis(const Vec3& axis, const BodySkin& skin, const std::string& place) {
  std::vector<LineSample> samples;
  if (!(axis.norm() > 0))
    throw InputError(fmt::format("{}.axis: a direction of length zero points nowhere", place));
  for (FaceId f : ids<FaceId>(skin.surface->mesh().face_count()))
    // Where the surface faces the axis the laid direction is mostly noise; it is filled from around.
    if (skin.frame(f).components(axis.normalized()).norm() > 0.05) samples.push_back({f, axis});
  if (samples.empty())
    throw InputError(fmt::format("{}.axis: the whole surface is at right angles to it; give another", place));
  return samples;
}

/// Directions in texture space as a picture has them: red along u, green along v.
class DirectionMap {
 public:
  DirectionMap(const fs::path& path, const std::string& place)
      : signed_(lower_ending(path) == ".exr"), image_(signed_ ? read_exr(path) : read_png_map(path)) {
    if (image_.channels < 3)
      throw InputError(fmt::format("{}.file: {}: a direction map has a red and a green channel; this is grey",
                                   place, path.string()));
    for (float value : image_.data)
      if (!std::isfinite(value))
        throw InputError(fmt::format("{}.file: {}: holds values that are not finite", place, path.string()));
  }

  /// The pixel there, without mixing in its neighbours: opposite signs of one line would cancel. Zero where
  /// nothing is painted.
  Vec2 operator()(const Vec2& uv) const {
    const auto cell = [](double t, int size) {
      return std::min(size - 1, static_cast<int>((t - std::floor(t)) * size));
    };
    const float* p = image_.pixel(cell(uv.x(), image_.width), cell(1 - uv.y(), image_.height));
    if (image_.channels == 4 && p[3] < 0.5f) return Vec2::Zero();
    const Vec2 d = {double(p[0]), double(p[1])};
    const Vec2 value = signed_ ? d : Vec2(2 * d - Vec2::Ones());
    return value.norm() > 0.1 ? value : Vec2(Vec2::Zero());
  }

 private:
  bool signed_;  ///< EXR holds -1 to 1, PNG 0 to 1
  FloatImage image_;
};

/// d(position) / d(uv) of a triangle; zero where its texture coordinates have no area.
Mat32 uv_jacobian(const BodySkin& skin, FaceId f) {
  const Mesh& mesh = skin.surface->mesh();
  const CornerId c = mesh.first_corner(f);
  const auto uv = [&](int k) { return mesh.uvs[CornerId(c.value + k)]; };
  const auto x = [&](int k) { return mesh.positions[mesh.corners[CornerId(c.value + k)]]; };
  Mat2 flat;
  flat << uv(1) - uv(0), uv(2) - uv(0);
  Mat32 edges;
  edges << x(1) - x(0), x(2) - x(0);
  return flat.determinant() == 0 ? Mat32(Mat32::Zero()) : Mat32(edges * flat.inverse());
}

std::vector<LineSample> from_map(const fs::path& path, const BodySkin& skin, const std::string& place) {
  const Mesh& mesh = skin.surface->mesh();
  if (!mesh.has_uvs())
    throw InputError(fmt::format(
        "{}.file: the body has no texture coordinates to look up {} with; unwrap it, or draw strokes", place,
        path.string()));
  const DirectionMap map(path, place);
  std::vector<LineSample> samples;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const Mat32 jacobian = uv_jacobian(skin, f);
    const CornerId c = mesh.first_corner(f);
    // The middle and a point before each corner.
    for (int k = 0; k < 4; ++k) {
      Vec3 b = Vec3::Constant(k < 3 ? 1.0 / 6 : 1.0 / 3);
      if (k < 3) b[k] = 2.0 / 3;
      Vec2 uv = Vec2::Zero();
      for (int i = 0; i < 3; ++i) uv += b[i] * mesh.uvs[CornerId(c.value + i)];
      const Vec3 direction = jacobian * map(uv);
      if (direction.norm() > 0) samples.push_back({f, direction});
    }
  }
  if (samples.empty())
    throw InputError(fmt::format("{}.file: {}: nothing is painted where the body's texture coordinates lie",
                                 place, path.string()));
  return samples;
}

void say_what_is_missing(const LaidStrokes& laid, spdlog::level::level_enum level, const std::string& place) {
  if (!laid.missing.empty())
    log().log(level, "{}: the body has no joints for {}; the strokes there are left out", place,
              fmt::join(laid.missing, ", "));
}

}  // namespace

BodyDirections body_directions(const DirectionSection& section, const Body& body, const std::string& place) {
  if (!section.langer && !section.axis && !section.file) return {};
  const std::string ending = section.file ? lower_ending(*section.file) : "";
  if (section.file && ending != ".json" && ending != ".png" && ending != ".exr")
    throw InputError(
        fmt::format("{}.file: {}: cannot be read; strokes are .json, direction maps .png or .exr", place,
                    section.file->string()));
  const BodySkin skin(body);
  BodyDirections result;
  std::vector<LineSample> samples;
  const bool is_strokes = ending == ".json";
  if (section.langer || is_strokes) {
    LaidStrokes laid = is_strokes ? strokes_from(*section.file, body, *skin.surface, place)
                                  : langer_lines(*section.langer, body, *skin.surface, place);
    // A head has no limbs, and needs no lines for them; strokes that a user drew are meant to be there.
    say_what_is_missing(laid, is_strokes ? spdlog::level::warn : spdlog::level::info, place);
    samples = std::move(laid.samples);
    result.strokes = samples;
  } else {
    samples = section.axis ? from_axis(*section.axis, skin, place) : from_map(*section.file, skin, place);
  }
  LineField field = line_field(*skin.surface, samples);
  if (field.bare_parts > 0)
    log().info("{}: {} parts of the body hold no direction and take that of the nearest place that does",
               place, field.bare_parts);
  result.field = std::move(field.directions);
  result.surface = skin.surface;
  return result;
}

}  // namespace cutis
