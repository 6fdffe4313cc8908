#include "cutis/body/anatomy/joint_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cutis {
namespace {

using Words = std::vector<std::string>;

/// Words of one meaning. The meaning may be two: a forearm is the lower arm.
struct Meaning {
  const char* words;    ///< what the synonyms below mean
  const char* spelled;  ///< synonyms, separated by spaces
};
constexpr std::array kMeanings = std::to_array<Meaning>({
    {"left",
     "left l lf lft links linke linker linkes gauche izquierda izquierdo izq sinistra sinistro sx "
     "hidari 左"},
    {"right",
     "right r rt rgt rechts rechte rechter rechtes droite droit derecha derecho destra destro dx "
     "migi 右"},
    {"upper", "upper up ober obere oberer oberes"},
    {"lower", "lower low unter untere unterer unteres"},
    {"front", "front vorder vordere vorderes"},
    {"hind", "hind rear hinter hintere hinteres"},
    {"fore", "fore"},
    {"back", "back"},
    {"pelvis", "pelvis hips becken bassin bacino cadera kahanshin 下半身"},
    {"hip", "hip hufte huefte hanche anca"},
    {"spine",
     "spine abdomen belly waist stomach lumbar thoracic vertebra lowerback lowback bauch "
     "wirbelsaule wirbelsaeule colonne columna espalda colonna schiena jouhanshin 上半身"},
    {"torso", "torso trunk"},
    {"chest", "chest upperchest thorax ribcage rib ribs sternum brust brustkorb poitrine pecho petto torace"},
    {"neck", "neck cervical hals nacken cou cuello collo kubi 首"},
    {"head", "head skull skullbase cranium kopf schadel schaedel tete cabeza testa atama 頭"},
    {"jaw", "jaw mandible chin kiefer unterkiefer machoire mandibula mascella ago あご"},
    {"eye", "eye eyeball auge oeil ojo occhio 目"},
    {"nose", "nose nase nez nariz naso"},
    {"lip", "lip lips lipt lipb oris lippe levre labio labbro"},
    {"ear", "ear ohr oreille oreja orecchio mimi 耳"},
    {"breast", "breast boob pectoral"},
    {"clavicle",
     "clavicle collar collarbone scapula shoulderblade schlusselbein schluesselbein clavicule "
     "clavicula clavicola"},
    {"shoulder", "shoulder shldr schulter epaule hombro spalla kata 肩"},
    {"arm", "arm arms bras brazo braccio ude 腕"},
    {"upper arm", "humerus"},
    {"lower arm", "forearm ulna radius avantbras antebrazo avambraccio"},
    {"elbow", "elbow elbo ellbogen ellenbogen coude codo gomito hiji ひじ 肘"},
    {"wrist", "wrist handgelenk poignet muneca polso tekubi 手首"},
    {"hand", "hand hands mano 手"},
    {"palm", "palm metacarpal metacarpals carpal carpals"},
    {"thumb", "thumb daumen pouce pulgar pollice oyayubi 親指"},
    {"finger", "finger fingers doigt dedo dito 指"},
    {"digit",
     "index middle mid ring pinky pinkie little zeigefinger mittelfinger ringfinger kleinerfinger "
     "hitosashiyubi nakayubi kusuriyubi koyubi 人指 人差指 中指 薬指 小指"},
    {"thigh", "thigh femur oberschenkel cuisse muslo coscia"},
    {"leg", "leg legs bein jambe pierna gamba ashi 足"},
    {"shin", "shin calf tibia fibula unterschenkel wade mollet pantorrilla polpaccio"},
    {"knee", "knee knie genou rodilla ginocchio hiza ひざ 膝"},
    {"ankle", "ankle knochel knoechel cheville tobillo caviglia ashikubi 足首"},
    {"foot", "foot feet heel metatarsal metatarsals tarsal fuss fus pied pie piede"},
    {"toe", "toe toes toebase bigtoe ball zeh zehe zehen orteil alluce tsumasaki つま先 足先"},
    {"cannon", "cannon"},
    {"paw", "paw hoof pfote huf"},
    {"tail", "tail schwanz queue coda shippo しっぽ 尻尾"},
    {"helper",
     "twist roll ik fk pole target ctrl control end nub effector eff helper muscle null poletarget "
     "aim lid eyelid eyelids eyebrow brow lash cheek hair 捩 ＩＫ 親 先"},
});

const std::unordered_map<std::string, Words>& vocabulary() {
  static const auto made = [] {
    const auto split = [](std::string_view text) {
      Words words;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end + 1;
      }
      return words;
    };
    std::unordered_map<std::string, Words> words;
    for (const Meaning& m : kMeanings)
      for (const std::string& spelled : split(m.spelled)) words.emplace(spelled, split(m.words));
    return words;
  }();
  return made;
}

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Letters of Latin-1 without their accents, as they stand in UTF-8: "Hüfte" is "Hufte".
std::string without_accents(const std::string& name) {
  // From U+00C0 on; a dot is no letter.
  constexpr std::string_view plain = "AAAAAAACEEEEIIIIDNOOOOO.OUUUUY.saaaaaaaceeeeiiiidnooooo.ouuuuy.y";
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\xC3' && i + 1 < name.size()) {
      const std::size_t letter = static_cast<unsigned char>(name[++i]) - 0x80u;
      result += letter < plain.size() ? plain[letter] : '.';
    } else {
      result += name[i];
    }
  }
  return result;
}

