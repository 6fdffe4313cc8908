#include "cutis/surface/limit/limit_patches.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <opensubdiv/far/patchMap.h>
#include <opensubdiv/far/patchTableFactory.h>
#include <opensubdiv/far/primvarRefiner.h>
#include <opensubdiv/far/stencilTable.h>
#include <opensubdiv/far/topologyDescriptor.h>

#include "cutis/core/error.h"
#include "cutis/surface/limit/limit_basis.h"
#include "cutis/surface/limit/limit_stencils.h"
#include "cutis/surface/limit/limit_tree.h"
#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

using namespace OpenSubdiv;
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

/// Gregory caps: smooth across their sides, evaluated by limit_basis.h because OpenSubdiv's derivatives of
/// them leave out those of the rational blends. Its spline caps have exact derivatives but kinks at their
/// sides, and for Loop even gaps: their weights are rounded to seven digits. Sharp rules stay as given:
/// "legacy" corners would make the corners of a smooth border sharp.
Far::PatchTableFactory::Options patch_options(int isolation) {
  Far::PatchTableFactory::Options options(static_cast<unsigned>(isolation));
  options.SetEndCapType(Far::PatchTableFactory::Options::ENDCAP_GREGORY_BASIS);
  options.SetPatchPrecision<double>();
  options.useInfSharpPatch = true;
  options.generateLegacySharpCornerPatches = false;
  options.generateVaryingTables = false;
  return options;
}

/// What evaluation needs to know of a patch, in two cache lines. Scales are powers of two and origins whole
/// numbers, exact in single precision.
struct alignas(64) Patch {
  enum Kind : std::uint8_t { Bicubic, GregoryQuad, GregoryTriangle, Other };
  Kind kind;
  std::uint8_t point_count;
  float scale, origin_u, origin_v;    ///< (s, t) = scale (u, v) - origin
  float first_factor, second_factor;  ///< what derivatives are multiplied with to be those by u and v
  std::array<int, PatchWeights::max_points> points;

  Vec2 local(double u, double v) const {
    return {static_cast<double>(scale) * u - static_cast<double>(origin_u),
            static_cast<double>(scale) * v - static_cast<double>(origin_v)};
  }
};

/// OpenSubdiv evaluates what is rare (patches along borders and creases) and Loop's box splines. Its
/// derivatives have two faults. A rotated sub-triangle is turned by half, so first derivatives change sign
/// and second ones do not, but it changes both. The parameter squares of a polygon that is not a quad count
/// as one subdivision, and it differentiates as if their u and v ran to one half. A triangular cap is never
/// rotated: caps lie at the corners of the parameter faces.
Patch make_patch(const Far::PatchDescriptor& descriptor, const Far::PatchParam& param, const int* points) {
  Patch patch;
  patch.point_count = static_cast<std::uint8_t>(descriptor.GetNumControlVertices());
  std::copy_n(points, patch.point_count, patch.points.begin());
  patch.scale = 1 / param.GetParamFraction();
  patch.origin_u = param.GetU();
  patch.origin_v = param.GetV();
  patch.first_factor = patch.scale;
  patch.second_factor = patch.scale * patch.scale;
  const auto type = descriptor.GetType();
  if (type == Far::PatchDescriptor::GREGORY_BASIS) {
    patch.kind = Patch::GregoryQuad;
  } else if (type == Far::PatchDescriptor::GREGORY_TRIANGLE) {
    patch.kind = Patch::GregoryTriangle;
  } else if (type == Far::PatchDescriptor::REGULAR && param.GetBoundary() == 0) {
    patch.kind = Patch::Bicubic;
  } else {
    const bool rotated = type == Far::PatchDescriptor::LOOP && param.IsTriangleRotated();
    patch.kind = Patch::Other;
    patch.first_factor = param.NonQuadRoot() ? 0.5f : 1.0f;
    patch.second_factor = rotated ? -1 : patch.first_factor * patch.first_factor;
  }
  return patch;
}

std::vector<Patch> make_patches(const Far::PatchTable& table) {
  std::vector<Patch> patches;
  const int* points = table.GetPatchControlVerticesTable().data();
  for (int array = 0; array < table.GetNumPatchArrays(); ++array)
    for (int i = 0; i < table.GetNumPatches(array); ++i) {
      patches.push_back(
          make_patch(table.GetPatchArrayDescriptor(array), table.GetPatchParam(array, i), points));
      points += patches.back().point_count;
    }
  return patches;
}

