#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "cutis/flesh/lattice/embedding.h"
#include "cutis/material/solid/flesh_law.h"
#include "cutis/material/solid/solid_material.h"
#include "cutis/solve/block_jacobi_solver.h"
#include "cutis/solve/block_matrix.h"
#include "cutis/solve/newton_problem.h"

namespace cutis {

/// What flesh is made of.
struct FleshTissue {
  TetMesh mesh;
  FleshLaw law;
  /// Of each tetrahedron: the share that is flesh times its stiffness over that of the law.
  IdVector<TetId, double> stiffness;
  /// Tetrahedra with the same number share one mean volume ratio: of linear tetrahedra that all kept their
  /// own volume, hardly any node could move (locking). They share a part of their mean deformation, too.
  /// Empty: each has its own.
  IdVector<TetId, int> volume_group;
  IdVector<NodeId, double> masses;  ///< [kg]
  /// Of each tetrahedron [kg]; their rows sum up to `masses`. Empty: these alone.
  IdVector<TetId, Mat4> mass_matrices;
  IdVector<NodeId, char> fixed;  ///< the core: nodes that follow the bones
};

/// Two points of flesh that a spring pushes apart while one is not far enough from the other along a
/// direction: normal · (x - y) >= way. Both feel the same force, so that it changes no momentum.
struct FleshContact {
  TetPoint x, y;
  Vec3 normal;
  double way = 0;        ///< [m]
  double stiffness = 0;  ///< [N/m]
};

/// One implicit time step of flesh, or a static one: where its free nodes are. The energy is that of its
/// elasticity and inertia, the potential of its viscosity, and the work of the forces on it. The Hessian is
/// projected element by element, so that it is always positive semi-definite.
class FleshProblem final : public NewtonProblem {
 public:
  /// Throws InputError when a constant of the law is out of range.
  explicit FleshProblem(FleshTissue tissue);
  FleshProblem(const FleshProblem&) = delete;
  FleshProblem& operator=(const FleshProblem&) = delete;

  const FleshTissue& tissue() const { return tissue_; }
  const TetMesh& mesh() const { return tissue_.mesh; }
  /// The mass matrix of all tetrahedra with a free node, times these [kg m].
  NodePoints mass_times(const NodePoints& points) const;
  /// Tetrahedra with a free node, group by group; the others have no part in it.
  const std::vector<TetId>& elements() const { return elements_; }
  /// Where each group of elements that share a mean ends. It is without stress where all of its elements have
  /// the shapes that they have without stress, turned alike.
  std::vector<std::size_t> group_ends() const;

  /// The shape that an element has without stress: edges from its first node, as columns [m]. `share` of its
  /// stiffness it keeps.
  void set_rest(std::size_t element, const Mat3& edges, double share = 1);
  /// Inertia that draws nodes to where they would go by themselves: mass / step² each. A step of zero is a
  /// static one, without inertia.
  void set_inertia(NodePoints predicted, double step);
  void set_forces(NodePoints forces) { forces_ = std::move(forces); }  ///< [N]; empty: none
  /// Springs that draw nodes to these places [N/m]; both empty: none.
  void set_anchors(NodePoints places, IdVector<NodeId, double> stiffness);
  bool anchored() const { return !anchors_.empty(); }
  void set_contacts(std::vector<FleshContact> contacts) { contacts_ = std::move(contacts); }
  const std::vector<FleshContact>& contacts() const { return contacts_; }
  /// Viscosity by the rate of strain (E - E* ) / step at a step's end, E* = E_n + carry (E_n - E_(n-1)): the
  /// backward difference over where the nodes are now and where they were `before`, with the present shapes
  /// at rest. A step of zero switches it off.
  void set_viscosity(double step, double carry, const NodePoints& before);
  /// Puts all nodes there.
  void start(NodePoints positions);

  const NodePoints& positions() const { return trial_; }

  double energy() override;
  const Eigen::VectorXd& gradient() override;
  /// Without what contacts have between the nodes of one point and those of the other: couplings().
  const Eigen::SparseMatrix<double>& hessian() override;
  const std::vector<BlockCoupling>& couplings() const { return couplings_; }
  double max_step_size(const Eigen::VectorXd&) override { return 1; }
  double trial(const Eigen::VectorXd& step, double factor) override;

 private:
  struct Element {
    std::array<NodeId, 4> nodes;
    std::array<int, 4> place;               ///< of the nodes among those of its group
    Eigen::Matrix<double, 3, 4> gradients;  ///< of the four barycentric coordinates, at rest [1/m]
    double volume = 0;                      ///< at rest, times the stiffness [m³]
    double viscosity = 0;                   ///< [Pa s]
    Mat3 strain_before = Mat3::Zero();      ///< Green strain at the start of the step
  };
  /// Elements that share a mean volume ratio: their nodes, and where they are among the elements.
  struct Group {
    std::vector<NodeId> nodes;
    std::size_t begin = 0, end = 0;
  };
  /// By volume.
  struct GroupMean {
    double volume = 0;  ///< of all [m³]
    double J = 0;
    Mat3 F = Mat3::Zero();
  };
  /// Of groups without a heap: those around an edge of a body-centred cubic lattice have six.
  static constexpr std::size_t kMaxGroupNodes = 8;
  using NodeGradients = Eigen::Matrix<double, 3, static_cast<int>(kMaxGroupNodes)>;
  FleshTissue tissue_;
  std::shared_ptr<const SolidMaterial> material_;
  std::vector<TetId> elements_;
  std::vector<Element> data_;
  IdVector<NodeId, int> block_;  ///< -1: fixed
  std::vector<Group> groups_;
  std::vector<NodeId> free_;
  NodePoints base_, trial_;  ///< of the last gradient(), and where the nodes are
  NodePoints predicted_, forces_, anchors_;
  IdVector<NodeId, double> anchor_stiffness_;
  std::vector<FleshContact> contacts_;
  std::vector<BlockCoupling> couplings_;  ///< of the last gradient()
  IdVector<TetId, int> group_;            ///< that a tetrahedron's element is in; -1: it has none
  double step_ = 0, viscous_step_ = 0;
  BlockMatrix<3> matrix_;
  BlockVector<3> gradients_;
  std::vector<double> energies_;
  double energy_ = 0;
  bool assembled_ = false, evaluated_ = false;

  std::vector<Group> make_groups();
  ElementBlocks group_blocks() const;
  Mat3 deformation(const Element& element, const NodePoints& at) const;
  GroupMean mean_of(const Group& group, const NodePoints& at) const;
  double shared_shape(const Group& group) const;
  double group_energy(const Group& group) const;
  double node_energy(NodeId node) const;
  bool has_mass_matrices() const { return !tissue_.mass_matrices.empty(); }
  Eigen::Matrix<double, 3, 4> inertia_forces(const Element& element, TetId tet, const NodePoints& at) const;
  void assemble();
  void assemble_group(std::size_t group);
  void add_mean_shape(std::size_t group, const GroupMean& mean, const NodeGradients& gradients);
  double overlap(const FleshContact& contact, const NodePoints& nodes) const;
  void add_contacts();
  void add_contact_point(const TetPoint& point, const Vec3& force, const Mat3& stiffness);
};

}  // namespace cutis
