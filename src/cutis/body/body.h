#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cutis/body/rig/skeleton.h"
#include "cutis/body/vertex_attribute.h"
#include "cutis/core/types.h"
#include "cutis/surface/mesh/mesh.h"
#include "cutis/surface/mesh/weld.h"

namespace cutis {

/// What the animator gave: one surface that moves. Knows its rest shape and its positions at any time, in
/// metres. Flesh is a Body that wraps a Body, so what comes after never asks where the motion is from.
class Body {
 public:
  virtual ~Body() = default;

  const SourceMesh& source() const { return source_; }  ///< at rest, in the file's own vertex order
  const Mesh& mesh() const { return weld_.mesh; }       ///< at rest, welded and repaired: Topology accepts it
  const Weld& weld() const { return weld_; }

  /// When it moves [s]; before and after, it holds still.
  virtual Interval duration() const = 0;
  /// Exact at any time, also between frames; thread-safe.
  virtual SourcePoints source_positions(double time) const = 0;
  Points positions(double time) const { return weld_.gather(source_positions(time)); }

  /// What is painted on the source's vertices: colours, attributes of the file, vertex groups. A name is
  /// found whatever its case, with or without the underscore that glTF puts before it; nothing where there is
  /// none.
  virtual std::optional<VertexAttribute> attribute(const std::string& name) const;
  virtual std::vector<std::string> attribute_names() const;

  /// The joints that move it and the weights on them; nothing for a body without a rig.
  virtual std::optional<Skeleton> skeleton() const { return std::nullopt; }
  /// The joints of skeleton(); none for a body without a rig.
  std::vector<SkeletonJoint> joints() const;

 protected:
  Body() = default;
  /// To be called once by the constructor of a subclass, with the rest shape; tolerance below zero means the
  /// default. Throws InputError as repaired_weld() does.
  void set_rest(SourceMesh rest, double weld_tolerance = -1);
  void set_attributes(std::vector<VertexAttribute> attributes) { attributes_ = std::move(attributes); }

 private:
  SourceMesh source_;
  Weld weld_;
  std::vector<VertexAttribute> attributes_;
};

/// Whether two names of attributes mean the same one.
bool same_attribute(const std::string& a, const std::string& b);

}  // namespace cutis
