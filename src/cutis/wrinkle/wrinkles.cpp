#include "cutis/wrinkle/wrinkles.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/cubic_step.h"
#include "cutis/core/error.h"
#include "cutis/core/log.h"
#include "cutis/core/parallel.h"
#include "cutis/energy/positive_part.h"
#include "cutis/surface/geodesic/geodesic.h"
#include "cutis/surface/mesh/deformation.h"
#include "cutis/wrinkle/layer/layer_mesh.h"
#include "cutis/wrinkle/layer/layer_solver.h"

namespace cutis {
namespace {

/// More load steps than this are not taken for one frame, however much the body is strained in it.
constexpr int kMaxLoadSteps = 50;
/// Share of the area whose strain does not count for the number of load steps.
constexpr double kUncountedArea = 0.01;

/// Tells of load steps where they take long: how far a frame has come.
class LoadStepLog {
 public:
  LoadStepLog(double time, int steps) : time_(time), steps_(steps) {}
  void finished(int step) {
    constexpr std::chrono::seconds kSilence{10};
    if (Clock::now() - last_ < kSilence || step == steps_) return;
    last_ = Clock::now();
    log().info("wrinkles at {:.4g} s: load step {} of {}", time_, step, steps_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  double time_;
  int steps_;
  Clock::time_point last_ = Clock::now();
};

/// How much of the wrinkles is shown at each vertex of a fine mesh: all but near to where the region ends.
IdVector<VertexId, double> fade_of(const LayerSurface& layer, double width) {
  IdVector<VertexId, double> fade(layer.held.size(), 1);
  std::vector<VertexId> held;
  for (VertexId v : ids<VertexId>(layer.held.size()))
    if (layer.held[v]) held.push_back(v);
  if (held.empty() || width == 0) return fade;
  const GeodesicMetric metric(layer.fine->topology(), layer.fine->positions());
  Geodesics geodesics(metric);
  geodesics.from_vertices(held);
  for (VertexId v : ids<VertexId>(fade.size()))
    fade[v] = cubic_step(0, 1, geodesics.distance(v) / (width * layer.wavelength.across[v]));
  return fade;
}

State prefixed(const State& state, const std::string& prefix) {
  State out;
  for (const auto& [name, values] : state.numbers) out.numbers[prefix + name] = values;
  for (const auto& [name, values] : state.integers) out.integers[prefix + name] = values;
  return out;
}

State without_prefix(const State& state, const std::string& prefix) {
  State out;
  for (const auto& [name, values] : state.numbers)
    if (name.starts_with(prefix)) out.numbers[name.substr(prefix.size())] = values;
  for (const auto& [name, values] : state.integers)
    if (name.starts_with(prefix)) out.integers[name.substr(prefix.size())] = values;
  return out;
}

/// Takes a part of a step into the report of the whole.
void include(const StepReport& part, StepReport& whole) {
  whole.iterations += part.iterations;
  whole.residual = std::max(whole.residual, part.residual);
  if (part.converged) return;
  whole.converged = false;
  whole.reason = part.reason;
}

}  // namespace

class Wrinkles::Impl {
 public:
  Impl(const Body& body, const Body& shown, IdVector<VertexId, SurfacePoint> places, WrinkleOptions options)
      : body_(body),
        shown_(shown),
        options_(std::move(options)),
        places_(std::move(places)),
        region_(region_surface(*body.surface(), options_.region)),
        pose_(body.surface()->positions()) {
    if (options_.layers.empty()) throw InputError("skin that wrinkles needs a layer");
    assert(options_.give == 0 || options_.layers.size() == 1 || options_.coupling == LayerCoupling::BottomUp);
    for (std::size_t k = 0; k < options_.layers.size(); ++k)
      surfaces_.push_back(std::make_unique<LayerSurface>(layer_surface(region_, options_, k)));
    for (std::size_t k = 0; k < surfaces_.size(); ++k) {
      Carrier carrier = k == 0 ? carried_by_body(pose_) : shells_[k - 1]->rest_carrier_of(*surfaces_[k]);
      shells_.push_back(
          std::make_unique<LayerShell>(*surfaces_[k], options_.layers[k], options_, std::move(carrier)));
    }
    make_solvers();
    prepare_shown();
    positions_ = shown.source().positions;
  }

