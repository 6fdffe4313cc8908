#include "cutis/surface/limit/limit_cage.h"

#include <algorithm>

#include "cutis/core/parallel.h"

namespace cutis {
namespace {

/// Each round leaves of an error what the limit surface damps of it: all of a smooth one is gone after one or
/// two, while noise, of which the surface keeps s, comes back as 1 - (1 - s)^(rounds + 1) and is never
/// amplified.
constexpr int kRounds = 5;
/// In the first rounds vertices move along the surface, too.
constexpr int kFreeRounds = 2;

/// For each vertex, the vertices of all faces around it and itself, in order.
std::vector<std::vector<VertexId>> neighbourhoods(const Mesh& mesh) {
  std::vector<std::vector<VertexId>> around(mesh.vertex_count());
  for (FaceId f : ids<FaceId>(mesh.face_count()))
    for (VertexId v : mesh.face(f))
      around[v.index()].insert(around[v.index()].end(), mesh.face(f).begin(), mesh.face(f).end());
  for (std::size_t i = 0; i < around.size(); ++i) {
    around[i].push_back(VertexId(i));
    std::sort(around[i].begin(), around[i].end());
    around[i].erase(std::unique(around[i].begin(), around[i].end()), around[i].end());
  }
  return around;
}

/// Colours such that no neighbourhood has two vertices of one colour; each is the first that is left.
std::vector<std::size_t> far_colours(const std::vector<std::vector<VertexId>>& around) {
  const std::size_t none = around.size();
  std::vector<std::size_t> colour(around.size(), none), taken_by(around.size() + 1, none);
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (VertexId v : around[i])
      for (VertexId w : around[v.index()])
        if (colour[w.index()] != none) taken_by[colour[w.index()]] = i;
    std::size_t first = 0;
    while (taken_by[first] == i) ++first;
    colour[i] = first;
  }
  return colour;
}

}  // namespace

LimitCage::LimitCage(const Mesh& mesh, const LimitSurface& limit) {
  const std::vector<std::vector<VertexId>> around = neighbourhoods(mesh);
  const std::vector<std::size_t> colour = far_colours(around);
  begin_.push_back(0);
  for (const auto& row : around) {
    column_.insert(column_.end(), row.begin(), row.end());
    begin_.push_back(column_.size());
  }
  weight_.assign(column_.size(), 0);
  LimitSurface probe = limit;
  const std::size_t colours = colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
  for (std::size_t first = 0; first < colours; first += 3) {  // one colour a coordinate
    Points moved(around.size(), Vec3::Zero());
    for (std::size_t i = 0; i < around.size(); ++i)
      if (colour[i] >= first && colour[i] < first + 3)
        moved[VertexId(i)][static_cast<int>(colour[i] - first)] = 1;
    probe.update(moved);
    const Points answer = probe.vertex_positions();
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
        const std::size_t c = colour[column_[k].index()];
        if (c >= first && c < first + 3) weight_[k] = answer[VertexId(i)][static_cast<int>(c - first)];
      }
  }
}

Points LimitCage::at_vertices(const Points& control) const {
  Points out(control.size());
  parallel_for(control.size(), [&](std::size_t i) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) sum += weight_[k] * control[column_[k]];
    out[VertexId(i)] = sum;
  });
  return out;
}

Points LimitCage::control(const Points& points, const IdVector<VertexId, Vec3>& normals) const {
  Points control = points;
  for (int round = 0; round < kRounds; ++round) {
    const Points now = at_vertices(control);
    parallel_for(points.size(), [&](std::size_t i) {
      const VertexId v(i);
      const Vec3 error = points[v] - now[v];
      control[v] += round < kFreeRounds || normals.empty() ? error : Vec3(normals[v] * normals[v].dot(error));
    });
  }
  return control;
}

}  // namespace cutis
