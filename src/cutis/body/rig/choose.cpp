#include "cutis/body/rig/choose.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace cutis {

void fail_unknown(const std::string& owner, const std::string& kind, const std::string& name,
                  const std::vector<std::string>& known) {
  const std::string near = nearest_word(name, known);
  throw UnknownName(fmt::format("{}: there is no {} \"{}\"{}; it has {}", owner, kind, name,
                                near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))),
                    kind, name);
}

NamedPose parse_named_pose(const std::string& owner, const std::string& rest) {
  const std::size_t at = rest.rfind('@');
  std::string text = at == std::string::npos ? "" : rest.substr(at + 1);
  if (text.ends_with('s')) text.pop_back();
  NamedPose pose;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pose.time);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(pose.time))
    throw InputError(fmt::format(
        "{}: rest \"{}\" is not understood; \"bind\", \"first\" or \"CLIP@0.5s\" expected", owner, rest));
  pose.clip = rest.substr(0, at);
  return pose;
}

}  // namespace cutis
