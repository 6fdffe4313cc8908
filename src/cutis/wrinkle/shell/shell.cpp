#include "cutis/wrinkle/shell/shell.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "cutis/core/parallel.h"
#include "cutis/energy/hinge_angle.h"
#include "cutis/energy/log_barrier.h"
#include "cutis/energy/rest_shape.h"

namespace cutis {
namespace {

/// Triangles that their carrier turns against each other by more than this are folded by it [rad].
constexpr double kFoldAngle = 0.97 * pi;
/// How far from lying on each other two triangles are where the fold barrier begins [rad].
constexpr double kFoldOnset = 0.25 * pi;
/// Where triangles lie on each other at rest there is still one, far below what angles are known to [rad].
constexpr double kLeastFoldOnset = 1e-12;

/// What is pressed together by more than this has no useful shape to begin from.
constexpr double kSmallestStretch = 0.1;

/// Holds for the Young's modulus of the first face. Usually neo-Hookean, which stiffens when compressed:
/// St. Venant-Kirchhoff softens so much at the strains at which thick layers buckle (14 % for the default
/// dermis) that it collapses in its plane instead.
SkinLaw law_of(const ShellPart& part) {
  SkinLaw law = part.law;
  if (law.model == MaterialModel::NeoHookean && part.poisson != 0.5)
    law.model = MaterialModel::StableNeoHookean;
  const double young = part.faces.front().young;
  if (law.young > 0) law.fung_stiffness *= young / law.young;
  law.young = young;
  law.poisson = part.poisson;
  return law;
}

/// All sheets as one mesh.
Mesh joined(const std::vector<ShellPart>& parts) {
  Mesh mesh;
  for (const ShellPart& part : parts) {
    const std::size_t first = mesh.positions.size();
    for (const Vec3& x : part.rest.positions) mesh.positions.push_back(x);
    for (FaceId f : ids<FaceId>(part.rest.face_count())) {
      const auto v = part.rest.face(f);
      mesh.add_face(std::array{VertexId(first + v[0].index()), VertexId(first + v[1].index()),
                               VertexId(first + v[2].index())});
    }
  }
  return mesh;
}

std::vector<std::size_t> part_of_faces(const std::vector<ShellPart>& parts) {
  std::vector<std::size_t> part;
  for (std::size_t k = 0; k < parts.size(); ++k) part.insert(part.end(), parts[k].faces.size(), k);
  return part;
}

std::vector<MembraneEnergy> shell_membranes(const Mesh& rest, const std::vector<ShellPart>& parts) {
  std::vector<SkinFace> skin;
  for (const ShellPart& part : parts)
    for (const ShellFace& face : part.faces) {
      SkinFace& out = skin.emplace_back();
      out.thickness = face.thickness;
      out.stiffness = face.young / part.faces.front().young;
      out.direction = face.fibres;
    }
  const std::vector<MembraneElement> elements = membrane_elements(rest, skin);
  std::vector<MembraneEnergy> membranes;
  for (const ShellPart& part : parts) membranes.emplace_back(elements, make_material(law_of(part)));
  return membranes;
}

std::vector<PlateProperties> plates(const std::vector<ShellPart>& parts) {
  std::vector<PlateProperties> out;
  for (const ShellPart& part : parts)
    for (const ShellFace& f : part.faces) {
      const double inertia = std::pow(f.thickness, 3) / 12;
      out.push_back({plate_modulus(f.young, part.poisson) * inertia, part.poisson, f.fibres,
                     (f.fibre_ratio - 1) * f.young * inertia});
    }
  return out;
}

std::vector<double> fibre_stiffness(const std::vector<ShellPart>& parts) {
  std::vector<double> out;
  for (const ShellPart& part : parts)
    for (const ShellFace& f : part.faces)
      out.push_back(f.fibres.isZero() ? 0 : (f.fibre_ratio - 1) * f.young);
  if (std::all_of(out.begin(), out.end(), [](double k) { return k == 0; })) out.clear();
  return out;
}

/// Fibres of an element: the first column f of F, as it depends on the corners, and what they store,
/// W = k/2 ln² |f|. They bear compression and stiffen in it, as the rest of the layer does; those of
/// material/ do not, which is right for skin that slides and wrong for a layer that buckles.
struct FibreJet {
  Vec3 f;
  Vec3 by_corner;                ///< of f
  double energy, first, second;  ///< by s = |f|² [J]

