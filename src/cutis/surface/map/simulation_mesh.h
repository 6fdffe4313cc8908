#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "cutis/surface/map/surface_map.h"
#include "cutis/surface/remesh/remesh.h"

namespace cutis {

/// A body of another resolution to compute on: a remeshed copy of a surface, and the ways between the two.
/// A method runs on the simulation mesh as if it were the body, and to_source() carries its map to every
/// vertex of the source.
class SimulationMesh {
 public:
  using SurfacePtr = SurfaceMap::SurfacePtr;

  /// `edge`: length of the simulation mesh's edges [m]. Throws InputError as remesh() does, and when a vertex
  /// of the source has no face.
  SimulationMesh(SurfacePtr source, double edge, const RemeshOptions& options = {});

  const SurfacePtr& source() const { return onto_source_.to(); }
  const SurfacePtr& surface() const { return onto_source_.from(); }  ///< the remeshed one
  const RemeshQuality& quality() const { return quality_; }
  /// Where each vertex of the simulation mesh lies on the source.
  const SurfaceMap::Points& on_source() const { return onto_source_.points(); }
  /// Where each vertex of the source lies on the simulation mesh: the closest point on its own sheet, however
  /// near another part of the body comes (a closed mouth).
  const SurfaceMap::Points& on_simulation_mesh() const { return on_simulation_mesh_; }

  /// The simulation mesh's vertices for any positions of the source's (a frame of the body's motion).
  Points simulation_positions(const Points& source_positions) const;
  /// A quantity on the vertices of the source, at those of the simulation mesh.
  template <class T>
  IdVector<VertexId, T> to_simulation_mesh(const IdVector<VertexId, T>& on_source) const {
    IdVector<VertexId, T> result = onto_source_.pull(on_source);
    for (VertexId v : ids<VertexId>(result.size()))
      keep_between(source()->mesh(), on_source, this->on_source()[v], result[v]);
    return result;
  }
  /// A quantity on the vertices of the simulation mesh, at those of the source.
  template <class T>
  IdVector<VertexId, T> to_source(const IdVector<VertexId, T>& values) const {
    IdVector<VertexId, T> result;
    result.reserve(on_simulation_mesh_.size());
    for (const SurfacePoint& p : on_simulation_mesh_) {
      result.push_back(interpolate(surface()->mesh(), values, p));
      keep_between(surface()->mesh(), values, p, result.raw().back());
    }
    return result;
  }

  /// A map of the simulation mesh onto itself as a map of the source onto itself. A vertex of the source goes
  /// the way that the place on the simulation mesh below it goes, at its own height, and then to the point of
  /// the source that is nearest there. It stays where it is to the bit where the simulation mesh does;
  /// elsewhere the error is of second order in the simulation mesh's edges. The same bits at any number of
  /// threads.
  SurfaceMap to_source(const SurfaceMap& slide) const;

 private:
  SimulationMesh(const SurfacePtr& source, RemeshResult remeshed);

  SurfaceMap onto_source_;  ///< of the simulation mesh onto the source
  SurfaceMap::Points on_simulation_mesh_;
  RemeshQuality quality_;

  /// A mean is no more than the most of what it is a mean of, but for rounding: a share of 1 stays one.
  template <class T>
  static void keep_between(const Mesh& mesh, const IdVector<VertexId, T>& values, const SurfacePoint& p,
                           T& mean) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto c = mesh.face(p.face);
      const auto [least, most] = std::minmax({values[c[0]], values[c[1]], values[c[2]]});
      mean = std::clamp(mean, least, most);
    }
  }

  IdVector<VertexId, VertexId> nearest_simulation_vertices() const;
  SurfacePoint slid(VertexId v, const SurfaceMap& slide) const;
};

}  // namespace cutis
