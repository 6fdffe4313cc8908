#pragma once

#include <map>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/body/keyed_force.h"
#include "cutis/body/subdivided_body.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// A [[skin.region]] found on its body.
struct Region {
  std::string name;  ///< as the user named it, else "region 1" by its place in the shot
  RegionUse use{};
  std::vector<FaceId> faces;      ///< of body.mesh(), in rising order
  std::vector<VertexId> corners;  ///< none or four
  /// What constraints and forces take hold of, rising, where that is not the corners of its faces; else
  /// empty.
  std::vector<VertexId> vertices = {};
};

/// What the i-th region of a shot is called where the user has not named it.
std::string usual_region_name(std::size_t i);

/// Every region of the shot on the body at rest. A face belongs to a region
///   by a map               when the mean of the map at its corners is above region.above
///   by a material or part  when it is named so in the file; of a part of the body (parts_of_body), when most
///                          of its corners are the part's
///   by a list of faces     when it is named
///   by a list of vertices  when all its corners are named
///   by the open borders    when it touches one, or all its corners are within `border` of one
///   by centre and radius   when all its corners are within the radius, measured over the surface from the
///                          point nearest to the centre
/// Throws InputError naming the region when it has no face (a list of vertices that is only named needs
/// none), names a face, vertex, material or part that there is not, or its map cannot be used (see
/// painted_values).
std::vector<Region> find_regions(const Shot& shot, const Body& body);

/// Where skin may slide: faces of the included regions (of the whole body when there are none) that are in no
/// excluded one.
IdVector<FaceId, char> sliding_faces(const std::vector<Region>& regions, const Body& body);

/// The same regions on a finer mesh of their body, with the faces that theirs were cut into; corners are
/// gone.
std::vector<Region> regions_on(const SubdividedBody& finer, const std::vector<Region>& regions);
/// The regions of the shot, which are `regions` on the body below, as they are found on a finer mesh: those
/// by a map, by a centre or by an open border follow their outline with its faces.
std::vector<Region> find_regions(const Shot& shot, const SubdividedBody& finer,
                                 const std::vector<Region>& regions);

/// For results and figures: whether each source vertex is among vertices_of() the region, by name.
std::map<std::string, std::vector<char>> region_vertices(const std::vector<Region>& regions,
                                                         const Body& body);

/// region.vertices, or the corners of its faces, in rising order.
std::vector<VertexId> vertices_of(const Region& region, const Mesh& mesh);

/// The region with this name; reading the shot has made sure that there is one.
const Region& region_named(const std::vector<Region>& regions, const std::string& name);

/// The forces of a scene on the regions of a mesh.
std::vector<KeyedForce> keyed_forces(const SceneSection& scene, const std::vector<Region>& regions,
                                     const Mesh& mesh);

}  // namespace cutis
