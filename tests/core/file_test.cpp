#include "cutis/core/file.h"

#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/support.h"

namespace cutis {
namespace {

TEST(File, ComesBackAsWritten) {
  test::TemporaryFolder folder;
  write_file_whole(folder / "a.txt", std::string_view("skin"));
  EXPECT_EQ(read_file(folder / "a.txt"), (Bytes{'s', 'k', 'i', 'n'}));
}

TEST(File, LeavesNothingBehindWhenTheFolderIsMissing) {
  test::TemporaryFolder folder;
  EXPECT_THROW(write_file_whole(folder / "missing/a.txt", std::string_view("x")), IoError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(File, MissingFileIsTheUsersMistake) {
  EXPECT_THROW(read_file("no/such/file"), InputError);
  EXPECT_THROW(read_file("/"), InputError);
}

TEST(File, Sha256OfTheStandardsExample) {
  const Bytes abc{'a', 'b', 'c'};
  EXPECT_EQ(sha256(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Error, NearestWordFindsASlipAndNothingElse) {
  EXPECT_EQ(nearest_word("thicknes", {"thickness", "density"}), "thickness");
  EXPECT_EQ(nearest_word("WALK", {"Run", "Walk"}), "Walk");
  EXPECT_EQ(nearest_word("banana", {"thickness", "density"}), "");
}

}  // namespace
}  // namespace cutis
