#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cutis/body/face_groups.h"
#include "cutis/body/rig/skeleton.h"
#include "cutis/body/vertex_attribute.h"
#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/surface.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// What the animator gave: one surface that moves. A pure function of time: it knows its rest shape, and its
/// positions and velocities at any time, on any thread, in metres. What has a history is a stage, not a body.
class Body {
 public:
  virtual ~Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  const SourceMesh& source() const { return source_; }  ///< at rest, in the file's own vertex order
  const Mesh& mesh() const { return weld_.mesh; }       ///< at rest, welded and repaired: Topology accepts it
  const Weld& weld() const { return weld_; }
  /// mesh() cut into triangles, and the surface that these are: built when first asked for, then shared by
  /// everybody.
  const TriangleMesh& triangles() const { return rest_surface().triangles; }
  const std::shared_ptr<const Surface>& surface() const { return rest_surface().surface; }

  /// When it moves [s]; before and after, it holds still.
  virtual Interval duration() const = 0;
  /// Frames a second that the motion was made at; 0 where it has none of its own.
  virtual double frame_rate() const { return 0; }
  /// Exact at any time, also between frames. The last pose is remembered, so that a frame is posed once,
  /// however many ask for it.
  SourcePoints source_positions(double time) const;
  Points positions(double time) const { return weld_.gather(source_positions(time)); }
  /// How fast the source's vertices move [m/s]: by differences of fourth order over 0.1 ms around `time`,
  /// one-sided at the ends of duration(), zero outside of it.
  SourcePoints source_velocities(double time) const;
  /// The same motion with a continuous velocity (C1), for what has mass: where a clip joins its keys by
  /// straight lines it goes along a smooth curve through the same keys; elsewhere these are
  /// source_positions().
  virtual SourcePoints smooth_positions(double time) const { return source_positions(time); }

  /// Where the animation alone has the source's vertices (plain skinning), of a body that is flesh beside it;
  /// nothing where the body itself is the animation.
  virtual std::optional<SourcePoints> animation(double /*time*/) const { return std::nullopt; }

  /// What is painted on the source's vertices: colours, attributes of the file, vertex groups; the joints of
  /// skeleton() are such groups where no attribute has the name. A name is found whatever its case, with or
  /// without the underscore that glTF puts before it; nothing where there is none.
  virtual std::optional<VertexAttribute> attribute(const std::string& name) const;
  virtual std::vector<std::string> attribute_names() const;

  /// The materials of the source's faces, and the parts that the file makes the mesh of: the meshes that were
  /// chosen where they are several, else its objects or groups.
  const FaceGroups& materials() const { return materials_; }
  const FaceGroups& parts() const { return parts_; }

  /// The joints that move it and the weights on them; nothing for a body without a rig.
  virtual std::optional<Skeleton> skeleton() const { return std::nullopt; }
  /// Of each joint of skeleton(), from the rest shape to a time. C1, in step with smooth_positions(). None
  /// for a body without a rig.
  virtual std::vector<JointTransform> joint_transforms(double /*time*/) const { return {}; }
  /// Their rates of change [1/s | m/s], by the differences of source_velocities().
  std::vector<JointTransform> joint_velocities(double time) const;
  /// How far each blend shape moves each vertex of mesh() at its full weight [m]; none for a body without.
  virtual std::vector<IdVector<VertexId, double>> shape_lengths() const { return {}; }
  /// The joints of skeleton(); none for a body without a rig.
  std::vector<SkeletonJoint> joints() const;

 protected:
  Body() = default;
  /// The source's vertices at a time; called from several threads at once.
  virtual SourcePoints compute_positions(double time) const = 0;
  /// To be called once by the constructor of a subclass, with the rest shape; tolerance below zero means the
  /// default. Throws InputError as repaired_weld() does.
  void set_rest(SourceMesh rest, double weld_tolerance = -1);
  /// The same where it is known what is joined: `weld` is that of the rest shape, and Topology accepts its
  /// mesh.
  void set_rest(SourceMesh rest, Weld weld);
  void set_attributes(std::vector<VertexAttribute> attributes) { attributes_ = std::move(attributes); }
  void set_face_groups(FaceGroups materials, FaceGroups parts) {
    materials_ = std::move(materials);
    parts_ = std::move(parts);
  }

 private:
  struct RestSurface {
    TriangleMesh triangles;
    std::shared_ptr<const Surface> surface;
  };
  struct Pose {
    double time = 0;
    SourcePoints positions;
  };
  SourceMesh source_;
  Weld weld_;
  std::vector<VertexAttribute> attributes_;
  FaceGroups materials_, parts_;
  mutable std::once_flag surface_built_;
  mutable RestSurface rest_surface_;
  mutable std::mutex pose_mutex_;
  mutable std::optional<Pose> last_pose_;

  const RestSurface& rest_surface() const;
};

/// Whether two names of attributes mean the same one.
bool same_attribute(const std::string& a, const std::string& b);

}  // namespace cutis
