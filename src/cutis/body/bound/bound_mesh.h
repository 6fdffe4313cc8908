#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/surface/map/surface_point.h"

namespace cutis {

/// A mesh of a character beside the one with skin (eyes, teeth, antlers, clothes, hair), bound to that skin
/// at rest and carried by it. Each vertex has a place on the skin, the nearest one. It goes where the
/// animation has it, and beyond that as the skin around its place has been moved and turned by flesh and
/// slide: less, the further it is from the skin. What lies on the skin stays on its place.
///
/// What one joint moves as a whole, and what is rigid by its name (see NamedAs), moves as rigid pieces do, by
/// the rigid motion nearest to the one that its vertices close to the skin would make.
class BoundMesh {
 public:
  /// `skin` is the animated body whose skin carries the mesh, `mesh` the mesh as a body of its own in the
  /// same animation.
  BoundMesh(const Body& skin, std::unique_ptr<const Body> mesh, std::string name);

  const std::string& name() const { return name_; }
  const Body& mesh() const { return *mesh_; }
  /// Distance of each source vertex to the skin at rest [m].
  IdVector<SourceVertexId, double> distances() const;
  /// How many rigid pieces it has.
  std::size_t rigid_pieces() const { return pieces_.size(); }

  /// Where it is at a time of the animation. `animated` and `carried` are the vertices of the skin's mesh()
  /// as plain skinning has them then, and as they are.
  SourcePoints positions(const Points& animated, const Points& carried, double time) const;

 private:
  /// Where a vertex is bound, with the vertices of the skin around its place: near_[first] .. near_[last -
  /// 1].
  struct Place {
    SurfacePoint point;
    double distance = 0;  ///< [m], at rest
    Vec3 at_rest;         ///< of the place
    std::size_t first = 0, last = 0;
  };
  /// One vertex of the skin around a place: its share of the place's displacement, and of its turn.
  struct Near {
    VertexId vertex;
    double displaces = 0, turns = 0;
  };
  struct Piece {
    std::vector<VertexId> vertices;
    std::vector<double> weights;  ///< of its vertices in the fit
    bool as_at_rest = false;      ///< has its rest shape; else that of the animation
  };

  const Body& skin_;
  std::unique_ptr<const Body> mesh_;
  std::string name_;
  double size_ = 1;  ///< of the skin [m]
  IdVector<VertexId, Place> places_;
  std::vector<Near> near_;
  std::vector<Piece> pieces_;

  void bind_places();
  void find_pieces();
  void weigh(Piece& piece) const;
  double follows(double distance) const;
  Vec3 carried_place(VertexId v, const Vec3& animated_place, const Points& animated,
                     const Points& carried) const;
  void move_pieces(const Points& animated_mesh, Points& moved) const;
};

}  // namespace cutis
