#pragma once

#include <atomic>
#include <exception>

namespace cutis {

/// Leaves a computation whose result is no longer wanted. It is no error: whoever set the flag catches it.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped as asked"; }
};

/// While it lives, check_cancelled() and parallel loops on this thread throw Cancelled once the flag is true;
/// null: they never do. Scopes nest, and the innermost counts. The flag must outlive it.
class CancellationScope {
 public:
  explicit CancellationScope(const std::atomic<bool>* flag);
  ~CancellationScope();
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  const std::atomic<bool>* outer_;
};

/// That of the innermost scope of this thread; null where there is none.
const std::atomic<bool>* cancellation_flag();

inline void check_cancelled(const std::atomic<bool>* flag) {
  if (flag && flag->load(std::memory_order_relaxed)) throw Cancelled();
}

/// For loops that may take longer than a second, several times a second.
inline void check_cancelled() { check_cancelled(cancellation_flag()); }

}  // namespace cutis
