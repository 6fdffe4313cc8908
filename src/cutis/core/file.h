#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutis {

using Bytes = std::vector<unsigned char>;

/// The whole file. Throws InputError naming the file when it is missing, a folder, or unreadable.
Bytes read_file(const std::filesystem::path& path);

/// The ending of a file's name with its dot, in lower case: ".glb" for "Hero.GLB".
std::string lower_ending(const std::filesystem::path& path);

/// Writes all or nothing: a temporary file beside `path`, fsync, rename, fsync of the folder. Throws IoError
/// (disk full, no permission) and leaves neither a partial nor a temporary file behind.
void write_file_whole(const std::filesystem::path& path, std::span<const unsigned char> bytes);
void write_file_whole(const std::filesystem::path& path, std::string_view text);

/// SHA-256 in hexadecimal, as sha256sum prints it.
std::string sha256(std::span<const unsigned char> bytes);

}  // namespace cutis
