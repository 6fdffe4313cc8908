#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/skin/slide.h"

namespace cutis::test {

inline constexpr double kTurn = 2 * std::numbers::pi;

inline std::vector<double> flat(const SourcePoints& points) {
  std::vector<double> values;
  for (const Vec3& p : points) values.insert(values.end(), {p.x(), p.y(), p.z()});
  return values;
}

inline SourcePoints unflat(const std::vector<double>& values) {
  SourcePoints points(values.size() / 3);
  for (std::size_t i = 0; i < values.size(); ++i)
    points[SourceVertexId(i / 3)][static_cast<int>(i % 3)] = values[i];
  return points;
}

inline SourceMesh ring(int around, int across) {
  SourceMesh mesh;
  for (int j = 0; j <= across; ++j)
    for (int i = 0; i <= around; ++i) {
      const double u = kTurn * (i % around) / around, v = kTurn * (j % across) / across;
      const double r = 1 + 0.3 * std::cos(v);
      mesh.positions.push_back(Vec3(r * std::cos(u), r * std::sin(u), 0.3 * std::sin(v)));
    }
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < around; ++i) {
      const int a = j * (around + 1) + i, d = a + around + 1;
      const std::vector<SourceVertexId> quad{SourceVertexId(a), SourceVertexId(a + 1), SourceVertexId(d + 1),
                                             SourceVertexId(d)};
      mesh.add_face(quad);
      for (const auto& [x, y] : {std::pair(i, j), {i + 1, j}, {i + 1, j + 1}, {i, j + 1}})
        mesh.uvs.push_back(Vec2(double(x) / around, double(y) / across));
    }
  return mesh;
}

/// A closed ring (a torus of `around` by `across` quads, split along two UV seams) that waves for `seconds`.
class WavingRing final : public Body {
 public:
  WavingRing(int around, int across, double seconds);
  Interval duration() const override { return {0, seconds_}; }
  SourcePoints compute_positions(double time) const override;

 private:
  double seconds_;
};

/// Skin that lags behind its body and overshoots: a damped spring on every vertex.
class LaggingSlide : public Slide {
 public:
  explicit LaggingSlide(const Body& body);
  StepReport advance(double time) override;
  const SourcePoints& positions() const override { return positions_; }
  SourcePoints velocities() const override { return velocities_; }
  State save() const override;
  void restore(const State& state) override;

 protected:
  SourcePoints positions_;
  SourcePoints velocities_;

 private:
  const Body& body_;
  double time_;
};

inline WavingRing::WavingRing(int around, int across, double seconds) : seconds_(seconds) {
  set_rest(ring(around, across));
}

inline SourcePoints WavingRing::compute_positions(double time) const {
  SourcePoints points = source().positions;
  for (Vec3& p : points) {
    const double wave = std::sin(3 * p.x() + 5 * time) * std::min(time, 1.0);
    p += Vec3(0.05 * p.y() * wave, 0.1 * time, 0.2 * wave);
  }
  return points;
}

inline LaggingSlide::LaggingSlide(const Body& body)
    : positions_(body.source().positions),
      velocities_(positions_.size(), Vec3::Zero()),
      body_(body),
      time_(body.duration().begin) {}

inline StepReport LaggingSlide::advance(double time) {
  const SourcePoints target = body_.source_positions(time);
  const double dt = time - time_;
  for (SourceVertexId v : ids<SourceVertexId>(positions_.size())) {
    velocities_[v] += dt * (60 * (target[v] - positions_[v]) - 4 * velocities_[v]);
    positions_[v] += dt * velocities_[v];
  }
  time_ = time;
  return {};
}

inline State LaggingSlide::save() const {
  return {{{"positions", flat(positions_)}, {"velocities", flat(velocities_)}, {"time", {time_}}}};
}

inline void LaggingSlide::restore(const State& state) {
  positions_ = unflat(state.numbers.at("positions"));
  velocities_ = unflat(state.numbers.at("velocities"));
  time_ = state.numbers.at("time")[0];
}

}  // namespace cutis::test
