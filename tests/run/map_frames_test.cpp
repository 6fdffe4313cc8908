#include "cutis/run/map_frames.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/run/result.h"
#include "cutis/run/runner.h"
#include "cutis/shot/open_body.h"
#include "cutis/skin/none.h"
#include "cutis/surface/geodesic/closest_point.h"
#include "cutis/surface/mesh/triangle_mesh.h"
#include "run/lagging.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

/// Skin that turns around the ring's tube and along it while the ring waves.
class SlidingRing : public Slide {
 public:
  explicit SlidingRing(const Body& body)
      : body_(body),
        surface_(std::make_shared<Surface>(triangulated(body.mesh()).mesh)),
        tree_(surface_->mesh(), surface_->positions()),
        map_(SurfaceMap::identity(surface_)),
        positions_(body.source().positions) {}

  StepReport advance(double time) override {
    SurfaceMap::Points points;
    for (const Vec3& p : surface_->positions()) {
      const double u = std::atan2(p.y(), p.x()) + 0.3 * time;
      const double v = std::atan2(p.z(), std::hypot(p.x(), p.y()) - 1) + std::sin(2 * time);
      const double r = 1 + 0.3 * std::cos(v);
      points.push_back(tree_(Vec3(r * std::cos(u), r * std::sin(u), 0.3 * std::sin(v))).point);
    }
    map_ = SurfaceMap(surface_, surface_, points);
    const Points now = map_.pull(body_.positions(time));
    for (SourceVertexId v : ids<SourceVertexId>(positions_.size()))
      positions_[v] = now[body_.weld().vertex_of[v]];
    return {};
  }
  const SourcePoints& positions() const override { return positions_; }
  SkinState skin() const override {
    SkinState state;
    state.map = map_;
    return state;
  }
  State save() const override { return {}; }
  void restore(const State&) override {}

 protected:
  const Body& body_;
  std::shared_ptr<const Surface> surface_;
  ClosestPointTree tree_;
  SurfaceMap map_;
  SourcePoints positions_;
};

class MapStorage : public testing::Test {
 protected:
  test::TemporaryFolder temporary_;
  std::shared_ptr<test::WavingRing> body_ = std::make_shared<test::WavingRing>(16, 8, 1.25);
  RunPlan plan_;

  MapStorage() {
    plan_.times = frame_times(body_->duration(), 24);  // 31 frames
    plan_.shot = "shot\n";
    plan_.storage = FrameStorage::Map;
  }
  RunOptions into(const std::string& name, bool resume = false) const {
    return {temporary_ / name, resume, nullptr, nullptr};
  }
  Bytes frame_bytes(const std::string& name, int frame) const {
    return read_file(temporary_ / name / fmt::format("frames/{:06}.npz", frame));
  }
  void complete(const std::string& name) {
    SlidingRing slide(*body_);
    ASSERT_EQ(run(*body_, slide, plan_, into(name)).outcome, RunOutcome::Complete);
  }
};

TEST_F(MapStorage, PositionsComeBackWithinTheStatedErrorAndTheSameEachTime) {
  complete("a");
  const ResultReader forwards(temporary_ / "a", body_), backwards(temporary_ / "a", body_);
  SlidingRing slide(*body_);
  const int frames = forwards.frame_count();
  ASSERT_EQ(frames, 31);
  double longest = 0, worst = 0;
  std::vector<ResultFrame> read;
  for (int i = 1; i <= frames; ++i) {
    read.push_back(forwards.frame(i));
    slide.advance(read.back().time);
    const SurfaceMap map = *slide.skin().map;
    const Mesh& mesh = map.to()->mesh();
    const Points now = body_->positions(read.back().time);
    for (FaceId f : ids<FaceId>(mesh.face_count()))
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (now[mesh.face(f)[k]] - now[mesh.face(f)[(k + 1) % 3]]).norm());
    for (SourceVertexId v : ids<SourceVertexId>(slide.positions().size()))
      worst = std::max(worst, (slide.positions()[v] - read.back().positions[v]).norm());
  }
  EXPECT_LT(worst, 4.1e-5 * longest);
  EXPECT_GT(worst, 1e-6 * longest);
  for (int i = frames; i >= 1; --i) {
    const ResultFrame frame = backwards.frame(i);
    EXPECT_EQ(frame.positions, read[i - 1].positions) << i;
    EXPECT_EQ(frame.map, read[i - 1].map) << i;
  }
}

