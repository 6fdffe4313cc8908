#include "cutis/shot/spec/spec_model.h"
#include "cutis/wrinkle/critical_wavelength.h"

namespace cutis {
namespace {

std::string describe_default_layers() {
  WrinkleOptions options;
  options.layers = default_layers();
  return describe_layers(options);
}

void declare_physics(SectionBuilder<WrinkleSection>& s) {
  using S = WrinkleSection;
  s.choice("law", &S::law, {{"thesis", WavelengthLaw::Thesis}, {"layer", WavelengthLaw::Layer}})
      .doc(
          "How the wavelength of a layer follows from its own stiffness and thickness and those of what is "
          "below: \"thesis\" for a soft layer that is thinner than a wavelength, \"layer\" for one of any "
          "thickness. Without [[wrinkle.layer]], " +
          describe_default_layers() + ".")
      .standard("\"thesis\"")
      .example("\"layer\"");
  s.key("law_factor", KeyType::Number, &S::law_factor)
      .doc("Factor of the wavelengths that the law \"thesis\" gives.")
      .standard("1")
      .above(0)
      .to(100)
      .example("1.5");
  s.key("substrate_young", KeyType::Quantity, &S::substrate_young, Dimension::Pressure)
      .doc("Young's modulus of what the lowest layer lies on: the body, which is not simulated.")
      .standard("\"500 kPa\"")
      .above(0)
      .example("\"50 kPa\"");
  s.key("substrate_thickness", KeyType::Quantity, &S::substrate_thickness, Dimension::Length)
      .doc("How thick that is.")
      .standard("\"15 mm\"")
      .above(0)
      .example("\"5 mm\"");
  s.key("support", KeyType::Number, &S::support)
      .doc("Radius of the constraints between layers, in wavelengths.")
      .standard("0.3")
      .above(0)
      .to(1)
      .example("0.5");
  s.key("give", KeyType::Quantity, &S::give, Dimension::Compliance)
      .doc(
          "How far a layer may be from its distance to the one below, by the pressure between them; with "
          "coupling \"bottom-up\".")
      .standard("\"0 m/Pa\"")
      .from(0)
      .example("\"0.1 mm/kPa\"");
  s.key("contact", KeyType::Bool, &S::contact)
      .doc("Whether layers keep off each other and off themselves.")
      .standard("true")
      .example("false");
}

void declare_solver(SectionBuilder<WrinkleSection>& s) {
  using S = WrinkleSection;
  s.choice("solver", &S::solver, {{"static", WrinkleSolver::Static}, {"dynamic", WrinkleSolver::Dynamic}})
      .doc(
          "\"static\": in equilibrium at each frame, so that wrinkles may appear at once; \"dynamic\": "
          "with inertia and damping.")
      .standard("\"static\"")
      .example("\"dynamic\"");
  s.choice("coupling", &S::coupling, {{"bottom-up", LayerCoupling::BottomUp}, {"both", LayerCoupling::Both}})
      .doc(
          "\"bottom-up\": each layer is solved for on what the one below has become; \"both\": all "
          "together, so that lower layers also bear what upper ones ask of them.")
      .standard("\"bottom-up\"")
      .example("\"both\"");
  s.key("damping", KeyType::Quantity, &S::damping, Dimension::Rate)
      .doc("How soon layers that have inertia stop swinging.")
      .standard("\"0 1/s\"")
      .from(0)
      .example("\"20 1/s\"");
  s.key("imperfection", KeyType::Number, &S::imperfection)
      .doc("How uneven the layers are at rest, in thicknesses (root mean square): what wrinkles begin with.")
      .standard("0.01")
      .from(0)
      .to(1)
      .example("0.05");
  s.key("seed", KeyType::Integer, &S::seed)
      .doc("Another number gives other wrinkles of the same kind.")
      .standard("1")
      .from(0)
      .to(2147483647)
      .example("7");
  s.key("load_step", KeyType::Number, &S::load_step)
      .doc("The largest change of the body's compression in one solve; a frame has at most 50 of them.")
      .standard("0.03")
      .above(0)
      .to(1)
      .example("0.01");
  s.key("edge", KeyType::Number, &S::edge)
      .doc("The longest edge of a layer's mesh where it wrinkles, in wavelengths.")
      .standard("0.1")
      .above(0)
      .to(0.5)
      .example("0.125");
  s.key("adaptive", KeyType::Bool, &S::adaptive)
      .doc("Whether the meshes of the layers are remeshed as they wrinkle; else they are fine everywhere.")
      .standard("true")
      .example("false");
  s.key("smallest_edge", KeyType::Quantity, &S::smallest_edge, Dimension::Length)
      .doc("The shortest edge that remeshing makes.")
      .otherwise("a twentieth of the wavelength, or half of `edge`")
      .above(0)
      .example("\"0.1 mm\"");
}

void declare_mesh(SectionBuilder<WrinkleSection>& s) {
  using S = WrinkleSection;
  s.key("region", KeyType::String, &S::region)
      .doc("The [[skin.region]] that wrinkles, by its name; one with use = \"name\" does nothing else.")
      .standard("\"\"")
      .otherwise("the whole body")
      .example("\"elbow\"");
  s.choice("surface", &S::surface,
           {{"limit", SubdividedSurface::Limit}, {"polygon", SubdividedSurface::Polygon}})
      .doc(
          "What the layers and the result lie on: a smooth surface through the body's own vertices, or its "
          "flat polygons.")
      .standard("\"limit\"")
      .example("\"polygon\"");
  s.key("fade", KeyType::Number, &S::fade)
      .doc("How far from the border of the region wrinkles have their full height, in wavelengths.")
      .standard("1")
      .from(0)
      .to(100)
      .example("3");
  s.key("max_vertices", KeyType::Integer, &S::max_vertices)
      .doc(
          "The most vertices that the mesh of one layer, and that of the result, may have; 100000 of a layer "
          "take about 3 GB.")
      .standard("100000")
      .from(100)
      .to(50000000)
      .example("1000000");
  s.key("output_level", KeyType::Integer, &S::output_level)
      .doc("How often the faces of the region are subdivided in the result, which halves their edges.")
      .otherwise("until edges are an eighth of the smallest wavelength, or max_vertices is reached")
      .from(0)
      .to(8)
      .example("3");
  s.choice("layer_meshes", &S::layer_meshes,
           {{"none", LayerMeshFormat::None}, {"ply", LayerMeshFormat::Ply}, {"vtk", LayerMeshFormat::Vtk}})
      .doc(
          "Whether the meshes that the layers are computed on are written, too, into layers/ of the result: "
          "as .ply, or as .vtu with a .pvd for ParaView.")
      .standard("\"none\"")
      .example("\"ply\"");
}

}  // namespace

Section wrinkle_spec() {
  using S = WrinkleSection;
  SectionBuilder<S> s(
      "wrinkle", [](Shot& shot) -> S& { return shot.wrinkle; },
      "Layers of skin that buckle into wrinkles, on top of what slides and jiggles.");
  s.used_by(every_method());
  s.key("use", KeyType::Bool, &S::use)
      .doc("Whether the skin has layers that wrinkle.")
      .standard("false")
      .example("true");
  declare_mesh(s);
  declare_physics(s);
  declare_solver(s);
  return s.take();
}

Section wrinkle_layer_spec() {
  using S = WrinkleLayerSection;
  SectionBuilder<S> s(
      "wrinkle.layer", [](Shot& shot) -> std::vector<S>& { return shot.wrinkle.layer; },
      "A layer that wrinkles, from the bottom up. Without any there are two: a dermis of 4 MPa and 1.3 mm, "
      "and on it an epidermis of 600 MPa and 0.12 mm.");
  s.used_by(every_method());
  s.key("young", KeyType::Quantity, &S::young, Dimension::Pressure)
      .doc("Young's modulus: how stiff it is.")
      .required()
      .above(0)
      .usual(100, 1e10)
      .example("\"4 MPa\"");
  s.key("thickness", KeyType::Quantity, &S::thickness, Dimension::Length)
      .doc("How thick it is.")
      .required()
      .above(0)
      .usual(1e-6, 0.02)
      .example("\"1.3 mm\"");
  s.key("poisson", KeyType::Number, &S::poisson)
      .doc("How well it keeps its volume: 0.5 keeps it exactly.")
      .standard("0.5")
      .from(0)
      .to(0.5)
      .example("0.3");
  declare_model(s)
      .doc(
          "The elastic law of its membrane (docs/materials.md): \"fung\" stiffens as [skin.material] says, "
          "scaled to young; \"neo_hookean\" with another poisson than 0.5 is \"stable_neo_hookean\".")
      .standard("\"neo_hookean\"")
      .example("\"fung\"");
  s.key("density", KeyType::Quantity, &S::density, Dimension::Density)
      .doc("Mass per volume, for the solver \"dynamic\".")
      .standard("\"1100 kg/m^3\"")
      .above(0)
      .example("\"1050 kg/m^3\"");
  s.key("wavelength", KeyType::Quantity, &S::wavelength, Dimension::Length)
      .doc("Of its wrinkles, in place of the one that follows from the layers.")
      .otherwise("as wrinkle.law says")
      .above(0)
      .example("\"5 mm\"");
  s.key("fibre_ratio", KeyType::Number, &S::fibre_ratio)
      .doc("How many times as stiff it is along its fibres, which run as [skin.direction] says.")
      .standard("1")
      .from(1)
      .to(100)
      .example("4");
  s.key("map", KeyType::Path, &S::map)
      .doc(
          "An image in UV space that varies it: red the wavelength, green Young's modulus, blue the "
          "thickness. "
          "In a .png mid-grey (128 of 255) is what the layer says, black a quarter, white four times as "
          "much; an .exr holds m, Pa and m.")
      .otherwise("the same everywhere")
      .example("\"wrinkles.png\"");
  return s.take();
}

}  // namespace cutis
