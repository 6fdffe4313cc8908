#include "cutis/core/file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <openssl/sha.h>

#include "cutis/core/error.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags, 0644)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

[[noreturn]] void fail(const fs::path& path, const fs::path& temporary) {
  const int error = errno;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  throw IoError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

}  // namespace

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
  const fs::path temporary = path.string() + ".part";
  {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (file.get() < 0 || !write_all(file.get(), bytes) || ::fsync(file.get()) != 0 || !file.close())
      fail(path, temporary);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, temporary);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor directory(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory.get() >= 0) ::fsync(directory.get());
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
