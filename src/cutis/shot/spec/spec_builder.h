#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <type_traits>
#include <utility>

#include "cutis/shot/methods.h"
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

/// What the program itself uses, whatever the method.
inline std::vector<SkinMethod> every_method() {
  std::vector<SkinMethod> all;
  for (const Method& method : methods()) all.push_back(method.id);
  return all;
}

/// Finishes the declaration of one key, in words.
class KeyBuilder {
 public:
  explicit KeyBuilder(Key& key) : key_(key) {}
  KeyBuilder& doc(std::string sentence) { return with(key_.doc, std::move(sentence)); }
  KeyBuilder& example(std::string toml) { return with(key_.example, std::move(toml)); }
  KeyBuilder& standard(std::string toml) { return with(key_.default_value, std::move(toml)); }
  KeyBuilder& otherwise(std::string words) { return with(key_.default_words, std::move(words)); }
  KeyBuilder& presets(std::vector<Preset> presets) { return with(key_.presets, std::move(presets)); }
  KeyBuilder& required() { return with(key_.required, true); }
  KeyBuilder& moving_files() { return with(key_.moving_files, true); }
  KeyBuilder& bare_unit() { return with(key_.bare_unit, true); }
  KeyBuilder& from(double low) { return with(key_.low, low); }
  KeyBuilder& to(double high) { return with(key_.high, high); }
  KeyBuilder& usual(double low, double high) { return with(key_.usual_low, low).with(key_.usual_high, high); }
  KeyBuilder& above(double low) { return with(key_.low_open, true).from(low); }
  KeyBuilder& below(double high) { return with(key_.high_open, true).to(high); }
  KeyBuilder& used_by(std::vector<SkinMethod> methods) { return with(key_.used_by, std::move(methods)); }
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

  /// The methods that make use of the keys declared from here on, unless a key says otherwise.
  SectionBuilder& used_by(std::vector<SkinMethod> methods) {
    used_by_ = std::move(methods);
    return *this;
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

  /// A choice: each word with what it stands for.
  template <class T>
  KeyBuilder choice(std::string name, T S::*member,
                    std::vector<std::pair<std::string, std::type_identity_t<T>>> words) {
    Key& key = add(std::move(name), KeyType::Choice, Dimension::Ratio);
    for (const auto& [word, meaning] : words) key.choices.push_back(word);
    key.set = [access = access_, member, words](Shot& shot, std::size_t i, const Value& value) {
      const auto at = std::find_if(words.begin(), words.end(),
                                   [&](const auto& w) { return w.first == std::get<std::string>(value); });
      assert(at != words.end());
      access(shot, i).*member = at->second;
    };
    key.get = [access = access_, member, words](const Shot& shot, std::size_t i) -> Value {
      const auto at = std::find_if(words.begin(), words.end(), [&](const auto& w) {
        return w.second == access(const_cast<Shot&>(shot), i).*member;
      });
      return at == words.end() ? Value() : Value(at->first);  // not given
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
    key.used_by = used_by_;
    return key;
  }

  Section section_;
  std::vector<SkinMethod> used_by_;
  std::function<S&(Shot&, std::size_t)> access_;
};

// One file a group of sections; spec() strings them together.
Section body_spec();
Section time_spec();
Section flesh_spec();
Section flesh_phase_spec();
Section skin_spec();
Section material_spec();
Section direction_spec();
Section ligament_spec();
Section tracked_spec();
Section region_spec();
Section constraint_spec();
Section wrinkle_spec();
Section wrinkle_layer_spec();
Section scene_spec();
Section force_spec();
Section solver_spec();
Section output_spec();
Section picture_spec();
Section figure_spec();

}  // namespace cutis
