#pragma once

#include <filesystem>
#include <string>

#include "cutis/body/body.h"
#include "cutis/core/float_image.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// The value of a key that may be painted at each vertex of the body's source: low + map · (high - low).
///   an image       sampled at the texture coordinates; where a vertex has several, the mean. PNG as it is
///   stored
///                  (0 to 1, no colour conversion), EXR as it is, beyond 0 and 1, too
///   vertex_color   the vertex colours of the file
///   a group        an attribute of the file, or the weights of a joint, by name
/// `place` begins the messages, such as "fox.toml:14: skin.thickness". Throws InputError when the image is
/// missing or damaged, the body has no texture coordinates, no colours or no such group (with those there
/// are), the map has no such channel, or a value is not finite.
IdVector<SourceVertexId, double> painted_values(const Painted& painted, const Body& body,
                                                const std::string& place);

/// An image in the UV space of a mesh, .exr or else .png, as it is stored. Throws InputError when it is
/// missing or damaged, or the mesh has no texture coordinates.
FloatImage read_uv_image(const std::filesystem::path& image, const SourceMesh& mesh,
                         const std::string& place);
bool is_exr(const std::filesystem::path& image);

/// Values at the source's vertices at those that are simulated: the mean over the source vertices that were
/// welded.
IdVector<VertexId, double> welded_values(const Weld& weld, const IdVector<SourceVertexId, double>& values);

}  // namespace cutis