Vec3 weighted_sum(const Vec3* points, const int* indices, const double* weights, int count) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < count; ++i) sum += weights[i] * points[indices[i]];
  return sum;
}

LimitJet weighted_jet(const Vec3* points, const int* indices, const PatchWeights& basis, int count) {
  LimitJet jet{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < count; ++i) {
    const Vec3& p = points[indices[i]];
    jet.position += basis.w[0][i] * p;
    jet.d1 += basis.w[1][i] * p;
    jet.d2 += basis.w[2][i] * p;
    jet.d11 += basis.w[3][i] * p;
    jet.d12 += basis.w[4][i] * p;
    jet.d22 += basis.w[5][i] * p;
  }
  return jet;
}

/// Stands for a point while OpenSubdiv refines: notes the weights that it would have been summed with.
struct Row {
  LimitStencils::Row entries;
  void Clear() { entries.clear(); }
  void AddWithWeight(int index, double weight) {
    for (auto& [i, w] : entries)
      if (i == index) {
        w += weight;
        return;
      }
    entries.emplace_back(index, weight);
  }
  /// Catmull-Clark builds its edge and vertex points from the same level's face points.
  void AddWithWeight(const Row& row, double weight) {
    for (const auto& [i, w] : row.entries) AddWithWeight(i, weight * w);
  }
};

/// The points of the coarser level, as OpenSubdiv counts them, by their place in the list of all points.
struct CoarserPoints {
  int first;
  int operator[](int i) const { return first + i; }
};

/// A row reads only the level before, so it stays short. The points of the caps come last.
LimitStencils make_stencils(const Far::TopologyRefiner& refiner, const Far::StencilTableReal<double>* caps) {
  LimitStencils stencils(static_cast<std::size_t>(refiner.GetLevel(0).GetNumVertices()));
  const Far::PrimvarRefinerReal<double> primvars(refiner);
  CoarserPoints coarser{0};
  std::vector<Row> rows;
  for (int level = 1; level < refiner.GetNumLevels(); ++level) {
    rows.assign(static_cast<std::size_t>(refiner.GetLevel(level).GetNumVertices()), {});
    primvars.Interpolate(level, coarser, rows);
    for (const Row& row : rows) stencils.add_row(row.entries);
    stencils.end_level();
    coarser.first += refiner.GetLevel(level - 1).GetNumVertices();
  }
  for (int i = 0; caps && i < caps->GetNumStencils(); ++i) {
    const auto stencil = caps->GetStencil(i);
    LimitStencils::Row row;
    for (int k = 0; k < stencil.GetSize(); ++k)
      row.emplace_back(stencil.GetVertexIndices()[k], stencil.GetWeights()[k]);
    stencils.add_row(row);
  }
  stencils.end_level();
  return stencils;
}

int parameter_faces(const Mesh& mesh, bool loop) {
  int count = 0;
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const int sides = static_cast<int>(mesh.face_size(f));
    count += loop || sides == 4 ? 1 : sides;
  }
  return count;
}

}  // namespace

struct LimitPatches::Tables {
  std::unique_ptr<const Far::PatchTable> table;  ///< null when no patch needs it
  // In the order of the tree:
  std::vector<Patch> patches;
  std::vector<Far::PatchTable::PatchHandle> handles;
  LimitTree tree;
  LimitStencils stencils;

  Tables(const Mesh& mesh, bool loop, Far::TopologyRefiner& refiner, int isolation,
         const std::vector<FaceId>& faces)
      : table(make_table(refiner, isolation, faces)),
        tree(make_tree(parameter_faces(mesh, loop), loop)),
        stencils(make_stencils(refiner, table->GetLocalPointStencilTable<double>())) {
    std::vector<int> points;
    for (const Patch& p : patches)
      points.insert(points.end(), p.points.begin(), p.points.begin() + p.point_count);
    stencils.sort_by_use(points);
    auto next = points.begin();
    for (Patch& p : patches) {
      std::copy_n(next, p.point_count, p.points.begin());
      next += p.point_count;
    }
    if (std::ranges::none_of(patches, [](const Patch& p) { return p.kind == Patch::Other; })) {
      table.reset();
      handles = {};
    }
  }

  static const Far::PatchTable* make_table(Far::TopologyRefiner& refiner, int isolation,
                                           const std::vector<FaceId>& faces) {
    const auto options = patch_options(isolation);
    std::vector<int> numbers;
    for (FaceId f : faces) numbers.push_back(f.value);
    const Far::ConstIndexArray selected(numbers.data(), static_cast<int>(numbers.size()));  // none: all
    refiner.RefineAdaptive(options.GetRefineAdaptiveOptions(), selected);
    return Far::PatchTableFactory::Create(refiner, options, selected);
  }

