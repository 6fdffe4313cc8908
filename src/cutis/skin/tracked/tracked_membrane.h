#pragma once

#include <array>
#include <limits>
#include <vector>

#include "cutis/skin/problem/skin_elements.h"
#include "cutis/skin/skin_tissue.h"
#include "cutis/skin/tracked/tracked_options.h"
#include "cutis/skin/tracked/triangle_shapes.h"

namespace cutis {

/// Skin as a sheet of triangles with mass (linear finite elements, lumped masses): what its material does,
/// and how long a step of it may be. The same bits at any number of threads.
class TrackedMembrane {
 public:
  /// The surface must outlive it. Throws InputError where the options do not fit it.
  TrackedMembrane(const Surface& rest, const TrackedOptions& options);

  /// Zero where no triangle has an area; since the last evaluate().
  const IdVector<VertexId, double>& masses() const { return masses_; }  ///< [kg]
  /// Without what small triangles are given.
  const IdVector<VertexId, double>& skin_masses() const { return skin_masses_; }  ///< [kg]
  const std::vector<RestTriangle>& rest() const { return tissue_.rest; }
  /// Of plates of this skin, at the vertices: E t³ / (12 (1 - ν²)) [N m].
  IdVector<VertexId, double> plate_stiffness() const;
  /// With the shapes without stress that it has now.
  const SkinTissue& tissue() const { return tissue_; }
  /// Fixed vertices keep their velocities; triangles between them alone are left out.
  void set_fixed(IdVector<VertexId, char> fixed);
  /// Mass over that of the skin's volume and density, all in all.
  double mass_gain() const { return mass_gain_; }
  void set_rest_shapes(const TriangleShapes& shapes);
  /// Which triangles are turned over in the target itself, so that skin there may be.
  void set_folded_target(const Points& positions, const IdVector<VertexId, Vec3>& normals);

  /// Elastic forces of skin at these positions [N]. `normals` are those of the target where each vertex is: a
  /// triangle that is turned over against them is pulled back through its least stretch.
  void evaluate(const Points& positions, const IdVector<VertexId, Vec3>& normals);
  const Points& forces() const { return forces_; }
  /// The highest angular frequency that the last evaluate() saw, or more [rad/s]; an explicit step is stable
  /// below 2 over that.
  double highest_frequency() const { return highest_frequency_; }
  /// The highest rate at which viscosity slows something down, or more [1/s].
  double highest_damping() const;
  const std::vector<std::size_t>& inverted() const {
    return inverted_;
  }  ///< triangles, at the last evaluate()

  /// Triangles of skin at these positions that are turned over, against `normals` as in evaluate().
  std::vector<std::size_t> inverted_at(const Points& positions,
                                       const IdVector<VertexId, Vec3>& normals) const;
  /// The vertices of some triangles, each once.
  std::vector<VertexId> corners(const std::vector<std::size_t>& triangles) const;

  /// The largest change of a principal stretch of a triangle since the last evaluate(), against its shape on
  /// the body at rest where that is wider; NaN where something is not finite.
  double deformation(const Points& positions) const;

  /// Of a triangle of skin at these positions, against its shape without stress; none where it is left out.
  PrincipalStretches stretches(std::size_t triangle, const Points& positions) const;

  /// Velocities after viscosity has slowed them for a step `dt` [s], by a fully implicit step: (M + dt D) v'
  /// = M v, conjugate gradients.
  void damp_implicitly(const Points& positions, double dt, Points& velocities) const;
  /// The same by an explicit step.
  void damp_explicitly(const Points& positions, double dt, Points& velocities) const;

 private:
  struct Element {
    std::array<VertexId, 3> vertices;
    Mat2 to_rest = Mat2::Zero();   ///< F = sides now times this [1/m]
    double squared_gradients = 0;  ///< the largest of those of the corners' shape functions [1/m²]
    double volume = 0, compression = 1;
    double stiffness = 1;  ///< a factor on the material, by which its own is lowered where it lies in folds
    double width = 1;      ///< TriangleShapes::width()
    double mass = 0;       ///< at rest [kg]
    double mass_now = 0;   ///< [kg]
    bool folded_target = false;
    Mat2 stretch = Mat2::Identity();  ///< at the last evaluate()
  };
  std::shared_ptr<const MembraneMaterial> material_;
  double modulus_;    ///< of the material at rest [Pa]
  double viscosity_;  ///< [Pa s]
  SkinTissue tissue_;
  std::vector<Mat2> prestretch_;  ///< G without retargeting
  std::vector<Element> elements_;
  IdVector<VertexId, double> masses_, skin_masses_;
  IdVector<VertexId, char> fixed_;
  /// Where each vertex is a corner: 3 * element + corner, from around_begin_[v] on.
  std::vector<std::size_t> around_begin_, around_;
  std::vector<Mat3> at_corners_;  ///< forces of each triangle, of evaluate() only [N]
  Points forces_;
  double highest_frequency_ = 0;
  double highest_squared_ = std::numeric_limits<double>::infinity();  ///< what is faster gets mass [1/s²]
  double mass_gain_ = 1;
  std::vector<std::size_t> inverted_;

  void add_mass_to_small(double highest_frequency);
  double mass_at(VertexId v) const;
  Mat32 deformation_gradient_of(const Element& e, const Points& x) const;
  bool is_inverted(const Element& e, const Points& x, const IdVector<VertexId, Vec3>& normals) const;
  Mat32 returning_stress(const Mat32& F, const Mat32& stress) const;
  double frequency_bound(const Element& e, double stiffness) const;
  /// Sums what `at_corners` has for the corners of all elements.
  Vec3 gathered(const std::vector<Mat3>& at_corners, VertexId v) const;
  std::vector<Mat3> viscous_forces(const Points& positions, const Points& velocities) const;
};

}  // namespace cutis
