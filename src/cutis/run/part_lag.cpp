#include "cutis/run/part_lag.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/body/anatomy/body_parts.h"
#include "cutis/surface/mesh/triangle_measures.h"

namespace cutis {

void LagByPart::add(double time, const SourcePoints& positions) {
  const SourcePoints animated = body_.source_positions(time);
  for (SourceVertexId s : ids<SourceVertexId>(positions.size()))
    if (const VertexId v = body_.weld().vertex_of[s]; v.valid())
      largest_[v] = std::max(largest_[v], (positions[s] - animated[s]).norm());
}

std::vector<PartLag> LagByPart::parts() const {
  const BodyParts parts = body_parts(body_);
  const IdVector<VertexId, double> areas = vertex_areas(body_.triangles().mesh);
  std::vector<std::vector<double>> lags(parts.names.size()), weights(parts.names.size());
  for (VertexId v : ids<VertexId>(largest_.size())) {
    lags[at(parts.part_of[v])].push_back(largest_[v]);
    weights[at(parts.part_of[v])].push_back(areas[v]);
  }
  std::vector<PartLag> out;
  for (std::size_t i = 0; i < lags.size(); ++i)
    out.push_back({parts.names[i], weighted_percentile(lags[i], weights[i], 0.99),
                   *std::max_element(lags[i].begin(), lags[i].end())});
  return out;
}

std::string lag_words(const std::vector<PartLag>& parts) {
  std::vector<std::string> words;
  for (const PartLag& part : parts)
    words.push_back(fmt::format("{} {:.3g}, {:.3g}", part.part, 1000 * part.percentile, 1000 * part.largest));
  return words.empty()
             ? ""
             : fmt::format("lag by part, 99th percentile and largest [mm]: {}", fmt::join(words, "; "));
}

}  // namespace cutis
