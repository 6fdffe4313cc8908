#include "cutis/shot/export_formats.h"
#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

namespace {

void declare_tracked_steps(SectionBuilder<SolverSection>& s) {
  using S = SolverSection;
  s.used_by({SkinMethod::Tracked});
  s.choice("sliding_step", &S::sliding_step,
           {{"substep", SlidingStep::Substep},
            {"frame", SlidingStep::Frame},
            {"explicit", SlidingStep::Explicit}})
      .doc(
          "When the force normal to the body acts on the skin: in every substep or once a frame, fully "
          "implicitly and in closed form, or explicitly in substeps that are short enough for it.")
      .standard("\"substep\"")
      .example("\"frame\"");
  s.choice("targeting_step", &S::targeting_step,
           {{"substep", TargetingStep::Substep}, {"frame", TargetingStep::Frame}})
      .doc(
          "When the force along the body acts: in every substep, exactly, or once a frame, fully implicitly, "
          "which damps it.")
      .standard("\"substep\"")
      .example("\"frame\"");
  s.choice("material_step", &S::material_step,
           {{"semi_implicit", MaterialStep::SemiImplicit}, {"explicit", MaterialStep::Explicit}})
      .doc("Whether the skin's viscosity is stepped implicitly; its elastic forces are explicit.")
      .standard("\"semi_implicit\"")
      .example("\"explicit\"");
  s.key("deformation_limit", KeyType::Number, &S::deformation_limit)
      .doc("A substep in which a stretch of a triangle changes by more is redone in two.")
      .standard("0.1")
      .above(0)
      .to(10)
      .example("0.2");
  s.key("deformation_aim", KeyType::Number, &S::deformation_aim)
      .doc("The next substep is longer where no stretch of a triangle changes by as much.")
      .standard("0.05")
      .above(0)
      .to(10)
      .example("0.02");
}

}  // namespace

Section solver_spec() {
  using S = SolverSection;
  SectionBuilder<S> s(
      "solver", [](Shot& shot) -> S& { return shot.solver; },
      "How the equations are solved; physics has no key here. The defaults are good.");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian});
  s.key("tolerance", KeyType::Number, &S::tolerance)
      .doc("When a solve is done, as a share of the natural scale of its forces.")
      .standard("1e-6")
      .above(0)
      .below(1)
      .example("1e-8");
  s.key("max_iterations", KeyType::Integer, &S::max_iterations)
      .doc("Newton iterations before a step is cut in two; the tolerance ends them, this only bounds them.")
      .standard("500")
      .from(1)
      .to(100000)
      .example("100");
  s.choice("on_failure", &S::on_failure, {{"continue", OnFailure::Continue}, {"stop", OnFailure::Stop}})
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .doc(
          "What becomes of the run when a frame does not converge: \"continue\" writes the frame with its "
          "residual and names it in the summary, \"stop\" ends the run before it.")
      .standard("\"continue\"")
      .example("\"stop\"");
  s.key("substeps", KeyType::Integer, &S::substeps)
      .doc("Steps a frame.")
      .otherwise("as many as the motion needs")
      .from(1)
      .to(100000)
      .example("4");
  s.key("time_step", KeyType::Quantity, &S::time_step, Dimension::Time)
      .doc("The longest step of a dynamic method.")
      .used_by({SkinMethod::Eulerian})
      .otherwise("as the motion needs")
      .above(0)
      .example("\"1 ms\"");
  s.used_by({SkinMethod::Eulerian});
  s.choice("integrator", &S::integrator,
           {{"bdf2", Integrator::Bdf2},
            {"implicit_euler", Integrator::ImplicitEuler},
            {"static", Integrator::Static}})
      .doc(
          "How motion is stepped through time: backward differences of second order, implicit Euler as in "
          "the "
          "2013 paper, which damps with the step, or no inertia at all: the settled skin of each frame.")
      .standard("\"bdf2\"")
      .example("\"static\"");
  s.choice("advection", &S::advection,
           {{"quadratic", Advection::Quadratic}, {"semi_lagrangian", Advection::SemiLagrangian}})
      .doc("How skin is carried through the mesh: to second order, or as in the 2013 paper, which smears.")
      .standard("\"quadratic\"")
      .example("\"semi_lagrangian\"");
  declare_tracked_steps(s);
  s.used_by({SkinMethod::ForceDensity});
  s.choice("edge_weights", &S::edge_weights,
           {{"cotangent", EdgeDensity::Cotangent},
            {"mean_value", EdgeDensity::MeanValue},
            {"inverse_length", EdgeDensity::InverseLength},
            {"fast", EdgeDensity::Fast}})
      .doc("Force densities of the edges; \"inverse_length\" and \"fast\" are those of the 2009 paper.")
      .standard("\"cotangent\"")
      .example("\"inverse_length\"");
  s.choice("patch_outline", &S::patch_outline,
           {{"developed", OutlineShape::Developed}, {"square", OutlineShape::Square}})
      .doc("What the border of a force density patch is laid out to: its own outline unrolled, or a square.")
      .standard("\"developed\"")
      .example("\"square\"");
  return s.take();
}

