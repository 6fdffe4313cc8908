#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cutis/body/simulation_stage.h"
#include "cutis/io/array/npy.h"
#include "cutis/measure/result_mesh.h"
#include "cutis/skin/skin_state.h"
#include "cutis/surface/geodesic/slide_distance.h"
#include "cutis/surface/mesh/deformation.h"

namespace cutis {

/// Fields over the skin, one definition each for all methods, under the same name in the shot file, the
/// frames, the command line and the pictures; docs/fields.md has the formulas.

enum class FieldPlace { Vertex, Face };  ///< of the source

/// What a field is computed from, besides the mesh and the positions.
enum class FieldNeeds {
  Nothing,
  Body,
  Below,  ///< the surface that the stage lies on
  Limits,
  Map,
  Placed,  ///< the map, on the body at another moment
  Elastic,
  Stress,
  Flesh,        ///< its strain
  FleshSurface  ///< where it puts the vertices
};

struct FieldInfo {
  std::string name;
  std::string unit;  ///< "1" for plain ratios
  FieldPlace place = FieldPlace::Vertex;
  int components = 1;  ///< 1, or 3 for a direction or a place in space
  FieldNeeds needs = FieldNeeds::Nothing;
  std::string doc;  ///< one sentence
};

/// All there are. A field of faces is named like that of vertices with "face_" before it, an elastic one like
/// the geometric one with "elastic_" before it.
const std::vector<FieldInfo>& fields();
/// Null when there is none of that name.
const FieldInfo* field_info(const std::string& name);

/// What is wrong with a request for these fields, one sentence each: names that there are not, names twice,
/// fields that need something the slide has not: `has` are those of FieldNeeds that it can serve.
std::vector<std::string> field_mistakes(std::span<const std::string> names, std::span<const FieldNeeds> has);

/// The skin at one moment. What is not there stays empty.
struct FieldInputs {
  const SourcePoints& positions;
  const SourcePoints* body = nullptr;           ///< where plain skinning puts the vertices [m]
  const SourcePoints* below = nullptr;          ///< where the surface that the stage lies on has them [m]
  const SourcePoints* flesh_surface = nullptr;  ///< where flesh has them [m]
  std::span<const double> limits{};             ///< how far each welded vertex may slide [m]
  const SkinState* skin = nullptr;              ///< on the triangles of the result's mesh
  const SourcePoints* at_rest = nullptr;        ///< where the skin would lie on the body at rest [m]
  const SourcePoints* carried = nullptr;  ///< where the body has carried the skin of the frame before [m]
  const FleshStrain* flesh = nullptr;
};

/// Evaluates fields of one mesh, frame after frame.
class FieldEvaluator {
 public:
  /// The mesh must outlive it.
  explicit FieldEvaluator(const ResultMesh& mesh);

  /// One value (or three) a vertex or face of the source, in its order. The inputs must have what the field
  /// needs.
  std::vector<double> operator()(const FieldInfo& field, const FieldInputs& inputs);

 private:
  const ResultMesh& mesh_;
  std::vector<RestTriangle> rest_;
  std::optional<SlideDistance> slide_;
};

/// A stored field of three components, one vector a row.
std::vector<Vec3> field_vectors(const NpyArray& array);

}  // namespace cutis