  /// Fills in patches and handles, too.
  LimitTree make_tree(int faces, bool loop) {
    const Far::PatchMap map(*table);
    const std::vector<Patch> all = make_patches(*table);
    std::vector<const Far::PatchTable::PatchHandle*> handle_of(all.size());
    LimitTree out(faces, loop, [&](int face, double u, double v) -> LimitTree::Leaf {
      const Far::PatchTable::PatchHandle* handle = map.FindPatch(face, u, v);
      if (!handle) return {LimitTree::kNoPatch, 1};
      const auto patch = static_cast<std::size_t>(handle->patchIndex);
      handle_of[patch] = handle;
      return {handle->patchIndex, 1 / static_cast<double>(all[patch].scale)};
    });
    for (int index : out.order()) {
      const auto old = static_cast<std::size_t>(index);
      patches.push_back(all[old]);
      handles.push_back(*handle_of[old]);
    }
    return out;
  }

  const Patch& patch(int i) const { return patches[static_cast<std::size_t>(i)]; }

  /// Of all but bicubic patches; `derivatives` may be left out where that saves time.
  void weights(int i, double u, double v, bool derivatives, PatchWeights& basis) const {
    auto& w = basis.w;
    const Vec2 st = patch(i).local(u, v);
    if (patch(i).kind == Patch::GregoryQuad)
      gregory_quad(st.x(), st.y(), basis);
    else if (patch(i).kind == Patch::GregoryTriangle)
      gregory_triangle(st.x(), st.y(), basis);
    else if (!derivatives)
      table->EvaluateBasis(handles[static_cast<std::size_t>(i)], u, v, w[0]);
    else
      table->EvaluateBasis(handles[static_cast<std::size_t>(i)], u, v, w[0], w[1], w[2], w[3], w[4], w[5]);
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
  tables_ = std::make_unique<const Tables>(mesh, loop, *make_refiner(mesh, loop, options), isolation_,
                                           options.faces);
}

LimitPatches::~LimitPatches() = default;

std::size_t LimitPatches::point_count() const { return tables_->stencils.point_count(); }

void LimitPatches::refine(const Points& control, std::vector<Vec3>& points) const {
  points.resize(point_count());
  std::copy(control.begin(), control.end(), points.begin());
  tables_->stencils.apply(points);
}

int LimitPatches::find(int patch_face, double u, double v) const {
  const int patch = tables_->tree.find(patch_face, u, v);
  assert(patch != LimitTree::kNoPatch);
  const char* memory = reinterpret_cast<const char*>(&tables_->patch(patch));
  __builtin_prefetch(memory);
  __builtin_prefetch(memory + 64);
  return patch;
}

void LimitPatches::fetch(const std::vector<Vec3>& points, int patch) const {
  const Patch& p = tables_->patch(patch);
  for (int k = 0; k < p.point_count; ++k)
    __builtin_prefetch(&points[static_cast<std::size_t>(p.points[static_cast<std::size_t>(k)])]);
}

Vec3 LimitPatches::position(const std::vector<Vec3>& points, int patch, double u, double v) const {
  const Patch& p = tables_->patch(patch);
  const Vec2 st = p.local(u, v);
  if (p.kind == Patch::Bicubic) return bicubic_position(points.data(), p.points.data(), st.x(), st.y());
  PatchWeights basis;
  tables_->weights(patch, u, v, false, basis);
  return weighted_sum(points.data(), p.points.data(), basis.w[0], p.point_count);
}

void LimitPatches::evaluate(std::span<const Vec3* const> points, int patch, double u, double v,
                            std::span<LimitJet> jets) const {
  const Patch& p = tables_->patch(patch);
  if (p.kind == Patch::Bicubic) {
    const Vec2 st = p.local(u, v);
    bicubic(points, p.points.data(), st.x(), st.y(), jets);
  } else {
    PatchWeights basis;
    tables_->weights(patch, u, v, true, basis);
    for (std::size_t i = 0; i < points.size(); ++i)
      jets[i] = weighted_jet(points[i], p.points.data(), basis, p.point_count);
  }
  const double first = static_cast<double>(p.first_factor), second = static_cast<double>(p.second_factor);
  for (LimitJet& jet : jets) {
    jet.d1 *= first;
    jet.d2 *= first;
    jet.d11 *= second;
    jet.d12 *= second;
    jet.d22 *= second;
  }
}

}  // namespace cutis
