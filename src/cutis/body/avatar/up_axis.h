#pragma once

namespace cutis {

/// Which axis of a motion points up.
enum class UpAxis { Y, Z };

}  // namespace cutis
