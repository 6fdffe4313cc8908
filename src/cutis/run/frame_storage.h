#pragma once

namespace cutis {

/// How numbers are stored in the frames of a result.
enum class FramePrecision { Float64, Float32 };

/// What a frame holds: where the skin is, or only where it lies on the body.
enum class FrameStorage { Positions, Map };

}  // namespace cutis