  FibreJet(const MembraneElement& element, const Mat32& F, double stiffness)
      : f(F.col(0)),
        by_corner(-element.rest_inverse(0, 0) - element.rest_inverse(1, 0), element.rest_inverse(0, 0),
                  element.rest_inverse(1, 0)) {
    const double s = f.squaredNorm(), log = std::log(s), k = element.volume * stiffness / 4;
    energy = k / 2 * log * log;
    first = k * log / s;
    second = k * (1 - log) / (s * s);
  }
};

/// Where the fold barrier of each hinge begins, from π. Those that are bent so far at rest, or where they are
/// carried, have half of what is left: without wrinkles nothing pushes.
Vec3 fold_onset(const Vec3& largest_angles) {
  return ((pi - largest_angles.array()) / 2).min(kFoldOnset).max(kLeastFoldOnset);
}

/// How a triangle resists being bent: 1/2 (θ - rest)ᵀ K (θ - rest) and the fold barrier of each angle that
/// comes near π, as no shell can be folded onto itself.
struct BendingJet {
  double energy = 0;            ///< [J]
  Vec3 moments = Vec3::Zero();  ///< by the angles [N m]
  Mat3 stiffness;               ///< second derivative by the angles [N m]

  BendingJet(const BendingElement& element, const Vec3& angles, const Vec3& onset)
      : moments(element.stiffness * (angles - element.rest_angles)), stiffness(element.stiffness) {
    energy = moments.dot(angles - element.rest_angles) / 2;
    const double scale = element.stiffness.trace();
    if (scale == 0) return;  // a triangle without area
    for (int k = 0; k < 3; ++k) {
      if (!element.has_hinge(static_cast<std::size_t>(k))) continue;
      const ScalarJet b = log_barrier((pi - std::abs(angles[k])) / onset[k], 1);
      energy += scale * b.value;
      moments[k] += std::copysign(1 / onset[k], angles[k]) * -scale * b.first;
      stiffness(k, k) += scale * b.second / (onset[k] * onset[k]);
    }
  }
};

}  // namespace

Shell::Shell(const std::vector<ShellPart>& parts)
    : rest_(joined(parts)),
      topology_(rest_),
      membranes_(shell_membranes(rest_, parts)),
      part_(part_of_faces(parts)),
      fibres_(fibre_stiffness(parts)),
      bending_(bending_elements(rest_, topology_, plates(parts))),
      folded_(rest_.face_count(), 0),
      fold_onset_(rest_.face_count()),
      masses_(rest_.vertex_count(), 0) {
  for (std::size_t f = 0; f < face_count(); ++f) {
    fold_onset_[f] = fold_onset(bending_[f].rest_angles.cwiseAbs());
    for (VertexId v : rest_.face(FaceId(f))) masses_[v] += parts[part_[f]].density * volume(f) / 3;
  }
}

void Shell::set_carried(const Points& carried, double load) {
  if (load < 1 && own_rest_.empty())
    for (std::size_t f = 0; f < face_count(); ++f)
      own_rest_.push_back({membrane(f).elements()[f].rest_inverse, bending_[f].rest_angles});
  parallel_for(face_count(), [&](std::size_t f) {
    const Vec3 angles = bending_angles(bending_[f], carried);
    folded_[f] = !(angles.cwiseAbs().maxCoeff() < kFoldAngle);
    fold_onset_[f] = fold_onset(angles.cwiseAbs().cwiseMax(
        (own_rest_.empty() ? bending_[f].rest_angles : own_rest_[f].angles).cwiseAbs()));
    if (!own_rest_.empty()) load_face(f, carried, angles, load);
  });
  if (load == 1) own_rest_.clear();
}

/// Where F = R U is carried, with the rest inverse times U^(load - 1) it is R U^load.
void Shell::load_face(std::size_t face, const Points& carried, const Vec3& angles, double load) {
  const OwnRest& own = own_rest_[face];
  MembraneEnergy& membrane = membranes_[part_[face]];
  membrane.set_rest_inverse(face, own.inverse);
  bending_[face].rest_angles = own.angles;
  if (load == 1) return;
  const Mat32 F = membrane.deformation(face, carried);
  const Eigen::SelfAdjointEigenSolver<Mat2> squares(Mat2(F.transpose() * F));
  const Vec2 powers =
      squares.eigenvalues().cwiseMax(kSmallestStretch * kSmallestStretch).array().pow((load - 1) / 2);
  const Mat2& axes = squares.eigenvectors();
  membrane.set_rest_inverse(face, own.inverse * (axes * powers.asDiagonal() * axes.transpose()));
  if (!folded_[face]) bending_[face].rest_angles += (1 - load) * (angles - own.angles);
}

double Shell::bending_energy(std::size_t face, const Points& positions) const {
  if (folded_[face]) return 0;
  const BendingElement& element = bending_[face];
  return BendingJet(element, bending_angles(element, positions), fold_onset_[face]).energy;
}

double Shell::energy(std::size_t face, const Points& positions) const {
  const double energy = membrane(face).energy(face, positions) + bending_energy(face, positions);
  return fibres_.empty() ? energy
                         : energy + FibreJet(membrane(face).elements()[face],
                                             membrane(face).deformation(face, positions), fibres_[face])
                                        .energy;
}

Shell::Gradient Shell::gradient(std::size_t face, const Points& positions) const {
  Gradient gradient = Gradient::Zero();
  gradient.head<9>() = membrane(face).gradient(face, positions).gradient;
  if (!fibres_.empty()) {
    const FibreJet fibre(membrane(face).elements()[face], membrane(face).deformation(face, positions),
                         fibres_[face]);
    for (int i = 0; i < 3; ++i) gradient.segment<3>(3 * i) += 2 * fibre.first * fibre.by_corner[i] * fibre.f;
  }
  if (folded_[face]) return gradient;
  const BendingElement& element = bending_[face];
  const Vec3 moments = BendingJet(element, bending_angles(element, positions), fold_onset_[face]).moments;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!element.has_hinge(k)) continue;
    const auto slope = hinge_gradient(hinge_corners(element, k, positions));
    const auto hinge = BendingElement::hinge(k);
    for (std::size_t i = 0; i < 4; ++i)
      gradient.segment<3>(static_cast<int>(3 * hinge[i])) += moments[static_cast<int>(k)] * slope[i];
  }
  return gradient;
}

