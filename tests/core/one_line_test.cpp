#include "cutis/core/one_line.h"

#include <gtest/gtest.h>

namespace cutis {
namespace {

TEST(OneLine, BlanksAndControlCharactersBecomeOneBlank) {
  EXPECT_EQ(one_line(" a\r\n\tb\x1b[2J c \n"), "a b [2J c");
  EXPECT_EQ(one_line("a\xC2\x9B"
                     "b\xC2\xA0"),
            "a b");
  EXPECT_EQ(one_line("\n\n"), "");
}

TEST(OneLine, OnlyGoodUtf8IsKept) {
  EXPECT_EQ(one_line("Füchschen € 🦊"), "Füchschen € 🦊");
  EXPECT_EQ(one_line("\xff\xC3"), "??");
  EXPECT_EQ(one_line("\xC0\xAF \xED\xA0\x80 \xE0\x80\x80 \xF4\x90\x80\x80"), "?? ??? ??? ????");
}

TEST(OneLine, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(one_line("abcdef", 6), "abcdef");
  EXPECT_EQ(one_line("abcdefg", 6), "abcdef...");
  EXPECT_EQ(one_line("abc€def", 5), "abc...");
}

}  // namespace
}  // namespace cutis
