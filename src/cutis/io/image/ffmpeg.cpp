#include "cutis/io/image/ffmpeg.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/log.h"

extern char** environ;

namespace cutis {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> command_line(const fs::path& part, const std::string& ending, double rate, int width,
                                      int height) {
  std::vector<std::string> words{"ffmpeg",     "-hide_banner",
                                 "-loglevel",  "error",
                                 "-nostdin",   "-y",
                                 "-f",         "rawvideo",
                                 "-pix_fmt",   "rgb24",
                                 "-s",         fmt::format("{}x{}", width, height),
                                 "-framerate", fmt::format("{:.6g}", rate),
                                 "-i",         "pipe:0"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (ending == ".mp4") {
    // Players want 4:2:0, which wants even sides.
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-preset", "veryfast"});
    add({"-pix_fmt", "yuv420p", "-movflags", "+faststart", "-fflags", "+bitexact", "-f", "mp4"});
  } else {
    add({"-c:v", "libwebp", "-quality", "88", "-compression_level", "2", "-loop", "0", "-f", "webp"});
  }
  words.push_back(fs::absolute(part).string());
  return words;
}

/// Starts a program from the PATH without a shell; its standard input is `input`, the rest is silent. It has
/// a process group of its own, so that Ctrl-C stops Cutis, which then ends the film tidily.
pid_t spawn(std::vector<std::string> words, int input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -1;
}

/// A socket rather than a pipe: a process that died is then an error here, not a SIGPIPE.
bool send_all(int socket, const unsigned char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::send(socket, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

FfmpegWriter::FfmpegWriter(fs::path path, double frames_per_second)
    : path_(std::move(path)), part_(path_.string() + ".part"), rate_(frames_per_second) {
  if (path_.extension() != ".mp4" && path_.extension() != ".webp")
    throw InputError(fmt::format("{}: ffmpeg is asked for .mp4 or .webp only", path_.string()));
}

FfmpegWriter::~FfmpegWriter() {
  if (process_ < 0) return;
  wait();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

bool FfmpegWriter::available() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

void FfmpegWriter::start(int width, int height) {
  width_ = width;
  height_ = height;
  if (!available()) {
    failed_ = true;
    log().info("{}: not written, because ffmpeg is not installed", path_.string());
    return;
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    process_ = spawn(command_line(part_, path_.extension(), rate_, width, height), ends[1]);
    ::close(ends[1]);
    socket_ = ends[0];
  }
  if (process_ >= 0) return;
  failed_ = true;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  log().warn("{}: not written, because ffmpeg cannot be started", path_.string());
}

void FfmpegWriter::add(const Raster& frame) {
  if (width_ == 0) start(frame.width, frame.height);
  if (frame.channels != 3 || frame.width != width_ || frame.height != height_)
    throw InputError(fmt::format("{}: a frame of {} x {} x {} does not fit a film of {} x {} x 3",
                                 path_.string(), frame.width, frame.height, frame.channels, width_, height_));
  if (!failed_) failed_ = !send_all(socket_, frame.data.data(), frame.data.size());
}

int FfmpegWriter::wait() {
  ::close(std::exchange(socket_, -1));
  int status = -1;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

bool FfmpegWriter::finish() {
  if (process_ < 0) return false;
  const int status = wait();
  std::error_code code;
  if (!failed_ && status == 0) fs::rename(part_, path_, code);
  if (!failed_ && status == 0 && !code) return true;
  fs::remove(part_, code);
  log().warn("{}: not written, because ffmpeg failed; it may lack the encoder", path_.string());
  return false;
}

}  // namespace cutis