Section output_spec() {
  using S = OutputSection;
  SectionBuilder<S> s(
      "output", [](Shot& shot) -> S& { return shot.output; },
      "What is written beside the frames (frames are always NPZ).");
  s.used_by(every_method());
  s.choices("formats", &S::formats, export_formats())
      .doc("Files for other programs; docs/formats.md says what each keeps.")
      .standard("[]")
      .otherwise("none")
      .example("[\"glb\", \"pc2\"]");
  s.choice("precision", &S::precision,
           {{"float64", FramePrecision::Float64}, {"float32", FramePrecision::Float32}})
      .doc("How numbers are stored in the frames.")
      .standard("\"float64\"")
      .example("\"float32\"");
  s.choice("storage", &S::storage, {{"positions", FrameStorage::Positions}, {"map", FrameStorage::Map}})
      .doc(
          "What a frame holds: where the skin is, or only where it lies on the body, which takes about "
          "a third of the space of float32 and needs the shot's files to be read.")
      .standard("\"positions\"")
      .example("\"map\"");
  s.key("fields", KeyType::Strings, &S::fields)
      .doc("Fields to store with each frame; docs/fields.md and `cutis list fields` have their names.")
      .standard("[]")
      .otherwise("none")
      .example("[\"stretch_max\", \"face_area_ratio\"]");
  return s.take();
}

