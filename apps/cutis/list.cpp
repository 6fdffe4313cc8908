#include <fmt/format.h>

#include "commands.h"
#include "cutis/body/procedural/procedural_bodies.h"
#include "cutis/core/error.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/measure/fields.h"
#include "cutis/measure/measures.h"
#include "cutis/shot/export_formats.h"
#include "cutis/shot/methods.h"
#include "examples.h"

namespace cutis::app {
namespace {

void row(const std::string& name, const std::string& words) { fmt::print("  {:<31} {}\n", name, words); }

void list_examples() {
  fmt::print("Examples (cutis demo NAME):\n");
  for (const Example& example : examples()) row(example.name, example.description);
}

void list_bodies() {
  fmt::print("Bodies (body.make = NAME):\n");
  for (const ProceduralBody& member : cast()) {
    row(member.name, member.description);
    row("", fmt::format("clips: {}", fmt::join(member.clips, ", ")));
  }
}

void list_methods() {
  fmt::print("Methods (skin.method = NAME):\n");
  for (const Method& method : methods())
    row(method.name, method.doc + (method.implemented() ? "" : " (not in this build)"));
}

void list_presets() {
  fmt::print("Presets (skin.material.preset = NAME):\n");
  for (const SkinPreset& preset : skin_presets()) {
    row(preset.name, preset.skin);
    row("", preset.source);
  }
}

void list_measures() {
  fmt::print("Measures ([[figure]] measure = NAME):\n");
  for (const MeasureInfo& measure : measures()) row(measure.name, measure.doc);
}

void list_fields() {
  fmt::print("Fields (output.fields = [NAME, ...]; cutis picture RESULT --field NAME):\n");
  for (const FieldInfo& field : fields())
    if (field.place == FieldPlace::Vertex) row(field.name, fmt::format("{} [{}]", field.doc, field.unit));
  fmt::print("  All but displacement and slide are there for faces, too: face_NAME.\n");
}

void list_formats() {
  fmt::print("Formats (cutis export RESULT --to NAME):\n");
  for (const std::string& format : export_formats()) fmt::print("  {}\n", format);
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "List examples, bodies, methods, presets, measures, fields and formats");
  command->add_option("WHAT", *what, "One of them; without it, all")
      ->check(CLI::IsMember({"examples", "bodies", "methods", "presets", "measures", "fields", "formats"}));
  command->footer("Examples:\n  cutis list\n  cutis list bodies");
  command->callback([&action, what] {
    action = [what] {
      const std::vector<std::pair<std::string, void (*)()>> lists = {
          {"examples", list_examples}, {"bodies", list_bodies},     {"methods", list_methods},
          {"presets", list_presets},   {"measures", list_measures}, {"fields", list_fields},
          {"formats", list_formats}};
      for (const auto& [name, print] : lists)
        if (what->empty() || *what == name) print();
      return 0;
    };
  });
}

}  // namespace cutis::app
