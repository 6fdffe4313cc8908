#pragma once

#include <filesystem>
#include <memory>

#include "cutis/body/body.h"

namespace cutis {

/// For each corner of the source, that of the welded mesh; invalid where its face was dropped.
IdVector<CornerId, CornerId> welded_corners(const Body& body);

/// A body at rest with texture coordinates that need not be its own.
struct UvLayout {
  Mesh polygons;
  TriangleMesh triangles;
  std::shared_ptr<const Surface> surface;

  /// Its own.
  explicit UvLayout(const Body& body);
  /// One per corner of the source.
  UvLayout(const Body& body, const IdVector<CornerId, Vec2>& source_uvs);
};

/// Texture coordinates per corner of the triangles as those of the source's corners; those of faces that were
/// dropped stay.
IdVector<CornerId, Vec2> source_uvs(const Body& body, const IdVector<CornerId, Vec2>& triangle_uvs);

}  // namespace cutis
