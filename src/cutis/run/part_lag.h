#pragma once

#include <string>
#include <vector>

#include "cutis/body/body.h"

namespace cutis {

/// How far flesh on a part of the body is from the animation [m]: of each vertex the largest distance in all
/// frames counts.
struct PartLag {
  std::string part;       ///< see body_parts()
  double percentile = 0;  ///< that 99 % of the part's area do not exceed
  double largest = 0;
  bool operator==(const PartLag&) const = default;
};

/// The distances of the vertices, frame after frame.
class LagByPart {
 public:
  /// The body, which is animated, must outlive it.
  explicit LagByPart(const Body& body) : body_(body), largest_(body.mesh().vertex_count(), 0) {}
  void add(double time, const SourcePoints& positions);
  std::vector<PartLag> parts() const;

 private:
  const Body& body_;
  IdVector<VertexId, double> largest_;
};

/// "lag [mm], 99 % and most: head 0.3, 0.5; trunk 15, 20"; empty where there are no parts.
std::string lag_words(const std::vector<PartLag>& parts);

}  // namespace cutis
