#include "support/stability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/meshes.h"

namespace cutis::test {
namespace {

/// The faces of a sphere around +z.
Mesh cap() {
  const Mesh sphere = icosphere(3);
  Mesh mesh;
  IdVector<VertexId, VertexId> local(sphere.vertex_count());
  for (FaceId f : ids<FaceId>(sphere.face_count())) {
    const auto face = sphere.face(f);
    if (std::any_of(face.begin(), face.end(), [&](VertexId v) { return sphere.positions[v].z() < 0.5; }))
      continue;
    std::array<VertexId, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!local[face[k]].valid()) local[face[k]] = mesh.positions.push_back(sphere.positions[face[k]]);
      corners[k] = local[face[k]];
    }
    mesh.add_face(corners);
  }
  return mesh;
}

std::vector<NetBranch> plain_cotangents(const Topology& t, const Points& positions) {
  std::vector<NetBranch> branches;
  for (EdgeId e : ids<EdgeId>(t.edge_count())) {
    double q = 0;
    for (HalfedgeId h : {t.halfedge(e), t.twin(t.halfedge(e))}) {
      if (t.is_border(h)) continue;
      const Vec3& apex = positions[t.from(t.prev(h))];
      const Vec3 a = positions[t.from(h)] - apex, b = positions[t.to(h)] - apex;
      q += 0.5 * a.dot(b) / a.cross(b).norm();
    }
    branches.push_back({t.from(t.halfedge(e)).value, t.to(t.halfedge(e)).value, q, q});
  }
  return branches;
}

}  // namespace

std::vector<MethodName> layout_methods() {
  return {{LayoutMethod::ForceDensity, "force density, 1 / length"},
          {LayoutMethod::Harmonic, "harmonic"},
          {LayoutMethod::MeanValue, "mean value"},
          {LayoutMethod::Cutis, "cotangents, as Cutis"}};
}

StabilityExperiment::StabilityExperiment()
    : mesh_(cap()),
      topology_(mesh_),
      pinned_(mesh_.vertex_count(), 0),
      outline_(mesh_.vertex_count(), Vec2::Zero()) {
  for (VertexId v : ids<VertexId>(mesh_.vertex_count()))
    if (topology_.is_border(v)) {
      pinned_[v.index()] = 1;
      // A circle: convex, and the sphere's own symmetry.
      outline_[v] = mesh_.positions[v].head<2>().normalized();
    }
  FaceId top;
  double highest = -1;
  for (FaceId f : ids<FaceId>(mesh_.face_count())) {
    double height = 0;
    for (VertexId v : mesh_.face(f)) height += mesh_.positions[v].z();
    if (height > highest + 1e-12) {
      highest = height;
      top = f;
    }
  }
  turned_.assign(mesh_.face(top).begin(), mesh_.face(top).end());
  for (const MethodName& method : layout_methods()) rest_.push_back(layout(method.method, mesh_.positions));
}

Points StabilityExperiment::turned_by(double angle, int direction) const {
  const double azimuth = 2 * std::numbers::pi * direction / directions;
  const Eigen::AngleAxisd turn(angle, Vec3(std::cos(azimuth), std::sin(azimuth), 0));
  Points positions = mesh_.positions;
  for (VertexId v : turned_) positions[v] = turn * positions[v];
  return positions;
}

Layout StabilityExperiment::layout(LayoutMethod method, const Points& positions) const {
  Layout places = outline_;
  const auto solve = [&](const std::vector<NetBranch>& branches, bool symmetric) {
    NetEquilibrium net(pinned_, branches, symmetric, EmbeddingSolver::Direct);
    net.solve_directly(branches, places);
  };
  const std::array<EdgeDensity, 4> densities{EdgeDensity::InverseLength, EdgeDensity::Cotangent,
                                             EdgeDensity::MeanValue, EdgeDensity::Cotangent};
  EdgeDensities net(topology_, densities[static_cast<std::size_t>(method)]);
  net.update(positions);
  if (method == LayoutMethod::Harmonic)
    solve(plain_cotangents(topology_, positions), true);
  else
    solve(net.branches(), net.symmetric());
  if (method == LayoutMethod::Cutis) {
    net.stiffen(positions, places);
    solve(net.branches(), true);
  }
  return places;
}

double StabilityExperiment::cone(LayoutMethod method, const Layout& layout) const {
  double widest = 0;
  for (VertexId a : turned_)
    for (VertexId b : turned_) {
      const Vec2 u = layout[a] - rest(method)[a], v = layout[b] - rest(method)[b];
      widest = std::max(widest, std::abs(std::atan2(u.x() * v.y() - u.y() * v.x(), u.dot(v))));
    }
  return widest;
}

double StabilityExperiment::disturbance(LayoutMethod method, const Layout& layout) const {
  double triangle = 0, others = 0;
  int count = 0;
  for (VertexId v : ids<VertexId>(layout.size())) {
    if (pinned_[v.index()]) continue;
    const double way = (layout[v] - rest(method)[v]).norm();
    if (std::find(turned_.begin(), turned_.end(), v) != turned_.end()) {
      triangle += way / 3;
    } else {
      others += way;
      ++count;
    }
  }
  return others / count / triangle;
}

}  // namespace cutis::test