/// An energy of the angles with the moments m and their derivative K has the Hessian ∇θ K ∇θᵀ + Σ m ∇²θ, of
/// which the first part alone is never negative.
Shell::Hessian Shell::hessian(std::size_t face, const Points& positions, double projected_share) const {
  Hessian hessian = Hessian::Zero();
  hessian.topLeftCorner<9, 9>() = membrane(face).evaluate(face, positions, projected_share).hessian;
  if (!fibres_.empty()) {
    const FibreJet fibre(membrane(face).elements()[face], membrane(face).deformation(face, positions),
                         fibres_[face]);
    // Across f the curvature is 2 W', negative in compression; along f it is 2 W' + 4 W'' f².
    const double across = 2 * fibre.first * (fibre.first < 0 ? 1 - projected_share : 1);
    const double s = fibre.f.squaredNorm(), along = 2 * fibre.first + 4 * fibre.second * s;
    const Mat3 block = across * Mat3::Identity() + (along - across) / s * fibre.f * fibre.f.transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        hessian.block<3, 3>(3 * i, 3 * j) += fibre.by_corner[i] * fibre.by_corner[j] * block;
  }
  if (folded_[face]) return hessian;
  const BendingElement& element = bending_[face];
  const BendingJet jet(element, bending_angles(element, positions), fold_onset_[face]);
  Eigen::Matrix<double, 18, 3> slopes = Eigen::Matrix<double, 18, 3>::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    if (!element.has_hinge(k)) continue;
    const HingeCorners corners = hinge_corners(element, k, positions);
    const auto slope = hinge_gradient(corners);
    const auto hinge = BendingElement::hinge(k);
    for (std::size_t i = 0; i < 4; ++i)
      slopes.block<3, 1>(static_cast<int>(3 * hinge[i]), static_cast<int>(k)) = slope[i];
    if (projected_share == 1) continue;
    const Mat12 curvature = (1 - projected_share) * jet.moments[static_cast<int>(k)] * hinge_hessian(corners);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        hessian.block<3, 3>(static_cast<int>(3 * hinge[i]), static_cast<int>(3 * hinge[j])) +=
            curvature.block<3, 3>(static_cast<int>(3 * i), static_cast<int>(3 * j));
  }
  const Eigen::Matrix<double, 18, 3> stiff = slopes * jet.stiffness;
  hessian.noalias() += stiff.lazyProduct(slopes.transpose());
  return hessian;
}

}  // namespace cutis
