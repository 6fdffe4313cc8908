#if CUTIS_HAS_CHOLMOD

#include <mutex>
#include <new>
#include <stdexcept>

#include <dlfcn.h>

#include <cholmod.h>
#include <fmt/format.h>

#include "cutis/solve/cholesky_backend.h"

namespace cutis {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Below this a second BLAS thread costs more than it brings.
constexpr Eigen::Index two_threads_from = 100'000;

/// Below this the best ordering is AMD's: METIS leaves no less to do, and supernodes that are narrower.
constexpr Eigen::Index metis_from = 10'000;

/// Looked up where the program runs, since which BLAS stands behind libblas is the machine's choice.
template <class Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// While it lives, CHOLMOD is this thread's alone and the threads below it depend on the size of the matrix
/// only: OpenBLAS splits its sums by their number, so they would change the bits. OpenMP is kept to one
/// thread (CHOLMOD 3 asks for four whatever OMP_NUM_THREADS says, which slows small matrices). METIS draws
/// from rand(), a sequence for the whole program, which is another reason for taking turns.
class Turn {
 public:
  explicit Turn(Eigen::Index size) : lock_(mutex()) {
    static const auto get_blas = find_function<int()>("openblas_get_num_threads");
    static const auto get_levels = find_function<int()>("omp_get_max_active_levels");
    if (get_blas && set_blas()) {
      blas_before_ = get_blas();
      set_blas()(size < two_threads_from ? 1 : 2);
    }
    if (get_levels && set_levels()) {
      levels_before_ = get_levels();
      set_levels()(0);
    }
  }
  ~Turn() {
    if (blas_before_ > 0) set_blas()(blas_before_);
    if (levels_before_ >= 0) set_levels()(levels_before_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static void (*set_blas())(int) {
    static const auto set = find_function<void(int)>("openblas_set_num_threads");
    return set;
  }
  static void (*set_levels())(int) {
    static const auto set = find_function<void(int)>("omp_set_max_active_levels");
    return set;
  }

  std::lock_guard<std::mutex> lock_;
  int blas_before_ = 0;
  int levels_before_ = -1;
};

cholmod_sparse view(const Sparse& lower) {
  cholmod_sparse A{};
  A.nrow = static_cast<std::size_t>(lower.rows());
  A.ncol = static_cast<std::size_t>(lower.cols());
  A.nzmax = static_cast<std::size_t>(lower.nonZeros());
  // CHOLMOD only reads, but its structs know no const.
  A.p = const_cast<int*>(lower.outerIndexPtr());
  A.i = const_cast<int*>(lower.innerIndexPtr());
  A.x = const_cast<double*>(lower.valuePtr());
  A.stype = -1;
  A.itype = CHOLMOD_INT;
  A.xtype = CHOLMOD_REAL;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = 1;
  A.packed = 1;
  return A;
}

cholmod_dense view(const Eigen::MatrixXd& columns) {
  cholmod_dense B{};
  B.nrow = B.d = static_cast<std::size_t>(columns.rows());
  B.ncol = static_cast<std::size_t>(columns.cols());
  B.nzmax = B.nrow * B.ncol;
  B.x = const_cast<double*>(columns.data());
  B.xtype = CHOLMOD_REAL;
  B.dtype = CHOLMOD_DOUBLE;
  return B;
}

class CholmodState final : public SparseCholesky::State {
 public:
  explicit CholmodState(Ordering ordering) : ordering_(ordering) {
    cholmod_start(&common_);
    common_.print = 0;
    common_.final_ll = 1;
    common_.nmethods = 1;
    common_.postorder = 1;
    // Supernodes of up to so many columns are merged where no more than such a share of zeros comes in.
    // CHOLMOD's own values are for matrices of solids; those of surfaces have narrow supernodes, and each
    // costs a few calls to BLAS: a factor of 27,000 unknowns takes 0.92 of the time.
    common_.nrelax[0] = 8;
    common_.nrelax[1] = 24;
    common_.nrelax[2] = 64;
    common_.zrelax[0] = 0.9;
    common_.zrelax[1] = 0.3;
    common_.zrelax[2] = 0.1;
  }
  ~CholmodState() override {
    cholmod_free_factor(&factor_, &common_);
    for (cholmod_dense** work : {&solution_, &work_y_, &work_e_}) cholmod_free_dense(work, &common_);
    cholmod_finish(&common_);
  }
  CholmodState(const CholmodState&) = delete;
  CholmodState& operator=(const CholmodState&) = delete;

  void analyze(const Sparse& lower) override {
    const Turn turn(lower.rows());
    cholmod_free_factor(&factor_, &common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    const bool metis = ordering_ == Ordering::Best && lower.rows() >= metis_from;
    common_.method[0].ordering = metis ? CHOLMOD_METIS : CHOLMOD_AMD;
    cholmod_sparse A = view(lower);
    factor_ = cholmod_analyze(&A, &common_);
    check();
  }

  bool factorize(const Sparse& lower) override {
    const Turn turn(lower.rows());
    cholmod_sparse A = view(lower);
    cholmod_factorize(&A, factor_, &common_);
    check();
    return common_.status == CHOLMOD_OK && factor_->minor == factor_->n;
  }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& right_side) override {
    const Turn turn(right_side.rows());
    cholmod_dense B = view(right_side);
    cholmod_solve2(CHOLMOD_A, factor_, &B, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_);
    check();
    return Eigen::Map<const Eigen::MatrixXd>(static_cast<const double*>(solution_->x), right_side.rows(),
                                             right_side.cols());
  }

 private:
  /// A matrix that is not positive definite is an answer; the rest are failures.
  void check() const {
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (common_.status == CHOLMOD_TOO_LARGE) throw std::length_error("a sparse factor is too large");
    if (common_.status < 0)
      throw std::runtime_error(fmt::format("CHOLMOD failed with status {}", common_.status));
  }

  Ordering ordering_;
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

}  // namespace

std::unique_ptr<SparseCholesky::State> make_cholmod(Ordering ordering) {
  return std::make_unique<CholmodState>(ordering);
}

std::string cholmod_version_text() {
  int version[3] = {};
  cholmod_version(version);
  return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
}

}  // namespace cutis

#endif
