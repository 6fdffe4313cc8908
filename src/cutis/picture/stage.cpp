#include "cutis/picture/stage.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

void check(const SceneObject& object, std::size_t index) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("picture: object {}: {}", index, why));
  };
  if (!object.mesh) refuse("has no mesh");
  const DrawMesh& mesh = *object.mesh;
  if (object.positions.size() != mesh.vertex_count())
    refuse(fmt::format("{} positions for {} vertices", object.positions.size(), mesh.vertex_count()));
  if (!object.uvs.empty() && object.uvs.size() != mesh.corner_count())
    refuse(fmt::format("{} texture coordinates for {} corners", object.uvs.size(), mesh.corner_count()));
  if (object.look.paint == Paint::Field && object.field.size() != mesh.vertex_count() &&
      object.field.size() != mesh.face_count())
    refuse(fmt::format("a field of {} values, for {} vertices and {} faces", object.field.size(),
                       mesh.vertex_count(), mesh.face_count()));
  if (object.look.paint == Paint::Image && !object.look.texture)
    refuse("is painted with an image but has none");
  if (object.look.paint == Paint::Lines && !object.look.lines) refuse("is painted with lines but has none");
}

}  // namespace

Stage::Stage(const Scene& scene, const Camera& camera, const RenderOptions& options)
    : parallel_(camera.ortho_height > 0),
      width_(static_cast<float>(options.width)),
      height_(static_cast<float>(options.height)) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) check(scene.objects[i], i);
  measure(scene);
  eye_ = place(camera.eye);
  camera_right = camera.right.cast<float>();
  camera_up = camera.up.cast<float>();
  camera_back = camera.back.cast<float>();
  tan_y_ = static_cast<float>(parallel_ ? camera.ortho_height / 2 * scale_ : camera.tan_y);
  tan_x_ = tan_y_ * static_cast<float>(camera.aspect);
  if (scene.ground) floor = static_cast<float>((*scene.ground - center_.y()) * scale_);

  for (const SceneObject& object : scene.objects) {
    const bool ghost = object.look.opacity < 1;
    auto& objects = ghost ? ghosts : solids;
    objects.push_back(prepare(object, camera));
    (ghost ? ghost_rays : solid_rays).add_triangles(objects.back().points, object.mesh->triangles());
  }
  for (const Trail& trail : scene.trails) {
    std::vector<Vec3f> points;
    for (const Vec3& p : trail.points)
      if (p.allFinite()) points.push_back(place(p));
    if (points.size() < 2) continue;
    trail_rays.add_tube(points, static_cast<float>(trail.radius * scale_));
    trails.push_back(&trail);
  }
  solid_rays.commit();
  ghost_rays.commit();
  trail_rays.commit();
  measure_picture();
}

void Stage::measure_picture() {
  const Eigen::AlignedBox2f whole(Vec2f::Zero(), Vec2f(width_, height_));
  if (!trails.empty()) occupied_ = whole;
  for (const auto* objects : {&solids, &ghosts})
    for (const StageObject& object : *objects)
      for (std::size_t i = 0; i < object.screen.size(); ++i) {
        if (!object.points[i].allFinite()) continue;
        if (object.screen[i].allFinite())
          occupied_.extend(object.screen[i]);
        else
          occupied_ = whole;  // it reaches behind the camera
      }
  for (const StageObject& object : solids)
    for (const Vec3f& p : object.points)
      if (p.allFinite()) box_.extend(p);
  if (occupied_.isEmpty()) return;
  occupied_ = Eigen::AlignedBox2f(occupied_.min() - Vec2f::Ones(), occupied_.max() + Vec2f::Ones());
}

void Stage::measure(const Scene& scene) {
  Eigen::AlignedBox3d box;
  for (const SceneObject& object : scene.objects)
    for (const Vec3& p : object.positions)
      if (p.allFinite()) box.extend(p);
  if (box.isEmpty()) return;
  center_ = box.center();
  const double radius = box.diagonal().norm() / 2;
  if (radius > 1e-150 && std::isfinite(radius)) scale_ = 1 / radius;
}

StageObject Stage::prepare(const SceneObject& object, const Camera& camera) const {
  StageObject out;
  out.source = &object;
  out.uvs = !object.uvs.empty() ? &object.uvs : !object.mesh->uvs().empty() ? &object.mesh->uvs() : nullptr;
  for (const Vec3& p : object.positions) {
    out.points.push_back(place(p));
    const Vec3 seen = camera.project(p);
    out.screen.push_back(seen.z() > 0 ? Vec2f(float(seen.x()) * width_, float(seen.y()) * height_)
                                      : Vec2f::Constant(NAN));
  }
  out.normals = object.mesh->normals(out.points);
  return out;
}

PixelRay Stage::ray(float x, float y) const {
  const float sx = (2 * x / width_ - 1) * tan_x_, sy = (1 - 2 * y / height_) * tan_y_;
  if (parallel_) return {eye_ + sx * camera_right + sy * camera_up, -camera_back};
  return {eye_, (sx * camera_right + sy * camera_up - camera_back).normalized()};
}

std::optional<float> Stage::floor_hit(const PixelRay& ray) const {
  if (!floor || ray.direction.y() >= -1e-4f) return std::nullopt;
  const float t = (*floor - ray.origin.y()) / ray.direction.y();
  return t > 0 ? std::optional(t) : std::nullopt;
}

Spot Stage::spot(const StageObject& object, const PixelRay& ray, const RayHit& hit) const {
  Spot s;
  s.object = &object;
  s.triangle = &object.source->mesh->triangles()[std::size_t(hit.primitive)];
  s.weights[0] = 1 - hit.u - hit.v;
  s.weights[1] = hit.u;
  s.weights[2] = hit.v;
  const auto vertex = [&](std::size_t i) { return std::size_t(s.triangle->vertices[i]); };
  // Interpolated rather than followed along the ray, which would lose digits.
  s.position.setZero();
  Vec3f smooth = Vec3f::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    s.position += s.weights[i] * object.points[vertex(i)];
    smooth += s.weights[i] * object.normals[vertex(i)];
  }
  Vec3f facet = hit.normal.normalized() * (hit.normal.dot(ray.direction) > 0 ? -1.0f : 1.0f);
  if (!(facet.squaredNorm() > 0.5f)) facet = -ray.direction;  // a triangle of next to no area
  const float length = smooth.norm();
  const float side = smooth.dot(facet) < 0 ? -1.0f : 1.0f;
  s.normal = length > 1e-6f ? Vec3f(smooth * (side / length)) : facet;
  s.slant = std::max(-facet.dot(ray.direction), 0.05f);
  s.pixel = (parallel_ ? 1.0f : hit.t) * 2 * tan_y_ / height_;
  // Hanika 2021, "Hacking the shadow terminator": lift the point onto the vertices' tangent planes, so that a
  // coarse mesh does not shade itself where its smooth normals still face the light.
  s.lifted.setZero();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3f normal = side * object.normals[vertex(i)];
    const float below = std::min(0.0f, (s.position - object.points[vertex(i)]).dot(normal));
    s.lifted += s.weights[i] * (s.position - below * normal);
  }
  s.lifted += 3e-4f * s.normal + 1e-4f * facet;
  return s;
}

}  // namespace cutis