  StepReport advance(double time) {
    const Points pose = body_.positions(time);
    const int steps = load_steps(pose, time);
    StepReport report;
    LoadStepLog progress(time, steps);
    for (int i = 1; i <= steps; ++i) {
      LoadStep load;
      load.first = i == 1;
      load.last = i == steps;
      // An equilibrium is one whether or not those that led to it were.
      if (options_.solver == WrinkleSolver::Static || !time_) report = {true, report.iterations, 0, ""};
      if (time_) {
        load.duration = (time - *time_) / steps;
        include(step(load.last ? pose : body_.positions(*time_ + i * load.duration), load), report);
      } else {
        // There is no way from rest to the first frame: layers are put there, and loaded step by step.
        load.load = static_cast<double>(i) / steps;
        include(step(pose, load), report);
      }
      progress.finished(i);
    }
    time_ = time;
    show(time);
    return report;
  }

  const SourcePoints& positions() const { return positions_; }

  std::vector<LayerMesh> layer_meshes() const {
    std::vector<LayerMesh> meshes;
    for (const auto& shell : shells_)
      meshes.push_back(layer_mesh(*shell, fmt::format("layer{}", meshes.size() + 1)));
    return meshes;
  }

  State save() const {
    State state;
    state.numbers["time"] = time_ ? std::vector<double>{*time_} : std::vector<double>{};
    for (std::size_t k = 0; k < shells_.size(); ++k) {
      const State layer = prefixed(shells_[k]->save(), fmt::format("layer{}_", k));
      state.numbers.insert(layer.numbers.begin(), layer.numbers.end());
      state.integers.insert(layer.integers.begin(), layer.integers.end());
    }
    return state;
  }

  void restore(const State& state) {
    const std::vector<double>& time = state.numbers.at("time");
    time_ = time.empty() ? std::nullopt : std::optional(time.front());
    for (std::size_t k = 0; k < shells_.size(); ++k)
      shells_[k]->restore(without_prefix(state, fmt::format("layer{}_", k)));
    if (!time_) return;
    at_rest_ = false;
    pose_ = body_.positions(*time_);
    show(*time_);
  }

 private:
  const Body &body_, &shown_;
  WrinkleOptions options_;
  IdVector<VertexId, SurfacePoint> places_;  ///< of the shown vertices on the body
  RegionSurface region_;
  std::vector<std::unique_ptr<LayerSurface>> surfaces_;
  std::vector<std::unique_ptr<LayerShell>> shells_;
  std::vector<std::unique_ptr<LayerSolver>> solvers_;  ///< one for each layer, or one for all
  Points pose_;                                        ///< of the body now
  std::optional<double> time_;                         ///< nothing before the first frame
  bool at_rest_ = true;                                ///< nothing has moved the layers yet
  bool told_of_load_steps_ = false;

  std::vector<VertexId> wrinkled_;             ///< shown vertices within the region
  Points wrinkled_rest_;                       ///< where they are at rest
  std::vector<double> fade_;                   ///< of each of them
  IdVector<VertexId, SurfacePoint> on_shell_;  ///< where they lie on the mesh of the outermost layer...
  int mesh_number_ = -1;                       ///< ... when it had this number
  SourcePoints positions_;

  /// Layers lie inwards, so that the outermost one is the surface of the body itself.
  Carrier carried_by_body(const Points& pose) const {
    const LayerSurface& lowest = *surfaces_.front();
    return carried_by(body_.triangles().mesh, pose, lowest.body, lowest.height);
  }

  void prepare_shown() {
    const std::vector<char>& region = options_.region;
    for (VertexId v : ids<VertexId>(places_.size())) {
      const FaceId face = places_[v].face;
      if (!face.valid() || (!region.empty() && !region[face.index()])) continue;
      wrinkled_.push_back(v);
      wrinkled_rest_.push_back(shown_.mesh().positions[v]);
    }
    // The layer with the longest wrinkles decides.
    fade_.assign(wrinkled_.size(), 1);
    for (std::size_t k = 0; k < surfaces_.size(); ++k) {
      const IdVector<VertexId, double> fade = fade_of(*surfaces_[k], options_.fade);
      const IdVector<VertexId, SurfacePoint> places = shells_[k]->places_of(wrinkled_rest_);
      for (std::size_t i = 0; i < fade_.size(); ++i)
        fade_[i] = std::min(fade_[i], interpolate(surfaces_[k]->fine->mesh(), fade, places[VertexId(i)]));
    }
  }

