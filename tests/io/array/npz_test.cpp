#include "cutis/io/array/npz.h"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

Npz sample() {
  std::vector<double> wave(300);
  for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = std::sin(0.1 * i);
  Npz arrays;
  arrays["wave"] = npy_array(wave.data(), wave.size(), {100, 3});
  arrays["half"] = npy_array(std::vector<float>{0.5f, -0.0f, std::numeric_limits<float>::infinity()});
  arrays["ints"] = npy_array(std::vector<std::int32_t>{-1, 2147483647});
  arrays["wide"] = npy_array(std::vector<std::int64_t>{1LL << 40});
  arrays["mask"] = npy_array(std::vector<std::uint8_t>{0, 255});
  arrays["time"] = npy_scalar(1.25);
  arrays["none"] = npy_array(static_cast<const double*>(nullptr), 0, {0, 3});
  return arrays;
}

std::string error_of(const Bytes& bytes) {
  try {
    decode_npz(bytes, "a.npz");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Npz, ComesBackAsWrittenStoredAndDeflated) {
  EXPECT_EQ(decode_npz(encode_npz(sample()), "a"), sample());
  const Bytes small = encode_npz(sample(), Compression::Deflated);
  EXPECT_LT(small.size(), encode_npz(sample()).size());
  EXPECT_EQ(decode_npz(small, "a"), sample());
  EXPECT_EQ(decode_npz(encode_npz({}), "a"), Npz());
}

TEST(Npz, SameArraysGiveSameBytes) { EXPECT_EQ(encode_npz(sample()), encode_npz(sample())); }

TEST(Npz, ValuesConvert) {
  const Npz arrays = sample();
  EXPECT_EQ(to_doubles(arrays.at("mask")), (std::vector<double>{0, 255}));
  EXPECT_EQ(to_doubles(arrays.at("time")), (std::vector<double>{1.25}));
  EXPECT_EQ(to_int32(arrays.at("ints"), "here"), (std::vector<std::int32_t>{-1, 2147483647}));
  EXPECT_THROW(to_int32(arrays.at("wide"), "here"), InputError);
  EXPECT_THROW(to_int32(arrays.at("time"), "here"), InputError);
  EXPECT_THROW(member(arrays, "missing", "a.npz"), InputError);
}

TEST(Npz, AChangedValueIsNoticedAndNamed) {
  Bytes bytes = encode_npz(sample());
  // The first member in order of name is "half": its local header, its NPY header, then 12 bytes.
  bytes[30 + 8 + 128 + 3] ^= 1;
  EXPECT_THAT(error_of(bytes),
              testing::AllOf(HasSubstr("a.npz"), HasSubstr("half.npy"), HasSubstr("checksum")));
}

TEST(Npz, LiesAboutSizesAreRefusedBeforeAllocating) {
  Npz arrays;
  arrays["x"] = npy_array(std::vector<double>(64, 0.0));
  const Bytes good = encode_npz(arrays, Compression::Deflated);
  const std::size_t entry = good.size() - 22 - 46 - 5;  // one directory entry, named x.npy
  Bytes bytes = good;
  bytes[entry + 26] = 0xf0;  // unpacked size: 15 MiB, more than deflate can do
  EXPECT_THAT(error_of(bytes), HasSubstr("states a size"));
  bytes = good;
  bytes[entry + 27] = 0xf0;  // almost 4 GiB
  EXPECT_THAT(error_of(bytes), HasSubstr("no array of measurements"));
  bytes = good;
  for (int i = 0; i < 4; ++i) bytes[entry + 24 + i] = 0xff;
  EXPECT_THAT(error_of(bytes), HasSubstr("zip64"));
  bytes = good;
  bytes[entry + 10] = 12;
  EXPECT_THAT(error_of(bytes), HasSubstr("method 12"));
  bytes = good;
  bytes[entry + 8] |= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("encrypted"));

  NpyArray array = arrays["x"];
  Bytes npy = encode_npy(array);
  array.shape = {std::size_t(1) << 61, 8};
  const Bytes overflowing = encode_npy(array);
  EXPECT_THROW(decode_npy(overflowing, "x"), InputError);
  npy.pop_back();
  EXPECT_THROW(decode_npy(npy, "x"), InputError);
}

TEST(Npz, EveryTruncationIsAnInputError) {
  const Bytes good = encode_npz(sample(), Compression::Deflated);
  for (std::size_t n = 0; n < good.size(); n += 7)
    EXPECT_NE(error_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n))), "") << n;
}

TEST(Npz, RandomDamageNeverCrashes) {
  std::mt19937 random(7);
  for (const Compression compression : {Compression::Stored, Compression::Deflated}) {
    const Bytes good = encode_npz(sample(), compression);
    for (int trial = 0; trial < 2000; ++trial) {
      Bytes bytes = good;
      for (int hit = 0; hit < 3; ++hit) bytes[random() % bytes.size()] = static_cast<unsigned char>(random());
      try {
        decode_npz(bytes, "a.npz");
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace cutis
