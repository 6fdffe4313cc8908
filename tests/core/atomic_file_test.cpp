#include "cutis/core/atomic_file.h"

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "support/support.h"

namespace cutis {
namespace {

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  test::TemporaryFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write(Bytes{1, 2, 3, 4});
    file.overwrite(1, Bytes{7, 8});
    file.write(Bytes{5});
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    file.commit();
  }
  EXPECT_EQ(read_file(folder / "a"), (Bytes{1, 7, 8, 4, 5}));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

TEST(AtomicFile, LeavesTheOldFileAloneWhenGivenUp) {
  test::TemporaryFolder folder;
  write_file_whole(folder / "a", Bytes{1});
  { AtomicFile(folder / "a").write(Bytes{2}); }
  EXPECT_EQ(read_file(folder / "a"), Bytes{1});
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

TEST(AtomicFile, DoesNotTakeTheNameOfAFolder) {
  test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  EXPECT_THROW(write_file_whole(folder / "a", Bytes{1}), IoError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

}  // namespace
}  // namespace cutis
