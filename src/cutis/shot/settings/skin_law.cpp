#include "cutis/shot/settings/skin_law.h"

#include <algorithm>

#include <fmt/format.h>

#include "cutis/core/quantity.h"
#include "cutis/material/biphasic_ramp.h"
#include "cutis/material/membrane/isotropic_laws.h"
#include "cutis/shot/spec/spec.h"

namespace cutis {
namespace {

/// As the spec spells it.
std::string model_word(MaterialModel model) {
  Shot shot;
  shot.skin.material.model = model;
  return std::get<std::string>(find_key("skin.material.model")->get(shot, 0));
}

}  // namespace

double reference_value(const Painted& painted) {
  return painted.source == Painted::Source::Constant ? painted.value : painted.high;
}

SkinLaw skin_law(const SkinSection& skin) {
  const MaterialSection& material = skin.material;
  const DirectionSection& direction = skin.direction;
  const SkinLaw preset = skin_preset(material.preset).law;
  const bool directed = direction.langer || direction.axis || direction.file;

  SkinLaw law;
  law.model = material.model;
  law.young = material.young ? reference_value(*material.young) : preset.young;
  const double scale = law.young / preset.young;
  law.poisson = material.poisson.value_or(law.model == MaterialModel::NeoHookean ? 0.5 : preset.poisson);
  law.fung_exponent = material.fung_exponent.value_or(preset.fung_exponent);
  law.fung_stiffness = material.fung_stiffness.value_or(std::min(
      scale * preset.fung_stiffness, FungLaw::largest_stiffness(law.young, law.poisson, law.fung_exponent)));
  law.fibres = material.fibres.value_or(directed ? preset.fibres : 0);
  law.fibre_angle = material.fibre_angle.value_or(preset.fibre_angle);
  law.fibre_linear = material.fibre_linear.value_or(scale * preset.fibre_linear);
  law.fibre_stiffness = material.fibre_stiffness.value_or(scale * preset.fibre_stiffness);
  law.fibre_exponent = material.fibre_exponent.value_or(preset.fibre_exponent);
  law.biphasic = material.biphasic.value_or(skin.method == SkinMethod::Tracked);
  if (law.biphasic) law.biphasic_young = material.biphasic_young.value_or(kUsualStiffening * law.young);
  law.biphasic_start = material.biphasic_start;
  law.biphasic_end = material.biphasic_end;
  law.viscosity = material.viscosity;
  return law;
}

std::string to_toml(const SkinLaw& law) {
  std::string text = fmt::format("[skin.material]\nmodel = \"{}\"\n", model_word(law.model));
  const auto quantity = [&](const char* key, double value, Dimension dimension) {
    text += fmt::format("{} = \"{}\"\n", key, format_naturally(value, dimension));
  };
  const auto number = [&](const char* key, double value) {
    text += fmt::format("{} = {}\n", key, format_number(value));
  };
  quantity("young", law.young, Dimension::Pressure);
  number("poisson", law.poisson);
  if (law.model == MaterialModel::Fung) {
    quantity("fung_stiffness", law.fung_stiffness, Dimension::Pressure);
    number("fung_exponent", law.fung_exponent);
  }
  text += fmt::format("fibres = {}\n", law.fibres);
  if (law.fibres == 2) quantity("fibre_angle", law.fibre_angle, Dimension::Angle);
  if (law.fibres > 0) {
    quantity("fibre_linear", law.fibre_linear, Dimension::Pressure);
    quantity("fibre_stiffness", law.fibre_stiffness, Dimension::Pressure);
    number("fibre_exponent", law.fibre_exponent);
  }
  if (law.biphasic) {
    text += "biphasic = true\n";
    quantity("biphasic_young", law.biphasic_young, Dimension::Pressure);
    number("biphasic_start", law.biphasic_start);
    number("biphasic_end", law.biphasic_end);
  }
  if (law.viscosity > 0) quantity("viscosity", law.viscosity, Dimension::Viscosity);
  return text;
}

}  // namespace cutis
