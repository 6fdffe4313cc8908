#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace cutis {

/// A file that grows piece by piece and yet appears whole or not at all: a temporary file beside `path` that
/// commit() puts in its place. Without commit() the temporary file goes with the object. Every failure throws
/// IoError naming `path`.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const unsigned char> bytes);
  /// Replaces bytes that were written before; what follows still goes to the end.
  void overwrite(std::uint64_t offset, std::span<const unsigned char> bytes);
  /// fsync, rename, fsync of the folder. Nothing may be written after it.
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_;

  void discard();
  [[noreturn]] void fail();
};

}  // namespace cutis
