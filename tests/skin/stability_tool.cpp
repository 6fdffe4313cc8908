// Draws the stability-under-motion experiment (docs/force-density.md) as an SVG and prints its figures:
//   build/release/tests/stability docs/pictures/force-density-stability.svg
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "support/stability.h"

namespace cutis::test {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double panel = 220;  // [px]
constexpr std::array<const char*, 4> colours{"#c0392b", "#2471a3", "#1e8449", "#6c3483"};

std::string line(const Vec2& a, const Vec2& b, const std::string& style) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>\n", a.x(), a.y(), b.x(), b.y(), style);
}

std::string text(const Vec2& at, const std::string& words, const std::string& style = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at.x(), at.y(), style, words);
}

/// A layout with the triangle turned by 20 degrees, and the ways of its corners.
std::string layout_panel(const StabilityExperiment& experiment, std::size_t index) {
  const MethodName method = layout_methods()[index];
  const Layout now = experiment.layout(method.method, experiment.turned_by(20 * degree, 1));
  const Vec2 middle(panel * (static_cast<double>(index) + 0.5), 20 + panel / 2);
  const auto place = [&](const Vec2& p) { return Vec2(middle + 0.46 * panel * Vec2(p.x(), -p.y())); };
  std::string net;
  for (FaceId f : ids<FaceId>(experiment.mesh().face_count())) {
    const auto face = experiment.mesh().face(f);
    const Vec2 a = place(now[face[0]]), b = place(now[face[1]]), c = place(now[face[2]]);
    net +=
        fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", a.x(), a.y(), b.x(), b.y(), c.x(), c.y());
  }
  std::string result =
      fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#999\" stroke-width=\"0.5\"/>\n", net);
  for (VertexId v : experiment.turned())
    result += line(place(experiment.rest(method.method)[v]), place(now[v]),
                   fmt::format("stroke=\"{}\" stroke-width=\"2\"", colours[index]));
  return result + text(Vec2(middle.x(), 14), method.name, "text-anchor=\"middle\"");
}

/// The mean over all directions of the cone's angle [rad].
double mean_cone(const StabilityExperiment& experiment, LayoutMethod method, double angle) {
  double sum = 0;
  for (int d = 0; d < StabilityExperiment::directions; ++d)
    sum += experiment.cone(method, experiment.layout(method, experiment.turned_by(angle, d)));
  return sum / StabilityExperiment::directions;
}

std::string graph(const StabilityExperiment& experiment) {
  const Vec2 origin(60, 20 + panel + 200);
  const auto place = [&](double turned, double cone) {
    return Vec2(origin.x() + 20 * turned, origin.y() - cone);
  };
  std::string result = line(place(0, 0), place(40, 0), "stroke=\"#333\"") +
                       line(place(0, 0), place(0, 180), "stroke=\"#333\"");
  for (int turned = 10; turned <= 40; turned += 10)
    result += text(place(turned, -14), fmt::format("{}°", turned), "text-anchor=\"middle\"");
  for (int cone = 0; cone <= 180; cone += 60)
    result += text(place(0, cone) + Vec2(-6, 4), fmt::format("{}°", cone), "text-anchor=\"end\"");
  result += text(place(40, 6), "turned by", "text-anchor=\"end\"") +
            text(place(0.5, 170), "angle of the displacement cone, mean of 12 directions");
  for (std::size_t i = 0; i < 4; ++i) {
    std::string path;
    for (int turned = 2; turned <= 40; turned += 2) {
      const Vec2 p =
          place(turned, mean_cone(experiment, layout_methods()[i].method, turned * degree) / degree);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", p.x(), p.y());
    }
    result +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, colours[i]);
  }
  return result;
}

void print_figures(const StabilityExperiment& experiment) {
  for (const MethodName& method : layout_methods())
    for (int turned : {5, 10, 20, 30, 40}) {
      double widest = 0, disturbance = 0;
      for (int d = 0; d < StabilityExperiment::directions; ++d) {
        const Layout layout = experiment.layout(method.method, experiment.turned_by(turned * degree, d));
        widest = std::max(widest, experiment.cone(method.method, layout));
        disturbance += experiment.disturbance(method.method, layout) / StabilityExperiment::directions;
      }
      std::printf("%-26s turned %2d: cone mean %5.1f widest %5.1f degrees, others move %.3f\n",
                  method.name.c_str(), turned, mean_cone(experiment, method.method, turned * degree) / degree,
                  widest / degree, disturbance);
    }
}

}  // namespace
}  // namespace cutis::test

int main(int argc, char** argv) {
  using namespace cutis::test;
  const StabilityExperiment experiment;
  print_figures(experiment);
  if (argc < 2) return 0;
  std::ofstream file(argv[1]);
  file << fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"460\" viewBox=\"0 0 {0:.0f} "
      "460\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      4 * panel + 20);
  for (std::size_t i = 0; i < 4; ++i) file << layout_panel(experiment, i);
  file << graph(experiment) << "</svg>\n";
  return file.good() ? 0 : 3;
}