namespace {

void declare_look(SectionBuilder<PictureSection>& s) {
  using S = PictureSection;
  s.choice("look", &S::look,
           {{"plain", PictureLook::Plain},
            {"checker", PictureLook::Checker},
            {"texture", PictureLook::Texture},
            {"field", PictureLook::Field},
            {"lines", PictureLook::Lines}})
      .doc(
          "What the skin shows: clay, a checker in UV space, the character's texture, a field as colours, or "
          "the line field of [skin.direction] as streaks.")
      .standard("\"checker\"")
      .example("\"field\"");
  s.key("texture", KeyType::Path, &S::texture)
      .doc("An image for the look \"texture\".")
      .otherwise("the character's own")
      .example("\"tattoo.png\"");
  s.key("normal_map", KeyType::Path, &S::normal_map)
      .doc(
          "An image of normals in tangent space, red along u and green along v, that light sees on any look.")
      .otherwise("the skin is smooth")
      .example("\"wrinkles.png\"");
  s.key("gloss", KeyType::Number, &S::gloss)
      .doc(
          "How narrow and bright the highlights are: from dry skin to wet skin, on which every wrinkle "
          "shows.")
      .standard("0")
      .from(0)
      .to(1)
      .example("0.8");
  s.key("field", KeyType::String, &S::field)
      .doc("Which field the look \"field\" shows.")
      .otherwise("the first one of output.fields, else log_area")
      .example("\"area_ratio\"");
  s.key("field_low", KeyType::Number, &S::field_low)
      .doc("The value at the lower end of the colours.")
      .otherwise("the smallest one")
      .example("0.8");
  s.key("field_high", KeyType::Number, &S::field_high)
      .doc("The value at the upper end of the colours.")
      .otherwise("the largest one")
      .example("1.25");
}

void declare_view(SectionBuilder<PictureSection>& s) {
  using S = PictureSection;
  s.key("camera", KeyType::Vector, &S::camera)
      .doc("Where the camera is, as a direction from the body.")
      .otherwise("in front of the character, where its rig tells, else [0.6, 0.35, 1.0]")
      .example("[1, 0, 0]");
  s.key("region", KeyType::String, &S::region)
      .doc(
          "What the camera looks at: a [[skin.region]], else a joint, vertex group or part of the body by "
          "name.")
      .otherwise("the whole body")
      .example("\"elbow\"");
  s.choice(
       "body", &S::body,
       {{"hidden", PictureBody::Hidden}, {"beside", PictureBody::Beside}, {"overlay", PictureBody::Overlay}})
      .doc(
          "How plain skinning is shown: not at all, beside the skin, or over it as a wireframe; needs the "
          "field "
          "\"body\" in output.fields.")
      .standard("\"hidden\"")
      .example("\"beside\"");
  s.key("others", KeyType::Bool, &S::others)
      .doc(
          "Whether the other meshes of the character (eyes, teeth, clothes, hair) are shown, carried by the "
          "skin. The looks \"field\" and \"lines\" are of the skin alone.")
      .standard("true")
      .example("false");
  s.key("wireframe", KeyType::Bool, &S::wireframe)
      .doc("Whether the edges of the mesh are drawn.")
      .standard("false")
      .example("true");
  s.key("trails", KeyType::Bool, &S::trails)
      .doc("Whether a few points leave trails.")
      .standard("false")
      .example("true");
  s.key("stills", KeyType::Integer, &S::stills)
      .doc("How many moments the contact sheet shows.")
      .standard("6")
      .from(1)
      .to(100)
      .example("4");
  s.key("animation", KeyType::Bool, &S::animation)
      .doc("Whether an animation is made, too.")
      .standard("true")
      .example("false");
}

}  // namespace

Section picture_spec() {
  using S = PictureSection;
  SectionBuilder<S> s(
      "picture", [](Shot& shot) -> S& { return shot.picture; },
      "How `cutis picture` and the demos show the result.");
  s.used_by(every_method());
  s.key("size", KeyType::Integers, &S::size)
      .doc("Width and height in pixels, of each half where two are side by side.")
      .otherwise("as many pixels as [960, 540] has, in the shape of what is seen")
      .from(16)
      .to(16384)
      .count(2, 2)
      .example("[1920, 1080]");
  declare_look(s);
  declare_view(s);
  return s.take();
}

Section figure_spec() {
  using S = FigureRequest;
  SectionBuilder<S> s(
      "figure", [](Shot& shot) -> std::vector<S>& { return shot.figure; },
      "A number that shows that the run is right, with the bounds it must keep.");
  s.used_by(every_method());
  s.key("name", KeyType::String, &S::name)
      .doc("What the figure is called in the summary.")
      .required()
      .example("\"nothing jumps\"");
  s.key("measure", KeyType::String, &S::measure)
      .doc("What is measured, in the words of docs/figures.md.")
      .required()
      .example("\"frame_step\"");
  s.key("frames", KeyType::Frames, &S::frames)
      .doc(
          "Which frames: \"all\" takes the largest value, \"least\" the smallest; or the \"first\", the "
          "\"last\", or a "
          "number from 1.")
      .standard("\"all\"")
      .example("\"last\"");
  s.key("at_most", KeyType::Number, &S::at_most)
      .doc("The figure holds up to this value.")
      .otherwise("no upper bound")
      .example("2.5");
  s.key("at_least", KeyType::Number, &S::at_least)
      .doc("The figure holds from this value.")
      .otherwise("no lower bound")
      .example("1.5");
  s.key("with", KeyType::Parameters, &S::with)
      .doc("What else the measure wants to know, by name.")
      .standard("{}")
      .otherwise("nothing")
      .example("{ percentile = 99, region = \"elbow\" }");
  return s.take();
}

}  // namespace cutis
