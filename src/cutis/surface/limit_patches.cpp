#include "cutis/surface/limit_patches.h"

#include <cmath>

#include <opensubdiv/far/patchMap.h>
#include <opensubdiv/far/patchTableFactory.h>
#include <opensubdiv/far/stencilTable.h>
#include <opensubdiv/far/stencilTableFactory.h>
#include <opensubdiv/far/topologyDescriptor.h>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/surface/limit_cap.h"
#include "cutis/surface/topology.h"

namespace cutis {
namespace {

using namespace OpenSubdiv;
using Stencils = Far::StencilTableReal<double>;
using StencilFactory = Far::StencilTableFactoryReal<double>;
using RefinerFactory = Far::TopologyRefinerFactory<Far::TopologyDescriptor>;

constexpr int max_isolation = 10;  // OpenSubdiv's own bound

void check_faces(const Mesh& mesh, bool loop) {
  if (mesh.face_count() == 0) throw InputError("limit surface: the mesh has no faces");
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto face = mesh.face(f);
    if (face.size() < 3)
      throw InputError(
          fmt::format("limit surface: face {} has {} corners; repair the mesh", f.value, face.size()));
    if (loop && face.size() != 3)
      throw InputError(fmt::format(
          "limit surface: Loop subdivision needs triangles, but face {} has {} corners; use Catmull-Clark",
          f.value, face.size()));
    std::vector<VertexId> sorted(face.begin(), face.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      throw InputError(fmt::format("limit surface: face {} passes through vertex {} twice; repair the mesh",
                                   f.value, twice->value));
  }
}

void check_crease(const Topology& topology, const Crease& crease) {
  const auto known = [&](VertexId v) { return v.valid() && v.index() < topology.vertex_count(); };
  if (!known(crease.a) || !known(crease.b) || !topology.find(crease.a, crease.b).valid())
    throw InputError(fmt::format("limit surface: crease {}-{}: no edge joins these vertices", crease.a.value,
                                 crease.b.value));
  if (!(crease.sharpness >= 0))
    throw InputError(fmt::format("limit surface: crease {}-{}: sharpness {} must be 0 (smooth) or more",
                                 crease.a.value, crease.b.value, crease.sharpness));
}

/// A crease of finite sharpness s is smooth after ceil(s) subdivisions, and only then a cap can take it.
int needed_isolation(const LimitOptions& options) {
  int level = options.isolation;
  for (const Crease& crease : options.creases)
    if (crease.sharpness < Sdc::Crease::SHARPNESS_INFINITE)
      level = std::max(level, static_cast<int>(std::ceil(crease.sharpness)));
  return std::min(level, max_isolation);
}

std::unique_ptr<Far::TopologyRefiner> make_refiner(const Mesh& mesh, bool loop, const LimitOptions& options) {
  std::vector<int> sizes, corners, crease_ends;
  std::vector<float> sharpness;
  for (FaceId f : ids<FaceId>(mesh.face_count())) sizes.push_back(static_cast<int>(mesh.face_size(f)));
  for (VertexId v : mesh.corners) corners.push_back(v.value);
  for (const Crease& crease : options.creases) {
    crease_ends.insert(crease_ends.end(), {crease.a.value, crease.b.value});
    sharpness.push_back(std::min(static_cast<float>(crease.sharpness), Sdc::Crease::SHARPNESS_INFINITE));
  }
  Far::TopologyDescriptor descriptor;
  descriptor.numVertices = static_cast<int>(mesh.vertex_count());
  descriptor.numFaces = static_cast<int>(sizes.size());
  descriptor.numVertsPerFace = sizes.data();
  descriptor.vertIndicesPerFace = corners.data();
  descriptor.numCreases = static_cast<int>(sharpness.size());
  descriptor.creaseVertexIndexPairs = crease_ends.data();
  descriptor.creaseWeights = sharpness.data();

  Sdc::Options rules;
  rules.SetVtxBoundaryInterpolation(options.border == LimitBorder::EdgeOnly
                                        ? Sdc::Options::VTX_BOUNDARY_EDGE_ONLY
                                        : Sdc::Options::VTX_BOUNDARY_EDGE_AND_CORNER);
  const Sdc::SchemeType scheme = loop ? Sdc::SCHEME_LOOP : Sdc::SCHEME_CATMARK;
  std::unique_ptr<Far::TopologyRefiner> refiner(
      RefinerFactory::Create(descriptor, RefinerFactory::Options(scheme, rules)));
  if (!refiner) throw InputError("limit surface: OpenSubdiv cannot use the mesh; repair it");
  return refiner;
}

/// Gregory caps: smooth across their sides, evaluated by limit_cap.h because OpenSubdiv's derivatives of them
/// leave out those of the rational blends. Its spline caps have exact derivatives but kinks at their sides,
/// and for Loop even gaps: their weights are rounded to seven digits. Sharp rules stay as given: "legacy"
/// corners would make the corners of a smooth border sharp.
Far::PatchTableFactory::Options patch_options(int isolation) {
  Far::PatchTableFactory::Options options(static_cast<unsigned>(isolation));
  options.SetEndCapType(Far::PatchTableFactory::Options::ENDCAP_GREGORY_BASIS);
  options.SetPatchPrecision<double>();
  options.useInfSharpPatch = true;
  options.generateLegacySharpCornerPatches = false;
  options.generateVaryingTables = false;
  return options;
}

bool is_cap(const Far::PatchTable& patches, const Far::PatchTable::PatchHandle& patch) {
  const auto type = patches.GetPatchDescriptor(patch).GetType();
  return type == Far::PatchDescriptor::GREGORY_BASIS || type == Far::PatchDescriptor::GREGORY_TRIANGLE;
}

/// A cap's weights, derivatives by the parameter face's u and v. A cap lies at a corner of its parameter
/// face, so a triangular one is never rotated.
void cap_weights(const Far::PatchTable& patches, const Far::PatchTable::PatchHandle& patch, double u,
                 double v, PatchWeights& basis) {
  const Far::PatchParam param = patches.GetPatchParam(patch);
  param.Normalize(u, v);
  if (patches.GetPatchDescriptor(patch).GetType() == Far::PatchDescriptor::GREGORY_TRIANGLE)
    gregory_triangle(u, v, basis);
  else
    gregory_quad(u, v, basis);
  const double scale = 1.0 / static_cast<double>(param.GetParamFraction());
  const int size = patches.GetPatchVertices(patch).size();
  for (int k = 1; k < 6; ++k)
    for (int i = 0; i < size; ++i) basis.w[k][i] *= k < 3 ? scale : scale * scale;
}

/// Two faults of OpenSubdiv's derivatives on regular patches. A rotated sub-triangle is turned by half, so
/// first derivatives change sign and second ones do not, but it changes both. The parameter squares of a
/// polygon that is not a quad count as one subdivision, so it differentiates by u and v as if they ran to one
/// half.
void correct_derivatives(const Far::PatchParam& param, bool loop, Eigen::Matrix<double, 3, 6>& jet) {
  if (loop) {
    if (param.IsTriangleRotated()) jet.rightCols<3>() *= -1;
  } else if (param.NonQuadRoot()) {
    jet.middleCols<2>(1) *= 0.5;
    jet.rightCols<3>() *= 0.25;
  }
}

}  // namespace

struct LimitPatches::Tables {
  std::unique_ptr<const Far::PatchTable> patches;
  std::unique_ptr<const Far::PatchMap> map;
  std::unique_ptr<const Stencils> stencils;  ///< of the refined points and, after them, the caps' points
  std::vector<std::size_t> stencil_offsets;

