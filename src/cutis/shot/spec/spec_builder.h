#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <type_traits>
#include <utility>

#include "cutis/shot/spec/spec.h"

namespace cutis {

/// How a member of a section and a Value turn into each other.
template <class T>
void assign(T& member, const Value& value) {
  member = std::get<T>(value);
}
inline void assign(int& member, const Value& value) {
  member = static_cast<int>(std::get<std::int64_t>(value));
}
inline void assign(std::filesystem::path& member, const Value& value) {
  member = std::get<std::string>(value);
}
template <class T>
void assign(std::optional<T>& member, const Value& value) {
  if (std::holds_alternative<std::monostate>(value))
    member.reset();
  else
    assign(member.emplace(), value);
}

template <class T>
Value extract(const T& member) {
  return member;
}
inline Value extract(int member) { return std::int64_t{member}; }
inline Value extract(const std::filesystem::path& member) { return member.string(); }
template <class T>
Value extract(const std::optional<T>& member) {
  return member ? extract(*member) : Value();
}

/// Finishes the declaration of one key, in words.
class KeyBuilder {
 public:
  explicit KeyBuilder(Key& key) : key_(key) {}
  KeyBuilder& doc(std::string sentence) { return with(key_.doc, std::move(sentence)); }
  KeyBuilder& example(std::string toml) { return with(key_.example, std::move(toml)); }
  KeyBuilder& standard(std::string toml) { return with(key_.default_value, std::move(toml)); }
  KeyBuilder& otherwise(std::string words) { return with(key_.default_words, std::move(words)); }
  KeyBuilder& required() { return with(key_.required, true); }
  KeyBuilder& numbered_files() { return with(key_.numbered_files, true); }
  KeyBuilder& bare_unit() { return with(key_.bare_unit, true); }
  KeyBuilder& from(double low) { return with(key_.low, low); }
  KeyBuilder& to(double high) { return with(key_.high, high); }
  KeyBuilder& above(double low) { return with(key_.low_open, true).from(low); }
  KeyBuilder& below(double high) { return with(key_.high_open, true).to(high); }
  KeyBuilder& count(int min, int max) { return with(key_.min_count, min).with(key_.max_count, max); }

 private:
  template <class T>
  KeyBuilder& with(T& member, T value) {
    member = std::move(value);
    return *this;
  }
  Key& key_;
};

/// Declares a section and binds each key to a member of the struct that holds it.
template <class S>
class SectionBuilder {
 public:
  using Table = S& (*)(Shot&);
  using Array = std::vector<S>& (*)(Shot&);

  SectionBuilder(std::string name, Table table, std::string doc)
      : access_([table](Shot& shot, std::size_t) -> S& { return table(shot); }) {
    section_ = {std::move(name), false, std::move(doc), {}, [](const Shot&) { return std::size_t{1}; }, {}};
  }
  SectionBuilder(std::string name, Array array, std::string doc)
      : access_([array](Shot& shot, std::size_t i) -> S& { return array(shot)[i]; }) {
    section_ = {std::move(name),
                true,
                std::move(doc),
                {},
                [array](const Shot& shot) { return array(const_cast<Shot&>(shot)).size(); },
                [array](Shot& shot) { array(shot).emplace_back(); }};
  }

  template <class T>
  KeyBuilder key(std::string name, KeyType type, T S::*member, Dimension dimension = Dimension::Ratio) {
    Key& key = add(std::move(name), type, dimension);
    key.set = [access = access_, member](Shot& shot, std::size_t i, const Value& value) {
      assign(access(shot, i).*member, value);
    };
    key.get = [access = access_, member](const Shot& shot, std::size_t i) {
      return extract(access(const_cast<Shot&>(shot), i).*member);
    };
    return KeyBuilder(key);
  }

  /// A choice: the words stand in the order of the enumerators.
  template <class E>
  requires std::is_enum_v<E> KeyBuilder choice(std::string name, E S::*member,
                                               std::vector<std::string> words) {
    Key& key = add(std::move(name), KeyType::Choice, Dimension::Ratio);
    key.choices = words;
    key.set = [access = access_, member, words](Shot& shot, std::size_t i, const Value& value) {
      const auto at = std::find(words.begin(), words.end(), std::get<std::string>(value));
      assert(at != words.end());
      access(shot, i).*member = static_cast<E>(at - words.begin());
    };
    key.get = [access = access_, member, words](const Shot& shot, std::size_t i) -> Value {
      return words[static_cast<std::size_t>(access(const_cast<Shot&>(shot), i).*member)];
    };
    return KeyBuilder(key);
  }

  KeyBuilder choices(std::string name, std::vector<std::string> S::*member, std::vector<std::string> words) {
    KeyBuilder built = key(std::move(name), KeyType::Choices, member);
    section_.keys.back().choices = std::move(words);
    return built;
  }

  Section take() { return std::move(section_); }

 private:
  Key& add(std::string name, KeyType type, Dimension dimension) {
    Key& key = section_.keys.emplace_back();
    key.name = std::move(name);
    key.type = type;
    key.dimension = dimension;
    return key;
  }

  Section section_;
  std::function<S&(Shot&, std::size_t)> access_;
};

// One file a group of sections; spec() strings them together.
Section body_spec();
Section time_spec();
Section skin_spec();
Section material_spec();
Section direction_spec();
Section ligament_spec();
Section region_spec();
Section constraint_spec();
Section scene_spec();
Section force_spec();
Section solver_spec();
Section output_spec();
Section picture_spec();
Section figure_spec();

}  // namespace cutis
