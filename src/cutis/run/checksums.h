#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cutis {

/// A list of SHA-256 sums as sha256sum writes it: "sum  name" a line.
using Checksums = std::map<std::string, std::string>;  ///< name -> sum

/// Reads the list; empty when there is no file. Lines that are not whole (a torn last one) are left out.
Checksums read_checksums(const std::filesystem::path& path);
/// Writes the list anew, whole, with these names in this order.
void write_checksums(const std::filesystem::path& path, const std::vector<std::string>& names,
                     const Checksums& sums);
/// Adds one line and waits until it is on the disk. Throws IoError, and leaves the list as it was.
void append_checksum(const std::filesystem::path& path, const std::string& name, const std::string& sum);

}  // namespace cutis
