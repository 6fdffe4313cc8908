#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cutis/body/body.h"
#include "cutis/body/rig/character.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/shot/shot.h"

namespace cutis {

/// Reads or makes the body that a shot asks for: a glTF character, a USD mesh, an OBJ or PLY still, numbered
/// or with a point cache, a body model with or without a motion, a finished result, a member of the cast.
/// Throws InputError as the readers do, and for `body.shot`, whose result stands in its place once it has run
/// (pipeline.h).
std::unique_ptr<Body> open_body(const BodySection& section);

/// How the character of a glTF or USD file is played.
RigChoice rig_choice(const BodySection& section);

/// The body of a shot that a result records as text, for readers of results (BodyOpener). `file` begins the
/// messages.
std::unique_ptr<Body> open_recorded_body(const std::string& shot, const std::string& file);

/// The formats that open_body reads, by ending; docs/formats.md lists them.
bool can_open_as_character(const std::filesystem::path& file);

/// A character file of any of these formats. A mesh that does not move becomes a character of one mesh.
Character read_character(const std::filesystem::path& file);

/// Every file the shot names, each once: the values of all keys that are paths or painted images, with the
/// files that those need in turn (numbered ones, the buffers of a .gltf). The shot file itself is left out;
/// its settings are recorded whole. Throws InputError as sequence_files() does, or when a .gltf is not there.
std::vector<std::filesystem::path> input_files(const Shot& shot);

}  // namespace cutis
