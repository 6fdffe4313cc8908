#pragma once

#include <set>
#include <string>
#include <vector>

#include "cutis/body/face_groups.h"
#include "cutis/body/vertex_attribute.h"
#include "cutis/io/usd/usda_parser.h"
#include "cutis/surface/mesh/mesh.h"

namespace cutis {

/// A prim of a layer and where it stands.
struct UsdPlace {
  const UsdPrim* prim;
  std::string path;                     ///< "/World/Body"
  std::vector<const UsdPrim*> parents;  ///< from the root to the prim itself
};

/// Null where the prim has none of this name.
const UsdAttribute* find_attribute(const UsdPrim& prim, const std::string& name);

/// How an attribute is spread over a mesh: "vertex", "faceVarying" and so on; "constant" where it does not
/// say.
std::string usd_interpolation(const UsdAttribute& attribute);

/// One mesh as the file has it. What is read is checked; InputError names file, line, mesh and attribute.
/// File and place must outlive it.
class UsdMeshReader {
 public:
  UsdMeshReader(const std::string& file, const UsdPlace& mesh) : file_(file), mesh_(mesh) {}

  const UsdPlace& place() const { return mesh_; }
  /// Faces and texture coordinates; positions are zero.
  SourceMesh topology() const;
  std::vector<VertexAttribute> attributes() const;
  /// By the names of the materials that the mesh and its GeomSubsets of faces are bound to; a subset without
  /// a material by its own.
  FaceGroups materials() const;
  std::size_t point_count() const;
  /// Adds the time codes at which points, or the transforms above them, have samples.
  void add_times(std::set<double>& codes) const;
  /// In the mesh's own space, in the file's units.
  SourcePoints local_points(double code) const;
  /// In the world, in the file's units and axes.
  SourcePoints points(double code) const;

  [[noreturn]] void fail(const std::string& part, const std::string& what) const;
  /// The numbers of an attribute that must not move; none where it is missing.
  std::vector<double> numbers(const std::string& name) const;
  std::string word(const std::string& name) const;
  /// A number that must be an index below `limit`.
  int index(double number, std::size_t limit, const std::string& part, std::size_t at) const;

 private:
  const std::string& file_;
  const UsdPlace& mesh_;

  const UsdAttribute& points_attribute() const;
  void read_uvs(SourceMesh& to, bool reversed) const;
};

}  // namespace cutis
