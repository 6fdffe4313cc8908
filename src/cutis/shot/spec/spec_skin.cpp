#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

namespace {

void declare_tissue(SectionBuilder<SkinSection>& s) {
  using S = SkinSection;
  s.key("thickness", KeyType::Painted, &S::thickness, Dimension::Length)
      .doc("How thick the skin is.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .standard("\"1.5 mm\"")
      .above(0)
      .usual(2e-4, 0.01)
      .example("{ map = \"vertex_color\", low = \"0.5 mm\", high = \"3 mm\" }");
  s.key("density", KeyType::Painted, &S::density, Dimension::Density)
      .doc("Mass per volume of the skin.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Tracked})
      .standard("\"1100 kg/m^3\"")
      .above(0)
      .usual(200, 5000)
      .example("\"1.05 g/cm^3\"");
}

void declare_sliding(SectionBuilder<SkinSection>& s) {
  using S = SkinSection;
  s.key("slide_limit", KeyType::Painted, &S::slide_limit, Dimension::Length)
      .doc(
          "How far the skin may slide: the straight distance, on the body at rest, between where it began "
          "and where it lies; 0 sticks.")
      .used_by({SkinMethod::ForceDensity, SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .otherwise("by body part where the rig is known, else 2 cm")
      .from(0)
      .usual(1e-4, 0.3)
      .example("{ map = \"loose\", low = \"2 mm\", high = \"2 cm\" }");
  s.key("stickiness", KeyType::Painted, &S::stickiness)
      .doc(
          "The share of the body's motion along its surface that skin takes along at once (zeta of the 2013 "
          "paper): 1 takes all of it, 0 stays behind by all of it; elasticity moves the skin at any value.")
      .used_by({SkinMethod::Eulerian})
      .standard("0.75")
      .from(0)
      .to(1)
      .example("0.2");
  s.key("stickiness_limit", KeyType::Painted, &S::stickiness_limit, Dimension::Velocity)
      .doc("The speed of the body along its surface up to which skin takes that share along.")
      .used_by({SkinMethod::Eulerian})
      .otherwise("any speed")
      .from(0)
      .example("\"50 cm/s\"");
  s.choice("border", &S::free_border, {{"held", false}, {"slides", true}})
      .doc("What open borders of the body do with the skin: hold it, or let it slide along them.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .otherwise("\"held\"; \"slides\" with the method \"lagrangian\"")
      .example("\"slides\"");
  s.key("tightness", KeyType::Painted, &S::tightness)
      .doc("A factor on the force density of the edges here: tight skin holds together, loose skin gives.")
      .used_by({SkinMethod::ForceDensity})
      .standard("1.0")
      .above(0)
      .to(10000)
      .example("{ map = \"scar\", low = 1, high = 10 }");
  s.key("drag", KeyType::Quantity, &S::drag, Dimension::Drag)
      .doc("Resistance to sliding, per area and speed: what calms the skin from frame to frame; 0 is none.")
      .used_by({SkinMethod::Lagrangian})
      .otherwise("300 Pa s/m, scaled with a body that is not of human size")
      .from(0)
      .example("\"5 kPa s/m\"");
  s.key("slide_speed", KeyType::Quantity, &S::slide_speed, Dimension::Velocity)
      .doc("The highest speed at which skin slides over the body; 0 is no bound.")
      .used_by({SkinMethod::Lagrangian, SkinMethod::Tracked})
      .otherwise("0.15 m/s, scaled with a body that is not of human size")
      .from(0)
      .usual(0.01, 10)
      .example("\"30 cm/s\"");
  s.key("damping", KeyType::Quantity, &S::damping, Dimension::Rate)
      .doc("How fast sliding motion dies out by itself.")
      .used_by({SkinMethod::Eulerian})
      .standard("\"10 1/s\"")
      .from(0)
      .example("\"5 1/s\"");
}

/// An elastic sheet without friction: what closed forms and other programs compute.
Preset membrane() {
  return {"membrane",
          {{"skin.border", "\"held\""},
           {"skin.drag", "0"},
           {"skin.slide_speed", "0"},
           {"skin.ligament.use", "false"},
           {"skin.material.model", "\"stable_neo_hookean\""},
           {"skin.material.compression", "1"},
           {"skin.material.fibres", "0"},
           {"skin.material.biphasic", "false"},
           {"skin.tracked.retarget_time", "0"}}};
}

std::string membrane_words() {
  std::string words = "elastic sheet without friction";
  const char* separator = " (";
  for (const auto& [key, toml] : membrane().values) {
    words += separator + key + " = " + toml;
    separator = ", ";
  }
  return words + ")";
}

}  // namespace

Section skin_spec() {
  using S = SkinSection;
  SectionBuilder<S> s(
      "skin", [](Shot& shot) -> S& { return shot.skin; }, "The skin, and the method that moves it.");
  std::vector<std::pair<std::string, SkinMethod>> names;
  for (const Method& method : methods()) names.emplace_back(method.name, method.id);
  s.choice("method", &S::method, names)
      .doc("How the skin is computed; \"none\" is plain skinning: the body itself.")
      .used_by(every_method())
      .standard("\"none\"")
      .example("\"lagrangian\"");
  s.choice("preset", &S::preset, {{"living", SkinDefaults::Living}, {"membrane", SkinDefaults::Membrane}})
      .doc("What the other keys begin from: \"living\" is skin as their defaults have it, \"membrane\" an " +
           membrane_words() + ". Keys that are given win.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .standard("\"living\"")
      .example("\"membrane\"")
      .presets({membrane()});
  s.choice("surface", &S::surface, {{"limit", SlidesOn::Limit}, {"polygon", SlidesOn::Polygon}})
      .doc("What the skin slides on: the smooth subdivision limit of the body, or its flat polygons.")
      .used_by({SkinMethod::ForceDensity, SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .standard("\"limit\"")
      .example("\"polygon\"");
  s.key("resolution", KeyType::Quantity, &S::resolution, Dimension::Length)
      .doc(
          "The edge length at which the skin is solved; the result is carried to every vertex of the source.")
      .used_by({SkinMethod::ForceDensity, SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .otherwise(
          "the body's own vertices; for tracked skin on a body with slivers or more than 10,000 triangles "
          "about so many even ones at most")
      .above(0)
      .usual(5e-4, 0.1)
      .example("\"1 cm\"");
  declare_tissue(s);
  declare_sliding(s);
  s.key("rest_from", KeyType::Strings, &S::rest_from)
      .doc(
          "Clips whose poses the rest shape of each triangle is fitted to, every tenth frame; \"shot\" is "
          "this shot's own motion. Ten poses or more are wanted.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .standard("[]")
      .otherwise("the rest shape of the body")
      .example("[\"Walk\", \"Run\"]");
  return s.take();
}

Section direction_spec() {
  using S = DirectionSection;
  SectionBuilder<S> s(
      "skin.direction", [](Shot& shot) -> S& { return shot.skin.direction; },
      "The line field along which the skin is stiff and stretched: from Langer lines, an axis, or a file.");
  s.used_by(every_method());  // pictures show directions, whatever moves the skin
  s.choice("langer", &S::langer,
           {{"none", std::nullopt}, {"male", LangerSet::Male}, {"female", LangerSet::Female}})
      .doc("A built-in set of Langer lines, carried to the body.")
      .standard("\"none\"")
      .example("\"female\"");
  s.key("axis", KeyType::Vector, &S::axis)
      .doc("One direction for all of the skin, laid into the surface.")
      .otherwise("no such direction")
      .example("[0, 1, 0]");
  s.key("file", KeyType::Path, &S::file)
      .doc("Strokes on the body (.json), or a painted direction map (.png, .exr).")
      .otherwise("no such file")
      .example("\"strokes.json\"");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked});
  s.key("prestretch", KeyType::Painted, &S::prestretch)
      .doc("Rest length along the direction as a share of the length on the body; below 1 the skin is taut.")
      .standard("1.0")
      .above(0)
      .to(10)
      .example("0.875");
  s.key("prestretch_across", KeyType::Painted, &S::prestretch_across)
      .doc("The same across the direction.")
      .standard("1.0")
      .above(0)
      .to(10)
      .example("0.95");
  return s.take();
}

Section ligament_spec() {
  using S = LigamentSection;
  SectionBuilder<S> s(
      "skin.ligament", [](Shot& shot) -> S& { return shot.skin.ligament; },
      "What ties the skin to the body: soft up to skin.slide_limit, then stiff (ViSkin, Eq. 10, per rest "
      "area).");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian});
  s.key("use", KeyType::Bool, &S::use)
      .doc("Whether there are ligaments at all: what holds skin within skin.slide_limit.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .standard("true")
      .example("false");
  s.key("density", KeyType::Painted, &S::density)
      .doc("How many ligaments there are, against the usual number.")
      .standard("1.0")
      .from(0)
      .example("2.0");
  s.key("stiffness", KeyType::Quantity, &S::stiffness, Dimension::Foundation)
      .doc("The pull per area and length below the limit (m1).")
      .standard("\"0 N/m^3\"")
      .from(0)
      .example("\"1 kPa/m\"");
  s.key("strength", KeyType::Quantity, &S::strength, Dimension::Tension)
      .doc("The energy per area at the limit (m2).")
      .otherwise("a fiftieth of young times thickness")
      .from(0)
      .example("\"5 mN/m\"");
  s.key("sharpness", KeyType::Quantity, &S::sharpness, Dimension::InverseArea)
      .doc(
          "How suddenly it stiffens past the limit (m3), for a ligament of 2 cm; others stiffen past the "
          "same share of their own length.")
      .standard("\"7 1/cm^2\"")
      .from(0)
      .example("\"10 1/cm^2\"");
  return s.take();
}

}  // namespace cutis
