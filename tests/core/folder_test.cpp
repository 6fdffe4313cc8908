#include "cutis/core/folder.h"

#include <cerrno>
#include <fstream>

#include <gmock/gmock.h>

#include "cutis/core/error.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(MakeFolder, MakesThoseAboveItToo) {
  const test::TemporaryFolder folder;
  make_folder_of(folder / "a/b/c.glb");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  make_folder(folder / "a/b");
  make_folder_of("c.glb");  // here
}

TEST(MakeFolder, SaysWhatToDo) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  for (const char* name : {"file", "file/a"}) try {
      make_folder(folder / name);
      ADD_FAILURE() << name;
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(name), HasSubstr("--out")));
    }
  EXPECT_THAT(write_failure(EACCES), AllOf(HasSubstr("Permission denied"), HasSubstr("--out")));
  EXPECT_THAT(write_failure(ENOSPC), AllOf(HasSubstr("No space left"), HasSubstr("free some space")));
}

}  // namespace
}  // namespace cutis
