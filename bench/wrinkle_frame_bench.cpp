// A frame of a wrinkling layer at several numbers of vertices: ours against the straightforward solver of Li
// 2014, Eq. 5.1: Newton's method whose steps solve the whole matrix with multipliers, built anew and
// factorised by LU in each iteration, on one thread. Both go from the same wrinkles, with the same
// constraints and to the same tolerance; `difference` is how far their answers are apart [wavelengths].
#include <chrono>
#include <cmath>
#include <limits>

#include <benchmark/benchmark.h>
#include <Eigen/SparseLU>

#include "cutis/body/analytic_body.h"
#include "cutis/body/procedural/geometric/grid.h"
#include "cutis/solve/line_search.h"
#include "cutis/wrinkle/critical_wavelength.h"
#include "cutis/wrinkle/layer/layer_solver.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A flat patch with one layer of skin, compressed by as much as one is told.
class Film {
 public:
  /// `waves` along and across.
  explicit Film(double waves)
      : options_(one_layer()),
        wavelength_(wavelength_of(options_, reference_layers(options_), 0)),
        body_(patch(waves * wavelength_, wavelength_)),
        region_(region_surface(*body_.surface(), {})),
        surface_(layer_surface(region_, options_, 0)),
        shell_(surface_, options_.layers[0], options_, carrier(0)),
        solver_({&shell_}, options_) {}

  LayerShell& shell() { return shell_; }
  const WrinkleOptions& options() const { return options_; }
  double wavelength() const { return wavelength_; }
  StepReport compress(double strain) { return solver_.advance(carrier(strain), {}); }
  Carrier carrier(double strain) const {
    Points pose = body_.surface()->positions();
    for (Vec3& x : pose) x.x() *= 1 - strain;
    return carried_by(body_.triangles().mesh, pose, surface_.body, surface_.height);
  }

 private:
  WrinkleOptions options_;
  double wavelength_;
  AnalyticBody body_;
  RegionSurface region_;
  LayerSurface surface_;
  LayerShell shell_;
  LayerSolver solver_;

  static WrinkleOptions one_layer() {
    WrinkleOptions options;
    options.layers = {default_layers().front()};
    options.law = WavelengthLaw::Layer;
    options.edge = 0.125;
    options.adaptive = false;
    return options;
  }
  static AnalyticShape patch(double side, double edge) {
    GridShape grid;
    grid.place = [=](double u, double v) -> Vec3 { return side * Vec3(u - 0.5, 0, 0.5 - v); };
    grid.columns = grid.rows = edges_along(side, edge, 2);
    return {"patch", make_grid(grid), {}};
  }
};

/// Newton's method on the whole matrix with multipliers. Indefinite ones lead uphill and are replaced by the
/// modified ones that ours has, too.
class StraightforwardSolver {
 public:
  explicit StraightforwardSolver(Film& film)
      : layer_(film.shell()), shell_({layer_.shell_part()}), problem_(shell_, {}) {
    allowed_ = film.options().tolerance * std::sqrt(buckling_energy(layer_.surface()));
  }

  /// Where the layer is in equilibrium on a carrier, and in how many iterations (0: not found).
  int advance(const Carrier& carrier, int max_iterations) {
    layer_.move_with(carrier);
    problem_.start(layer_.positions());
    for (int i = 1; i <= max_iterations; ++i) {
      const Eigen::VectorXd gradient = problem_.gradient();
      const Eigen::VectorXd gap = gaps();
      if (!find_step(gradient, gap)) return 0;
      const double slope = gradient.dot(step_);
      // The first step meets the constraints, which are linear: all others lie within them.
      const bool outside = gap.cwiseAbs().maxCoeff() > 1e-9;
      const double infinite = std::numeric_limits<double>::infinity();
      const double energy = outside ? infinite : problem_.energy();
      if (!backtrack({energy, slope, 1, 1e-9, 1e-13 * std::abs(energy)}, [&](double factor) {
             return problem_.trial(step_, factor);
           }).decreases)
        return 0;
      if (!outside && std::sqrt(-slope) <= allowed_) return i;
    }
    return 0;
  }

  const Points& positions() const { return problem_.positions(); }

 private:
  LayerShell& layer_;
  Shell shell_;
  ShellProblem problem_;
  double allowed_;
  Eigen::VectorXd step_;

  Eigen::VectorXd gaps() const {
    const std::vector<Vec3> targets = layer_.targets();
    Eigen::VectorXd gap(3 * static_cast<Eigen::Index>(targets.size()));
    for (std::size_t c = 0; c < targets.size(); ++c)
      gap.segment<3>(static_cast<Eigen::Index>(3 * c)) =
          targets[c] - weighted_mean<Vec3>(layer_.constraints()[c], problem_.positions());
    return gap;
  }

  bool find_step(const Eigen::VectorXd& gradient, const Eigen::VectorXd& gap) {
    const bool outside = gap.cwiseAbs().maxCoeff() > 1e-9;
    const Sparse* hessian = &problem_.hessian();
    for (int level = 0; hessian; hessian = problem_.modified_hessian(level++)) {
      Eigen::VectorXd right(gradient.size() + gap.size());
      right << -gradient, gap;
      Eigen::SparseLU<Sparse> lu(whole_matrix(*hessian));
      if (lu.info() != Eigen::Success) continue;
      step_ = lu.solve(right).head(gradient.size());
      if (outside || gradient.dot(step_) < 0) return true;
    }
    return false;
  }

  /// [H Gᵀ; G 0]
  Sparse whole_matrix(const Sparse& lower) const {
    const Sparse whole = lower.selfadjointView<Eigen::Lower>();
    const int n = static_cast<int>(whole.rows());
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < n; ++k)
      for (Sparse::InnerIterator it(whole, k); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
    int row = n;
    for (const VertexStencil& mean : layer_.constraints())
      for (int k = 0; k < 3; ++k, ++row)
        for (const VertexWeight& w : mean) {
          entries.emplace_back(row, 3 * w.vertex.value + k, w.weight);
          entries.emplace_back(3 * w.vertex.value + k, row, w.weight);
        }
    Sparse kkt(row, row);
    kkt.setFromTriplets(entries.begin(), entries.end());
    return kkt;
  }
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void wrinkle_frame(benchmark::State& state) {
  for (auto _ : state) {
    Film film(static_cast<double>(state.range(0)) / 10);
    for (int i = 1; i <= 4; ++i) film.compress(0.02 * i);
    const State wrinkled = film.shell().save();
    StepReport report;
    const double ours = seconds_of([&] { report = film.compress(0.09); });
    const Points found = film.shell().positions();
    film.shell().restore(wrinkled);
    StraightforwardSolver straightforward(film);
    int iterations = 0;
    const double theirs = seconds_of(
        [&] { iterations = straightforward.advance(film.carrier(0.09), film.options().max_iterations); });
    if (!report.converged || iterations == 0) state.SkipWithError("a frame did not converge");
    double difference = 0;
    for (VertexId v : ids<VertexId>(found.size()))
      difference = std::max(difference, (found[v] - straightforward.positions()[v]).norm());
    state.counters["vertices"] = static_cast<double>(found.size());
    state.counters["ours_s"] = ours;
    state.counters["ours_iterations"] = report.iterations;
    state.counters["straightforward_s"] = theirs;
    state.counters["straightforward_iterations"] = iterations;
    state.counters["ratio"] = theirs / ours;
    state.counters["difference"] = difference / film.wavelength();
  }
}
BENCHMARK(wrinkle_frame)->Arg(54)->Arg(89)->Arg(109)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace cutis
