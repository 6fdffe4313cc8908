#include "cutis/shot/checksums.h"

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
  const std::string line = line_of(name, sum);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const off_t before = fd < 0 ? -1 : ::lseek(fd, 0, SEEK_END);
  const bool written =
      before >= 0 && ::write(fd, line.data(), line.size()) == ssize_t(line.size()) && ::fsync(fd) == 0;
  const int error = errno;
  if (!written && before >= 0 && ::ftruncate(fd, before) != 0) {
    // What is left is a torn line, which readers pass over.
  }
  if (fd >= 0) ::close(fd);
  if (!written) throw IoError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

}  // namespace cutis
