#include "cutis/io/mesh/ply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/io/bytes.h"

namespace cutis {
namespace {

enum class Type { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

std::optional<Type> type_called(std::string_view name) {
  constexpr std::array<std::pair<const char*, Type>, 16> names{{{"char", Type::Int8},
                                                                {"int8", Type::Int8},
                                                                {"uchar", Type::Uint8},
                                                                {"uint8", Type::Uint8},
                                                                {"short", Type::Int16},
                                                                {"int16", Type::Int16},
                                                                {"ushort", Type::Uint16},
                                                                {"uint16", Type::Uint16},
                                                                {"int", Type::Int32},
                                                                {"int32", Type::Int32},
                                                                {"uint", Type::Uint32},
                                                                {"uint32", Type::Uint32},
                                                                {"float", Type::Float32},
                                                                {"float32", Type::Float32},
                                                                {"double", Type::Float64},
                                                                {"float64", Type::Float64}}};
  for (const auto& [known, type] : names)
    if (name == known) return type;
  return std::nullopt;
}

struct Property {
  std::string name;
  Type type = Type::Float32;
  std::optional<Type> count_type;  ///< of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Encoding { Ascii, Little, Big };

/// The numbers behind the header, one after another.
class Numbers {
 public:
  Numbers(std::string file, std::string_view data, Encoding encoding, int line)
      : file_(std::move(file)), data_(data), encoding_(encoding), line_(line) {}

  /// Where the next messages say it happened, such as "vertex 3".
  void enter(const std::string& element, std::uint64_t index) {
    element_ = &element;
    index_ = index;
  }

  double next(Type type) {
    if (encoding_ == Encoding::Ascii) return next_word();
    switch (type) {
      case Type::Int8:
        return next_as<std::int8_t>();
      case Type::Uint8:
        return next_as<std::uint8_t>();
      case Type::Int16:
        return next_as<std::int16_t>();
      case Type::Uint16:
        return next_as<std::uint16_t>();
      case Type::Int32:
        return next_as<std::int32_t>();
      case Type::Uint32:
        return next_as<std::uint32_t>();
      case Type::Float32:
        return next_as<float>();
      default:
        return next_as<double>();
    }
  }

  /// The length of a list: a whole number that the rest of the file has room for.
  std::size_t next_count(Type type) {
    const double count = next(type);
    if (!(count >= 0) || count > static_cast<double>(data_.size()) || count != std::floor(count))
      fail(fmt::format("a list of {} numbers, where {} bytes are left", count, data_.size()));
    return static_cast<std::size_t>(count);
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string line = encoding_ == Encoding::Ascii ? fmt::format(":{}", line_) : "";
    throw InputError(fmt::format("{}{}: {} {}: {}; export it again", file_, line, element_ ? *element_ : "",
                                 index_, what));
  }

 private:
  std::string file_;
  std::string_view data_;  ///< not yet read
  Encoding encoding_;
  int line_;
  const std::string* element_ = nullptr;
  std::uint64_t index_ = 0;

  template <class T>
  double next_as() {
    if (data_.size() < sizeof(T)) fail("the file ends here");
    const auto order = encoding_ == Encoding::Little ? std::endian::little : std::endian::big;
    const T value = load<T>(reinterpret_cast<const unsigned char*>(data_.data()), order);
    data_.remove_prefix(sizeof(T));
    return static_cast<double>(value);
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  double next_word() {
    while (!data_.empty() && is_blank(data_[0])) {
      line_ += data_[0] == '\n';
      data_.remove_prefix(1);
    }
    std::size_t length = 0;
    while (length < data_.size() && !is_blank(data_[length])) ++length;
    if (length == 0) fail("the file ends here");
    const std::string_view word = data_.substr(0, length);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + length, value);
    if (stop != word.data() + length || error == std::errc::invalid_argument)
      fail(fmt::format("\"{}\" is not a number", word.substr(0, 40)));
    data_.remove_prefix(length);
    return error == std::errc::result_out_of_range ? 0 : value;
  }
};

/// The header, line by line.
class Header {
 public:
  Header(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  void read() {
    if (next_line() != "ply") fail("does not begin with \"ply\"; is it a PLY file?");
    bool has_format = false;
    for (std::string_view line = next_line(); line != "end_header"; line = next_line()) {
      const std::vector<std::string_view> words = split(line);
      if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
      if (words[0] == "format") {
        read_format(words);
        has_format = true;
      } else if (words[0] == "element") {
        read_element(words);
      } else if (words[0] == "property") {
        read_property(words);
      } else {
        fail(fmt::format("\"{}\" is not a line of a PLY header", line.substr(0, 40)));
      }
    }
    if (!has_format) fail("the header names no format");
  }

  std::vector<Element> elements;
  Encoding encoding = Encoding::Ascii;
  int line() const { return line_; }
  std::string_view rest() const { return text_; }

 private:
  std::string file_;
  std::string_view text_;
  int line_ = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line_, what));
  }

