#include "cutis/skin/tracked/tracked_membrane.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/LU>

#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "cutis/energy/compression_barrier.h"
#include "cutis/skin/problem/skin_setup.h"
#include "cutis/skin/tracked/right_stretch.h"
#include "cutis/solve/conjugate_gradient.h"

namespace cutis {
namespace {

constexpr double kDensity = 1100;  ///< [kg/m³]
/// Times as fast as at rest triangles may vibrate without more mass: as the stiff phase of biphasic skin
/// (kUsualStiffening) does, but for a tenth.
constexpr double kFasterThanAtRest = 3 / 1.5;
/// Of the force that turns a triangle back, over the modulus at rest: what its direction adds when it turns.
constexpr double kReturningStiffness = 4;
/// The sum of the unit normals at the corners of a triangle that lies on a smooth place is longer than
/// this...
constexpr double kNormalsAgree = 2;
/// ...and one on its back has a normal against it by this cosine or more.
constexpr double kTurnedOver = 0.5;
/// Viscosity is solved for to this share of the momentum; conjugate gradients that stop early damp less but
/// never add energy.
constexpr double kDampingTolerance = 1e-8;
constexpr int kDampingIterations = 60;

/// E / (1 - ν²) [Pa]: of a strip that is as long across as it was. With fibres the mean of two directions.
double plate_modulus(const MembraneMaterial& material) {
  Mat32 F = Mat32::Zero();
  F.topRows<2>().setIdentity();
  const MembraneResponse flat = material.evaluate(F, kExact);
  return (flat.hessian(0, 0) + flat.hessian(4, 4)) / 2;
}

/// Rows g_k of F = sum_k x_k g_kᵀ.
Mat32 corner_gradients(const Mat2& to_rest) {
  Mat32 g;
  g.bottomRows<2>() = to_rest;
  g.row(0) = -to_rest.colwise().sum();
  return g;
}

/// |gᵀg| of those.
double squared_gradients(const Mat2& to_rest) {
  const Mat32 g = corner_gradients(to_rest);
  return spectral_norm(g.transpose() * g);
}

/// Triangles around each vertex of a mesh: 3 * triangle + corner.
void corners_around(const Mesh& mesh, std::vector<std::size_t>& begin, std::vector<std::size_t>& around) {
  begin.assign(mesh.vertex_count() + 1, 0);
  for (VertexId v : mesh.corners) ++begin[v.index() + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  around.resize(mesh.corners.size());
  for (FaceId f : ids<FaceId>(mesh.face_count())) {
    const auto c = mesh.face(f);
    for (std::size_t k = 0; k < 3; ++k) around[next[c[k].index()]++] = 3 * f.index() + k;
  }
}

void check_density(const TrackedOptions& options, std::size_t vertices) {
  if (!options.density.empty() && options.density.size() != vertices)
    throw InputError(
        fmt::format("skin.density: {} values for {} vertices of the body", options.density.size(), vertices));
  for (const double density : options.density)
    if (!(density > 0) || !std::isfinite(density))
      throw InputError(fmt::format("skin.density: {} is not above zero", density));
}

}  // namespace

TrackedMembrane::TrackedMembrane(const Surface& rest, const TrackedOptions& options)
    : material_(elastic_law(options)), viscosity_(options.viscosity) {
  const Mesh& mesh = rest.mesh();
  check_density(options, mesh.vertex_count());
  const SkinElements skin = skin_elements(rest, options);
  modulus_ = modulus_of(*material_);
  tissue_ = skin_tissue(rest, skin, material_);
  prestretch_ = skin.prestretch;
  fixed_.assign(mesh.vertex_count(), 0);
  for (std::size_t i = 0; i < skin.elements.size(); ++i) {
    const MembraneElement& from = skin.elements[i];
    Element e;
    e.vertices = from.vertices;
    e.to_rest = from.rest_inverse;
    e.squared_gradients = squared_gradients(e.to_rest);
    e.volume = from.volume;
    e.stiffness = from.stiffness;
    e.compression = from.compression;
    double density = 0;
    for (VertexId v : e.vertices) density += (options.density.empty() ? kDensity : options.density[v]) / 3;
    e.mass = e.mass_now = density * e.volume;
    elements_.push_back(e);
  }
  corners_around(mesh, around_begin_, around_);
  for (VertexId v : ids<VertexId>(fixed_.size())) skin_masses_.push_back(mass_at(v));
  add_mass_to_small(options.highest_frequency);
  for (VertexId v : ids<VertexId>(fixed_.size())) masses_.push_back(mass_at(v));
  forces_.assign(mesh.vertex_count(), Vec3::Zero());
}

double TrackedMembrane::mass_at(VertexId v) const {
  double sum = 0;
  for (std::size_t i = around_begin_[v.index()]; i < around_begin_[v.index() + 1]; ++i)
    sum += elements_[around_[i] / 3].mass_now / 3;
  return sum;
}

/// Selective mass scaling: a few small triangles, between fingers or lips, would make every step of the whole
/// skin short. The forces that track the body are per mass and do not change by it.
void TrackedMembrane::add_mass_to_small(double highest_frequency) {
  std::vector<double> squared(elements_.size(), 0), usual;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    if (e.volume == 0) continue;
    squared[i] = frequency_bound(e, material_->stiff_stress(Mat32::Identity(), e.compression).stiffness);
    usual.push_back(squared[i]);
  }
  if (usual.empty()) return;
  const auto middle = usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2);
  std::nth_element(usual.begin(), middle, usual.end());
  const double highest = *middle * highest_frequency * highest_frequency;
  double before = 0, after = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    Element& e = elements_[i];
    before += e.mass;
    if (squared[i] > highest) e.mass *= squared[i] / highest;
    e.mass_now = e.mass;
    after += e.mass;
  }
  highest_squared_ = kFasterThanAtRest * kFasterThanAtRest * highest;
  mass_gain_ = after / before;
}

