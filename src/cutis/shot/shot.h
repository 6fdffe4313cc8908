#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cutis/body/anatomy/langer_lines.h"
#include "cutis/body/avatar/up_axis.h"
#include "cutis/body/subdivided_surface.h"
#include "cutis/core/types.h"
#include "cutis/flesh/flesh_options.h"
#include "cutis/material/membrane/presets.h"
#include "cutis/measure/figure_request.h"
#include "cutis/run/frame_storage.h"
#include "cutis/run/layer_mesh_format.h"
#include "cutis/run/on_failure.h"
#include "cutis/skin/eulerian/eulerian_options.h"
#include "cutis/skin/force_density/force_density_options.h"
#include "cutis/skin/slides_on.h"
#include "cutis/skin/tracked/tracked_options.h"
#include "cutis/wrinkle/wrinkle_options.h"

namespace cutis {

/// A shot file as a tree of structs. Members have the names of the keys in the file; what each key means, its
/// unit, default and range are declared in the spec (spec.h, `cutis explain KEY`). Everything is SI: metres,
/// kilograms, seconds, radians. Defaults come from the spec, so a Shot is made by read_shot, parse_shot or
/// default_shot_for, never by hand; std::optional members are keys whose default depends on something else.

enum class Channel { Red, Green, Blue, Alpha };

/// A value that may vary over the surface: a constant, or a map painted between `low` (0) and `high` (1).
struct Painted {
  enum class Source { Constant, Image, VertexColor, Group };
  Source source = Source::Constant;
  double value = 0;             ///< when constant
  std::filesystem::path image;  ///< absolute, in the body's UV space
  std::string group;            ///< a vertex group or a vertex attribute of the character
  Channel channel = Channel::Red;
  double low = 0;   ///< where the map is 0
  double high = 1;  ///< where the map is 1
  bool operator==(const Painted&) const = default;
};

struct BodySection {
  std::optional<std::filesystem::path> file;
  std::optional<std::string> make;
  std::optional<std::filesystem::path> shot;
  std::vector<std::string> mesh;
  std::optional<std::string> clip;
  std::optional<std::filesystem::path> cache;
  std::optional<double> cache_fps;
  std::optional<UpAxis> cache_up;
  std::optional<std::filesystem::path> weights;
  std::optional<std::vector<double>> betas;
  std::optional<std::string> rest;
  double scale = 0;
  std::optional<double> weld;
  std::optional<double> resolution;
  bool operator==(const BodySection&) const = default;
};

struct TimeSection {
  std::optional<double> start;
  std::optional<double> end;
  std::optional<double> fps;
  std::optional<double> preroll;
  bool operator==(const TimeSection&) const = default;
};

enum class SkinMethod { None, ForceDensity, Eulerian, Lagrangian, Tracked };

struct MaterialSection {
  MaterialModel model{};
  MaterialPreset preset{};
  std::optional<Painted> young;
  std::optional<double> poisson;
  std::optional<double> fung_stiffness;
  std::optional<double> fung_exponent;
  std::optional<int> fibres;
  std::optional<double> fibre_angle;
  std::optional<double> fibre_linear;
  std::optional<double> fibre_stiffness;
  std::optional<double> fibre_exponent;
  std::optional<bool> biphasic;
  std::optional<double> biphasic_young;
  double biphasic_start = 0;
  double biphasic_end = 0;
  Painted compression;
  bool area_preserving = false;
  double viscosity = 0;
  bool operator==(const MaterialSection&) const = default;
};

struct DirectionSection {
  std::optional<LangerSet> langer;
  std::optional<Vec3> axis;
  std::optional<std::filesystem::path> file;
  Painted prestretch;
  Painted prestretch_across;
  bool operator==(const DirectionSection&) const = default;
};

struct LigamentSection {
  bool use = true;
  Painted density;
  double stiffness = 0;
  std::optional<double> strength;
  double sharpness = 0;
  bool operator==(const LigamentSection&) const = default;
};

/// [skin.tracked]
struct TrackedSection {
  std::optional<Painted> targeting_frequency;
  double targeting_damping = 0;
  Painted lag_gain;
  double sliding_frequency = 0;
  double sliding_damping = 0;
  Painted sliding_gain;
  double retarget_time = 0;
  std::optional<double> plastic_yield;
  double plastic_rate = 0;
  bool keep_volume = false;
  double bending = 0;
  bool silhouette = false;
  bool operator==(const TrackedSection&) const = default;
};

enum class RegionUse { Include, Exclude, Name };

struct RegionSection {
  std::string name;
  RegionUse use{};
  std::optional<Painted> map;
  double above = 0;
  std::vector<std::int64_t> faces;
  std::optional<Vec3> center;
  std::optional<double> radius;
  std::vector<std::string> material, part;
  std::vector<std::int64_t> vertices;
  std::optional<double> border;  ///< how far from open borders
  std::vector<std::int64_t> corners;
  bool operator==(const RegionSection&) const = default;
};

enum class ConstraintKind { Fixed, Curve, Path };

struct ConstraintSection {
  ConstraintKind kind{};
  std::string region;
  std::vector<Vec3> points;
  std::vector<double> times;
  bool operator==(const ConstraintSection&) const = default;
};

enum class SkinDefaults { Living, Membrane };

struct SkinSection {
  SkinMethod method{};
  SkinDefaults preset{};
  SlidesOn surface{};  ///< Limit or Polygon
  std::optional<double> resolution;
  Painted thickness;
  Painted density;
  std::optional<Painted> slide_limit;
  Painted stickiness;
  std::optional<Painted> stickiness_limit;
  std::optional<bool> free_border;
  Painted tightness;
  double damping = 0;
  std::optional<double> drag;
  std::optional<double> slide_speed;
  std::vector<std::string> rest_from;
  MaterialSection material;
  DirectionSection direction;
  LigamentSection ligament;
  TrackedSection tracked;
  std::vector<RegionSection> region;
  std::vector<ConstraintSection> constraint;
  bool operator==(const SkinSection&) const = default;
};

enum class FleshCore { Fixed, Springs, Bones, Region };

/// [[flesh.phase]]
struct FleshPhaseSection {
  double young = 0;
  double start = 0;
  double end = 0;
  std::optional<double> poisson;
  double volume_start = 0;
  double volume_end = 0;
  double viscosity = 0;
  bool operator==(const FleshPhaseSection&) const = default;
};

/// [flesh]
struct FleshSection {
  bool use = false;
  int tetrahedra = 0;
  std::optional<Painted> depth;
  FleshModel model{};
  Painted young;
  double poisson = 0;
  double density = 0;
  double viscosity = 0;
  bool biphasic = true;
  std::optional<double> biphasic_young;
  double biphasic_start = 0;
  double biphasic_end = 0;
  std::optional<double> biphasic_poisson;
  double biphasic_volume_start = 0;
  double biphasic_volume_end = 0;
  double biphasic_viscosity = 0;
  double retarget_time = 0;
  Painted gain;
  bool gravity_compensation = true;
  std::vector<double> inertia, inertia_times;
  std::vector<double> reset;
  std::optional<double> plastic_yield;
  double plastic_rate = 0;
  bool keep_volume = false;
  bool contact = false;
  FleshCore core{};
  std::vector<std::string> bones;
  std::optional<std::filesystem::path> bones_file;
  std::string core_region;
  double core_stiffness = 0;
  int substeps = 0;
  FleshIntegrator integrator{};
  int samples = 0;
  LayerMeshFormat lattice_mesh{};
  std::vector<FleshPhaseSection> phase;
  bool operator==(const FleshSection&) const = default;
};

/// [[wrinkle.layer]]
struct WrinkleLayerSection {
  double young = 0;
  double thickness = 0;
  double poisson = 0;
  MaterialModel model{};
  double density = 0;
  std::optional<double> wavelength;
  double fibre_ratio = 1;
  std::optional<std::filesystem::path> map;
  bool operator==(const WrinkleLayerSection&) const = default;
};

/// [wrinkle]
struct WrinkleSection {
  bool use = false;
  std::string region;
  SubdividedSurface surface{};
  double fade = 0;
  int max_vertices = 0;
  std::optional<int> output_level;
  LayerMeshFormat layer_meshes{};
  WavelengthLaw law{};
  double law_factor = 0;
  double substrate_young = 0;
  double substrate_thickness = 0;
  double support = 0;
  double give = 0;
  bool contact = true;
  LayerCoupling coupling{};
  WrinkleSolver solver{};
  double damping = 0;
  double imperfection = 0;
  int seed = 0;
  double load_step = 0;
  double edge = 0;
  bool adaptive = true;
  std::optional<double> smallest_edge;
  std::vector<WrinkleLayerSection> layer;
  bool operator==(const WrinkleSection&) const = default;
};

struct ForceSection {
  std::string region;
  std::vector<double> times;
  std::vector<Vec3> forces;
  bool operator==(const ForceSection&) const = default;
};

struct SceneSection {
  std::optional<Vec3> gravity;
  std::vector<ForceSection> force;
  bool operator==(const SceneSection&) const = default;
};

struct SolverSection {
  double tolerance = 0;
  int max_iterations = 0;
  std::optional<int> substeps;
  std::optional<double> time_step;
  Integrator integrator{};
  Advection advection{};
  SlidingStep sliding_step{};
  TargetingStep targeting_step{};
  MaterialStep material_step{};
  double deformation_limit = 0;
  double deformation_aim = 0;
  OnFailure on_failure{};
  EdgeDensity edge_weights{};
  OutlineShape patch_outline{};
  bool operator==(const SolverSection&) const = default;
};

struct OutputSection {
  std::vector<std::string> formats;
  FramePrecision precision{};
  FrameStorage storage{};
  std::vector<std::string> fields;
  bool operator==(const OutputSection&) const = default;
};

enum class PictureLook { Plain, Checker, Texture, Field, Lines };
enum class PictureBody { Hidden, Beside, Overlay };

struct PictureSection {
  std::optional<std::vector<std::int64_t>> size;  ///< width, height
  PictureLook look{};
  std::optional<std::filesystem::path> texture;
  std::optional<std::filesystem::path> normal_map;
  double gloss = 0;
  std::optional<std::string> field;
  std::optional<double> field_low;
  std::optional<double> field_high;
  std::optional<Vec3> camera;
  std::optional<std::string> region;
  PictureBody body{};
  bool others = true;
  bool wireframe = false;
  bool trails = false;
  int stills = 0;
  bool animation = false;
  bool operator==(const PictureSection&) const = default;
};

struct Shot {
  BodySection body;
  TimeSection time;
  FleshSection flesh;
  SkinSection skin;
  WrinkleSection wrinkle;
  SceneSection scene;
  SolverSection solver;
  OutputSection output;
  PictureSection picture;
  std::vector<FigureRequest> figure;

  std::filesystem::path file;  ///< as the user gave it; for messages; empty when there is no file
  std::map<std::string, int>
      written;  ///< keys that the user wrote, such as "skin.region[0].radius": their line

  /// The same settings; where they came from does not matter.
  bool operator==(const Shot& other) const;
  /// "fox.toml:14: " or, for a key that was not written, "fox.toml: ".
  std::string place(const std::string& key) const;
};

/// Reads and checks a shot file. Throws one InputError with every mistake in it, one per line:
/// `fox.toml:14: skin.thicknes: unknown key; did you mean "thickness"?`
Shot read_shot(const std::filesystem::path& file);

/// The same from text; relative paths in it start at the folder of `file`, which need not exist.
Shot parse_shot(const std::string& text, const std::filesystem::path& file);

/// What `cutis simulate CHARACTER.glb` runs: this character, every other key at its default.
Shot default_shot_for(const std::filesystem::path& character);

/// The whole shot with every default written out, paths absolute; parse_shot gives an equal shot back.
std::string to_toml(const Shot& shot);

/// The same as JSON: quantities as SI numbers, keys without a value left out.
std::string to_json(const Shot& shot);

}  // namespace cutis
