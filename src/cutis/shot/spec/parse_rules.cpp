#include "cutis/shot/spec/parse_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/file.h"
#include "cutis/io/cache/mesh_sequence.h"
#include "cutis/material/biphasic_ramp.h"
#include "cutis/material/membrane/isotropic_laws.h"
#include "cutis/shot/settings/skin_law.h"
#include "cutis/shot/spec/parse_value.h"

namespace cutis {
namespace {

class Rules {
 public:
  Rules(const Shot& shot, const std::vector<Mistake>& found) : shot_(shot), found_(found) {}

  std::vector<Mistake> check() {
    if (sound("body")) body();
    if (sound("time")) time();
    if (sound("flesh")) flesh();
    if (sound("skin.direction")) direction();
    if (sound("skin.material")) material();
    if (sound("solver")) solver();
    for (std::size_t i = 0; i < shot_.skin.region.size(); ++i) region(fmt::format("skin.region[{}]", i), i);
    for (std::size_t i = 0; i < shot_.skin.constraint.size(); ++i)
      constraint(fmt::format("skin.constraint[{}]", i), shot_.skin.constraint[i]);
    if (sound("wrinkle")) wrinkle();
    for (std::size_t i = 0; i < shot_.scene.force.size(); ++i)
      force(fmt::format("scene.force[{}]", i), shot_.scene.force[i]);
    for (std::size_t i = 0; i < shot_.figure.size(); ++i) figure(fmt::format("figure[{}]", i), i);
    if (sound("picture")) picture();
    return std::move(mistakes_);
  }

 private:
  /// No key of the table is known to be wrong.
  bool sound(const std::string& table) const {
    return std::none_of(found_.begin(), found_.end(),
                        [&](const Mistake& mistake) { return mistake.key.starts_with(table + "."); });
  }

  bool has(const std::string& key) const { return shot_.written.contains(key); }

  /// At the line of the first of `keys` that the user wrote; the message names the first key.
  void wrong(const std::vector<std::string>& keys, const std::string& what) {
    int line = 0;
    for (const std::string& key : keys)
      if (line == 0 && has(key)) line = shot_.written.at(key);
    mistakes_.push_back({line, keys.front(), what});
  }

  void body() {
    const BodySection& body = shot_.body;
    if (has("body.file") && has("body.make"))
      wrong({"body.make"}, "cannot stand beside body.file; keep one of them");
    if (has("body.shot")) return body_of_shot();
    if (!has("body.file") && !has("body.make"))
      wrong(
          {"body.file", "body"},
          "missing; name a character file, a procedural body with body.make, or another shot with body.shot");
    if (body.cache && body.make)
      wrong({"body.cache"}, "moves the vertices of a body.file, not of a body.make");
    const bool numbered = body.file && is_sequence(*body.file);
    if (body.weights && (body.cache || numbered))
      wrong({"body.weights"}, "moves blend shapes, which a cache or numbered files do not have");
    if (body.cache && numbered) wrong({"body.cache"}, "cannot move numbered files: they move by themselves");
    if (body.cache_fps && !body.cache && !numbered)
      wrong({"body.cache_fps"}, "says nothing without body.cache or numbered files");
    const bool avatar = body.file && lower_ending(*body.file) == ".npz";
    if (body.betas && !avatar) wrong({"body.betas"}, "shapes a body model (.npz), which body.file is not");
    if (body.cache_up && !(avatar && body.cache))
      wrong({"body.cache_up"}, "turns the motion of a body model (.npz), which is not there");
  }

  void body_of_shot() {
    for (const char* other : {"body.file", "body.make"})
      if (has(other)) wrong({"body.shot"}, fmt::format("cannot stand beside {}; keep one of them", other));
    const std::vector<std::string> allowed = {"file", "make", "shot", "scale", "weld"};
    for (const Key& key : find_section("body")->keys)
      if (key.get(shot_, 0) != default_value(key) &&
          std::find(allowed.begin(), allowed.end(), key.name) == allowed.end())
        wrong({"body." + key.name}, "belongs in the shot that body.shot names");
  }

