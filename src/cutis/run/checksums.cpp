#include "cutis/run/checksums.h"

#include <cerrno>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"

namespace cutis {
namespace {

constexpr std::size_t kSumLength = 64;

std::string line_of(const std::string& name, const std::string& sum) {
  return fmt::format("{}  {}\n", sum, name);
}

/// 0, or what errno says went wrong.
int append(int fd, const std::string& line) {
  const ssize_t n = ::write(fd, line.data(), line.size());
  if (n < 0) return errno;
  if (n < static_cast<ssize_t>(line.size())) return ENOSPC;  // a file takes less only when there is no room
  return ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

Checksums read_checksums(const std::filesystem::path& path) {
  Checksums sums;
  if (!std::filesystem::exists(path)) return sums;
  const Bytes bytes = read_file(path);
  std::istringstream in(std::string(bytes.begin(), bytes.end()));
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break;  // torn: a whole line ends in a line break
    if (line.size() > kSumLength + 2 && line.compare(kSumLength, 2, "  ") == 0)
      sums[line.substr(kSumLength + 2)] = line.substr(0, kSumLength);
  }
  return sums;
}

void write_checksums(const std::filesystem::path& path, const std::vector<std::string>& names,
                     const Checksums& sums) {
  std::string text;
  for (const std::string& name : names) text += line_of(name, sums.at(name));
  write_file_whole(path, text);
}

void append_checksum(const std::filesystem::path& path, const std::string& name, const std::string& sum) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  int error = fd < 0 ? errno : 0;
  if (fd >= 0) {
    const off_t before = ::lseek(fd, 0, SEEK_END);
    error = append(fd, line_of(name, sum));
    // Should this fail as well, what is left is a torn line, which readers pass over.
    [[maybe_unused]] const int shortened = error ? ::ftruncate(fd, before) : 0;
    ::close(fd);
  }
  if (error) throw IoError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

}  // namespace cutis
