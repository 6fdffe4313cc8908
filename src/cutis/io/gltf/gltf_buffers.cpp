#include "cutis/io/gltf/gltf_buffers.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <tiny_gltf.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/one_line.h"

namespace cutis {
namespace fs = std::filesystem;
namespace {

/// Pictures are left alone, so their files are not even opened.
bool is_picture(const fs::path& file) {
  const std::string ending = lower_ending(file);
  for (const char* known :
       {".png", ".jpg", ".jpeg", ".webp", ".ktx", ".ktx2", ".dds", ".basis", ".gif", ".tga"})
    if (ending == known) return true;
  return false;
}

/// "http://..." and its like.
bool is_address(std::string_view uri) {
  const std::size_t colon = uri.find("://");
  return colon != uri.npos && colon > 0 &&
         std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

/// Whether a path is absolute or has a part "..", with slashes of either kind.
bool leaves_folder(std::string uri) {
  std::replace(uri.begin(), uri.end(), '\\', '/');
  const fs::path path(uri);
  return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

}  // namespace

const char* GltfBuffers::folder_mark() { return "folder-of-the-gltf-file:"; }

GltfBuffers::GltfBuffers(const fs::path& gltf_file, tinygltf::TinyGLTF& loader)
    : folder_(gltf_file.parent_path()) {
  // tinygltf joins a folder and the URI, first with the folder it was given, then with ".". The mark in front
  // says which of the two it is; without it, the file is not there.
  tinygltf::FsCallbacks calls;
  calls.user_data = this;
  calls.ExpandFilePath = [](const std::string& joined, void* self) -> std::string {
    const std::string mark = std::string(folder_mark()) + "/";
    if (!joined.starts_with(mark)) return "";
    return static_cast<GltfBuffers*>(self)->resolve(joined.substr(mark.size())).string();
  };
  calls.FileExists = [](const std::string& file, void*) {
    std::error_code ignored;
    return !file.empty() && fs::is_regular_file(file, ignored);
  };
  calls.ReadWholeFile = [](std::vector<unsigned char>* bytes, std::string* error, const std::string& file,
                           void* self) {
    return static_cast<GltfBuffers*>(self)->read(*bytes, *error, file);
  };
  calls.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
    return false;
  };
  loader.SetFsCallbacks(calls);
}

fs::path GltfBuffers::resolve(const std::string& uri) {
  if (uri.empty() || is_picture(uri)) return {};
  const char* why = is_address(uri)              ? "is an address on a network"
                    : uri.find('\0') != uri.npos ? "is not a file name"
                    : leaves_folder(uri)         ? "leaves the folder of the file"
                                                 : nullptr;
  if (why == nullptr && !asked_.insert(uri).second) why = "is two buffers at once";
  if (why == nullptr) return folder_ / uri;
  refusal_ =
      fmt::format("\"{}\" {}; put each buffer in a file of its own beside this one", one_line(uri, 100), why);
  return {};
}

bool GltfBuffers::read(std::vector<unsigned char>& bytes, std::string& error, const fs::path& file) {
  try {
    bytes = read_file(file);
    bytes_read_ += bytes.size();
    return true;
  } catch (const InputError& e) {
    error = e.what();
    return false;
  }
}

}  // namespace cutis
