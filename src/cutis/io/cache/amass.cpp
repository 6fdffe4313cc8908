#include "cutis/io/cache/amass.h"

#include <cmath>

#include <fmt/format.h>

#include "cutis/core/log.h"
#include "cutis/io/array/npz_numbers.h"
#include "cutis/surface/mesh/largest_coordinate.h"

namespace cutis {
namespace {

// No joint turns a hundred times; degrees, or another array, would come out larger.
constexpr double kLargestAngle = 1000;
constexpr double kFastest = 100000;  // frames a second, as for body.cache_fps

std::vector<Vec3> triples(const std::vector<double>& values) {
  std::vector<Vec3> result;
  result.reserve(values.size() / 3);
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    result.emplace_back(values[i], values[i + 1], values[i + 2]);
  return result;
}

std::vector<double> read_betas(NpzNumbers& in, std::size_t frames) {
  if (!in.has("betas")) return {};
  Numbers betas = in.take("betas");
  if (betas.shape.size() == 1) return betas.values;
  if (betas.shape.size() != 2 || (betas.shape[0] != 1 && betas.shape[0] != frames))
    in.fail("betas", fmt::format("is {}; a row of shape numbers is needed", shape_words(betas.shape)));
  const std::size_t count = betas.shape[1];
  for (std::size_t i = count; i < betas.values.size(); ++i)
    if (betas.values[i] != betas.values[i % count]) {
      log().warn("{}: betas change from frame to frame; those of the first are used", in.file());
      break;
    }
  betas.values.resize(count);
  return betas.values;
}

double read_rate(NpzNumbers& in) {
  for (const char* name : {"mocap_framerate", "mocap_frame_rate"}) {
    if (!in.has(name)) continue;
    const Numbers rate = in.take(name);
    if (rate.values.size() != 1)
      in.fail(name, fmt::format("is {}; one number is needed", shape_words(rate.shape)));
    if (!(rate.values[0] > 0 && rate.values[0] <= kFastest))
      in.fail(name,
              fmt::format("{} is no frame rate; give one as body.cache_fps and remove it", rate.values[0]));
    return rate.values[0];
  }
  return 0;
}

}  // namespace

AvatarMotion read_amass(const std::filesystem::path& file) {
  NpzNumbers in(file, {"poses", "trans", "betas", "gender", "mocap_framerate", "mocap_frame_rate"});
  AvatarMotion motion;
  motion.file = in.file();
  const Numbers poses = in.take("poses", {0, 0});
  const std::size_t width = poses.shape[1], joints = width / 3;
  motion.joint_names = avatar_joint_names(joints);
  if (width % 3 != 0 || joints == 0 || motion.joint_names[0] == "joint_0")
    in.fail("poses", fmt::format("is {}; 66, 72, 156 or 165 numbers a frame are needed, for 22, 24, 52 or 55 "
                                 "joints",
                                 shape_words(poses.shape)));
  for (double angle : poses.values)
    if (!(std::abs(angle) <= kLargestAngle))
      in.fail("poses", fmt::format("{} is no angle in radians", angle));
  motion.rotations = triples(poses.values);
  motion.translations = triples(in.take("trans", {poses.shape[0], 3}).values);
  for (const Vec3& p : motion.translations)
    if (!is_place(p)) in.fail("trans", "leads too far out");
  motion.betas = read_betas(in, poses.shape[0]);
  motion.fps = read_rate(in);
  motion.gender = in.take_text("gender");
  return motion;
}

}  // namespace cutis
