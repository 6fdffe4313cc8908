#pragma once

#include <cstdint>
#include <vector>

#include "cutis/surface/geodesic/geodesic_metric.h"

namespace cutis {

/// Where the constraints between two layers lie: vertices of a fine mesh, spread so that the upper layer
/// wrinkles with the wavelength that its metric is in (metric_in_wavelengths).
///
/// Li 2014, section 4.1, clusters greedily by distance over wavelength, each centre as far as possible from
/// those before it, and contradicts itself about when to stop (separated by 2 λ / π, or until all is within
/// λ / 2 of a centre, which gives 1.4 and 1.1 λ). What sets the wavelength is how much area there is for a
/// constraint: centres are taken until there are as many as kWavelengthPerSpacing asks for. They are then
/// spread evenly (Lloyd 1982), without which chance clumps turn crests away from the compression.
std::vector<VertexId> constraint_centres(const GeodesicMetric& in_wavelengths, std::uint64_t seed);

/// The wavelength is this times the square root of the area for each constraint: found on flat strips
/// (FilmCalibration in tests/wrinkle/films_test.cpp), where centres that are not spread evenly would give 1.8
/// to 1.94.
constexpr double kWavelengthPerSpacing = 2.09;

}  // namespace cutis
