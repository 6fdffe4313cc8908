#pragma once

#include <array>
#include <vector>

#include "cutis/energy/membrane_energy.h"
#include "cutis/material/membrane/skin_law.h"
#include "cutis/surface/mesh/topology.h"
#include "cutis/wrinkle/shell/bending_element.h"
#include "cutis/wrinkle/shell/shell_face.h"

namespace cutis {

/// A sheet of one kind of material.
struct ShellPart {
  Mesh rest;  ///< a manifold mesh of triangles at rest
  std::vector<ShellFace> faces;
  double poisson = 0.5;
  double density = 0;                               ///< [kg/m³]
  SkinLaw law{.model = MaterialModel::NeoHookean};  ///< of WrinkleLayer
};

/// Thin elastic shells on a mesh of triangles: they resist being stretched and being bent away from their
/// shape at rest.
class Shell {
 public:
  using Gradient = Eigen::Matrix<double, 18, 1>;
  using Hessian = Eigen::Matrix<double, 18, 18>;

  /// One or several sheets that have no vertex in common: vertices and faces of the first come first.
  explicit Shell(const std::vector<ShellPart>& parts);

  const Mesh& rest() const { return rest_; }
  const Topology& topology() const { return topology_; }
  std::size_t vertex_count() const { return rest_.vertex_count(); }
  std::size_t face_count() const { return rest_.face_count(); }
  const IdVector<VertexId, double>& masses() const { return masses_; }  ///< [kg]
  const BendingElement& bending(std::size_t face) const { return bending_[face]; }
  double volume(std::size_t face) const { return membrane(face).elements()[face].volume; }  ///< [m³]

  /// Says where what is below carries it. Triangles that are folded over there do not resist bending. Where
  /// it is carried far from rest, `load` can grow from 0 to 1: it bears this share of the logarithmic strains
  /// and of the angles that it would have there, as its shape at rest is one between that one and its own.
  void set_carried(const Points& carried, double load);

  /// Of one triangle [J]; grows without bound where it folds itself onto a neighbour.
  double energy(std::size_t face, const Points& positions) const;
  double bending_energy(std::size_t face, const Points& positions) const;
  /// By the six vertices of bending(face) [N].
  Gradient gradient(std::size_t face, const Points& positions) const;
  /// The same [N/m]; of its negative curvature, `projected_share` is taken out.
  Hessian hessian(std::size_t face, const Points& positions, double projected_share) const;

 private:
  Mesh rest_;
  Topology topology_;
  std::vector<MembraneEnergy> membranes_;  ///< all faces, with the material of each part
  std::vector<std::size_t> part_;          ///< of each face
  std::vector<double> fibres_;  ///< what they add to Young's modulus of each face [Pa]; empty: nothing
  std::vector<BendingElement> bending_;
  struct OwnRest {
    Mat2 inverse;
    Vec3 angles;
  };
  std::vector<OwnRest> own_rest_;  ///< of each face while its shape at rest is another; else empty
  std::vector<char> folded_;       ///< by what carries it
  std::vector<Vec3> fold_onset_;   ///< of the fold barriers of its hinges, from π [rad]
  IdVector<VertexId, double> masses_;

  void load_face(std::size_t face, const Points& carried, const Vec3& angles, double load);
  const MembraneEnergy& membrane(std::size_t face) const { return membranes_[part_[face]]; }
};

}  // namespace cutis