/// "LeftForeArm_02" is left, fore, arm: words end where a capital begins one, and numbers go. Letters that
/// are not Latin make a word of their own.
Words split_words(const std::string& name) {
  Words words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_ascii(c) && !is_letter(c)) {
      end();
      continue;
    }
    const bool after_lower = i > 0 && is_lower(name[i - 1]);
    const bool before_lower = i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (is_upper(c) && (after_lower || before_lower)) end();
    if (i > 0 && is_ascii(c) != is_ascii(name[i - 1])) end();
    word += is_ascii(c) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : c;
  }
  end();
  return words;
}

void append(Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); }

constexpr std::size_t kLongestWord = 32;  // no name of a part is longer; long ones take long to split

/// Meanings of a word that is made of known ones: "leftupperarm". Nothing where a part of it is not known.
std::optional<Words> joined_meanings(const std::string& word) {
  if (word.size() > kLongestWord) return std::nullopt;
  if (const auto known = vocabulary().find(word); known != vocabulary().end()) return known->second;
  for (std::size_t n = word.size() - std::min<std::size_t>(word.size(), 2); n >= 2; --n) {
    const auto known = vocabulary().find(word.substr(0, n));
    if (known == vocabulary().end()) continue;
    if (auto rest = joined_meanings(word.substr(n))) {
      Words all = known->second;
      append(all, *rest);
      return all;
    }
  }
  return std::nullopt;
}

/// A side's letter may stand at either end: "lclavicle".
Words ascii_meanings(const std::string& word) {
  if (const auto known = joined_meanings(word)) return *known;
  if (word.size() < 4) return {};
  const auto side = [](char c) { return c == 'l' ? "left" : "right"; };
  for (const bool first : {true, false}) {
    const char letter = first ? word.front() : word.back();
    if (letter != 'l' && letter != 'r') continue;
    if (auto rest = joined_meanings(first ? word.substr(1) : word.substr(0, word.size() - 1))) {
      rest->push_back(side(letter));
      return *rest;
    }
  }
  return {};
}

/// Languages that write without spaces: the longest known words, one after another.
Words unspaced_meanings(const std::string& word) {
  Words meanings;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t n = std::min(word.size() - at, kLongestWord);
    while (n > 0 && !vocabulary().contains(word.substr(at, n))) --n;
    if (n > 0) append(meanings, vocabulary().at(word.substr(at, n)));
    at += std::max<std::size_t>(n, 1);
  }
  return meanings;
}

Words meanings_of(const std::string& word) {
  return is_ascii(word.front()) ? ascii_meanings(word) : unspaced_meanings(word);
}

