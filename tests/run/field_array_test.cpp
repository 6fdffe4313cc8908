#include "cutis/run/field_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutis {
namespace {

using testing::ElementsAre;

TEST(FieldArray, HasARowForEachPlace) {
  const FieldInfo& direction = *field_info("stretch_max_direction");
  const NpyArray array = field_array(direction, {1, 0, 0, 0, 0.1, 0}, FramePrecision::Float32);
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_EQ(array.type, NpyType::Float32);
  EXPECT_EQ(to_doubles(array)[4], double(0.1f));
  EXPECT_THAT(field_array(*field_info("slide"), {1, 2}, FramePrecision::Float64).shape, ElementsAre(2));
}

}  // namespace
}  // namespace cutis
