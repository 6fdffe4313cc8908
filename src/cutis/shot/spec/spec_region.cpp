#include "cutis/shot/spec/spec_builder.h"

namespace cutis {

Section region_spec() {
  using S = RegionSection;
  SectionBuilder<S> s(
      "skin.region", [](Shot& shot) -> std::vector<S>& { return shot.skin.region; },
      "A part of the body, chosen by one of: a material, a part, a map, a list of faces or vertices, the "
      "open "
      "borders, or a centre and a radius. Without an included region the whole body has sliding skin.");
  s.used_by(every_method());
  s.key("name", KeyType::String, &S::name)
      .doc("What constraints, forces and figures call it.")
      .standard("\"\"")
      .otherwise("nobody can refer to it")
      .example("\"elbow\"");
  s.choice("use", &S::use,
           {{"include", RegionUse::Include}, {"exclude", RegionUse::Exclude}, {"name", RegionUse::Name}})
      .doc(
          "\"include\": skin slides here; \"exclude\": it sticks to the body here (eyes, lips); \"name\": "
          "only "
          "gives the place a name.")
      .standard("\"include\"")
      .example("\"exclude\"");
  s.key("material", KeyType::Strings, &S::material)
      .doc("Faces with this material of the character's file, or one of these.")
      .standard("[]")
      .otherwise("chosen by another of these keys")
      .example("\"Skin\"");
  s.key("part", KeyType::Strings, &S::part)
      .doc(
          "A part of the body, such as \"face\" or \"left hand\", an object, group or mesh of the file, or a "
          "connected piece of the mesh (\"piece 2\"); `cutis info` lists them. Several are taken together.")
      .standard("[]")
      .otherwise("chosen by another of these keys")
      .example("\"face\"");
  s.key("map", KeyType::Map, &S::map)
      .doc(
          "An image in UV space (.png, .exr), \"vertex_color\", or the name of a vertex group of the "
          "character.")
      .otherwise("chosen by another of these keys")
      .example("\"vertex_color\"");
  s.key("above", KeyType::Number, &S::above)
      .doc("Where the map is above this belongs to the region.")
      .standard("0.5")
      .from(0)
      .below(1)
      .example("0.25");
  s.key("faces", KeyType::Integers, &S::faces)
      .doc("Faces of the source mesh, counted from 0.")
      .standard("[]")
      .otherwise("chosen by another of these keys")
      .from(0)
      .to(2147483647)
      .example("[12, 13, 14]");
  s.key("vertices", KeyType::Integers, &S::vertices)
      .doc(
          "Vertices of the source mesh, counted from 0. Constraints and forces take hold of these alone; "
          "faces "
          "whose corners are all named belong to the region.")
      .standard("[]")
      .otherwise("chosen by another of these keys")
      .from(0)
      .to(2147483647)
      .example("[0, 1, 2, 12]");
  s.key("border", KeyType::Quantity, &S::border, Dimension::Length)
      .doc(
          "The open borders of the body (a neck, a cuff) and the skin up to this far from them. With 0 "
          "constraints and forces take hold of the vertices on the border alone; the region has the faces at "
          "it.")
      .otherwise("chosen by another of these keys")
      .from(0)
      .example("\"2 cm\"");
  s.key("center", KeyType::Vector, &S::center, Dimension::Length)
      .doc("A place near the surface of the body at rest.")
      .otherwise("chosen by another of these keys")
      .example("[\"12 cm\", \"1.1 m\", 0]");
  s.key("radius", KeyType::Quantity, &S::radius, Dimension::Length)
      .doc("How far the region reaches from its center, along the surface.")
      .otherwise("chosen by another of these keys")
      .above(0)
      .example("\"8 cm\"");
  s.key("corners", KeyType::Integers, &S::corners)
      .doc("Four vertices of the source mesh on the region's border where its square has corners.")
      .standard("[]")
      .otherwise("found so that the sides are most even")
      .from(0)
      .to(2147483647)
      .count(4, 4)
      .example("[3, 40, 77, 114]");
  return s.take();
}

Section constraint_spec() {
  using S = ConstraintSection;
  SectionBuilder<S> s(
      "skin.constraint", [](Shot& shot) -> std::vector<S>& { return shot.skin.constraint; },
      "What holds or moves the skin of a region.");
  s.used_by({SkinMethod::Eulerian, SkinMethod::Lagrangian, SkinMethod::Tracked});
  s.choice(
       "kind", &S::kind,
       {{"fixed", ConstraintKind::Fixed}, {"curve", ConstraintKind::Curve}, {"path", ConstraintKind::Path}})
      .doc(
          "\"fixed\": sticks to the body; \"curve\": each vertex slides along its own parallel of a curve "
          "only, up to its "
          "ends; \"path\": is moved along the surface by keys.")
      .required()
      .example("\"fixed\"");
  s.key("region", KeyType::String, &S::region)
      .doc("The name of the [[skin.region]] that it holds.")
      .required()
      .example("\"elbow\"");
  s.key("points", KeyType::Vectors, &S::points, Dimension::Length)
      .doc(
          "What a smooth curve goes through (closed when the last is the first), or where the region's "
          "middle is at each "
          "key: places near the body at rest.")
      .standard("[]")
      .otherwise("none, as \"fixed\" needs none")
      .count(2, 100000)
      .example("[[0, 0, 0], [\"4 cm\", 0, 0]]");
  s.key("times", KeyType::Quantities, &S::times, Dimension::Time)
      .doc("When the middle is at each point of a path, in rising order.")
      .standard("[]")
      .otherwise("none: only a path has times")
      .count(2, 100000)
      .example("[\"0 s\", \"1 s\"]");
  return s.take();
}

}  // namespace cutis
