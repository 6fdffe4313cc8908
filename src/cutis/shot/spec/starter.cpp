#include "cutis/shot/spec/starter.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/quantity.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/spec/values.h"

namespace cutis {
namespace {

/// `key = value` padded so that the comments of a section stand below each other.
std::string line(const std::string& setting, const std::string& comment) {
  return fmt::format("{:<31} # {}\n", setting, comment);
}

/// The names as a comment shows them: few, and on one line.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) some.push_back(shortened(names[i]));
  return fmt::format("{}{}", fmt::join(some, ", "),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

std::string body_part(const StarterFacts& facts) {
  std::string text = "[body]\n" + line("file = " + in_quotes(facts.file), "from the folder of this shot");
  if (!facts.mesh.empty())
    text += line("mesh = " + in_quotes(facts.mesh),
                 facts.meshes.size() > 1 ? "the file has " + listed(facts.meshes) : "the only one");
  if (!facts.clips.empty()) {
    std::vector<std::string> names;
    for (const auto& clip : facts.clips) names.push_back(clip.name);
    text += line("clip = " + in_quotes(names.front()),
                 names.size() > 1 ? "or " + listed({names.begin() + 1, names.end()}) : "the only one");
  }
  text += line("scale = " + in_quotes(format_naturally(facts.scale, Dimension::Length)),
               "how long one unit of the file is");
  return text + line("#rest = \"first\"", "at rest in the first frame, not in the bind pose") + "\n";
}

std::string time_part(const StarterFacts& facts) {
  const double duration = facts.clips.empty() ? 1.0 : facts.clips.front().duration;
  const std::string whole =
      facts.clips.empty() ? "the whole motion otherwise" : fmt::format("the clip lasts {:.3g} s", duration);
  return "[time]\n" + line("fps = \"24 fps\"", "frames written a second") +
         line("#start = \"0 s\"", "begin later than the clip") +
         line(fmt::format("#end = \"{:.3g} s\"", duration > 0 ? duration : 1.0), whole) + "\n";
}

const Method& method_of(const StarterFacts& facts) {
  return methods()[static_cast<std::size_t>(facts.method)];
}

/// In the units that people use for parts of bodies.
std::string rounded(double length) {
  const bool small = length < 0.01;
  return in_quotes(fmt::format("{:g} {}", std::stod(fmt::format("{:.1g}", length * (small ? 1e3 : 1e2))),
                               small ? "mm" : "cm"));
}

/// Keys that are worth a try first. Lengths are those of a human's skin where the body is about as large.
std::string method_lines(const StarterFacts& facts) {
  std::string text;
  if (facts.method == SkinMethod::None) return text;
  text += line("#slide_limit = " + rounded(facts.size / 150),
               "how far skin may slide; by body part where the rig is known");
  if (facts.method == SkinMethod::ForceDensity)
    return text + line("#tightness = 2", "tight skin holds together, loose skin gives");
  text += line("#thickness = \"1.5 mm\"", "numbers are SI, or have a unit");
  if (facts.method == SkinMethod::Lagrangian)
    text += line("#slide_speed = \"0.15 m/s\"", "top sliding speed; without it skin pops in creases");
  if (facts.method == SkinMethod::Eulerian) {
    text += line("#stickiness = 0.75", "share of the body's motion that skin takes along at once");
    text += line("#damping = \"10 1/s\"", "how fast sliding dies out");
  }
  if (facts.method == SkinMethod::Tracked)
    text +=
        line("#tracked.targeting_frequency = \"4 Hz\"", "how fast skin swings back; by body part otherwise");
  return text;
}

std::string region_lines(const StarterFacts& facts) {
  const Vec3& c = facts.center;
  return "\n# A region where skin slides; without any, it slides everywhere.\n#[[skin.region]]\n" +
         line("#name = " + in_quotes(facts.place), "what constraints, forces and pictures call it") +
         line(fmt::format("#center = [{:.3g}, {:.3g}, {:.3g}]", c.x(), c.y(), c.z()),
              "a point near the body at rest, in metres") +
         line("#radius = " + rounded(facts.radius), "along the surface");
}

std::string skin_part(const StarterFacts& facts) {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.implemented()) names.push_back(method.name);
  std::string text = "[skin]\n" +
                     line(fmt::format("method = \"{}\"", method_of(facts).name), "one of " + listed(names)) +
                     method_lines(facts);
  if (facts.kind == BodyKind::TwoLegs &&
      (facts.method == SkinMethod::Lagrangian || facts.method == SkinMethod::Eulerian ||
       facts.method == SkinMethod::Tracked))
    text += line("#direction.langer = \"female\"", "stiffer along Langer lines; also \"male\"") +
            line("#direction.prestretch = 0.95", "taut along them");
  return text + (facts.method == SkinMethod::None ? "" : region_lines(facts)) + "\n";
}

/// Clothes, hair and armour within the mesh follow the animation as it is.
std::string excluded_part(const char* key, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(in_quotes(name));
  return fmt::format("# Not skin, by {} name: it moves as it is animated.\n[[skin.region]]\n",
                     names.size() == 1 ? "its" : "their") +
         line("use = \"exclude\"", "skin does not slide here") +
         line(fmt::format("{} = [{}]", key, fmt::join(quoted, ", ")), "take out what is skin after all") +
         "\n";
}

std::string flesh_part(const std::string& rig) {
  return fmt::format("# Soft tissue that jiggles below the skin, {}.\n#[flesh]\n",
                     rig.empty() ? "as deep as the body is thick" : "thin over bone: " + rig) +
         line("#use = true", "computed before the skin; docs/flesh.md") + "\n";
}

/// A layer whose wrinkles are coarse enough to be had within minutes: 8.7 times as long as it is thick.
std::string wrinkle_part(double size) {
  const double thickness = std::stod(fmt::format("{:.0e}", std::clamp(size, 0.05, 50.0) / 500));
  return "# Layers that wrinkle on top of the skin, computed after it; docs/wrinkle.md.\n#[wrinkle]\n" +
         line("#use = true", "adds them") +
         line("#region = \"pressed\"", "any region; a small one is computed fast") +
         line("#law = \"layer\"", "wrinkles 8.7 times as long as this layer is thick") +
         line(fmt::format("#layer = [{{ young = \"4 MPa\", thickness = {} }}]",
                          in_quotes(format_naturally(thickness, Dimension::Length))),
              "stiffer ones make longer wrinkles") +
         "# Where the motion presses the skin together by a fifth and more.\n#[[skin.region]]\n" +
         line("#name = \"pressed\"", "what wrinkle.region calls it") +
         line("#use = \"name\"", "skin slides there as elsewhere") +
         line("#map = \"compressive_strain\"", "or an image, vertex colours, a group") +
         line("#above = 0.2", "its largest value over the motion") + "\n";
}

/// Fields that the figures and the picture need.
std::vector<std::string> fields_of(const StarterFacts& facts) {
  switch (facts.method) {
    case SkinMethod::None:
      return {"tensile_strain"};
    case SkinMethod::Tracked:
      return {"body", "slide_limit", "slide_chord", "jump", "height"};
    default:
      return {"body", "slide_limit", "slide_chord", "jump"};
  }
}

/// The look that shows most of the method: what skin relieves against plain skinning, how texture slides, how
/// far skin swings.
std::string look_lines(const StarterFacts& facts) {
  switch (facts.method) {
    case SkinMethod::Lagrangian:
    case SkinMethod::ForceDensity:
      return line("look = \"field\"", "colours; also \"plain\", \"checker\" or \"texture\"") +
             line("field = \"tensile_strain\"", "what the skin relieves; `cutis list fields`") +
             line("body = \"beside\"", "plain skinning beside it, in the same colours");
    case SkinMethod::Tracked:
      return line("look = \"field\"", "colours; also \"plain\", \"checker\" or \"texture\"") +
             line("field = \"slide_chord\"", "how far the skin swings; `cutis list fields`");
    case SkinMethod::Eulerian:
      return line("look = \"checker\"",
                  facts.has_uvs ? "shows how skin slides; also \"plain\", \"texture\" or \"field\""
                                : "laid on along the axes, as the mesh has no UVs; also \"plain\"");
    case SkinMethod::None:
      break;
  }
  return line(
      facts.has_uvs ? "look = \"checker\"" : "look = \"plain\"",
      facts.has_uvs ? "also \"plain\", \"texture\" or \"field\"" : "the mesh has no UVs for a checker");
}

std::string result_part(const StarterFacts& facts) {
  std::vector<std::string> fields;
  for (const std::string& field : fields_of(facts)) fields.push_back(in_quotes(field));
  return "[output]\n" +
         line("formats = [\"glb\"]", "also \"usda\", \"vtk\", \"pc2\"; frames are always NPZ") +
         line(fmt::format("fields = [{}]", fmt::join(fields, ", ")), "for the figures; docs/fields.md") +
         "\n[picture]\n" + look_lines(facts) +
         line("#camera = [1, 0.3, 0.5]", "from where it is seen; in front of the character otherwise") + "\n";
}

std::string figure(const std::string& name, const std::string& measure, const std::string& with,
                   const std::string& bound) {
  return fmt::format("[[figure]]\nname = {}\nmeasure = \"{}\"\nwith = {{ {} }}\n{}\n", in_quotes(name),
                     measure, with, bound.empty() ? "" : bound + "\n");
}

/// What shows whether the skin is right: it is strained no more than plain skinning, keeps its limits, does
/// not jump, and lies on the body where the method lets it leave it.
std::string figure_part(const StarterFacts& facts) {
  std::string text = "# Numbers that show whether the run is right; docs/figures.md lists the measures.\n";
  if (facts.method == SkinMethod::None)
    return text + figure("tensile strain, 99 % of the area", "tensile_strain", "share = 0.99", "");
  text +=
      figure("tensile strain, ratio to plain skinning (p99)", "tensile_strain", "against = \"body\"", "") +
      figure("slide over its limit, 99.9 % of the vertices", "field_percentile",
             "field = \"slide_chord\", over = \"slide_limit\", share = 0.999", "at_most = 1.1") +
      figure("furthest slide from one frame to the next", "field_max", "field = \"jump\"", "");
  if (facts.method == SkinMethod::Tracked)
    text += figure("highest above the body", "field_max", "field = \"height\"", "");
  return text;
}

}  // namespace

std::string starter_shot(const StarterFacts& facts) {
  return "# A shot for Cutis: `cutis simulate` runs it, `cutis explain KEY` says what a key means.\n"
         "# Lines such as #fps = ... are examples: take the # away to use them.\n\n" +
         body_part(facts) + time_part(facts) + skin_part(facts) +
         excluded_part("material", facts.other_materials) + excluded_part("part", facts.other_parts) +
         flesh_part(facts.rig) + wrinkle_part(facts.size) + result_part(facts) + figure_part(facts);
}

}  // namespace cutis
