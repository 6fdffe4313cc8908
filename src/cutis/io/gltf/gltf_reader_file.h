#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tinygltf {
class Model;
struct Accessor;
struct BufferView;
}  // namespace tinygltf

namespace cutis {

/// A glTF file as it was parsed, and its accessors as numbers, with every bound checked. Part of read_gltf().
class GltfFile {
 public:
  /// Throws InputError when the file is missing, damaged, or requires an extension that is not understood.
  explicit GltfFile(const std::filesystem::path& path);
  ~GltfFile();
  GltfFile(const GltfFile&) = delete;
  GltfFile& operator=(const GltfFile&) = delete;

  const tinygltf::Model& model() const { return *model_; }

  /// Throws InputError "file: place: what".
  [[noreturn]] void fail(const std::string& place, const std::string& what) const;
  /// Says "file: place: what" as a warning.
  void warn(const std::string& place, const std::string& what) const;

  /// Throws unless 0 <= index < size; `kind` is what is counted ("node").
  std::size_t checked(int index, std::size_t size, const std::string& place, const char* kind) const;

  /// Elements of an accessor; throws when there is none at that index.
  std::size_t count(int accessor, const std::string& place) const;
  /// Counts `count` times `components` numbers as read; throws when that is more than a file of this size can
  /// mean. For numbers that are not in the file, such as those of empty blend shapes.
  void spend(std::size_t count, std::size_t components, const std::string& place) const;
  /// All its numbers, `components` for each element, sparse ones put in place, normalised integers as
  /// fractions. Throws when it has another number of components or reaches past its buffer, or a number is
  /// not finite.
  std::vector<double> numbers(int accessor, std::size_t components, const std::string& place) const;
  /// The same for whole numbers in [0, limit).
  std::vector<int> indices(int accessor, std::size_t components, std::size_t limit,
                           const std::string& place) const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<tinygltf::Model> model_;
  mutable std::size_t numbers_left_ = 0;

  void check_extensions() const;
  const tinygltf::Accessor& accessor(int index, const std::string& place) const;
  const unsigned char* locate(int view, std::size_t offset, std::size_t count, std::size_t element_size,
                              std::size_t stride, const std::string& place) const;
  void put_sparse(const tinygltf::Accessor& accessor, std::size_t components, std::vector<double>& values,
                  const std::string& place) const;
};

}  // namespace cutis
