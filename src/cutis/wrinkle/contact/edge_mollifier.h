#pragma once

#include "cutis/wrinkle/contact/contact_distance.h"

namespace cutis {

/// A factor for the barrier of two edges, 1 but where they are nearly parallel, 0 where they are: there the
/// derivative of their distance jumps, and the barrier of points against triangles holds them apart (Li et
/// al. 2020, Incremental Potential Contact, Eq. 24). `rest_lengths_squared`: the product of the squares of
/// the edges' lengths at rest [m⁴].
double edge_mollifier(const ContactPoints& points, double rest_lengths_squared);
ContactJet edge_mollifier_jet(const ContactPoints& points, double rest_lengths_squared);

}  // namespace cutis
