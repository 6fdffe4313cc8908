#include "cutis/core/cancellation.h"

#include <utility>

namespace cutis {
namespace {

// Of the thread and not of the program: two hosts' threads may run two shots, each with its own way to stop.
thread_local const std::atomic<bool>* innermost = nullptr;

}  // namespace

CancellationScope::CancellationScope(const std::atomic<bool>* flag)
    : outer_(std::exchange(innermost, flag)) {}

CancellationScope::~CancellationScope() { innermost = outer_; }

const std::atomic<bool>* cancellation_flag() { return innermost; }

}  // namespace cutis