  /// So many that the compression of the region changes by no more than the options say in one, but for a
  /// small part of its area: single triangles, which a body may turn over, do not decide for a whole
  /// character. Stretch takes wrinkles away, however fast.
  int load_steps(const Points& pose, double time) {
    const Mesh& mesh = region_.surface.mesh();
    std::vector<std::pair<double, double>> changes;  // and areas
    double area = 0;
    for (FaceId f : ids<FaceId>(mesh.face_count())) {
      const auto v = body_.triangles().mesh.face(region_.face[f]);
      const auto r = mesh.face(f);
      const Points& X = mesh.positions;
      const RestTriangle rest = rest_triangle(X[r[0]], X[r[1]], X[r[2]]);
      if (rest.degenerate()) continue;
      const auto compression = [&](const Points& x) {
        return positive_part(Mat2(-green_strain(deformation_gradient(rest, x[v[0]], x[v[1]], x[v[2]]))));
      };
      changes.emplace_back((compression(pose) - compression(pose_)).norm(), rest.area);
      area += rest.area;
    }
    std::sort(changes.begin(), changes.end());
    double above = 0, largest = 0;
    for (auto change = changes.rbegin(); change != changes.rend() && above <= kUncountedArea * area;
         ++change) {
      largest = change->first;
      above += change->second;
    }
    const double steps = std::ceil(largest / options_.load_step);
    if (steps > kMaxLoadSteps && !std::exchange(told_of_load_steps_, true))
      log().warn(
          "wrinkles at {:.4g} s: compression changes by {:.3g}, which is taken in {} load steps, not in the "
          "{:.0f} that wrinkle.load_step asks for; frames nearer to each other take shorter ones",
          time, largest, kMaxLoadSteps, steps);
    return static_cast<int>(std::clamp<double>(steps, 1, kMaxLoadSteps));
  }

  void make_solvers() {
    std::vector<LayerShell*> all;
    for (const auto& shell : shells_) all.push_back(shell.get());
    if (options_.coupling == LayerCoupling::Both) {
      solvers_.push_back(std::make_unique<LayerSolver>(std::move(all), options_));
      return;
    }
    for (LayerShell* shell : all)
      solvers_.push_back(std::make_unique<LayerSolver>(std::vector{shell}, options_));
  }

  /// From the bottom up: each layer on what the one below it has become.
  StepReport step(const Points& pose, LoadStep load) {
    StepReport report;
    if (options_.solver == WrinkleSolver::Static) load.duration = 0;
    for (std::size_t k = 0; k < solvers_.size(); ++k) {
      // Before a step, not after it: what is shown is in equilibrium on its own mesh.
      if (options_.adaptive && !at_rest_) solvers_[k]->adapt();
      const Carrier carrier = k == 0 ? carried_by_body(pose) : shells_[k - 1]->carrier_of(*shells_[k]);
      if (at_rest_) solvers_[k]->place_on(carrier);
      if (k > 0) solvers_[k]->set_lower(*shells_[k - 1]);
      StepReport layer = solvers_[k]->advance(carrier, load);
      if (solvers_.size() > 1) layer.reason = fmt::format("layer {}: {}", k + 1, layer.reason);
      include(layer, report);
    }
    at_rest_ = false;
    pose_ = pose;
    return report;
  }

  /// The surface of the outermost layer on the mesh that is shown; elsewhere the body.
  void show(double time) {
    const LayerShell& top = *shells_.back();
    if (mesh_number_ != top.mesh_number()) {
      on_shell_ = top.places_of(wrinkled_rest_);
      mesh_number_ = top.mesh_number();
    }
    positions_ = shown_.source_positions(time);
    Points moved = shown_.weld().gather(positions_);
    IdVector<VertexId, char> wrinkled(moved.size(), 0);
    const Points carried = top.carry(on_shell_, wrinkled_rest_);
    for (std::size_t i = 0; i < wrinkled_.size(); ++i) {
      Vec3& x = moved[wrinkled_[i]];
      x += fade_[i] * (carried[VertexId(i)] - x);
      wrinkled[wrinkled_[i]] = 1;
    }
    const Weld& weld = shown_.weld();
    for (SourceVertexId s : ids<SourceVertexId>(positions_.size()))
      if (const VertexId v = weld.vertex_of[s]; v.valid() && wrinkled[v]) positions_[s] = moved[v];
  }
};

Wrinkles::Wrinkles(const Body& body, const Body& shown, IdVector<VertexId, SurfacePoint> places,
                   WrinkleOptions options)
    : impl_(std::make_unique<Impl>(body, shown, std::move(places), std::move(options))) {}
Wrinkles::~Wrinkles() = default;
StepReport Wrinkles::advance(double time) { return impl_->advance(time); }
const SourcePoints& Wrinkles::positions() const { return impl_->positions(); }
std::vector<LayerMesh> Wrinkles::layer_meshes() const { return impl_->layer_meshes(); }
State Wrinkles::save() const { return impl_->save(); }
void Wrinkles::restore(const State& state) { impl_->restore(state); }

}  // namespace cutis
