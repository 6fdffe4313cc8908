#include "cutis/core/atomic_file.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/folder.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)),
      temporary_(path_.string() + ".part"),
      descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ >= 0) return;
  temporary_.clear();  // whatever lies there is not ours
  fail();
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::overwrite(std::uint64_t offset, std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail();
    offset += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail();
  if (::close(std::exchange(descriptor_, -1)) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail();
  }
  temporary_.clear();
  sync_folder(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
  temporary_.clear();
}

void AtomicFile::fail() {
  const int error = errno;
  discard();
  throw IoError(fmt::format("{}: cannot be written: {}", path_.string(), write_failure(error)));
}

}  // namespace cutis