  Tables(Far::TopologyRefiner& refiner, int isolation) {
    const auto options = patch_options(isolation);
    refiner.RefineAdaptive(options.GetRefineAdaptiveOptions());
    patches.reset(Far::PatchTableFactory::Create(refiner, options));
    map = std::make_unique<Far::PatchMap>(*patches);

    stencils.reset(StencilFactory::Create(refiner));
    const Stencils* caps = patches->GetLocalPointStencilTable<double>();
    if (caps && caps->GetNumStencils() > 0)
      stencils.reset(StencilFactory::AppendLocalPointStencilTable(refiner, stencils.get(), caps));
    stencil_offsets.push_back(0);
    for (int i = 0; i < stencils->GetNumStencils(); ++i)
      stencil_offsets.push_back(stencil_offsets.back() + static_cast<std::size_t>(stencils->GetSizes()[i]));
  }
};

LimitPatches::LimitPatches(const Mesh& mesh, bool loop, const LimitOptions& options)
    : loop_(loop), isolation_(needed_isolation(options)), control_count_(mesh.vertex_count()) {
  if (options.isolation < 1 || options.isolation > max_isolation)
    throw InputError(
        fmt::format("limit surface: isolation {} is not between 1 and {}", options.isolation, max_isolation));
  check_faces(mesh, loop);
  const Topology topology(mesh);
  for (const Crease& crease : options.creases) check_crease(topology, crease);
  tables_ = std::make_unique<const Tables>(*make_refiner(mesh, loop, options), isolation_);
}

LimitPatches::~LimitPatches() = default;

std::size_t LimitPatches::point_count() const { return control_count_ + tables_->stencil_offsets.size() - 1; }

void LimitPatches::refine(const Points& control, std::vector<Vec3>& points) const {
  points.resize(point_count());
  std::copy(control.begin(), control.end(), points.begin());
  const auto& offsets = tables_->stencil_offsets;
  const int* indices = tables_->stencils->GetControlIndices().data();
  const double* weights = tables_->stencils->GetWeights().data();
  parallel_for(offsets.size() - 1, [&](std::size_t i) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += weights[k] * control.data()[indices[k]];
    points[control_count_ + i] = sum;
  });
}

