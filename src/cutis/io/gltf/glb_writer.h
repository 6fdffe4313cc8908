#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/body/face_groups.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

/// Writes an animated GLB (binary glTF 2.0) that viewers, engines and Blender play, a frame at a time.
///
/// The mesh is the first frame; each later frame that differs from it is a morph target (positions, normals,
/// and texture coordinates where frames bring the field `uvs`), and an animation blends from one to the next,
/// linear in time. A shot in which nothing moves gets no animation. Vertices 0 .. vertex_count-1 are the
/// source's own, in its order; glTF allows one texture coordinate per vertex, so further ones of a vertex
/// become copies of it, appended after them; where texture coordinates move, each further corner of a vertex
/// is a copy. Polygons are cut into triangles. Normals are smooth, also across seams where the source has
/// several vertices in one place. Faces of each material are a primitive of their own, with a plain material
/// of that name.
///
/// The file takes 24 bytes per vertex and frame, 32 with moving texture coordinates, so long shots on dense
/// meshes are better off with a PC2 or MDD.
class GlbWriter final : public FrameWriter {
 public:
  /// `times` [s], one per frame, strictly increasing; where the first is negative they are moved to start at
  /// 0, since glTF knows no time before that. `name` names the mesh and its node. Throws InputError when the
  /// file would pass the 4 GiB of the format. add() throws it when the copies for moving texture coordinates
  /// would, when only some frames have these, and when one does not fit a 32-bit float.
  GlbWriter(const std::filesystem::path& path, const SourceMesh& mesh, const std::vector<double>& times,
            const std::string& name = "cutis", const FaceGroups& materials = {});
  ~GlbWriter() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