void TrackedMembrane::set_fixed(IdVector<VertexId, char> fixed) {
  fixed_ = std::move(fixed);
  for (Element& e : elements_)
    if (std::ranges::all_of(e.vertices, [&](VertexId v) { return fixed_[v] != 0; })) {
      e.volume = 0;
    }
}

IdVector<VertexId, double> TrackedMembrane::plate_stiffness() const {
  const double modulus = plate_modulus(*material_);
  IdVector<VertexId, double> out(masses_.size(), 0);
  for (VertexId v : ids<VertexId>(out.size())) {
    const std::size_t begin = around_begin_[v.index()], end = around_begin_[v.index() + 1];
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t element = around_[i] / 3;
      out[v] += modulus * tissue_.stiffness[element] * std::pow(tissue_.thickness[element], 3) / 12 /
                static_cast<double>(end - begin);
    }
  }
  return out;
}

/// F = (sides now) D⁻¹ U⁻¹ G: the shape without stress is the pre-stretched one of the target's shape U D,
/// and what has become of it. Skin that the target presses to a share s of its width w is as long as it was,
/// in folds: when its ends move by d it is strained by d / w, not by d / (s w) as F says. Energies are
/// squares of strains, so that s² of the stiffness is left, and the force for each d is that at rest. This is
/// exact for small d across the folds; along them skin is softer, too, as a law of any kind has no factor for
/// one direction.
void TrackedMembrane::set_rest_shapes(const TriangleShapes& shapes) {
  parallel_for(elements_.size(), [&](std::size_t i) {
    Element& e = elements_[i];
    if (e.volume == 0) return;
    tissue_.prestretch[i] = shapes.prestretch(i, prestretch_[i]);
    e.to_rest = tissue_.rest[i].inverse * tissue_.prestretch[i];
    e.squared_gradients = squared_gradients(e.to_rest);
    e.width = shapes.width(i);
    e.stiffness = tissue_.stiffness[i] * e.width * e.width;
  });
}

void TrackedMembrane::set_folded_target(const Points& positions, const IdVector<VertexId, Vec3>& normals) {
  for (Element& e : elements_) {
    e.folded_target = false;
    e.folded_target = is_inverted(e, positions, normals);
  }
}

Mat32 TrackedMembrane::deformation_gradient_of(const Element& e, const Points& x) const {
  Mat32 sides;
  sides.col(0) = x[e.vertices[1]] - x[e.vertices[0]];
  sides.col(1) = x[e.vertices[2]] - x[e.vertices[0]];
  return sides * e.to_rest;
}