Vec3 LimitPatches::position(const std::vector<Vec3>& points, int patch_face, double u, double v) const {
  const Far::PatchTable::PatchHandle& patch = *tables_->map->FindPatch(patch_face, u, v);
  PatchWeights basis;
  if (is_cap(*tables_->patches, patch))
    cap_weights(*tables_->patches, patch, u, v, basis);
  else
    tables_->patches->EvaluateBasis(patch, u, v, basis.w[0]);
  const Far::ConstIndexArray indices = tables_->patches->GetPatchVertices(patch);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < indices.size(); ++i)
    sum += basis.w[0][i] * points[static_cast<std::size_t>(indices[i])];
  return sum;
}

LimitJet LimitPatches::evaluate(const std::vector<Vec3>& points, int patch_face, double u, double v) const {
  const Far::PatchTable& patches = *tables_->patches;
  const Far::PatchTable::PatchHandle& patch = *tables_->map->FindPatch(patch_face, u, v);
  PatchWeights basis;
  auto& w = basis.w;
  const bool cap = is_cap(patches, patch);
  if (cap)
    cap_weights(patches, patch, u, v, basis);
  else
    patches.EvaluateBasis(patch, u, v, w[0], w[1], w[2], w[3], w[4], w[5]);
  const Far::ConstIndexArray indices = patches.GetPatchVertices(patch);
  Eigen::Matrix<double, 3, 6> sum = Eigen::Matrix<double, 3, 6>::Zero();
  for (int i = 0; i < indices.size(); ++i) {
    const Vec3& p = points[static_cast<std::size_t>(indices[i])];
    for (int k = 0; k < 6; ++k) sum.col(k) += w[k][i] * p;
  }
  if (!cap) correct_derivatives(patches.GetPatchParam(patch), loop_, sum);
  return {sum.col(0), sum.col(1), sum.col(2), sum.col(3), sum.col(4), sum.col(5)};
}

}  // namespace cutis
