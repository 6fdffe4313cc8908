#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

namespace {

void declare_source(SectionBuilder<BodySection>& s) {
  using S = BodySection;
  s.key("file", KeyType::Path, &S::file)
      .doc(
          "The character to read: glTF (.glb, .gltf), USD (.usda), OBJ, PLY, a body model of the SMPL family "
          "(.npz), or the folder of a finished result, whose skin is then the body; \"walk_####.obj\" reads "
          "numbered files as one mesh that moves, each # a digit.")
      .otherwise("give this, body.make or body.shot")
      .moving_files()
      .example("\"fox.glb\"");
  s.key("make", KeyType::String, &S::make)
      .doc("A procedural body to make in place of a file, by name (see `cutis list bodies`).")
      .otherwise("give this, body.file or body.shot")
      .example("\"arm\"");
  s.key("shot", KeyType::Path, &S::shot)
      .doc(
          "Another shot, whose skin is then the body: it runs first, into stages/NAME below the result, and "
          "again only when something that it is made from changed.")
      .otherwise("give this, body.file or body.make")
      .example("\"first-skin.toml\"");
  s.key("mesh", KeyType::Strings, &S::mesh)
      .doc("Which mesh or meshes of the file get skin, by name; \"*\" means all.")
      .standard("[]")
      .otherwise("the mesh with the most vertices")
      .example("\"Body\"");
}

void declare_motion(SectionBuilder<BodySection>& s) {
  using S = BodySection;
  s.key("clip", KeyType::String, &S::clip)
      .doc("Which animation to play, by name; \"none\" holds still.")
      .otherwise("the first one of the file")
      .example("\"Run\"");
  s.key("cache", KeyType::Path, &S::cache)
      .doc(
          "A point cache (.pc2, .mdd) that moves the vertices of an OBJ file, or an AMASS motion (.npz) that "
          "moves a body model.")
      .otherwise("none: the file moves by itself")
      .example("\"fox.pc2\"");
  s.key("cache_fps", KeyType::Quantity, &S::cache_fps, Dimension::Rate)
      .doc("How many samples of the cache, or numbered files, make a second.")
      .otherwise("as the cache itself says, else 24 fps")
      .above(0)
      .to(100000)
      .example("\"30 fps\"");
  s.choice("cache_up", &S::cache_up, {{"auto", std::nullopt}, {"y", UpAxis::Y}, {"z", UpAxis::Z}})
      .doc("Which axis of an AMASS motion points up; the body is turned so that y does. \"auto\" is z.")
      .standard("\"auto\"")
      .example("\"y\"");
  s.key("weights", KeyType::Path, &S::weights)
      .doc(
          "A table (.csv, .json) of blend shape weights over time: a column \"time\" in seconds, then one "
          "for each "
          "blend shape by name.")
      .otherwise("as the clip says")
      .example("\"smile.csv\"");
}

void declare_rest_shape(SectionBuilder<BodySection>& s) {
  using S = BodySection;
  s.key("betas", KeyType::Quantities, &S::betas)
      .doc("The shape of a body model, in the order of its file; those that are left out are 0.")
      .otherwise("those of the motion, else the mean shape")
      .from(-1000)
      .to(1000)
      .count(0, 1000)
      .example("[1.5, -0.3]");
  s.key("rest", KeyType::String, &S::rest)
      .doc(
          "The shape in which the skin is at rest: \"bind\" (as modelled), \"first\" (the first frame), "
          "\"@0.5s\" (that time of the motion), \"Idle@0.5s\" (of another clip); for a cache also \"mesh\" "
          "(the "
          "mesh file itself) and \"frame:12\".")
      .otherwise("\"bind\" for a rig, \"first\" for a cache")
      .example("\"first\"");
  s.key("scale", KeyType::Quantity, &S::scale, Dimension::Length)
      .doc("How long one unit of the file is.")
      .standard("\"1 m\"")
      .above(0)
      .to(1e6)
      .bare_unit()
      .example("\"1 cm\"");
  s.key("weld", KeyType::Quantity, &S::weld, Dimension::Length)
      .doc("Vertices nearer than this are one vertex for the simulation; outputs keep all of them.")
      .otherwise("a millionth of the body's size")
      .from(0)
      .example("\"0.01 mm\"");
  s.key("resolution", KeyType::Quantity, &S::resolution, Dimension::Length)
      .doc("The edge length of a procedural body.")
      .otherwise("each body has its own")
      .above(0)
      .example("\"8 mm\"");
}

}  // namespace

