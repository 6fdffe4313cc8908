#include "cutis/io/json_words.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace cutis {
namespace {

template <class Read>
std::string words(const Read& read) {
  try {
    read();
  } catch (const nlohmann::json::exception& error) {
    return json_words(error.what());
  }
  return "read";
}

TEST(JsonWords, SayWhereAndWhatInPlainWords) {
  using nlohmann::json;
  using testing::StartsWith;
  EXPECT_THAT(words([] { return json::parse("{\n  \"a\": nope}"); }),
              StartsWith("line 2, column 9: invalid literal"));
  EXPECT_THAT(words([] { return json::parse(""); }), StartsWith("line 1, column 1: unexpected end of input"));
  EXPECT_EQ(words([] { return json::parse("{}").at("format"); }), "\"format\" is missing");
  EXPECT_THAT(words([] { return json::parse("[1]").at(0).get<std::string>(); }),
              StartsWith("type must be string"));
  EXPECT_EQ(json_words("not of that library"), "not of that library");
}

}  // namespace
}  // namespace cutis
