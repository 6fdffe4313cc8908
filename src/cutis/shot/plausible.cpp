#include "cutis/shot/plausible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "cutis/body/anatomy/body_kind.h"
#include "cutis/body/rig/rig_body.h"
#include "cutis/core/quantity.h"
#include "cutis/core/words.h"
#include "cutis/shot/settings/human_scale.h"
#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

/// Diagonals of bounding boxes at rest [m].
struct UsualSize {
  const char* what;
  double low, high;
};
constexpr UsualSize kAnything{"a person, an animal or a part of one", 0.05, 5};  // a finger to a horse
constexpr UsualSize kTwoLegs{"a body on two legs", 0.4, 4};                      // a baby to a giant
constexpr UsualSize kFourLegs{"a body on four legs", 0.2, 6};                    // a cat to an elephant
constexpr UsualSize kHead{"a head", 0.1, 2};                                     // alone, or a bust
constexpr UsualSize kHand{"a hand", 0.08, 0.6};                                  // or a whole arm

constexpr double kPerson = 1.7;  ///< reference size for a body of unknown kind [m]

UsualSize usual_size(const Body& body) {
  switch (body_kind(body)) {
    case BodyKind::TwoLegs:
      return kTwoLegs;
    case BodyKind::FourLegs:
      return kFourLegs;
    case BodyKind::Face:
      return kHead;
    case BodyKind::Hand:
      return kHand;
    case BodyKind::Unknown:
      break;
  }
  return kAnything;
}

/// Of a body `size` units across: the unit, of those with a name, that makes it most nearly `aim` across and
/// no smaller or larger than usual; else one without a name that makes it that large.
FileUnit fitting_unit(double size, const UsualSize& usual, double aim) {
  FileUnit best{std::stod(fmt::format("{:.1g}", aim / size)), ""};
  double nearest = INFINITY;
  for (const auto& [metres, name] : std::array<std::pair<double, const char*>, 6>{
           {{1, "m"}, {0.01, "cm"}, {0.001, "mm"}, {0.0254, "in"}, {0.3048, "ft"}, {0.1, "dm"}}}) {
    const double across = size * metres, off = std::abs(std::log(across / aim));
    if (across < usual.low || across > usual.high || off >= nearest) continue;
    nearest = off;
    best = {metres, name};
  }
  return best;
}

/// In the units that people use for bodies.
std::string length_words(double metres) {
  const auto [factor, unit] = metres >= 1      ? std::pair(1.0, "m")
                              : metres >= 0.01 ? std::pair(1e2, "cm")
                                               : std::pair(1e3, "mm");
  return fmt::format("{:.2g} {}", metres * factor, unit);
}

std::string body_size_question(const Shot& shot, const Body& body) {
  const bool on_result = shot.body.file && std::filesystem::is_directory(*shot.body.file);
  const double size = bounding_diagonal(body.source().positions.raw());
  const UsualSize usual = usual_size(body);
  if (on_result || shot.body.make || !(size > 0) || (size >= usual.low && size <= usual.high)) return "";
  const double units = size / shot.body.scale;
  const FileUnit unit = fitting_unit(units, usual, std::clamp(kPerson, usual.low, usual.high));
  return fmt::format(
      "{}body.scale: the body is {:.3g} m across with \"{}\" for a unit of its file, and {} is usually {} to "
      "{} across; is that meant? body.scale = \"{}\" would make it {}",
      shot.place("body.scale"), size, format_naturally(shot.body.scale, Dimension::Length), usual.what,
      length_words(usual.low), length_words(usual.high), format_naturally(unit.metres, Dimension::Length),
      length_words(units * unit.metres));
}

bool grows_with_body(Dimension dimension) {
  return dimension == Dimension::Length || dimension == Dimension::Velocity;
}

std::string rounded_words(double value, Dimension dimension) {
  return format_naturally(std::stod(fmt::format("{:.1e}", value)), dimension);
}

/// The numbers of a value: one, or the two ends of what is painted.
std::vector<double> numbers_in(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return {*number};
  if (const Painted* painted = std::get_if<Painted>(&value))
    return painted->source == Painted::Source::Constant ? std::vector<double>{painted->value}
                                                        : std::vector<double>{painted->low, painted->high};
  return {};
}

/// "; did you mean \"1.5 mm\"?" where the number has a usual value in another unit; in that which is shortest
/// to read.
std::string unit_hint(double value, const Key& key, double low, double high) {
  std::string best;
  for (const std::string& unit : accepted_units(key.dimension)) {
    if (unit == "dm") continue;  // hardly ever meant
    const std::string text = fmt::format("{:g} {}", value, unit);
    const double meant = parse_quantity(text, key.dimension);
    if (meant >= low && meant <= high && meant != value && best.empty()) best = text;
  }
  return best.empty() ? "" : fmt::format("; did you mean \"{}\"?", best);
}

