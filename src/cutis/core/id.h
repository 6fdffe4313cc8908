#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace cutis {

/// An index that knows what it counts, so that a body vertex cannot index an array of source vertices.
template <class Tag>
struct Id {
  std::int32_t value = -1;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::int32_t>(v)) {}
  constexpr explicit Id(int v) : value(v) {}
  constexpr bool valid() const { return value >= 0; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr auto operator<=>(const Id&) const = default;
};

using VertexId = Id<struct VertexTag>;              ///< of a welded surface
using SourceVertexId = Id<struct SourceVertexTag>;  ///< of a mesh as its file has it
using FaceId = Id<struct FaceTag>;
using EdgeId = Id<struct EdgeTag>;
/// Half-edges that belong to a face are numbered like the face corners they leave, so one id names both.
using HalfedgeId = Id<struct HalfedgeTag>;
using CornerId = HalfedgeId;

/// An index that another library counts in int.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A vector indexed by one kind of id.
template <class I, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t n) : data_(n) {}
  IdVector(std::size_t n, const T& value) : data_(n, value) {}
  explicit IdVector(std::vector<T> data) : data_(std::move(data)) {}

  T& operator[](I i) { return data_[checked(i)]; }
  const T& operator[](I i) const { return data_[checked(i)]; }

  std::size_t size() const { return data_.size(); }
  bool empty() const { return data_.empty(); }
  void resize(std::size_t n) { data_.resize(n); }
  void assign(std::size_t n, const T& value) { data_.assign(n, value); }
  void reserve(std::size_t n) { data_.reserve(n); }
  I push_back(const T& value) {
    data_.push_back(value);
    return I(data_.size() - 1);
  }
  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }
  std::vector<T>& raw() { return data_; }
  const std::vector<T>& raw() const { return data_; }
  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  bool operator==(const IdVector&) const = default;

 private:
  std::size_t checked(I i) const {
    assert(i.valid() && i.index() < data_.size());
    return i.index();
  }
  std::vector<T> data_;
};

/// Counts through ids: `for (VertexId v : ids<VertexId>(n))`.
template <class I>
class IdRange {
 public:
  class Iterator {
   public:
    explicit Iterator(std::size_t i) : i_(i) {}
    I operator*() const { return I(i_); }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    std::size_t i_;
  };
  explicit IdRange(std::size_t n) : n_(n) {}
  Iterator begin() const { return Iterator(0); }
  Iterator end() const { return Iterator(n_); }

 private:
  std::size_t n_;
};

template <class I>
IdRange<I> ids(std::size_t n) {
  return IdRange<I>(n);
}

}  // namespace cutis

template <class Tag>
struct std::hash<cutis::Id<Tag>> {
  std::size_t operator()(cutis::Id<Tag> i) const noexcept { return std::hash<std::int32_t>()(i.value); }
};
