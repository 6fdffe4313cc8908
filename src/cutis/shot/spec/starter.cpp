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

std::string skin_part() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.implemented()) names.push_back(method.name);
  std::string text =
      "[skin]\n" + line("method = \"lagrangian\"", "biomechanical; this build has " + listed(names));
  text += line("#slide_limit = \"1 cm\"", "how far skin may slide; by body part where the rig is known");
  text += line("#thickness = \"1.5 mm\"", "numbers are SI, or have a unit");
  text += line("#slide_speed = \"0.15 m/s\"", "the highest that skin slides with, as creases snap without");
  text += "\n# A place where the skin slides; without any, it slides everywhere.\n";
  text += "#[[skin.region]]\n" + line("#name = \"elbow\"", "what constraints and forces call it");
  text += line("#center = [0, 0, 0]", "a place near the body at rest");
  return text + line("#radius = \"10 cm\"", "along the surface") + "\n";
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

std::string result_part(const StarterFacts& facts) {
  std::string text = "[output]\n" +
                     line("formats = [\"glb\"]", "also \"usda\", \"vtk\", \"pc2\"; frames are always NPZ") +
                     line("fields = [\"body\", \"slide_limit\", \"slide_chord\", \"jump\"]",
                          "for the figures; docs/fields.md") +
                     "\n[picture]\n";
  text +=
      line(facts.has_uvs ? "look = \"checker\"" : "look = \"plain\"",
           facts.has_uvs ? "also \"plain\", \"texture\" or \"field\"" : "the mesh has no UVs for a checker");
  return text + line("#camera = [1, 0.3, 0.5]", "from where it is seen") + "\n";
}

std::string figure(const std::string& name, const std::string& measure, const std::string& with,
                   const std::string& bound) {
  return fmt::format("[[figure]]\nname = {}\nmeasure = \"{}\"\nwith = {{ {} }}\n{}\n", in_quotes(name),
                     measure, with, bound.empty() ? "" : bound + "\n");
}

/// What shows whether the skin is right: it is stretched less than plain skinning, keeps its limits and does
/// not jump.
std::string figure_part() {
  return "# Numbers that show whether the run is right; docs/figures.md lists the measures.\n" +
         figure("tension, over that of plain skinning", "tensile_strain", "against = \"body\"", "") +
         figure("slide over its limit, 99.9 % of the vertices", "field_percentile",
                "field = \"slide_chord\", over = \"slide_limit\", share = 0.999", "at_most = 1.1") +
         figure("furthest slide from one frame to the next", "field_max", "field = \"jump\"", "");
}

}  // namespace

std::string starter_shot(const StarterFacts& facts) {
  return "# A shot for Cutis: `cutis simulate` runs it, `cutis explain KEY` says what a key means.\n"
         "# Lines such as #fps = ... are examples: take the # away to use them.\n\n" +
         body_part(facts) + time_part(facts) + skin_part() +
         excluded_part("material", facts.other_materials) + excluded_part("part", facts.other_parts) +
         flesh_part(facts.rig) + wrinkle_part(facts.size) + result_part(facts) + figure_part();
}

}  // namespace cutis