TEST_F(MapStorage, StoppedAndResumedGivesTheSameBits) {
  plan_.fields = {"slide", "stretch_max"};
  plan_.figures = {{"spread", "log_area_spread", {}, {}, {}, {}}};
  SlidingRing undisturbed(*body_);
  const RunReport whole = run(*body_, undisturbed, plan_, into("whole"));
  RunReport report;
  int sessions = 0;
  do {
    SlidingRing slide(*body_);
    std::atomic<bool> stop = false;
    RunOptions options = into("parts", sessions > 0);
    options.stop = &stop;
    int left = 1 + sessions % 3;
    options.progress = [&](const Progress&) { stop = --left == 0; };
    report = run(*body_, slide, plan_, options);
    ASSERT_LE(++sessions, 31);
  } while (report.outcome == RunOutcome::Stopped);
  EXPECT_GT(sessions, 10);
  for (int i = 1; i <= 31; ++i) EXPECT_EQ(frame_bytes("parts", i), frame_bytes("whole", i)) << i;
  EXPECT_EQ(report.figures[0].value, whole.figures[0].value);
  EXPECT_GT(whole.figures[0].value, 0);
}

TEST_F(MapStorage, FieldsAreStoredWithIt) {
  plan_.fields = {"slide", "face_area_ratio"};
  complete("a");
  const ResultFrame frame = ResultReader(temporary_ / "a", body_).frame(20);
  EXPECT_EQ(frame.fields.size(), 2u);
  EXPECT_EQ(frame.fields.at("slide").count(), body_->source().vertex_count());
  EXPECT_EQ(frame.fields.at("face_area_ratio").count(), body_->source().face_count());
  const std::vector<double> slide = to_doubles(frame.fields.at("slide"));
  EXPECT_GT(*std::min_element(slide.begin(), slide.end()), 0.1);
}

TEST_F(MapStorage, SkinThatIsTheBodyIsExact) {
  NoSlide slide(*body_);
  ASSERT_EQ(run(*body_, slide, plan_, into("a")).outcome, RunOutcome::Complete);
  const ResultReader result(temporary_ / "a", body_);
  for (int i : {1, 2, 30}) {
    const ResultFrame frame = result.frame(i);
    const Points now = body_->positions(frame.time);
    for (SourceVertexId v : ids<SourceVertexId>(frame.positions.size()))
      EXPECT_EQ(frame.positions[v], now[body_->weld().vertex_of[v]]);
  }
  EXPECT_LT(frame_bytes("a", 30).size(), 2000u);
}

TEST_F(MapStorage, AnotherBodyIsRefused) {
  complete("a");
  // Without a body the recorded shot is opened, and this one is none.
  EXPECT_THROW(ResultReader(temporary_ / "a", open_recorded_body).frame(1), InputError);
  EXPECT_THROW(ResultReader(temporary_ / "a").frame(1), InputError);
  class Grown final : public Body {
   public:
    Grown(const Body& like, double scale) : like_(like), scale_(scale) { set_rest(like.source()); }
    Interval duration() const override { return like_.duration(); }
    SourcePoints compute_positions(double time) const override {
      SourcePoints points = like_.source_positions(time);
      for (Vec3& p : points) p *= scale_;
      return points;
    }

   private:
    const Body& like_;
    double scale_;
  };
  const auto grown = std::make_shared<Grown>(*body_, 1.001);
  try {
    ResultReader(temporary_ / "a", grown).frame(3);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the body is not where it was"));
  }
  // Other last bits, as on another processor, are let pass.
  const auto rounded = std::make_shared<Grown>(*body_, 1 + 1e-15);
  EXPECT_NO_THROW(ResultReader(temporary_ / "a", rounded).frame(3));
}

TEST_F(MapStorage, SkinThatLeavesTheBodyIsNotStoredAsAMap) {
  test::LaggingSlide lagging(*body_);
  EXPECT_THROW(run(*body_, lagging, plan_, into("a")), InputError);
  EXPECT_FALSE(std::filesystem::exists(temporary_ / "a"));

  class Lifted final : public SlidingRing {
   public:
    using SlidingRing::SlidingRing;
    StepReport advance(double time) override {
      SlidingRing::advance(time);
      if (time > 0.2) positions_[SourceVertexId(7)].z() += 1e-3;
      return {};
    }
  } lifted(*body_);
  const RunReport report = run(*body_, lifted, plan_, into("b"));
  EXPECT_EQ(report.outcome, RunOutcome::Failed);
  EXPECT_EQ(report.frames, 5);
  EXPECT_THAT(report.reason, testing::AllOf(HasSubstr("frame 6"), HasSubstr("vertex 7 is 0.001 m from")));
}