bool TrackedMembrane::is_inverted(const Element& e, const Points& x,
                                  const IdVector<VertexId, Vec3>& normals) const {
  if (e.folded_target) return false;
  const Vec3 area = (x[e.vertices[1]] - x[e.vertices[0]]).cross(x[e.vertices[2]] - x[e.vertices[0]]);
  const Vec3 outwards = normals[e.vertices[0]] + normals[e.vertices[1]] + normals[e.vertices[2]];
  // In a crease the normals of the corners say nothing of the triangle between them.
  if (!(outwards.norm() > kNormalsAgree)) return false;
  return area.dot(outwards) < -kTurnedOver * area.norm() * outwards.norm();
}

std::vector<std::size_t> TrackedMembrane::inverted_at(const Points& positions,
                                                      const IdVector<VertexId, Vec3>& normals) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (elements_[i].volume > 0 && is_inverted(elements_[i], positions, normals)) out.push_back(i);
  return out;
}

std::vector<VertexId> TrackedMembrane::corners(const std::vector<std::size_t>& triangles) const {
  std::vector<VertexId> out;
  for (std::size_t i : triangles)
    out.insert(out.end(), elements_[i].vertices.begin(), elements_[i].vertices.end());
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// A triangle that lies on its back has the least stretch s = -σ, along -u of F = ... + σ u vᵀ. The energy
/// E (s - 1)² / 2 leads it back through zero: P = E (1 + σ) u vᵀ (after Irving, Teran and Fedkiw 2004). Along
/// the greater stretch it stays as it was.
Mat32 TrackedMembrane::returning_stress(const Mat32& F, const Mat32& stress) const {
  const PrincipalStretches s = principal_stretches(F);
  const double along = s.max_now.dot(stress * s.max_rest);
  return along * s.max_now * s.max_rest.transpose() +
         modulus_ * (1 + s.min) * s.min_now * s.min_rest.transpose();
}

/// Of the highest mode of an element alone with a third of its mass at each corner, squared, or more; no mode
/// of the sheet is higher (Irons and Treharne 1971). Its stiffness is at most that of the material times
/// |gᵀg|.
double TrackedMembrane::frequency_bound(const Element& e, double stiffness) const {
  return 3 * e.volume * e.stiffness / e.mass * e.squared_gradients * stiffness;
}

Vec3 TrackedMembrane::gathered(const std::vector<Mat3>& at_corners, VertexId v) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = around_begin_[v.index()]; i < around_begin_[v.index() + 1]; ++i)
    sum += at_corners[around_[i] / 3].col(static_cast<int>(around_[i] % 3));
  return sum;
}

/// What is stretched far beyond all others, by a body whose skin is torn open in a crease, is hundreds of
/// times as stiff (Fung) and would make every step of the whole skin short: it gets mass for the time being.
/// What is at rest does not depend on masses.
void TrackedMembrane::evaluate(const Points& positions, const IdVector<VertexId, Vec3>& normals) {
  at_corners_.assign(elements_.size(), Mat3::Zero());
  std::vector<char> inverted(elements_.size(), 0);
  std::vector<double> squared(elements_.size(), 0);
  parallel_for(elements_.size(), [&](std::size_t i) {
    Element& e = elements_[i];
    if (e.volume == 0) return;
    const Mat32 F = deformation_gradient_of(e, positions);
    e.stretch = right_stretch(F);
    StiffStress P = material_->stiff_stress(F, e.compression);
    inverted[i] = is_inverted(e, positions, normals);
    if (inverted[i])
      P = {returning_stress(F, P.stress), std::max(P.stiffness, kReturningStiffness * modulus_)};
    at_corners_[i].noalias() = (-e.volume * e.stiffness * P.stress) * corner_gradients(e.to_rest).transpose();
    squared[i] = frequency_bound(e, P.stiffness);
    e.mass_now = e.mass * std::max(1.0, squared[i] / highest_squared_);
  });
  inverted_.clear();
  double highest = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (inverted[i]) inverted_.push_back(i);
    highest = std::max(highest, squared[i]);
  }
  highest_frequency_ = std::sqrt(std::min(highest, highest_squared_));
  parallel_for(forces_.size(), [&](std::size_t i) {
    forces_[VertexId(i)] = gathered(at_corners_, VertexId(i));
    masses_[VertexId(i)] = mass_at(VertexId(i));
  });
}

