#include "cutis/picture/render/ray_set.h"

#include <cmath>

#include <embree3/rtcore.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

class Device {
 public:
  Device() : device_(rtcNewDevice(nullptr)) {
    if (device_ == nullptr)
      throw IoError(fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
  }
  ~Device() { rtcReleaseDevice(device_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  RTCDevice get() const { return device_; }

 private:
  RTCDevice device_;
};

RTCDevice device() {
  static Device shared;
  return shared.get();
}

template <class T>
T* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
  void* data = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), count);
  if (data == nullptr) throw IoError("not enough memory to draw a mesh");
  return static_cast<T*>(data);
}

RTCRay make_ray(const Vec3f& origin, const Vec3f& direction, float near, float far) {
  RTCRay ray{};
  ray.org_x = origin.x(), ray.org_y = origin.y(), ray.org_z = origin.z();
  ray.dir_x = direction.x(), ray.dir_y = direction.y(), ray.dir_z = direction.z();
  ray.tnear = near, ray.tfar = far;
  ray.mask = ~0u;
  return ray;
}

}  // namespace

struct RaySet::Handle {
  RTCScene scene = rtcNewScene(device());
  ~Handle() { rtcReleaseScene(scene); }
  void attach(RTCGeometry geometry, int id) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, static_cast<unsigned>(id));
    rtcReleaseGeometry(geometry);
  }
};

RaySet::RaySet() : handle_(std::make_unique<Handle>()) {
  // Robust: no ray slips through between two triangles.
  rtcSetSceneFlags(handle_->scene, RTC_SCENE_FLAG_ROBUST);
}
RaySet::~RaySet() = default;

void RaySet::add_triangles(std::span<const Vec3f> points, const std::vector<DrawMesh::Triangle>& triangles) {
  struct Index {
    unsigned v[3];
  };
  RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = new_buffer<Vec3f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, points.size());
  std::copy(points.begin(), points.end(), vertices);
  auto* indices = new_buffer<Index>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) indices[i].v[k] = static_cast<unsigned>(triangles[i].vertices[k]);
  handle_->attach(geometry, shapes_++);
}

void RaySet::add_tube(std::span<const Vec3f> points, float radius) {
  struct Knot {
    float x, y, z, r;
  };
  RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
  auto* knots = new_buffer<Knot>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    knots[i] = {points[i].x(), points[i].y(), points[i].z(), radius};
  auto* segments = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, points.size() - 1);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) segments[i] = static_cast<unsigned>(i);
  handle_->attach(geometry, shapes_++);
}

void RaySet::commit() {
  // Built by one thread: where two triangles are hit at the same distance, which one wins depends on the
  // tree, and the tree must not depend on the number of threads.
  tbb::task_arena(1).execute([&] { rtcJoinCommitScene(handle_->scene); });
}

RayHit RaySet::closest(const Vec3f& origin, const Vec3f& direction, float near, float far) const {
  RayHit hit;
  if (empty()) return hit;
  RTCRayHit query;
  query.ray = make_ray(origin, direction, near, far);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(handle_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
  hit.t = query.ray.tfar;
  hit.shape = static_cast<int>(query.hit.geomID);
  hit.primitive = static_cast<int>(query.hit.primID);
  hit.u = query.hit.u;
  hit.v = query.hit.v;
  hit.normal = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z);
  return hit;
}

bool RaySet::blocked(const Vec3f& origin, const Vec3f& direction, float far) const {
  if (empty()) return false;
  RTCRay ray = make_ray(origin, direction, 0, far);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(handle_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace cutis
