#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "support/support.h"

/// What each target defines: FUZZ_TARGET(name) { hands `data` of `size` bytes to its reader; returns 0 }.
/// Only InputError may come out of one; anything else ends the program, which is a finding. All targets are
/// in one program, with libFuzzer (libfuzzer.cpp) or without (mutate.cpp).
#define FUZZ_TARGET(name)                                                            \
  static int fuzz_##name(const unsigned char* data, std::size_t size);               \
  static const bool name##_registered = cutis::fuzz::add_target(#name, fuzz_##name); \
  static int fuzz_##name(const unsigned char* data, std::size_t size)

namespace cutis::fuzz {

using Target = int (*)(const unsigned char* data, std::size_t size);

/// Of this program, by name.
inline std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}
inline bool add_target(const std::string& name, Target target) {
  return targets().emplace(name, target).second;
}

/// Inputs that their reader took for good.
inline long accepted = 0;

/// Where inputs lie; in memory where the system has such a folder.
inline const std::filesystem::path& folder() {
  static const test::TemporaryFolder folder(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp");
  return folder.path();
}

/// Runs `read`; an InputError must name `file` on each of its lines.
template <class F>
int expect_input_error_at_most(const std::string& file, const F& read) {
  try {
    read();
    ++accepted;
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (text.find(file, at) >= end) {
        fmt::print(stderr, "an error that does not name {}: {}\n", file, text);
        std::abort();
      }
      at = end + 1;
    }
  }
  return 0;
}

/// The same for a reader of files: the bytes lie in a file of this name.
template <class F>
int read_as_file(const unsigned char* data, std::size_t size, const std::string& name, const F& read) {
  const std::filesystem::path path = folder() / name;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return expect_input_error_at_most(name, [&] { read(path); });
}

}  // namespace cutis::fuzz