  std::string_view next_line() {
    const std::size_t end = text_.find('\n');
    ++line_;
    if (end == text_.npos) fail("the header does not end; is it a whole PLY file?");
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return line;
  }

  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t begin = line.find_first_not_of(" \t", at);
      if (begin == line.npos) break;
      at = std::min(line.find_first_of(" \t", begin), line.size());
      words.push_back(line.substr(begin, at - begin));
    }
    return words;
  }

  void read_format(const std::vector<std::string_view>& words) {
    const std::string_view name = words.size() > 1 ? words[1] : "";
    if (name == "ascii")
      encoding = Encoding::Ascii;
    else if (name == "binary_little_endian")
      encoding = Encoding::Little;
    else if (name == "binary_big_endian")
      encoding = Encoding::Big;
    else
      fail(
          fmt::format("format \"{}\" is not known; ascii, binary_little_endian or binary_big_endian expected",
                      name.substr(0, 40)));
  }

  void read_element(const std::vector<std::string_view>& words) {
    Element& element = elements.emplace_back();
    const std::string_view count = words.size() == 3 ? words[2] : "";
    const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || stop != count.data() + count.size())
      fail("an element needs a name and a count");
    element.name = words[1];
  }

  void read_property(const std::vector<std::string_view>& words) {
    if (elements.empty()) fail("a property before any element");
    Property property;
    const bool list = words.size() == 5 && words[1] == "list";
    if (!list && words.size() != 3) fail("a property needs a type and a name");
    const auto type = type_called(words[list ? 3 : 1]);
    if (list) property.count_type = type_called(words[2]);
    if (!type || (list && !property.count_type)) fail("a property of a type that PLY does not have");
    property.type = *type;
    property.name = words.back();
    elements.back().properties.push_back(property);
  }
};

class PlyReader {
 public:
  PlyReader(std::string file, std::string_view text) : file_(std::move(file)), header_(file_, text) {}

  PlyMesh read() {
    header_.read();
    Numbers numbers(file_, header_.rest(), header_.encoding, header_.line() + 1);
    for (const Element& element : header_.elements) {
      if (element.properties.empty()) continue;  // nothing follows for it, however many it says there are
      for (std::uint64_t i = 0; i < element.count; ++i) {
        numbers.enter(element.name, i);
        read_record(element, numbers);
      }
    }
    check();
    attach_uvs();
    // Vertices may come in several elements with other properties.
    std::erase_if(result_.properties, [&](const VertexAttribute& property) {
      return property.values.size() != result_.mesh.vertex_count();
    });
    return std::move(result_);
  }

 private:
  std::string file_;
  Header header_;
  PlyMesh result_;
  std::vector<Vec2> vertex_uvs_, corner_uvs_;
  std::vector<double> list_;
  std::vector<SourceVertexId> face_;

  void read_record(const Element& element, Numbers& numbers) {
    if (element.name == "vertex") return read_vertex(element, numbers);
    const bool is_face = element.name == "face";
    if (element.name == "tristrips")
      throw InputError(fmt::format("{}: has triangle strips; export it with faces", file_));
    face_.clear();
    std::vector<double> uvs;
    for (const Property& property : element.properties) {
      const std::size_t count = property.count_type ? numbers.next_count(*property.count_type) : 1;
      list_.clear();
      for (std::size_t k = 0; k < count; ++k) list_.push_back(numbers.next(property.type));
      if (is_face && (property.name == "vertex_indices" || property.name == "vertex_index"))
        take_face(numbers);
      if (is_face && property.name == "texcoord") uvs = list_;
    }
    if (is_face) add_face(uvs, numbers);
  }

  void take_face(const Numbers& numbers) {
    for (double index : list_) {
      // Indices of vertices that come later in the file are checked at the end.
      if (!(index >= 0) || index >= 2147483647.0 || index != std::floor(index))
        numbers.fail(fmt::format("{} is not the index of a vertex", index));
      face_.emplace_back(static_cast<int>(index));
    }
    if (face_.size() < 3) numbers.fail(fmt::format("{} corners; a face needs three or more", face_.size()));
  }

