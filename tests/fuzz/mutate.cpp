// mutate TARGET [COUNT]: changes the samples of a target at random, always in the same way, and hands each to
// its reader. It needs no fuzzer, so it runs wherever the tests run, and under the sanitizers too.
#include <cstdio>
#include <random>

#include "fuzz/target.h"
#include "support/samples.h"

namespace {

using cutis::Bytes;

class Mutator {
 public:
  explicit Mutator(std::vector<Bytes> samples) : samples_(std::move(samples)) {}

  Bytes next() {
    Bytes bytes = any();
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) edit(bytes);
    return bytes;
  }

 private:
  std::vector<Bytes> samples_;
  std::mt19937_64 random_{20};

  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  const Bytes& any() { return samples_[below(samples_.size())]; }
  static Bytes::iterator at(Bytes& bytes, std::size_t i) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(i);
  }

  void edit(Bytes& bytes) {
    const std::size_t i = below(bytes.size());
    switch (below(7)) {
      case 0:
        if (!bytes.empty()) bytes[i] ^= static_cast<unsigned char>(1u << below(8));
        break;
      case 1:
        if (!bytes.empty()) bytes[i] = static_cast<unsigned char>(random_());
        break;
      case 2:
        bytes.resize(i);
        break;
      case 3:
        bytes.erase(at(bytes, i), at(bytes, std::min(bytes.size(), i + 1 + below(16))));
        break;
      case 4:
        write_number(bytes, i);
        break;
      case 5:
        write_text(bytes, i);
        break;
      default:
        splice(bytes, i);
    }
  }

  /// Numbers at which counts and sizes go wrong, as 32 bits of either byte order.
  void write_number(Bytes& bytes, std::size_t i) {
    const std::uint32_t numbers[] = {0,          1,          0x7f,       0xff,       0xffff,     0x7fffffff,
                                     0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x7f7fffff, 0x10000000};
    const std::uint32_t number = numbers[below(std::size(numbers))];
    const bool big = below(2) == 0;
    for (std::size_t k = 0; k < 4 && i + k < bytes.size(); ++k)
      bytes[i + k] = static_cast<unsigned char>(number >> 8 * (big ? 3 - k : k));
  }

  void write_text(Bytes& bytes, std::size_t i) {
    const std::string_view words[] = {
        "-1",  "1e308", "1e-320", "nan", "inf",  "4294967296", "9223372036854775808",
        "0.5", "\"\"",  "[]",     "{}",  "null", "[[",         "../",
        "\n",  "\xff",  "true"};
    const std::string_view word = words[below(std::size(words))];
    const std::size_t replaced = below(2) == 0 ? word.size() : 0;
    bytes.erase(at(bytes, i), at(bytes, std::min(bytes.size(), i + replaced)));
    bytes.insert(at(bytes, i), word.begin(), word.end());
  }

  /// A piece of a sample put in somewhere else.
  void splice(Bytes& bytes, std::size_t i) {
    const Bytes& other = any();
    const std::size_t first = below(other.size()),
                      last = first + below(std::min<std::size_t>(other.size() - first, 64));
    bytes.insert(at(bytes, i), other.begin() + static_cast<std::ptrdiff_t>(first),
                 other.begin() + static_cast<std::ptrdiff_t>(last));
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: mutate TARGET [COUNT]\n", stderr), 2;
  const auto target = cutis::fuzz::targets().find(argv[1]);
  if (target == cutis::fuzz::targets().end()) return std::fputs("there is no such target\n", stderr), 2;
  const std::vector<Bytes> samples = cutis::test::samples(argv[1]);
  for (const Bytes& bytes : samples) target->second(bytes.data(), bytes.size());
  if (cutis::fuzz::accepted == 0) return std::fputs("no sample is valid\n", stderr), 1;
  Mutator mutator(samples);
  const long count = argc > 2 ? std::atol(argv[2]) : 5000;
  cutis::fuzz::accepted = 0;
  for (long i = 0; i < count; ++i) {
    const Bytes bytes = mutator.next();
    target->second(bytes.data(), bytes.size());
  }
  fmt::print("{}: {} inputs tried, {} accepted, the others refused with one clear error\n", argv[1], count,
             cutis::fuzz::accepted);
  // Where nothing is accepted or everything is, the changes do not reach what they are for.
  return cutis::fuzz::accepted == 0 || cutis::fuzz::accepted == count;
}
