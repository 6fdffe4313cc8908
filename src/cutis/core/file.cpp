#include "cutis/core/file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

#include <fmt/format.h>
#include <openssl/sha.h>

#include "cutis/core/atomic_file.h"
#include "cutis/core/error.h"

namespace cutis {
namespace fs = std::filesystem;

std::string lower_ending(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

Bytes read_file(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code)) throw InputError(fmt::format("{}: no such file", path.string()));
  if (fs::is_directory(path, code))
    throw InputError(fmt::format("{}: is a folder, not a file", path.string()));
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
  Bytes bytes(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in || size < 0) throw InputError(fmt::format("{}: cannot be read", path.string()));
  return bytes;
}

void write_file_whole(const fs::path& path, std::span<const unsigned char> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_file_whole(const fs::path& path, std::string_view text) {
  write_file_whole(path, std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

std::string sha256(std::span<const unsigned char> bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(bytes.data(), bytes.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace cutis
