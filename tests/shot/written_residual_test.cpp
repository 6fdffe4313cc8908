// The residual of frames as they lie on the disk: the shot, the body and the skin's places on it are made
// again from the result alone, and what the solver promised of each frame is computed once more.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cutis/run/result.h"
#include "cutis/shot/open_body.h"
#include "cutis/shot/settings/lagrangian_settings.h"
#include "cutis/shot/simulate.h"
#include "cutis/skin/lagrangian/skin_model.h"
#include "cutis/solve/sparse_cholesky.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "support/support.h"

namespace cutis {
namespace {

/// The energy of a result's skin, from its summary.
class RecordedSkin {
 public:
  explicit RecordedSkin(const Summary& summary)
      : shot_(parse_shot(summary.shot, "summary.json")),
        body_(open_body(shot_.body)),
        skin_(*body_, lagrangian_options(SkinSettings(shot_, *body_), *body_)) {}

  double tolerance() const { return skin_.options.tolerance; }
  const std::vector<VertexId>& unknowns() const { return skin_.unknowns.vertices; }

  const SkinPoints& points() const { return skin_.problem.points(); }  ///< of the last residual()
  /// The next residual() is of the frame after the one with these points.
  void go_on(SkinPoints points, double time) {
    before_ = std::move(points);
    time_before_ = time;
  }

  Points positions(const ResultFrame& frame) const { return body_->weld().gather(frame.positions); }

  /// The Newton decrement of skin at these positions over the square root of its energy at a strain of one.
  /// They may be this far off the surface [m]. Drag and the highest speed act from the frame before on.
  double residual(const Points& skin, double time, double aside = 1e-12) {
    const Points body = body_->positions(time);
    skin_.surface.update(body);
    const SlideRate& rate = skin_.options.slide_rate;
    if (!before_.empty()) {
      const double dt = time - time_before_;
      skin_.problem.start_step(body, skin_.membrane, before_, dt, rate.drag, rate.speed * dt);
    }
    EXPECT_TRUE(std::isfinite(skin_.problem.start(body, skin_.membrane, places(skin, body, aside))));
    const Eigen::VectorXd& gradient = skin_.problem.gradient();
    SparseCholesky factor;
    factor.analyze(skin_.problem.hessian());
    EXPECT_TRUE(factor.factorize(skin_.problem.hessian())) << "not at a minimum";
    const Eigen::VectorXd step = factor.solve(gradient);
    return std::sqrt(gradient.dot(step)) / skin_.scale;
  }

 private:
  Shot shot_;
  std::unique_ptr<Body> body_;
  SkinModel skin_;

  SkinPoints before_;
  double time_before_ = 0;

  /// Where the skin lies on the body. Stuck skin is at home.
  SkinPoints places(const Points& skin, const Points& body, double aside) const {
    const ClosestPointTree tree(skin_.rest->mesh(), body);
    SkinPoints points(skin.size());
    for (VertexId v : ids<VertexId>(skin.size())) {
      points[v] = skin_.surface.home(v);
      if (skin_.unknowns.block[v] < 0) {
        EXPECT_LT((skin[v] - body[v]).norm(), 1e-15);
        continue;
      }
      const std::vector<SurfacePoint> starts = starts_near(v, skin[v], body, tree);
      double off = INFINITY;
      for (std::size_t i = 0; i < starts.size() && off > aside; ++i) {
        points[v] = starts[i];
        off = walk_to(v, skin[v], points[v]);
      }
      EXPECT_LE(off, aside) << "vertex " << v.value << " is not on the body";
    }
    return points;
  }

  /// Where to look for a vertex: near on its own sheet, at the nearest place of all, in the faces around its
  /// home. In a narrow fold not each of them leads there.
  std::vector<SurfacePoint> starts_near(VertexId v, const Vec3& position, const Points& body,
                                        const ClosestPointTree& tree) const {
    const Topology& topology = skin_.rest->topology();
    std::vector<SurfacePoint> starts = {
        closest_point_local(topology, body, skin_.surface.home(v), position).point, tree(position).point};
    const HalfedgeId first = topology.halfedge(v);
    HalfedgeId h = first;
    do {
      starts.push_back({topology.face(h), Vec3::Constant(1.0 / 3)});
      h = topology.rotate(h);
    } while (h != first && !topology.is_border(h));
    return starts;
  }

  /// Walks over the smooth surface to the place p that gives vertex v this position; returns how far it stays
  /// away.
  double walk_to(VertexId v, const Vec3& position, SurfacePoint& p) const {
    SurfaceJet jet = skin_.surface.evaluate(p);
    Vec3 off = position - skin_.surface.position(v, jet);
    for (double share = 1; share > 1e-6 && off.norm() > 1e-16;) {
      const SurfacePoint next = skin_.surface.retract(p, jet, share * (jet.tangent.transpose() * off));
      const SurfaceJet there = skin_.surface.evaluate(next);
      const Vec3 left = position - skin_.surface.position(v, there);
      if (left.norm() < off.norm()) {
        p = next;
        jet = there;
        off = left;
        share = std::min(1.0, 2 * share);
      } else {
        share /= 2;
      }
    }
    return off.norm();
  }
};

struct Case {
  const char* name;
  const char* shot;
};

class WrittenResidual : public testing::TestWithParam<Case> {};

TEST_P(WrittenResidual, IsWithinTheToleranceInEachFrame) {
  const test::TemporaryFolder folder;
  const Shot shot = parse_shot(GetParam().shot, folder / "shot.toml");
  RunOptions options;
  options.out = folder / "result";
  ASSERT_EQ(simulate(shot, options).outcome, RunOutcome::Complete);

  const ResultReader result(options.out);
  RecordedSkin recorded(result.summary());
  ASSERT_EQ(recorded.tolerance(), shot.solver.tolerance);
  for (int i = 1; i <= result.frame_count(); ++i) {
    SCOPED_TRACE(fmt::format("frame {}", i));
    const ResultFrame frame = result.frame(i);
    Points skin = recorded.positions(frame);
    const double residual = recorded.residual(skin, frame.time);
    const SkinPoints points = recorded.points();
    EXPECT_LE(residual, 1.001 * recorded.tolerance());
    // What the frame says of itself, up to the rounding of positions.
    EXPECT_NEAR(residual, frame.residual, 1e-3 * recorded.tolerance());

    // A vertex in a hundred a micrometre aside is noticed.
    constexpr double kMicrometre = 1e-6;
    for (std::size_t k = 0; k < recorded.unknowns().size(); k += 100)
      skin[recorded.unknowns()[k]] += Vec3::Constant(kMicrometre / std::sqrt(3));
    EXPECT_GT(recorded.residual(skin, frame.time, kMicrometre), 5 * recorded.tolerance());
    recorded.go_on(points, frame.time);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, WrittenResidual,
                         testing::Values(Case{"arm", R"(
[body]
make = "arm"
clip = "bend"
resolution = "16 mm"
[time]
start = "0.3 s"
end = "0.5 s"
fps = "15 fps"
preroll = 0
[skin]
method = "lagrangian"
)"},
                                         Case{"man", R"(
[body]
make = "male"
clip = "walk"
resolution = "20 mm"
[time]
start = "0.2 s"
end = "0.3 s"
fps = "24 fps"
preroll = 0
[skin]
method = "lagrangian"
[skin.direction]
langer = "male"
prestretch = 0.95
)"}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace cutis