  void time() {
    const TimeSection& time = shot_.time;
    if (time.start && time.end && *time.end < *time.start)
      wrong({"time.end"}, fmt::format("before time.start ({} s, {} s); let the shot end after it starts",
                                      *time.end, *time.start));
  }

  void direction() {
    const DirectionSection& direction = shot_.skin.direction;
    const int sources =
        direction.langer.has_value() + direction.axis.has_value() + direction.file.has_value();
    if (sources > 1)
      wrong({"skin.direction.axis", "skin.direction.file"},
            "only one of langer, axis and file gives the direction");
    if (direction.axis && direction.axis->norm() == 0)
      wrong({"skin.direction.axis"}, "has no length; give a direction");
  }

  /// Keys PREFIXstart and PREFIXend.
  void ramp(const std::string& prefix, double start, double end) {
    if (end > start) return;
    const std::string name = prefix.substr(prefix.rfind('.') + 1);
    wrong({prefix + "end", prefix + "start"}, fmt::format("not above {}start ({}, {})", name, end, start));
  }

  void material() {
    const MaterialSection& material = shot_.skin.material;
    ramp("skin.material.biphasic_", material.biphasic_start, material.biphasic_end);
    const SkinLaw law = skin_law(shot_.skin);
    const double largest = FungLaw::largest_stiffness(law.young, law.poisson, law.fung_exponent);
    if (law.model == MaterialModel::Fung && law.fung_stiffness > largest)
      wrong({"skin.material.fung_stiffness"},
            fmt::format(
                "{} Pa is stiffer at rest than young and poisson allow with this exponent; give at most "
                "{:.6g} Pa, or raise young",
                law.fung_stiffness, largest));
    if (law.model == MaterialModel::NeoHookean && law.poisson != 0.5)
      wrong({"skin.material.poisson"},
            fmt::format(
                "neo_hookean is incompressible: its ratio is 0.5, not {}; leave it out, or take model = "
                "\"stable_neo_hookean\"",
                law.poisson));
    if (law.biphasic && law.biphasic_young < law.young)
      wrong({"skin.material.biphasic_young"},
            fmt::format("below young ({} Pa, {} Pa); the stiff phase is the stiffer one", law.biphasic_young,
                        law.young));
  }

  void solver() {
    const SolverSection& solver = shot_.solver;
    if (solver.deformation_aim >= solver.deformation_limit)
      wrong({"solver.deformation_aim", "solver.deformation_limit"},
            fmt::format("not below deformation_limit ({}, {})", solver.deformation_aim,
                        solver.deformation_limit));
  }

  void flesh() {
    const FleshSection& flesh = shot_.flesh;
    ramp("flesh.biphasic_", flesh.biphasic_start, flesh.biphasic_end);
    ramp("flesh.biphasic_volume_", flesh.biphasic_volume_start, flesh.biphasic_volume_end);
    if (flesh.biphasic_poisson && *flesh.biphasic_poisson < flesh.poisson)
      wrong({"flesh.biphasic_poisson", "flesh.poisson"},
            fmt::format("below poisson ({}, {}); the stiff phase is the stiffer one", *flesh.biphasic_poisson,
                        flesh.poisson));
    rising("flesh.reset", flesh.reset);
    flesh_core();
    const bool even = flesh.young.source == Painted::Source::Constant;
    const double young = even ? flesh.young.value : std::max(flesh.young.low, flesh.young.high);
    if (flesh.biphasic_young && *flesh.biphasic_young < young)
      wrong({"flesh.biphasic_young"},
            fmt::format("below young ({} Pa, {} Pa); the stiff phase is the stiffer one",
                        *flesh.biphasic_young, young));
    inertia();
    phases(flesh.biphasic ? flesh.biphasic_young.value_or(kUsualStiffening * young) : young,
           flesh.biphasic ? flesh.biphasic_poisson.value_or(flesh.poisson) : flesh.poisson);
  }