Section body_spec() {
  using S = BodySection;
  SectionBuilder<S> s(
      "body", [](Shot& shot) -> S& { return shot.body; }, "The moving body that the skin lies on.");
  s.used_by(every_method());
  declare_source(s);
  declare_motion(s);
  declare_rest_shape(s);
  return s.take();
}

Section time_spec() {
  using S = TimeSection;
  SectionBuilder<S> s(
      "time", [](Shot& shot) -> S& { return shot.time; }, "Which part of the motion is run, and how finely.");
  s.used_by(every_method());
  s.key("start", KeyType::Quantity, &S::start, Dimension::Time)
      .doc("When the shot begins, on the clip's own clock.")
      .otherwise("where the motion begins")
      .example("\"0.5 s\"");
  s.key("end", KeyType::Quantity, &S::end, Dimension::Time)
      .doc("When the shot ends.")
      .otherwise("where the motion ends")
      .example("\"2 s\"");
  s.key("fps", KeyType::Quantity, &S::fps, Dimension::Rate)
      .doc("How many frames a second are written.")
      .otherwise("those of the cache, else 24 fps")
      .above(0)
      .to(100000)
      .example("\"24 fps\"");
  s.key("preroll", KeyType::Quantity, &S::preroll, Dimension::Time)
      .doc(
          "How much of the motion before `time.start` skin runs through first, unseen. What it does depends "
          "on where it was, and this is how it forgets that it began there. Ends where the motion begins.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked})
      .otherwise("1 s")
      .from(0)
      .to(3600)
      .example("\"0.5 s\"");
  return s.take();
}

Section scene_spec() {
  using S = SceneSection;
  SectionBuilder<S> s(
      "scene", [](Shot& shot) -> S& { return shot.scene; }, "What acts on the skin from outside.");
  s.key("gravity", KeyType::Vector, &S::gravity, Dimension::Acceleration)
      .doc(
          "Gravity on skin and flesh; the second axis points up, as in glTF. A character is mostly modelled "
          "as "
          "gravity leaves it: then its skin needs none.")
      .used_by({SkinMethod::Eulerian, SkinMethod::Tracked})
      .otherwise("none for skin, 9.81 m/s^2 down for flesh")
      .example("[0, \"-9.81 m/s^2\", 0]");
  return s.take();
}

Section force_spec() {
  using S = ForceSection;
  SectionBuilder<S> s(
      "scene.force", [](Shot& shot) -> std::vector<S>& { return shot.scene.force; },
      "A force on a region, keyed over time: straight lines between the keys, still before and after them.");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Tracked});
  s.key("region", KeyType::String, &S::region)
      .doc("The name of the [[skin.region]] that it acts on.")
      .standard("\"\"")
      .otherwise("the whole skin")
      .example("\"belly\"");
  s.key("times", KeyType::Quantities, &S::times, Dimension::Time)
      .doc("When each key is, in rising order.")
      .required()
      .count(1, 100000)
      .example("[\"0 s\", \"0.2 s\", \"0.3 s\"]");
  s.key("forces", KeyType::Vectors, &S::forces, Dimension::Force)
      .doc("The force at each key, shared out over the region by mass.")
      .required()
      .count(1, 100000)
      .example("[[0, 0, 0], [0, \"2 N\", 0], [0, 0, 0]]");
  return s.take();
}

}  // namespace cutis
