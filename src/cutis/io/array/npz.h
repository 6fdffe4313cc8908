#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "cutis/core/file.h"
#include "cutis/io/array/npy.h"

namespace cutis {

/// Named arrays: what numpy.load gives for an .npz file.
using Npz = std::map<std::string, NpyArray>;

enum class Compression { Stored, Deflated };

/// The bytes of an NPZ file. Equal arrays give equal bytes: members are in order of name and have no time.
/// Throws InputError when a member is 4 GiB or more.
Bytes encode_npz(const Npz& arrays, Compression compression = Compression::Stored);
/// Throws InputError naming `file` and the member when something is broken, encrypted or zip64. With names in
/// `only`, other members are not looked at.
Npz decode_npz(std::span<const unsigned char> bytes, const std::string& file,
               const std::vector<std::string>& only = {});

/// Written whole; throws IoError.
void write_npz(const std::filesystem::path& path, const Npz& arrays,
               Compression compression = Compression::Stored);
Npz read_npz(const std::filesystem::path& path, const std::vector<std::string>& only = {});

/// The array of that name. Throws InputError naming `file` when there is none.
const NpyArray& member(const Npz& arrays, const std::string& name, const std::string& file);

}  // namespace cutis