  void flesh_core() {
    const FleshSection& flesh = shot_.flesh;
    const bool bones = flesh.core == FleshCore::Bones, region = flesh.core == FleshCore::Region;
    const auto only_with = [&](const char* key, bool given, bool chosen, const char* core) {
      if (given && !chosen) wrong({key}, fmt::format("only says something with flesh.core = \"{}\"", core));
    };
    only_with("flesh.bones", !flesh.bones.empty(), bones, "bones");
    only_with("flesh.bones_file", flesh.bones_file.has_value(), bones, "bones");
    only_with("flesh.core_region", !flesh.core_region.empty(), region, "region");
    if (bones && flesh.bones.empty() == !flesh.bones_file)
      wrong({"flesh.bones", "flesh.core"},
            "give the meshes that are bones, or a file with them as bones_file");
    if (region) region_exists("flesh.core_region", flesh.core_region);
    if (flesh.depth && (bones || region))
      wrong({"flesh.depth"}, "says nothing where the core is bones or a region; take it out");
  }

  void inertia() {
    const FleshSection& flesh = shot_.flesh;
    rising("flesh.inertia_times", flesh.inertia_times);
    if (flesh.inertia.size() != std::max<std::size_t>(flesh.inertia_times.size(), 1))
      wrong({"flesh.inertia", "flesh.inertia_times"},
            fmt::format("{} shares for {} of inertia_times; give one for each", flesh.inertia.size(),
                        flesh.inertia_times.size()));
  }

  /// Each phase of flesh is stiffer than the one before it: the first than these.
  void phases(double young, double poisson) {
    for (std::size_t i = 0; i < shot_.flesh.phase.size(); ++i) {
      const FleshPhaseSection& phase = shot_.flesh.phase[i];
      const std::string at = fmt::format("flesh.phase[{}].", i);
      ramp(at, phase.start, phase.end);
      ramp(at + "volume_", phase.volume_start, phase.volume_end);
      const auto stiffer = [&](const char* name, double own, double& before, const char* unit) {
        if (own < before)
          wrong({at + name}, fmt::format("below that of the phase before ({}{unit}, {}{unit}); each phase is "
                                         "stiffer than the one before",
                                         own, before, fmt::arg("unit", unit)));
        before = std::max(before, own);
      };
      stiffer("young", phase.young, young, " Pa");
      if (phase.poisson) stiffer("poisson", *phase.poisson, poisson, "");
    }
  }

  void wrinkle() {
    const WrinkleSection& wrinkle = shot_.wrinkle;
    if (!wrinkle.region.empty()) region_exists("wrinkle.region", wrinkle.region);
    for (std::size_t i = 0; i < wrinkle.layer.size(); ++i)
      if (const auto& map = wrinkle.layer[i].map; map && !is_map_image(*map))
        wrong({fmt::format("wrinkle.layer[{}].map", i)},
              fmt::format("maps are .png or .exr ({})", in_quotes(map->filename().string())));
    const DirectionSection& direction = shot_.skin.direction;
    if (direction.langer || direction.axis || direction.file) return;
    for (std::size_t i = 0; wrinkle.use && i < wrinkle.layer.size(); ++i)
      if (wrinkle.layer[i].fibre_ratio != 1)
        wrong({fmt::format("wrinkle.layer[{}].fibre_ratio", i)},
              "nothing says which way the fibres run; give [skin.direction] langer, axis or file");
  }