PrincipalStretches TrackedMembrane::stretches(std::size_t triangle, const Points& positions) const {
  const Element& e = elements_[triangle];
  if (e.volume == 0) return {};
  return principal_stretches(deformation_gradient_of(e, positions));
}

double TrackedMembrane::deformation(const Points& positions) const {
  std::vector<double> changes(elements_.size(), 0);
  parallel_for(elements_.size(), [&](std::size_t i) {
    const Element& e = elements_[i];
    if (e.volume > 0)
      changes[i] = e.width * spectral_norm(right_stretch(deformation_gradient_of(e, positions)) - e.stretch);
  });
  double largest = 0;
  for (const double change : changes)
    if (!(change <= largest)) largest = change;
  return largest;
}

/// Kelvin-Voigt: P = η F sym(Fᵀ Ḟ), the rate of the Green strain carried back (material/membrane/viscous.h).
std::vector<Mat3> TrackedMembrane::viscous_forces(const Points& positions, const Points& velocities) const {
  std::vector<Mat3> at_corners(elements_.size(), Mat3::Zero());
  parallel_for(elements_.size(), [&](std::size_t i) {
    const Element& e = elements_[i];
    if (e.volume == 0) return;
    const Mat32 F = deformation_gradient_of(e, positions);
    const Mat2 product = F.transpose() * deformation_gradient_of(e, velocities);
    const Mat2 rate = (product + product.transpose()) / 2;
    at_corners[i] = -e.volume * viscosity_ * F * rate * corner_gradients(e.to_rest).transpose();
  });
  return at_corners;
}

/// |D| of an element is at most V η |F|² |gᵀg|.
double TrackedMembrane::highest_damping() const {
  double highest = 0;
  if (viscosity_ > 0)
    for (const Element& e : elements_) {
      if (e.volume == 0) continue;
      const double stretch = spectral_norm(e.stretch);
      highest =
          std::max(highest, 3 * e.volume / e.mass * viscosity_ * stretch * stretch * e.squared_gradients);
    }
  return highest;
}

void TrackedMembrane::damp_implicitly(const Points& positions, double dt, Points& velocities) const {
  if (!(viscosity_ > 0)) return;
  const auto n = static_cast<Eigen::Index>(3 * masses_.size());
  const auto part = [](auto& all, VertexId v) {
    return all.template segment<3>(3 * static_cast<Eigen::Index>(v.index()));
  };
  Points probe(masses_.size());
  const LinearMap A = [&](const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    for (VertexId v : ids<VertexId>(probe.size())) probe[v] = part(x, v);
    const std::vector<Mat3> forces = viscous_forces(positions, probe);
    parallel_for(probe.size(), [&](std::size_t i) {
      const VertexId v(i);
      part(out, v) = fixed_[v] ? Vec3(Vec3::Zero()) : Vec3(masses_[v] * probe[v] - dt * gathered(forces, v));
    });
  };
  // Of changes of the velocities, so that those of fixed vertices stay: r = -dt D v.
  const std::vector<Mat3> now = viscous_forces(positions, velocities);
  Eigen::VectorXd b(n), change = Eigen::VectorXd::Zero(n);
  for (VertexId v : ids<VertexId>(masses_.size()))
    part(b, v) = fixed_[v] ? Vec3(Vec3::Zero()) : Vec3(dt * gathered(now, v));
  const Preconditioner by_mass = [&](const Eigen::VectorXd& r) {
    Eigen::VectorXd z(n);
    for (VertexId v : ids<VertexId>(masses_.size()))
      part(z, v) = masses_[v] > 0 ? Vec3(part(r, v) / masses_[v]) : Vec3(Vec3::Zero());
    return z;
  };
  conjugate_gradient(A, b, by_mass, change, {kDampingTolerance, kDampingIterations});
  for (VertexId v : ids<VertexId>(masses_.size())) velocities[v] += part(change, v);
}

void TrackedMembrane::damp_explicitly(const Points& positions, double dt, Points& velocities) const {
  if (!(viscosity_ > 0)) return;
  const std::vector<Mat3> now = viscous_forces(positions, velocities);
  for (VertexId v : ids<VertexId>(masses_.size()))
    if (masses_[v] > 0) velocities[v] += dt / masses_[v] * gathered(now, v);
}

}  // namespace cutis