/// Parts, the more telling first: LeftHandIndex1 is a finger, UpperLeg_Foot_L a foot.
constexpr std::array kPartOrder = std::to_array<std::string_view>(
    {"thumb", "palm",  "finger", "toe",  "paw",  "cannon", "eye",   "nose",     "lip",      "ear",  "jaw",
     "wrist", "ankle", "hand",   "foot", "knee", "elbow",  "shin",  "thigh",    "clavicle", "arm",  "leg",
     "head",  "neck",  "breast", "tail", "hip",  "pelvis", "chest", "shoulder", "spine",    "torso"});

/// What a part of a foreleg is called on an arm.
std::string of_arm(const std::string& part) {
  constexpr std::pair<const char*, const char*> pairs[] = {
      {"leg", "frontleg"}, {"upperleg", "upperarm"}, {"thigh", "upperarm"}, {"lowerleg", "forearm"},
      {"shin", "forearm"}, {"knee", "forearm"},      {"foot", "hand"},      {"ankle", "hand"},
      {"cannon", "hand"},  {"paw", "finger"},        {"toe", "finger"},     {"upper", "upperarm"},
      {"lower", "forearm"}};
  for (const auto& [leg, arm] : pairs)
    if (part == leg) return arm;
  return part;
}

std::string of_hind_leg(const std::string& part) {
  constexpr std::pair<const char*, const char*> pairs[] = {
      {"cannon", "foot"}, {"paw", "toe"}, {"upper", "upperleg"}, {"lower", "lowerleg"}};
  for (const auto& [hind, leg] : pairs)
    if (part == hind) return leg;
  return part;
}

JointWords interpreted(const Words& meanings) {
  const auto has = [&](std::string_view word) {
    return std::find(meanings.begin(), meanings.end(), word) != meanings.end();
  };
  JointWords words;
  words.helper = has("helper");
  if (has("left") != has("right")) words.side = has("left") ? BodySide::Left : BodySide::Right;
  const auto found = std::find_if(kPartOrder.begin(), kPartOrder.end(), has);
  std::string part(found == kPartOrder.end() ? "" : *found);
  // Which finger it is tells a finger, unless a toe or the middle of something is meant.
  if (has("digit") && (part.empty() || part == "hand" || part == "arm")) part = "finger";
  const bool limb = part == "arm" || part == "leg";
  // A forearm is the lower part of an arm, a foreleg is in front.
  const bool lower = has("lower") || (has("fore") && part == "arm");
  const bool in_front = has("front") || (has("fore") && part != "arm");
  if (part.empty() && has("back")) part = "spine";
  if (limb || part.empty()) {
    if (has("upper")) part = "upper" + part;
    if (lower) part = "lower" + part;
  }
  if (part == "lowerarm") part = "forearm";
  const bool behind = has("hind") || (has("back") && part != "spine");
  if (in_front) part = of_arm(part);
  if (behind) part = of_hind_leg(part);
  // "upper" alone names nothing.
  words.part = part == "upper" || part == "lower" ? "" : part;
  return words;
}

/// How many words all names begin with, as long as most of them still say something without these.
std::size_t common_prefix(const std::vector<Words>& names) {
  if (names.size() < 3) return 0;
  std::size_t common = 0;
  const auto shared = [&](const Words& name) {
    return name.size() > common && name[common] == names.front()[common];
  };
  while (std::all_of(names.begin(), names.end(), shared)) ++common;
  const auto silent = std::count_if(names.begin(), names.end(), [&](const Words& name) {
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(common), name.end(),
                       [](const std::string& word) { return interpreted(meanings_of(word)).part.empty(); });
  });
  return 2 * static_cast<std::size_t>(silent) > names.size() ? 0 : common;
}

}  // namespace

std::vector<JointWords> read_joint_words(const std::vector<SkeletonJoint>& joints) {
  std::vector<Words> names;
  for (const SkeletonJoint& joint : joints) names.push_back(split_words(without_accents(joint.name)));
  const std::size_t prefix = common_prefix(names);
  std::vector<JointWords> read;
  for (const Words& name : names) {
    Words meanings;
    for (std::size_t i = prefix; i < name.size(); ++i) append(meanings, meanings_of(name[i]));
    read.push_back(interpreted(meanings));
  }
  return read;
}

}  // namespace cutis