  void region(const std::string& at, std::size_t i) {
    if (!sound(at)) return;
    const RegionSection& region = shot_.skin.region[i];
    const int choices = !region.material.empty() + !region.part.empty() + region.map.has_value() +
                        !region.faces.empty() + !region.vertices.empty() + region.border.has_value() +
                        (region.center || region.radius);
    if (choices != 1)
      wrong({at},
            fmt::format("chosen in {} ways; give one of: material, part, map, faces, vertices, border, or "
                        "center and radius",
                        choices));
    else if (region.center.has_value() != region.radius.has_value())
      wrong({at + (region.center ? ".radius" : ".center"), at}, "missing; center and radius go together");
    for (std::size_t j = 0; j < i && !region.name.empty(); ++j)
      if (shot_.skin.region[j].name == region.name)
        wrong({at + ".name"},
              fmt::format("a region of this name exists already ({})", in_quotes(region.name)));
  }

  void region_exists(const std::string& key, const std::string& name) {
    std::vector<std::string> names;
    for (const RegionSection& region : shot_.skin.region)
      if (!region.name.empty()) names.push_back(region.name);
    if (std::find(names.begin(), names.end(), name) == names.end())
      wrong({key}, fmt::format("no [[skin.region]] has this name ({}){}", in_quotes(name),
                               did_you_mean(name, names)));
  }

  void rising(const std::string& key, const std::vector<double>& times) {
    for (std::size_t i = 1; i < times.size(); ++i)
      if (times[i] <= times[i - 1])
        return wrong({key}, fmt::format("times must rise ({} s after {} s)", times[i], times[i - 1]));
  }

  void constraint(const std::string& at, const ConstraintSection& constraint) {
    if (!sound(at)) return;
    region_exists(at + ".region", constraint.region);
    rising(at + ".times", constraint.times);
    const bool curve = constraint.kind == ConstraintKind::Curve,
               path = constraint.kind == ConstraintKind::Path;
    if ((curve || path) && constraint.points.empty())
      wrong({at + ".points", at}, fmt::format("missing; a {} goes through points", curve ? "curve" : "path"));
    if (!curve && !path && !constraint.points.empty())
      wrong({at + ".points"},
            "says nothing for kind \"fixed\"; take it out, or choose \"curve\" or \"path\"");
    if (!path && !constraint.times.empty()) wrong({at + ".times"}, "only says something for kind \"path\"");
    if (path && constraint.times.size() != constraint.points.size())
      wrong({at + ".times", at}, fmt::format("{} times for {} points; give one for each",
                                             constraint.times.size(), constraint.points.size()));
  }

  void force(const std::string& at, const ForceSection& force) {
    if (!sound(at)) return;
    if (!force.region.empty()) region_exists(at + ".region", force.region);
    rising(at + ".times", force.times);
    if (force.times.size() != force.forces.size())
      wrong({at + ".times"}, fmt::format("{} times for {} forces; give one for each", force.times.size(),
                                         force.forces.size()));
  }

  void figure(const std::string& at, std::size_t i) {
    if (!sound(at)) return;
    const FigureRequest& figure = shot_.figure[i];
    if (figure.at_most && figure.at_least && *figure.at_most < *figure.at_least)
      wrong({at + ".at_most"},
            fmt::format("below at_least ({}, {}): nothing can hold", *figure.at_most, *figure.at_least));
    for (std::size_t j = 0; j < i && !figure.name.empty(); ++j)
      if (shot_.figure[j].name == figure.name)
        wrong({at + ".name"},
              fmt::format("a figure of this name exists already ({})", in_quotes(figure.name)));
  }

  void picture() {
    const PictureSection& picture = shot_.picture;
    if (picture.camera && picture.camera->norm() == 0)
      wrong({"picture.camera"}, "has no length; give a direction");
    if (picture.field_low && picture.field_high && *picture.field_high <= *picture.field_low)
      wrong({"picture.field_high"},
            fmt::format("not above field_low ({}, {})", *picture.field_high, *picture.field_low));
  }

  const Shot& shot_;
  const std::vector<Mistake>& found_;
  std::vector<Mistake> mistakes_;
};

}  // namespace

std::vector<Mistake> check_rules(const Shot& shot, const std::vector<Mistake>& found) {
  return Rules(shot, found).check();
}

}  // namespace cutis
