#include "cutis/skin/force_density/force_density.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/skin/force_density/body_net.h"
#include "cutis/skin/force_density/patch_blend.h"
#include "cutis/skin/mappable.h"
#include "cutis/skin/slide_surface.h"

namespace cutis {
namespace {

/// One value per vertex of the patch; empty when there are none.
std::vector<double> of_patch(const IdVector<VertexId, double>& values, const PatchDisk& disk) {
  std::vector<double> result;
  if (values.empty()) return result;
  for (VertexId v : disk.body_vertex) result.push_back(values[v]);
  return result;
}

void check_values(const Body& body, const IdVector<VertexId, double>& values, const std::string& name,
                  bool zero_is_fine) {
  if (values.empty()) return;
  if (values.size() != body.mesh().vertex_count())
    throw InputError(fmt::format("{}: {} values for {} vertices; give one a vertex", name, values.size(),
                                 body.mesh().vertex_count()));
  for (VertexId v : ids<VertexId>(values.size()))
    if (!(zero_is_fine ? values[v] >= 0 : values[v] > 0 && std::isfinite(values[v])))
      throw InputError(fmt::format("{}: {} at vertex {}; it must be {}", name, values[v],
                                   body.weld().representative[v].value,
                                   zero_is_fine ? "at least 0" : "above 0 and finite"));
}

/// Vertices that share one source vertex stay together by staying where they are.
ForceDensityOptions stuck_where_parted(const Body& body, ForceDensityOptions options) {
  const std::vector<VertexId> split_vertices = body.weld().split_vertices();
  if (!split_vertices.empty() && options.slide_limit.empty())
    options.slide_limit.assign(body.mesh().vertex_count(), INFINITY);
  for (VertexId v : split_vertices)
    if (v.index() < options.slide_limit.size()) options.slide_limit[v] = 0;
  return options;
}

std::vector<PatchDisk> cut_patches(const Body& body, const std::vector<SlidePatch>& patches) {
  std::vector<PatchDisk> disks;
  for (const SlidePatch& patch : patches)
    disks.push_back(cut_patch(patch, body, body.triangles(), body.surface()->topology()));
  return disks;
}

/// The polygons that skin in the patches can lie on: a vertex stays in its patch, and its own place is a
/// corner of any face around it. Where patches overlap, their mean may lead anywhere: none, which means all.
std::vector<FaceId> reached_faces(const Body& body, const std::vector<PatchDisk>& disks) {
  IdVector<VertexId, char> in_patch(body.mesh().vertex_count(), 0);
  for (const PatchDisk& disk : disks)
    for (VertexId v : disk.body_vertex)
      if (std::exchange(in_patch[v], 1)) return {};
  std::vector<FaceId> faces;
  if (disks.empty()) return faces;
  for (FaceId f : ids<FaceId>(body.mesh().face_count()))
    if (std::ranges::any_of(body.mesh().face(f), [&](VertexId v) { return in_patch[v] != 0; }))
      faces.push_back(f);
  return faces;
}

SurfaceMap::Points home_points(const SlideSurface& surface) {
  SurfaceMap::Points points;
  for (VertexId v : ids<VertexId>(surface.rest().mesh().vertex_count())) points.push_back(surface.home(v));
  return points;
}

}  // namespace

struct ForceDensitySlide::Parts {
  const Body& body;
  SlideSurface slide_surface;
  std::optional<BodyNet> net;  ///< without patches
  std::vector<std::unique_ptr<PatchSlide>> patches;
  std::optional<PatchBlend> blend;
  std::vector<SourceVertexId> moving;  ///< source vertices inside of patches
  SurfaceMap::Points points;
  SourcePoints positions;
  IdVector<VertexId, double> slide_limit;
  std::vector<FaceId> folded;

  Parts(const Body& of, const ForceDensityOptions& options)
      : Parts(of, options, cut_patches(of, options.patches)) {}

