#include "cutis/shot/spec/starter.h"

#include <fmt/format.h>

#include "cutis/core/quantity.h"
#include "cutis/shot/methods.h"
#include "cutis/shot/spec/spec.h"
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

std::string region_part() {
  std::string text = "\n# A place where the skin slides; without any, it slides everywhere.\n";
  text += "#[[skin.region]]\n" + line("#name = \"elbow\"", "what constraints and forces call it");
  text += line("#center = [0, 0, 0]", "a place near the body at rest");
  return text + line("#radius = \"10 cm\"", "along the surface");
}

std::string skin_part(const Method& method) {
  const auto used = [&](const char* key) { return uses(method, *find_key(key)); };
  std::vector<std::string> names;
  for (const Method& other : methods())
    if (other.implemented()) names.push_back(other.name);
  std::string text = "[skin]\n" + line("method = " + in_quotes(method.name),
                                       (method.id == SkinMethod::None ? "plain skinning; " : "") +
                                           ("this build has " + listed(names)));
  if (used("skin.thickness")) text += line("#thickness = \"1.5 mm\"", "numbers are SI, or have a unit");
  if (used("skin.slide_limit")) {
    text +=
        "# How far it may slide: one length, or painted between two, by a vertex group, \"vertex_color\" or "
        "an image.\n";
    text += "#slide_limit = { map = \"vertex_color\", low = \"0 mm\", high = \"20 mm\" }\n";
  }
  return text + region_part() + "\n";
}

std::string result_part(const StarterFacts& facts) {
  std::string text = "[output]\n" +
                     line("formats = [\"glb\"]", "also \"usda\", \"vtk\", \"pc2\"; frames are always NPZ") +
                     "\n[picture]\n";
  text +=
      line(facts.has_uvs ? "look = \"checker\"" : "look = \"plain\"",
           facts.has_uvs ? "also \"plain\", \"texture\" or \"field\"" : "the mesh has no UVs for a checker");
  text += line("#camera = [1, 0.3, 0.5]", "from where it is seen") + "\n";
  text += "# A number that the run must keep to; docs/figures.md lists the measures.\n#[[figure]]\n";
  text += "#name = \"nothing jumps\"\n";
  text += line("#measure = \"frame_step\"", "the furthest a vertex moves in a frame, over the body's size");
  return text + "#at_most = 0.2\n";
}

}  // namespace

std::string starter_shot(const StarterFacts& facts) {
  return "# A shot for Cutis: `cutis simulate` runs it, `cutis explain KEY` says what a key means.\n"
         "# Lines such as #fps = ... are examples: take the # away to use them.\n\n" +
         body_part(facts) + time_part(facts) +
         skin_part(methods().at(static_cast<std::size_t>(facts.method))) + result_part(facts);
}

}  // namespace cutis
