#include "cutis/io/usd/usda_parser.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "cutis/core/error.h"

namespace cutis {
namespace {

constexpr int deepest = 200;  ///< brackets or prims within one another

class Parser {
 public:
  Parser(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  UsdLayer layer() {
    if (!text_.starts_with("#usda"))
      fail(text_.starts_with("PXR-USDC") ? "is a binary USD file; save it as ASCII (.usda)"
                                         : "does not begin with #usda; is it a USD ASCII file?");
    UsdLayer layer;
    if (take('(')) layer.metadata = metadata();
    while (!at_end()) layer.prims.push_back(prim(word("def, over or class"), 0));
    return layer;
  }

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line_, what));
  }

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '#')
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      else if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ';')
        return;
    }
  }
  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  char peek() { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* where) {
    if (take(c)) return;
    fail(at_end() ? fmt::format("the file ends where '{}' was expected {}", c, where)
                  : fmt::format("'{}' where '{}' was expected {}", text_[at_], c, where));
  }

  static bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '.' || c == '!';
  }
  std::string word(const char* what) {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    if (at_ == begin)
      fail(at_ < text_.size() ? fmt::format("'{}' where {} was expected", text_[at_], what)
                              : fmt::format("the file ends where {} was expected", what));
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Everything up to `end`; lines are counted on the way.
  std::string until(std::string_view end) {
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && end[0] != '@' && at_ + 1 < text_.size()) {
        ++at_;
      } else if (text_.substr(at_).starts_with(end)) {
        at_ += end.size();
        return std::string(text_.substr(begin, at_ - end.size() - begin));
      }
      line_ += text_[at_] == '\n';
    }
    fail(fmt::format("the file ends inside {}...{}", end, end));
  }
  std::string quoted() {
    for (std::string_view mark : {"\"\"\"", "'''", "\"", "'"})
      if (text_.substr(at_).starts_with(mark)) {
        at_ += mark.size();
        return until(mark);
      }
    fail("a text in quotes was expected");
  }

  static bool starts_number(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
  }

  double number() {
    skip_blanks();
    if (peek() == '+') ++at_;
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) fail("a number was expected");
    at_ += static_cast<std::size_t>(stop - begin);
    return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
  }

  /// A value is flattened into `out`.
  void value(UsdValue& out, int depth) {
    if (depth > deepest) fail("brackets are nested too deeply");
    const char c = peek();
    if (c == '(' || c == '[') {
      ++at_;
      const char end = c == '(' ? ')' : ']';
      while (!take(end)) {
        value(out, depth + 1);
        if (!take(',') && peek() != end) expect(end, "at the end of a list");
      }
    } else if (c == '{') {
      skip_braces();
    } else if (c == '"' || c == '\'') {
      out.words.push_back(quoted());
    } else if (c == '@') {
      const bool triple = text_.substr(at_).starts_with("@@@");
      at_ += triple ? 3 : 1;
      out.words.push_back(until(triple ? "@@@" : "@"));
      if (peek() == '<') value(out, depth + 1);
      if (peek() == '(') value(out, depth + 1);
    } else if (c == '<') {
      ++at_;
      out.words.push_back(until(">"));
    } else if (starts_number(c) && !text_.substr(at_).starts_with("-inf")) {
      out.numbers.push_back(number());
    } else {
      named_value(out);
    }
  }
  void named_value(UsdValue& out) {
    const bool negative = take('-');
    const std::string name = word("a value");
    const double infinity = std::numeric_limits<double>::infinity();
    if (name == "inf")
      out.numbers.push_back(negative ? -infinity : infinity);
    else if (name == "nan")
      out.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    else if (name == "true" || name == "false")
      out.numbers.push_back(name == "true");
    else if (name != "None")
      out.words.push_back(name);
  }

  /// A dictionary or a variant set: nothing in it is used.
  void skip_braces() {
    expect('{', "before a group");
    for (int depth = 1; depth > 0;) {
      const char c = peek();
      if (c == '\0') fail("the file ends inside braces");
      if (c == '"' || c == '\'') {
        quoted();
        continue;
      }
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      ++at_;
    }
  }

  std::map<std::string, UsdValue> metadata() {
    std::map<std::string, UsdValue> result;
    while (!take(')')) {
      if (peek() == '"' || peek() == '\'') {
        quoted();
        continue;
      }
      std::string name = word("a name or ')'");
      if (is_list_edit(name)) name = word("a name");
      expect('=', "after a name");
      UsdValue& to = result[name];
      to = {};
      value(to, 0);
      take(',');
    }
    return result;
  }

  static bool is_list_edit(const std::string& name) {
    return name == "prepend" || name == "append" || name == "add" || name == "delete" || name == "reorder";
  }

  UsdPrim prim(std::string specifier, int depth) {
    if (depth > deepest) fail("prims are nested too deeply");
    if (specifier != "def" && specifier != "over" && specifier != "class")
      fail(fmt::format("\"{}\" where def, over or class was expected", specifier.substr(0, 40)));
    UsdPrim prim;
    prim.line = line_;
    prim.specifier = std::move(specifier);
    if (peek() != '"' && peek() != '\'') prim.type = word("the type or the name of a prim");
    skip_blanks();
    prim.name = quoted();
    if (take('(')) prim.metadata = metadata();
    expect('{', "before what a prim holds");
    while (!take('}')) item(prim, depth);
    return prim;
  }

  void item(UsdPrim& prim, int depth) {
    std::string first = word("a prim, an attribute or '}'");
    if (first == "def" || first == "over" || first == "class") {
      prim.children.push_back(this->prim(std::move(first), depth + 1));
      return;
    }
    if (first == "variantSet") {
      skip_blanks();
      quoted();
      expect('=', "after the name of a variant set");
      skip_braces();
      return;
    }
    while (first == "custom" || first == "uniform" || first == "varying" || first == "config" ||
           is_list_edit(first))
      first = word("a type");
    if (first == "nameChildren" || first == "properties") {  // behind "reorder"
      expect('=', "after reorder");
      UsdValue order;
      return value(order, 0);
    }
    attribute(prim, first);
  }

  void attribute(UsdPrim& prim, std::string type) {
    if (take('[')) {
      expect(']', "in the type of an array");
      type += "[]";
    }
    std::string name = word("the name of an attribute");
    bool samples = false, connection = false;
    if (name.ends_with(".timeSamples")) {
      samples = true;
      name.resize(name.size() - 12);
    } else if (name.ends_with(".connect")) {
      connection = true;
    }
    UsdAttribute& to = prim.attributes[name];
    if (!connection) to.type = std::move(type);
    if (take('=')) {
      to.value = samples ? std::move(to.value) : UsdValue();
      samples ? time_samples(to) : value(to.value, 0);
    }
    if (take('(')) to.metadata.merge(metadata());
  }

  void time_samples(UsdAttribute& to) {
    expect('{', "before time samples");
    while (!take('}')) {
      const double code = number();
      if (!std::isfinite(code)) fail("a time that is not finite");
      expect(':', "after a time");
      UsdValue sample;
      value(sample, 0);
      if (!sample.numbers.empty() || !sample.words.empty()) to.samples[code] = std::move(sample);
      if (!take(',') && peek() != '}') expect('}', "at the end of time samples");
    }
  }
};

}  // namespace

UsdLayer parse_usda(std::string_view text, const std::string& file) { return Parser(text, file).layer(); }

}  // namespace cutis
