#include "cutis/shot/spec/spec_biphasic.h"
#include "cutis/shot/spec/spec_model.h"

namespace cutis {
namespace {

constexpr const char* the_presets = "the preset's";
constexpr const char* scaled = "the preset's, scaled as young is";

void declare_fibres(SectionBuilder<MaterialSection>& s) {
  using S = MaterialSection;
  s.key("fibres", KeyType::Integer, &S::fibres)
      .doc("Families of collagen fibres along skin.direction: none, one, or two at an angle.")
      .otherwise("the preset's where skin.direction is given, else 0")
      .from(0)
      .to(2)
      .example("1");
  s.key("fibre_angle", KeyType::Quantity, &S::fibre_angle, Dimension::Angle)
      .doc("The angle of each of two families to the direction.")
      .otherwise(the_presets)
      .from(0)
      .to(1.5707963267948966)
      .example("\"35 deg\"");
  s.key("fibre_linear", KeyType::Quantity, &S::fibre_linear, Dimension::Pressure)
      .doc("Fibre stiffness that does not grow with stretch (k1 of ViSkin, Eq. 5).")
      .otherwise(scaled)
      .from(0)
      .example("\"1 kPa\"");
  s.key("fibre_stiffness", KeyType::Quantity, &S::fibre_stiffness, Dimension::Pressure)
      .doc("Fibre stiffness that grows with stretch (k2).")
      .otherwise(scaled)
      .from(0)
      .example("\"2 kPa\"");
  s.key("fibre_exponent", KeyType::Number, &S::fibre_exponent)
      .doc("How fast it grows (k3).")
      .otherwise(the_presets)
      .from(0)
      .to(1000)
      .example("7.9");
}

void declare_biphasic(SectionBuilder<MaterialSection>& s) {
  using S = MaterialSection;
  s.key("biphasic", KeyType::Bool, &S::biphasic)
      .doc("Soft while little deformed, stiff when much: keeps fast motion from over-stretching the skin.")
      .otherwise("true with the method \"tracked\", else false")
      .example("true");
  declare_stiff_phase(s, "material.young");
}

}  // namespace

Section material_spec() {
  using S = MaterialSection;
  SectionBuilder<S> s(
      "skin.material", [](Shot& shot) -> S& { return shot.skin.material; }, "What the skin is made of.");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked});
  declare_model(s)
      .doc(
          "The elastic law; \"fung\" stiffens as real skin does, \"neo_hookean\" is the textbook's for skin "
          "that keeps its volume.")
      .standard("\"fung\"")
      .example("\"stable_neo_hookean\"");
  std::vector<std::pair<std::string, MaterialPreset>> presets;
  for (std::size_t i = 0; i < skin_presets().size(); ++i)
    presets.emplace_back(skin_presets()[i].name, static_cast<MaterialPreset>(i));
  s.choice("preset", &S::preset, presets)
      .doc(
          "A measured skin that gives the constants which are not set here; docs/materials.md has their "
          "sources.")
      .standard("\"human_forearm\"")
      .example("\"rabbit\"");
  s.key("young", KeyType::Painted, &S::young, Dimension::Pressure)
      .doc("Young's modulus at rest.")
      .otherwise(the_presets)
      .above(0)
      .usual(100, 1e9)
      .example("\"30 kPa\"");
  s.key("poisson", KeyType::Number, &S::poisson)
      .doc("Poisson's ratio at rest, in the plane of the skin.")
      .otherwise("the preset's; 0.5 with neo_hookean")
      .above(-1)
      .below(1)
      .example("0.33");
  s.key("fung_stiffness", KeyType::Quantity, &S::fung_stiffness, Dimension::Pressure)
      .doc("The weight of the exponential part of the Fung law (alpha of ViSkin, Eq. 2).")
      .otherwise(scaled)
      .from(0)
      .example("\"1 kPa\"");
  s.key("fung_exponent", KeyType::Number, &S::fung_exponent)
      .doc("How fast the Fung law stiffens (beta).")
      .otherwise(the_presets)
      .from(0)
      .to(1000)
      .example("6.62");
  declare_fibres(s);
  declare_biphasic(s);
  s.key("compression", KeyType::Painted, &S::compression)
      .doc(
          "The share of its stiffness that skin keeps where it is pressed together and would wrinkle: 1 is "
          "the "
          "plain law, 0 a skin that carries no compression.")
      .standard("0.1")
      .from(0)
      .to(1)
      .example("1");
  s.key("area_preserving", KeyType::Bool, &S::area_preserving)
      .doc(
          "Skin keeps its area: it resists changes of area a hundred times as much as its law does, also "
          "where "
          "it would wrinkle. What the body leaves no room for is shared out evenly.")
      .standard("false")
      .example("true");
  s.key("viscosity", KeyType::Quantity, &S::viscosity, Dimension::Viscosity)
      .doc("Resistance to the rate of strain, for dynamic methods.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Tracked})
      .standard("\"0 Pa s\"")
      .from(0)
      .example("\"20 Pa s\"");
  return s.take();
}

}  // namespace cutis
