#pragma once

namespace cutis {

/// What becomes of a run when a frame does not converge.
enum class OnFailure {
  Continue,  ///< the frame is written as it is, named in the summary, and the run goes on
  Stop       ///< the run ends before the frame
};

}  // namespace cutis
