#include "cutis/body/not_skin.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace cutis {
namespace {

constexpr std::array<std::string_view, 39> kRigid = {
    "eye",     "eyes",   "eyeball", "eyeballs", "cornea", "iris",    "pupil",   "sclera",
    "tooth",   "teeth",  "denture", "fang",     "fangs",  "tusk",    "tusks",   "antler",
    "antlers", "horn",   "horns",   "claw",     "claws",  "nail",    "nails",   "hoof",
    "hooves",  "beak",   "helmet",  "armor",    "armour", "glasses", "goggles", "weapon",
    "sword",   "shield", "jewelry", "earring",  "clasp",  "buckle",  "bone"};
constexpr std::array<std::string_view, 47> kSoft = {
    "hair",    "hairs",    "fur",    "beard",   "mustache", "moustache", "eyebrow", "eyebrows",
    "brow",    "brows",    "lash",   "lashes",  "eyelash",  "eyelashes", "feather", "feathers",
    "mane",    "cloth",    "cloths", "clothes", "clothing", "shirt",     "tshirt",  "pants",
    "trouser", "trousers", "jeans",  "shorts",  "skirt",    "dress",     "jacket",  "coat",
    "cape",    "cloak",    "robe",   "hood",    "hat",      "cap",       "scarf",   "glove",
    "gloves",  "shoe",     "shoes",  "boot",    "boots",    "sock",      "belt"};
constexpr std::array<std::string_view, 4> kSkin = {"skin", "body", "flesh", "head"};

/// "YetiTeeth_low" as yeti, teeth, low.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  bool lower_before = false;
  for (const char letter : name) {
    const auto c = static_cast<unsigned char>(letter);
    const bool begins = std::isupper(c) && lower_before;
    if ((begins || !std::isalpha(c)) && !words.back().empty()) words.emplace_back();
    if (std::isalpha(c)) words.back() += static_cast<char>(std::tolower(c));
    lower_before = std::islower(c) != 0;
  }
  return words;
}

template <class Words>
bool has_any(const std::vector<std::string>& words, const Words& of) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return std::ranges::find(of, word) != of.end(); });
}

}  // namespace

NamedAs named_as(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  if (has_any(words, kSkin)) return NamedAs::Unknown;
  if (has_any(words, kSoft)) return NamedAs::Soft;
  return has_any(words, kRigid) ? NamedAs::Rigid : NamedAs::Unknown;
}

}  // namespace cutis