TEST_F(MapStorage, MapsOfOtherMeshesAndToNowhereAreRefused) {
  const ResultMesh mesh = result_mesh(*body_);
  EXPECT_EQ(mesh.welded_count(), body_->mesh().vertex_count());
  const SlidingRing slide(*body_);
  EXPECT_EQ(map_defect(*slide.skin().map, mesh), "");
  const test::WavingRing other_body(16, 9, 1);
  EXPECT_THAT(map_defect(*slide.skin().map, result_mesh(other_body)), HasSubstr("own triangles"));
}

TEST_F(MapStorage, WhatIsWrongIsAnErrorThatNamesTheFrameAndTheArray) {
  complete("a");
  const auto path = temporary_ / "a/frames/000003.npz";
  const Npz good = read_npz(path);
  const ResultReader result(temporary_ / "a", body_);
  const int points = static_cast<int>(result.mesh().welded_count());
  const int faces = static_cast<int>(result.mesh().triangles.size());
  const auto refusal = [&](const std::string& name, const NpyArray& array) -> std::string {
    Npz arrays = good;
    arrays[name] = array;
    write_npz(path, arrays);
    try {
      result.frame(3);
      return "";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("000003.npz: " + name + ": "));
      return error.what();
    }
  };
  const auto first_face = [&](std::int32_t face) {
    std::vector<std::int32_t> differences(points, 0);
    differences[0] = face;
    return refusal("map_face", npy_array(differences));
  };
  const auto first_barycentrics = [&](std::uint16_t second, std::uint16_t third) {
    std::vector<std::uint16_t> rows(2 * points, 0);
    rows[0] = second;
    rows[1] = third;
    return refusal("map_barycentric", npy_array(rows.data(), rows.size(), {rows.size() / 2, 2}));
  };
  EXPECT_EQ(first_face(faces - 1), "");
  EXPECT_THAT(first_face(faces), HasSubstr(fmt::format("row 0 comes to {}", faces)));
  EXPECT_THAT(first_face(-1), HasSubstr("row 0 comes to -1"));
  // Sums that would wrap around in 32 bits.
  EXPECT_NE(refusal("map_face", npy_array(std::vector<std::int32_t>(points, 0x40000000))), "");
  EXPECT_THAT(refusal("map_face", npy_array(std::vector<std::int32_t>(points - 1))), HasSubstr("of shape"));
  EXPECT_THAT(refusal("map_face", npy_array(std::vector<double>(points))), HasSubstr("fractions"));
  EXPECT_EQ(first_barycentrics(kMapSteps, 0), "");
  EXPECT_EQ(first_barycentrics(kMapSteps - 5, 5), "");
  EXPECT_THAT(first_barycentrics(kMapSteps - 5, 6), HasSubstr("row 0 has 16378 and 6"));
  EXPECT_NE(first_barycentrics(0, 65535), "");
  EXPECT_NE(refusal("map_barycentric", npy_array(std::vector<std::uint16_t>(2 * points))), "");
  EXPECT_THAT(refusal("map_side", npy_text("body_to_skin")), HasSubstr("skin_to_body"));
  EXPECT_NO_THROW(result.frame(2));
  EXPECT_NO_THROW(result.frame(4));
}

TEST_F(MapStorage, EveryArrayOfAMapIsNeeded) {
  complete("a");
  const auto path = temporary_ / "a/frames/000003.npz";
  const Npz good = read_npz(path);
  const ResultReader result(temporary_ / "a", body_);
  for (const std::string name : {"map_face", "map_barycentric", "map_side", "body_bounds", "body_crc"}) {
    Npz arrays = good;
    ASSERT_EQ(arrays.erase(name), 1u) << name;
    write_npz(path, arrays);
    EXPECT_THROW(result.frame(3), InputError) << name;
  }
  write_npz(path, good);
  EXPECT_NO_THROW(result.frame(3));
}

}  // namespace
}  // namespace cutis