std::string value_question(const Shot& shot, const std::string& path, const Key& key, double value,
                           double scale) {
  const bool grows = grows_with_body(key.dimension);
  const double low = key.usual_low * (grows ? std::min(scale, 1.0) : 1),
               high = key.usual_high * (grows ? std::max(scale, 1.0) : 1);
  // 0 is a word of its own for many keys: none.
  if (value == 0 || (value >= low && value <= high)) return "";
  return fmt::format("{}{}: {} is unusual: {} to {} is usual{}{}", shot.place(path), path,
                     format_naturally(value, key.dimension), rounded_words(low, key.dimension),
                     rounded_words(high, key.dimension), grows ? " for a body of this size" : "",
                     unit_hint(value, key, key.usual_low, key.usual_high));
}

std::size_t index_in(const std::string& path) {
  const std::size_t at = path.find('[');
  return at == std::string::npos ? 0 : std::stoul(path.substr(at + 1));
}

/// What moves skin on a body that holds still.
bool moves_by_itself(const Shot& shot) {
  const bool keyed =
      std::ranges::any_of(shot.skin.constraint, [](const ConstraintSection& c) { return !c.points.empty(); });
  const bool prestretched = shot.written.contains("skin.direction.prestretch") ||
                            shot.written.contains("skin.direction.prestretch_across");
  return keyed || prestretched || !shot.scene.force.empty() || shot.scene.gravity.has_value();
}

/// Further than rounding, over the size of the body.
bool differs(const SourcePoints& a, const SourcePoints& b, double size) {
  constexpr double kStill = 1e-6;
  for (SourceVertexId v : ids<SourceVertexId>(a.size()))
    if ((a[v] - b[v]).norm() > kStill * size) return true;
  return false;
}

}  // namespace

FileUnit likely_unit(double size) {
  constexpr double kSmallest = 0.1, kLargest = 5;  // [m]: from a hand to a horse, still plausible in metres
  if (!(size > 0) || (size >= kSmallest && size <= kLargest)) return {};
  const FileUnit unit = fitting_unit(size, {"", kSmallest, kLargest}, kPerson);
  return unit.name.empty() ? FileUnit() : unit;
}

std::vector<std::string> unusual_sizes(const Shot& shot, const Body& body) {
  std::vector<std::string> questions;
  if (std::string question = body_size_question(shot, body); !question.empty())
    questions.push_back(std::move(question));
  std::optional<double> scale;  // of the body, once a key asks
  for (const auto& [path, line] : shot.written) {
    const Key* key = find_key(without_indices(path));
    if (!key || !std::isfinite(key->usual_high)) continue;
    if (!scale) scale = human_scale(body);
    for (const double value : numbers_in(key->get(shot, index_in(path))))
      if (std::string question = value_question(shot, path, *key, value, *scale); !question.empty()) {
        questions.push_back(std::move(question));
        break;
      }
  }
  return questions;
}

Stillness stillness(const Shot& shot, const Body& body, const std::vector<double>& times) {
  const bool asked_for = shot.body.clip == "none";
  if (asked_for || moves_by_itself(shot) || times.size() < 2) return {};
  const SourcePoints first = body.source_positions(times.front());
  const double size = bounding_diagonal(first.raw());
  // The middle and the end first: a body that moves mostly shows it there.
  for (const double time : {times[times.size() / 2], times.back()})
    if (differs(first, body.source_positions(time), size)) return {};
  for (const double time : times)
    if (differs(first, body.source_positions(time), size)) return {};
  const auto* rig = dynamic_cast<const RigBody*>(&body);
  const std::string span = fmt::format("in {} from {:.4g} s to {:.4g} s", counted(times.size(), "frame"),
                                       times.front(), times.back());
  if (!rig || rig->clip_name().empty())
    return {
        fmt::format(
            "{}body: it holds still {}, so that skin has nothing to follow and figures show nothing; give "
            "a file with a clip, or a motion (body.cache)",
            shot.place("body"), span),
        false};
  return {
      fmt::format("{}body.clip: \"{}\" does not move mesh \"{}\" {}, so that skin has nothing to follow and "
                  "figures show "
                  "nothing; choose another clip, mesh or stretch of time (cutis info lists them)",
                  shot.place("body.clip"), rig->clip_name(), fmt::join(rig->mesh_names(), "\", \""), span),
      true};
}

}  // namespace cutis
