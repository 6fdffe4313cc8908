#include "cutis/io/array/npz.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

#include "cutis/core/error.h"
#include "cutis/core/one_line.h"

namespace cutis {
namespace {

// The parts of the ZIP format that NPZ needs (PKWARE APPNOTE 4.3.7, 4.3.12, 4.3.16).
constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kDirectoryEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kEntrySize = 46, kEndSize = 22;
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kFirstDay = 0x0021;  // 1 January 1980: the ZIP format knows no earlier day
constexpr std::uint32_t kLimit = std::numeric_limits<std::uint32_t>::max();
// No deflate stream unpacks to more than 1032 times its size, so a larger claim is a lie.
constexpr std::size_t kLargestRatio = 1032;
// Numbers never pack that well: beyond this much, a file that unpacks to more times its size is a bomb.
constexpr std::uint64_t kFreeBytes = std::uint64_t(64) << 20, kPlausibleRatio = 100;

struct Entry {
  std::string name;
  std::uint16_t method = kStored, flags = 0;
  std::uint32_t crc = 0, packed = 0, size = 0, offset = 0;
};

std::uint32_t crc_of(std::span<const unsigned char> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

class Writer {
 public:
  explicit Writer(Bytes& out) : out_(out) {}
  void u16(std::uint32_t v) { put(v, 2); }
  void u32(std::uint32_t v) { put(v, 4); }
  void text(const std::string& s) { out_.insert(out_.end(), s.begin(), s.end()); }
  void bytes(const Bytes& b) { out_.insert(out_.end(), b.begin(), b.end()); }
  std::size_t size() const { return out_.size(); }
  void common(const Entry& e) {
    u16(e.flags);
    u16(e.method);
    u16(0);
    u16(kFirstDay);
    u32(e.crc);
    u32(e.packed);
    u32(e.size);
    u16(static_cast<std::uint32_t>(e.name.size()));
    u16(0);
  }

 private:
  void put(std::uint32_t v, int n) {
    for (int i = 0; i < n; ++i) out_.push_back(static_cast<unsigned char>(v >> (8 * i)));
  }
  Bytes& out_;
};

Bytes deflated(const Bytes& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  Bytes packed(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<unsigned char*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Unpacks to exactly `size` bytes; empty-handed when the stream is broken or of another length.
bool inflated(std::span<const unsigned char> packed, Bytes& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) throw std::bad_alloc();
  unsigned char nothing = 0;
  stream.next_in = const_cast<unsigned char*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = out.empty() ? &nothing : out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  return whole;
}

void write_member(const std::string& name, const NpyArray& array, Compression compression, Writer& out,
                  std::vector<Entry>& directory) {
  Bytes npy = encode_npy(array);
  if (npy.size() >= kLimit || out.size() >= kLimit - npy.size())
    throw InputError(fmt::format("{}: an NPZ file cannot hold 4 GiB or more", name));
  Entry entry{name + ".npy"};
  entry.crc = crc_of(npy);
  entry.size = static_cast<std::uint32_t>(npy.size());
  if (compression == Compression::Deflated) {
    entry.method = kDeflated;
    npy = deflated(npy);
  }
  entry.packed = static_cast<std::uint32_t>(npy.size());
  entry.offset = static_cast<std::uint32_t>(out.size());
  out.u32(kLocalHeader);
  out.u16(20);  // the version of the format needed to unpack: 2.0
  out.common(entry);
  out.text(entry.name);
  out.bytes(npy);
  directory.push_back(entry);
}

class Reader {
 public:
  Reader(std::span<const unsigned char> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  Npz read(const std::vector<std::string>& only) {
    Npz arrays;
    for (const Entry& entry : directory()) {
      if (!entry.name.ends_with(".npy")) continue;
      const std::string where = fmt::format("{}: {}", file_, one_line(entry.name, 100));
      const std::string name = entry.name.substr(0, entry.name.size() - 4);
      if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
      if (!arrays.emplace(name, decode_npy(unpack(entry, where), where)).second)
        throw InputError(where + ": is there twice");
    }
    return arrays;
  }

 private:
  std::uint32_t number(std::size_t at, int size) const {
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i) value |= std::uint32_t(bytes_[at + i]) << (8 * i);
    return value;
  }
  std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint32_t u32(std::size_t at) const { return number(at, 4); }

  [[noreturn]] void broken(const char* what) const {
    throw InputError(fmt::format("{}: is not a whole NPZ file ({}); write it again", file_, what));
  }

  /// The end record is last but for a comment of up to 64 KiB.
  std::size_t find_end() const {
    if (bytes_.size() < kEndSize) broken("too short");
    const std::size_t last = bytes_.size() - kEndSize;
    const std::size_t first = last > 0xffff ? last - 0xffff : 0;
    for (std::size_t at = last + 1; at-- > first;)
      if (u32(at) == kDirectoryEnd && at + kEndSize + u16(at + 20) == bytes_.size()) return at;
    broken("its directory is missing");
  }

  std::vector<Entry> directory() {
    const std::size_t end = find_end();
    const std::size_t count = u16(end + 10), size = u32(end + 12);
    begin_ = u32(end + 16);
    if (count == 0xffff || size == kLimit || begin_ == kLimit) refuse_zip64(file_);
    if (begin_ > end || size > end - begin_) broken("its directory lies outside the file");
    std::vector<Entry> entries;
    std::size_t at = begin_, packed = 0, unpacked = 0;
    for (std::size_t i = 0; i < count; ++i) {
      entries.push_back(entry(at, begin_ + size));
      packed += entries.back().packed;
      unpacked += entries.back().size;
    }
    if (packed > bytes_.size()) broken("its members overlap");
    if (unpacked > kFreeBytes + kPlausibleRatio * bytes_.size())
      throw InputError(fmt::format("{}: {} bytes that unpack to {}; that is no array of measurements", file_,
                                   bytes_.size(), unpacked));
    return entries;
  }

  Entry entry(std::size_t& at, std::size_t end) const {
    if (end - at < kEntrySize || u32(at) != kDirectoryEntry) broken("its directory is damaged");
    const std::size_t name = u16(at + 28), extra = u16(at + 30), comment = u16(at + 32);
    if (end - at - kEntrySize < name + extra + comment) broken("its directory is damaged");
    Entry e;
    e.flags = u16(at + 8);
    e.method = u16(at + 10);
    e.crc = u32(at + 16);
    e.packed = u32(at + 20);
    e.size = u32(at + 24);
    e.offset = u32(at + 42);
    e.name.assign(reinterpret_cast<const char*>(bytes_.data() + at + kEntrySize), name);
    if (e.packed == kLimit || e.size == kLimit || e.offset == kLimit)
      refuse_zip64(fmt::format("{}: {}", file_, one_line(e.name, 100)));
    at += kEntrySize + name + extra + comment;
    return e;
  }

  Bytes unpack(const Entry& e, const std::string& where) const {
    if (e.flags & 1) throw InputError(where + ": is encrypted; save it without a password");
    if (begin_ < kLocalSize || e.offset > begin_ - kLocalSize || u32(e.offset) != kLocalHeader)
      throw InputError(where + ": is not where the directory says; write the file again");
    const std::size_t data = e.offset + kLocalSize + u16(e.offset + 26) + u16(e.offset + 28);
    if (data > begin_ || e.packed > begin_ - data)
      throw InputError(where + ": reaches beyond the end; write the file again");
    const auto packed = bytes_.subspan(data, e.packed);
    Bytes bytes;
    if (e.method == kStored && e.packed == e.size) {
      bytes.assign(packed.begin(), packed.end());
    } else if (e.method == kDeflated && e.size / kLargestRatio <= e.packed) {
      bytes.resize(e.size);
      if (!inflated(packed, bytes))
        throw InputError(where + ": does not unpack to the size it states; write the file again");
    } else if (e.method == kStored || e.method == kDeflated) {
      throw InputError(where + ": states a size that cannot be; write the file again");
    } else {
      throw InputError(fmt::format("{}: is packed by method {}; only stored and deflated members are read",
                                   where, e.method));
    }
    if (crc_of(bytes) != e.crc)
      throw InputError(where + ": does not match its checksum; write the file again");
    return bytes;
  }

  [[noreturn]] static void refuse_zip64(const std::string& where) {
    throw InputError(where + ": is in the zip64 form, which is not read; keep arrays below 4 GiB");
  }

  std::span<const unsigned char> bytes_;
  const std::string& file_;
  std::size_t begin_ = 0;  ///< of the directory: members end before it
};

}  // namespace

Bytes encode_npz(const Npz& arrays, Compression compression) {
  Bytes bytes;
  Writer out(bytes);
  std::vector<Entry> directory;
  for (const auto& [name, array] : arrays) write_member(name, array, compression, out, directory);
  const std::size_t begin = out.size();
  for (const Entry& e : directory) {
    out.u32(kDirectoryEntry);
    out.u16(20 | 3 << 8);  // made on Unix, so that the attributes below are file permissions
    out.u16(20);
    out.common(e);
    out.u16(0);
    out.u16(0);
    out.u16(0);
    out.u32(0644u << 16);
    out.u32(e.offset);
    out.text(e.name);
  }
  const std::size_t size = out.size() - begin;
  if (out.size() >= kLimit || directory.size() >= 0xffff)
    throw InputError("an NPZ file cannot hold 4 GiB or more, nor 65535 arrays or more");
  out.u32(kDirectoryEnd);
  out.u32(0);
  out.u16(static_cast<std::uint32_t>(directory.size()));
  out.u16(static_cast<std::uint32_t>(directory.size()));
  out.u32(static_cast<std::uint32_t>(size));
  out.u32(static_cast<std::uint32_t>(begin));
  out.u16(0);
  return bytes;
}

Npz decode_npz(std::span<const unsigned char> bytes, const std::string& file,
               const std::vector<std::string>& only) {
  return Reader(bytes, file).read(only);
}

void write_npz(const std::filesystem::path& path, const Npz& arrays, Compression compression) {
  write_file_whole(path, encode_npz(arrays, compression));
}

Npz read_npz(const std::filesystem::path& path, const std::vector<std::string>& only) {
  return decode_npz(read_file(path), path.string(), only);
}

const NpyArray& member(const Npz& arrays, const std::string& name, const std::string& file) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw InputError(fmt::format("{}: holds no array named {}", file, name));
  return found->second;
}

}  // namespace cutis
