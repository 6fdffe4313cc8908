#include <algorithm>

#include <fmt/format.h>

#include "commands.h"
#include "cutis/core/error.h"
#include "cutis/core/quantity.h"
#include "cutis/io/array/stretch_test_file.h"
#include "cutis/io/image/png.h"
#include "cutis/picture/draw/compose.h"
#include "cutis/picture/draw/plot.h"
#include "cutis/shot/settings/skin_law.h"
#include "terminal.h"

namespace cutis::app {
namespace fs = std::filesystem;
namespace {

struct FitArguments {
  std::vector<fs::path> data;
  std::optional<std::string> unit;
  std::string model = "fung";
  int fibres = 1;
  fs::path out;
};

const std::map<std::string, MaterialModel> kModels{{"st_venant_kirchhoff", MaterialModel::StVenantKirchhoff},
                                                   {"neo_hookean", MaterialModel::NeoHookean},
                                                   {"stable_neo_hookean", MaterialModel::StableNeoHookean},
                                                   {"fung", MaterialModel::Fung}};

/// One test with its dots, the fit, and beside it the fit without fibres where there is one.
Plot plot_of(const StretchTest& test, const MaterialFit& fit, const MaterialFit* plain) {
  Plot plot{test.name, "stretch (the larger of the two)", "P [kPa]", {}};
  const bool biaxial = test.kind == StretchTest::Kind::Biaxial;
  if (!biaxial) plot.x_label = "stretch";
  for (int axis = 0; axis < (biaxial ? 2 : 1); ++axis) {
    const Color color = srgb(axis == 0 ? 0xc0392b : 0x2471a3);
    const std::string name = !biaxial ? "" : axis == 0 ? " x" : " y";
    PlotSeries dots{"measured" + name, color, PlotSeries::Style::Dots, {}};
    PlotSeries line{"fit" + name, color, PlotSeries::Style::Line, {}};
    PlotSeries thin{"without fibres" + name, color, PlotSeries::Style::ThinLine, {}};
    for (const StretchTest::Point& point : test.points) {
      const double x = biaxial ? point.stretch.maxCoeff() : point.stretch.x();
      dots.points.push_back(Vec2(x, point.stress[axis] / 1e3));
      line.points.push_back(Vec2(x, predicted_stress(fit, test.kind, point)[axis] / 1e3));
      if (plain) thin.points.push_back(Vec2(x, predicted_stress(*plain, test.kind, point)[axis] / 1e3));
    }
    plot.series.push_back(std::move(dots));
    plot.series.push_back(std::move(line));
    if (plain) plot.series.push_back(std::move(thin));
  }
  return plot;
}

void draw(const fs::path& out, const std::vector<StretchTest>& tests, const MaterialFit& fit,
          const MaterialFit* plain) {
  std::vector<Panel> panels;
  for (const StretchTest& test : tests)
    panels.push_back({draw_plot(plot_of(test, fit, plain), 560, 420), ""});
  std::string title = fmt::format("residual {:.1f} %", 100 * fit.residual);
  if (plain) title += fmt::format(" (without fibres {:.1f} %)", 100 * plain->residual);
  write_png(out, contact_sheet(panels, std::min<int>(3, static_cast<int>(panels.size())), title));
}

void report(const std::vector<StretchTest>& tests, const MaterialFit& fit, const MaterialFit* plain) {
  std::size_t points = 0;
  for (const StretchTest& test : tests) points += test.points.size();
  fmt::print("# {} measurements in {} {}; residual |fit - measured| / |measured|: {:.2f} %\n", points,
             tests.size(), tests.size() == 1 ? "file" : "files", 100 * fit.residual);
  if (plain) fmt::print("# without fibres: {:.2f} %\n", 100 * plain->residual);
  const bool biaxial = std::any_of(tests.begin(), tests.end(), [](const StretchTest& test) {
    return test.kind == StretchTest::Kind::Biaxial;
  });
  if (plain && biaxial)
    fmt::print("# fibres at {:.1f} deg to the x axis of the tests, or at its mirror image\n",
               fit.direction * 180 / M_PI);
  if (!biaxial && fit.law.model != MaterialModel::NeoHookean)
    fmt::print("# pulls alone do not show Poisson's ratio: taken as 0.5\n");
  fmt::print("{}", to_toml(fit.law));
}

int fit_command(const FitArguments& options) {
  std::vector<StretchTest> tests;
  for (const fs::path& file : options.data) tests.push_back(read_stretch_test(file, options.unit));
  FitOptions how;
  how.model = kModels.at(options.model);
  how.fibres = 0;
  const MaterialFit plain = fit_material(tests, how);
  how.fibres = options.fibres;
  const MaterialFit fit = options.fibres > 0 ? fit_material(tests, how) : plain;
  const MaterialFit* beside = options.fibres > 0 ? &plain : nullptr;
  report(tests, fit, beside);
  const fs::path out =
      options.out.empty() ? fs::path(options.data[0].stem().string() + "-fit.png") : options.out;
  draw(out, tests, fit, beside);
  if (!quiet()) fmt::print(stderr, "{}\n", out.string());
  return 0;
}

}  // namespace

void add_fit(CLI::App& app, Action& action) {
  auto options = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "Fit a material to stretch tests of skin");
  command
      ->add_option(
          "DATA", options->data,
          "Tests of one skin (.csv) with columns lambda_x, P_x, lambda_y, P_y (biaxial) or lambda, P and "
          "perhaps angle (uniaxial); several files are fitted together")
      ->required();
  command->add_option("--unit", options->unit,
                      "Unit of stress, where the columns do not name it: Pa, kPa, MPa, GPa");
  std::vector<std::string> models;
  for (const auto& [name, model] : kModels) models.push_back(name);
  command->add_option("--model", options->model, "The elastic law below the fibres (default fung)")
      ->check(CLI::IsMember(models));
  command->add_option("--fibres", options->fibres, "Families of fibres (default 1)")->check(CLI::Range(0, 2));
  command->add_option("--out,-o", options->out, "The picture of the fit to write (default: DATA-fit.png)");
  command->footer(
      "Examples:\n  cutis fit skin.csv --unit kPa\n  cutis fit strip-x.csv strip-y.csv --fibres 2 > "
      "skin.toml");
  command->callback([&action, options] { action = [options] { return fit_command(*options); }; });
}

}  // namespace cutis::app