  Parts(const Body& of, const ForceDensityOptions& options, std::vector<PatchDisk> disks)
      : body(of),
        slide_surface(of, options.limit_surface ? SlidesOn::Limit : SlidesOn::Polygon,
                      reached_faces(of, disks)),
        points(home_points(slide_surface)),
        positions(of.source().positions),
        slide_limit(options.slide_limit) {
    check_values(body, options.slide_limit, "slide_limit", true);
    check_values(body, options.edge_density_factor, "edge_density_factor", false);
    for (PatchDisk& disk : disks) {
      std::vector<double> limits = of_patch(options.slide_limit, disk);
      std::vector<char> stuck;
      for (double limit : limits) stuck.push_back(limit == 0);
      EmbeddingOptions embedding{options.density, options.outline, options.solver, std::move(stuck),
                                 of_patch(options.edge_density_factor, disk)};
      patches.push_back(std::make_unique<PatchSlide>(std::move(disk), embedding, std::move(limits)));
    }
    blend.emplace(body.surface(), patches);
    if (disks.empty()) net.emplace(slide_surface, options.slide_limit, options.edge_density_factor);
    const auto& slides = net ? net->moving() : blend->moving();
    for (SourceVertexId s : ids<SourceVertexId>(body.weld().vertex_of.size()))
      if (std::binary_search(slides.begin(), slides.end(), body.weld().vertex_of[s])) moving.push_back(s);
    note_folds();
  }

  void note_folds() {
    std::vector<FaceId> now;
    for (const auto& patch : patches)
      for (FaceId f : patch->embedding().folded()) now.push_back(patch->disk().body_face[f]);
    std::sort(now.begin(), now.end());
    now.erase(std::unique(now.begin(), now.end()), now.end());
    // Said when it begins, not in each of the frames that it lasts.
    if (!now.empty() && folded.empty()) {
      std::vector<int> faces;
      for (std::size_t i = 0; i < std::min<std::size_t>(now.size(), 5); ++i)
        faces.push_back(body.weld().source_face[body.triangles().polygon[now[i]]].value);
      log().warn(
          "{} triangles stay folded in the layout of their patch (faces {}{}); skin may bunch up "
          "there. A patch whose border bends less, or without the hole next to them, avoids it",
          now.size(), fmt::join(faces, ", "),
          now.size() > faces.size() ? fmt::format(" and {} more", now.size() - faces.size()) : "");
    }
    folded = std::move(now);
  }

  StepReport advance(double time) {
    positions = body.source_positions(time);
    const Points now = body.weld().gather(positions);
    StepReport report;
    slide_surface.update(now);
    if (net) {
      const Points on_surface = slide_surface.on_surface();
      net->solve(slide_surface, now, on_surface, points);
      place([&](VertexId v) { return net->slides()[v]; });
      return report;
    }
    for (const auto& patch : patches)
      report.iterations += patch->advance(patch->disk().gather(now)).iterations;
    blend->write(points);
    note_folds();
    for (FaceId f : folded) report.folded.push_back(body.surface()->position({f, Vec3::Constant(1.0 / 3)}));
    place([&](VertexId v) { return slide_surface.slide(v, points[v]); });
    return report;
  }

  template <class Slide>
  void place(const Slide& slide) {
    parallel_for(moving.size(),
                 [&](std::size_t i) { positions[moving[i]] += slide(body.weld().vertex_of[moving[i]]); });
  }
};

ForceDensitySlide::ForceDensitySlide(const Body& body, ForceDensityOptions options)
    : parts_(std::make_unique<Parts>(body, stuck_where_parted(body, std::move(options)))) {}
ForceDensitySlide::~ForceDensitySlide() = default;

StepReport ForceDensitySlide::advance(double time) { return parts_->advance(time); }
const SourcePoints& ForceDensitySlide::positions() const { return parts_->positions; }
const std::vector<FaceId>& ForceDensitySlide::folded() const { return parts_->folded; }

SkinState ForceDensitySlide::skin() const {
  SkinState state;
  state.map = skin_map(parts_->body.surface(), parts_->points);
  return state;
}

IdVector<VertexId, double> ForceDensitySlide::slide_limits() const { return parts_->slide_limit; }

State ForceDensitySlide::save() const {
  State state;
  for (std::size_t i = 0; i < parts_->patches.size(); ++i)
    state.numbers[fmt::format("patch{}", i)] = parts_->patches[i]->save();
  return state;
}

void ForceDensitySlide::restore(const State& state) {
  for (std::size_t i = 0; i < parts_->patches.size(); ++i) {
    const auto found = state.numbers.find(fmt::format("patch{}", i));
    if (found == state.numbers.end() || !parts_->patches[i]->restore(found->second))
      throw InputError(fmt::format("patch \"{}\": the saved state is not of this patch; start the run anew",
                                   parts_->patches[i]->disk().name));
  }
}

}  // namespace cutis
