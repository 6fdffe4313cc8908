#include "cutis/shot/spec/spec_biphasic.h"
#include "cutis/shot/spec/spec_plastic.h"

namespace cutis {
namespace {

/// What every stiff phase has besides its stiffness.
template <class S>
void declare_volume_and_viscosity(SectionBuilder<S>& s, const std::string& prefix,
                                  std::optional<double> S::*poisson, double S::*volume_start,
                                  double S::*volume_end, double S::*viscosity) {
  s.key(prefix + "poisson", KeyType::Number, poisson)
      .doc("How well the stiff phase keeps its volume.")
      .otherwise("as well as the phase before it")
      .from(0)
      .below(0.5)
      .example("0.49");
  s.key(prefix + "volume_start", KeyType::Number, volume_start)
      .doc("The change of volume, as |ln of the volume over that at rest|, at which that begins.")
      .standard("0.05")
      .from(0)
      .to(10)
      .example("0.02");
  s.key(prefix + "volume_end", KeyType::Number, volume_end)
      .doc("The change of volume at which it is reached.")
      .standard("0.1")
      .above(0)
      .to(10)
      .example("0.2");
  s.key(prefix + "viscosity", KeyType::Quantity, viscosity, Dimension::Viscosity)
      .doc("What the stiff phase adds to the viscosity.")
      .standard("\"0 Pa s\"")
      .from(0)
      .example("\"500 Pa s\"");
}

void declare_biphasic(SectionBuilder<FleshSection>& s) {
  using S = FleshSection;
  s.key("biphasic", KeyType::Bool, &S::biphasic)
      .doc("Soft while little deformed, stiff when much: what ripples at a walk stays on in a fall.")
      .standard("true")
      .example("false");
  declare_stiff_phase(s, "flesh.young");
  declare_volume_and_viscosity(s, "biphasic_", &S::biphasic_poisson, &S::biphasic_volume_start,
                               &S::biphasic_volume_end, &S::biphasic_viscosity);
}

void declare_material(SectionBuilder<FleshSection>& s) {
  using S = FleshSection;
  s.choice("model", &S::model,
           {{"stable_neo_hookean", FleshModel::StableNeoHookean}, {"corotated", FleshModel::Corotated}})
      .doc("The elastic law; \"corotated\" is linear in the stretches.")
      .standard("\"stable_neo_hookean\"")
      .example("\"corotated\"");
  s.key("young", KeyType::Painted, &S::young, Dimension::Pressure)
      .doc(
          "Young's modulus at rest, how soft it is: fat has about 3 kPa, a relaxed muscle 15, a tensed one "
          "60. Where flesh.depth is left to the body part it is that of loose flesh, and others are stiffer.")
      .standard("\"10 kPa\"")
      .usual(100, 1e7)
      .above(0)
      .example("\"5 kPa\"");
  s.key("poisson", KeyType::Number, &S::poisson)
      .doc("How well it keeps its volume: 0.5 would keep it exactly.")
      .standard("0.45")
      .from(0)
      .below(0.5)
      .example("0.48");
  s.key("density", KeyType::Quantity, &S::density, Dimension::Density)
      .doc("Mass per volume.")
      .standard("\"1000 kg/m^3\"")
      .above(0)
      .usual(200, 5000)
      .example("\"1060 kg/m^3\"");
  s.key("viscosity", KeyType::Quantity, &S::viscosity, Dimension::Viscosity)
      .doc("How soon it stops ringing.")
      .standard("\"150 Pa s\"")
      .from(0)
      .example("\"300 Pa s\"");
}

void declare_change(SectionBuilder<FleshSection>& s) {
  using S = FleshSection;
  declare_plastic_flow(s, "flesh");
  s.key("contact", KeyType::Bool, &S::contact)
      .doc(
          "Whether parts of the body push each other away: a belly from thighs. Where the animation itself "
          "lets "
          "them overlap they may.")
      .standard("false")
      .example("true");
  s.key("keep_volume", KeyType::Bool, &S::keep_volume)
      .doc("Whether the body keeps its volume as a whole: what a bent elbow loses swells beside it.")
      .standard("false")
      .example("true");
}

void declare_motion(SectionBuilder<FleshSection>& s) {
  using S = FleshSection;
  s.key("retarget_time", KeyType::Quantity, &S::retarget_time, Dimension::Time)
      .doc(
          "How long the shape that flesh has without stress takes to follow the animated one, as a time "
          "constant; with 0 it stays that of the rest pose, and flesh resists what the animator made of it.")
      .standard("\"0.1 s\"")
      .from(0)
      .example("\"0.3 s\"");
  s.key("gain", KeyType::Painted, &S::gain)
      .doc("How much of its motion is shown: 0 follows the animation, 1 is physics, 2 twice as far.")
      .standard("1")
      .from(0)
      .to(10)
      .example("0.5");
  s.key("gravity_compensation", KeyType::Bool, &S::gravity_compensation)
      .doc("Whether the first frame is as gravity leaves it; else flesh sags from there on.")
      .standard("true")
      .example("false");
  s.key("inertia", KeyType::Quantities, &S::inertia)
      .doc(
          "The share of the body's acceleration as a whole that is felt; a list gives one at each of "
          "inertia_times.")
      .standard("[1]")
      .from(0)
      .to(1)
      .count(1, 100000)
      .example("0.5");
  s.key("inertia_times", KeyType::Quantities, &S::inertia_times, Dimension::Time)
      .doc("When each share of inertia is felt, in rising order; straight lines lie between them.")
      .standard("[]")
      .count(1, 100000)
      .example("[\"0.5 s\"]");
  s.key("reset", KeyType::Quantities, &S::reset, Dimension::Time)
      .doc(
          "When it begins anew where the animation is: cuts, teleports. A leap of more than the body's size "
          "in "
          "a frame is found without.")
      .standard("[]")
      .example("[\"2 s\"]");
  s.key("substeps", KeyType::Integer, &S::substeps)
      .doc("Steps a frame; at least one for each of samples.")
      .standard("4")
      .from(1)
      .to(1000)
      .example("8");
  s.key("samples", KeyType::Integer, &S::samples)
      .doc(
          "How often in a frame the result stores where flesh is, so that the next stage knows a fast jiggle "
          "also between frames.")
      .standard("1")
      .from(1)
      .to(100)
      .example("4");
  s.choice("integrator", &S::integrator,
           {{"generalized_alpha", FleshIntegrator::GeneralizedAlpha},
            {"implicit_euler", FleshIntegrator::BackwardEuler}})
      .doc("How motion is stepped through time; \"implicit_euler\" damps it with the step.")
      .standard("\"generalized_alpha\"")
      .example("\"implicit_euler\"");
}

}  // namespace

Section flesh_spec() {
  using S = FleshSection;
  SectionBuilder<S> s(
      "flesh", [](Shot& shot) -> S& { return shot.flesh; },
      "Soft tissue between bones and skin, which jiggles; the skin then lies on it.");
  s.used_by(every_method());
  s.key("use", KeyType::Bool, &S::use)
      .doc("Whether the body has flesh that moves by itself.")
      .standard("false")
      .example("true");
  s.key("tetrahedra", KeyType::Integer, &S::tetrahedra)
      .doc("About how many elements it is made of.")
      .standard("50000")
      .from(100)
      .to(5000000)
      .example("100000");
  s.key("depth", KeyType::Painted, &S::depth, Dimension::Length)
      .doc(
          "How thick the soft tissue is: what is deeper follows the bones. It reaches three quarters of the "
          "way "
          "to the middle of the body at most, so that there is such a core everywhere.")
      .otherwise(
          "by body part where the rig is known: thin over skull, hands, feet and joints; else by how thick "
          "the "
          "body is")
      .from(0)
      .usual(1e-3, 0.5)
      .example("\"3 cm\"");
  s.choice("core", &S::core,
           {{"fixed", FleshCore::Fixed},
            {"springs", FleshCore::Springs},
            {"bones", FleshCore::Bones},
            {"region", FleshCore::Region}})
      .doc(
          "What follows the bones: all below flesh.depth, exactly or hanging on them by springs; only what "
          "is "
          "inside flesh.bones; or only the surface of flesh.core_region.")
      .standard("\"fixed\"")
      .example("\"springs\"");
  s.key("bones", KeyType::Strings, &S::bones)
      .doc("Meshes of the character's file that are its bones, with core = \"bones\"; closed ones.")
      .standard("[]")
      .example("[\"Skull\", \"Jaw\"]");
  s.key("bones_file", KeyType::Path, &S::bones_file)
      .doc(
          "A file with the bones at rest, in the units and the space of the character's, in place of "
          "flesh.bones.")
      .otherwise("flesh.bones")
      .example("\"skull.obj\"");
  s.key("core_region", KeyType::String, &S::core_region)
      .doc("The name of the [[skin.region]] that is held, with core = \"region\".")
      .standard("\"\"")
      .example("\"belly\"");
  s.key("core_stiffness", KeyType::Quantity, &S::core_stiffness, Dimension::Pressure)
      .doc("How stiff these springs are, as a Young's modulus.")
      .standard("\"100 kPa\"")
      .above(0)
      .example("\"30 kPa\"");
  declare_material(s);
  declare_biphasic(s);
  declare_change(s);
  declare_motion(s);
  s.choice("lattice_mesh", &S::lattice_mesh, {{"none", LayerMeshFormat::None}, {"vtk", LayerMeshFormat::Vtk}})
      .doc(
          "Whether the tetrahedra are written, too, into layers/ of the flesh's result, as .vtu with a .pvd "
          "for ParaView.")
      .standard("\"none\"")
      .example("\"vtk\"");
  return s.take();
}

Section flesh_phase_spec() {
  using S = FleshPhaseSection;
  SectionBuilder<S> s(
      "flesh.phase", [](Shot& shot) -> std::vector<S>& { return shot.flesh.phase; },
      "A further stiff phase of flesh, on top of that of flesh.biphasic and of those before it.");
  s.used_by(every_method());
  s.key("young", KeyType::Quantity, &S::young, Dimension::Pressure)
      .doc("Young's modulus from its end on; it scales with a painted flesh.young.")
      .required()
      .above(0)
      .example("\"1 MPa\"");
  s.key("start", KeyType::Number, &S::start)
      .doc("The deformation, as largest |ln stretch|, at which it begins.")
      .required()
      .from(0)
      .to(10)
      .example("0.4");
  s.key("end", KeyType::Number, &S::end)
      .doc("The deformation at which it is reached.")
      .required()
      .above(0)
      .to(10)
      .example("0.5");
  declare_volume_and_viscosity(s, "", &S::poisson, &S::volume_start, &S::volume_end, &S::viscosity);
  return s.take();
}

}  // namespace cutis