  void add_face(const std::vector<double>& uvs, const Numbers& numbers) {
    if (face_.size() < 3) numbers.fail("has no list vertex_indices");
    if (result_.mesh.corner_count() + face_.size() > 2147483647u) numbers.fail("more than 2^31 face corners");
    result_.mesh.add_face(face_);
    if (uvs.empty()) return;
    if (uvs.size() != 2 * face_.size())
      numbers.fail(fmt::format("{} texture numbers for {} corners", uvs.size(), face_.size()));
    corner_uvs_.resize(result_.mesh.corner_count() - face_.size(), Vec2::Zero());
    for (std::size_t k = 0; k < uvs.size(); k += 2) {
      if (!std::isfinite(uvs[k]) || !std::isfinite(uvs[k + 1]))
        numbers.fail("a texture coordinate that is not finite");
      corner_uvs_.emplace_back(uvs[k], uvs[k + 1]);
    }
  }

  static int place_of(const std::string& name) {
    constexpr std::array<const char*, 13> names{"x", "y", "z", "red", "green",     "blue",     "alpha",
                                                "s", "t", "u", "v",   "texture_u", "texture_v"};
    const auto at = std::find(names.begin(), names.end(), name);
    const int place = static_cast<int>(at - names.begin());
    return place < 7 ? place : at == names.end() ? -1 : 7 + (place - 7) % 2;
  }

  /// The `index`-th of the properties without a meaning of their own, of the next vertex.
  void keep(const std::string& name, std::size_t index, double value) {
    if (index == result_.properties.size()) result_.properties.push_back({name, 1, {}});
    result_.properties[index].values.push_back(value);
  }

  void read_vertex(const Element& element, Numbers& numbers) {
    std::array<double, 9> values{0, 0, 0, 0, 0, 0, 1, 0, 0};
    std::array<bool, 9> given{};
    std::size_t kept = 0;
    for (const Property& property : element.properties) {
      if (property.count_type) {
        for (std::size_t k = numbers.next_count(*property.count_type); k > 0; --k)
          numbers.next(property.type);
        continue;
      }
      double value = numbers.next(property.type);
      const int place = place_of(property.name);
      if (place < 0) {
        keep(property.name, kept++, value);
        continue;
      }
      if (!std::isfinite(value)) numbers.fail(fmt::format("{} is {}", property.name, value));
      if (place >= 3 && place <= 6) {
        if (property.type == Type::Uint8) value /= 255;
        if (property.type == Type::Uint16) value /= 65535;
      }
      values[static_cast<std::size_t>(place)] = value;
      given[static_cast<std::size_t>(place)] = true;
    }
    if (!given[0] || !given[1] || !given[2]) numbers.fail("has no x, y and z");
    result_.mesh.positions.push_back(Vec3(values[0], values[1], values[2]));
    if (given[3] && given[4] && given[5])
      result_.colors.push_back(Vec4(values[3], values[4], values[5], values[6]));
    if (given[7] && given[8]) vertex_uvs_.emplace_back(values[7], values[8]);
  }

  void check() const {
    const SourceMesh& mesh = result_.mesh;
    if (mesh.face_count() == 0)
      throw InputError(fmt::format("{}: has no faces ({} vertices); export it with its polygons", file_,
                                   mesh.vertex_count()));
    for (FaceId f : ids<FaceId>(mesh.face_count()))
      for (SourceVertexId v : mesh.face(f))
        if (v.index() >= mesh.vertex_count())
          throw InputError(fmt::format("{}: face {}: vertex {}, but the file has {}; export it again", file_,
                                       f.value, v.value, mesh.vertex_count()));
  }

  void attach_uvs() {
    SourceMesh& mesh = result_.mesh;
    if (!corner_uvs_.empty()) {
      corner_uvs_.resize(mesh.corner_count(), Vec2::Zero());
      mesh.uvs = IdVector<CornerId, Vec2>(std::move(corner_uvs_));
    } else if (!vertex_uvs_.empty()) {
      for (SourceVertexId v : mesh.corners) mesh.uvs.push_back(vertex_uvs_[v.index()]);
    }
  }
};

}  // namespace

PlyMesh read_ply(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return PlyReader(path.string(), text).read();
}

std::vector<VertexAttribute> color_attributes(const IdVector<SourceVertexId, Vec4>& colors) {
  if (colors.empty()) return {};
  VertexAttribute attribute{vertex_color_name, 4, {}};
  for (const Vec4& color : colors)
    attribute.values.insert(attribute.values.end(), color.begin(), color.end());
  return {std::move(attribute)};
}

}  // namespace cutis
