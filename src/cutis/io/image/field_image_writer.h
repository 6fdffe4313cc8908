#pragma once

#include <map>
#include <string>

#include "cutis/io/frame_fields.h"
#include "cutis/io/frame_writer.h"

namespace cutis {

enum class MapFormat { Exr, Png };

/// The least and the largest value of each field, over all frames that were added.
class FieldRanges {
 public:
  void add(const Npz& fields, const SourceMesh& mesh);
  struct Range {
    double low = 0, high = 0;
  };
  const std::map<std::string, Range>& all() const { return ranges_; }

 private:
  std::map<std::string, Range> ranges_;
};

/// Writes every field of the frames as images in texture space, a folder of NAME_000001.exr or .png and so
/// on. EXR holds the values themselves; PNG holds 16 bits from the least (0) to the largest (1) value of the
/// field in the whole shot, and ranges.json says which those are. Fields of one number are grey; two and
/// three are red, green, blue; four have alpha; fields with more are left out with a word.
class FieldMapWriter final : public FrameWriter {
 public:
  /// `size`: pixels each way, 1 to 16384. Throws InputError when the mesh has no texture coordinates, or
  /// there are no fields to draw.
  FieldMapWriter(const std::filesystem::path& folder, const SourceMesh& mesh, std::size_t frame_count,
                 MapFormat format, int size, FieldRanges ranges);

 private:
  SourceMesh mesh_;
  MapFormat format_;
  int size_;
  FieldRanges ranges_;
  std::size_t next_ = 0;

  void write_field(const FrameField& field);
  void write_frame(const SourcePoints& points, const Npz& fields) override;
  void write_end() override;
};

}  // namespace cutis
