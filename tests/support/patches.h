#pragma once

#include <functional>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/skin/force_density/force_density.h"

namespace cutis::test {

/// Faces of body.mesh() whose vertices all lie within `radius` of the vertex nearest to `centre`, along the
/// surface [m].
std::vector<FaceId> faces_near(const Body& body, const Vec3& centre, double radius);
std::vector<FaceId> all_faces(const Body& body);

/// A mesh with a motion given by a formula, as it stands: nothing is welded.
class FormulaBody final : public Body {
 public:
  using Motion = std::function<Vec3(const Vec3& rest, double time)>;
  FormulaBody(const Mesh& mesh, Motion motion);
  Interval duration() const override { return {0, 1}; }
  SourcePoints compute_positions(double time) const override;

 private:
  Motion motion_;
};

/// The largest change of the angle between two neighbouring faces, one in the patch and one not, from
/// `plain` to `slid` positions of the welded vertices [rad].
double border_crease(const Body& body, const std::vector<FaceId>& patch, const Points& plain,
                     const Points& slid);

}  // namespace cutis::test
