#include "cutis/io/frame_writer.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {

FrameWriter::FrameWriter(std::filesystem::path path, std::size_t vertex_count, std::size_t frame_count)
    : path_(std::move(path)), vertex_count_(vertex_count), frame_count_(frame_count) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (vertex_count == 0 || frame_count == 0 || vertex_count > most || frame_count > most)
    throw InputError(fmt::format("{}: {} frames of {} vertices cannot be written; both must be 1 to {}",
                                 path_.string(), frame_count, vertex_count, most));
}

std::vector<float> FrameWriter::float_times(const std::filesystem::path& path,
                                            const std::vector<double>& times, double shift) {
  std::vector<float> result;
  for (double t : times) {
    result.push_back(static_cast<float>(t + shift));
    if (std::isfinite(result.back()) && (result.size() == 1 || result.back() > result.end()[-2])) continue;
    throw InputError(
        fmt::format("{}: frame {} at {} s; times must be finite and increase by steps that a 32-bit "
                    "float can hold",
                    path.string(), result.size() - 1, t));
  }
  return result;
}

void FrameWriter::add(const SourcePoints& points, const Npz& fields) {
  if (points.size() != vertex_count_ || written_ == frame_count_)
    throw std::logic_error(fmt::format("{}: frame {} of {}, {} vertices where {} were promised",
                                       path_.string(), written_, frame_count_, points.size(), vertex_count_));
  for (SourceVertexId v : ids<SourceVertexId>(points.size())) {
    // Also false for a NaN; the quarter leaves room for differences of two positions.
    if (points[v].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= std::numeric_limits<float>::max() / 4)
      continue;
    throw InputError(
        fmt::format("{}: frame {}, vertex {} lies at ({}, {}, {}), which a 32-bit float cannot hold",
                    path_.string(), written_, v.value, points[v].x(), points[v].y(), points[v].z()));
  }
  write_frame(points, fields);
  ++written_;
}

void FrameWriter::finish() {
  if (written_ != frame_count_)
    throw std::logic_error(
        fmt::format("{}: {} frames where {} were promised", path_.string(), written_, frame_count_));
  write_end();
}

}  // namespace cutis
