#include "cutis/io/usd/usda_xform.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "cutis/core/error.h"
#include "cutis/core/one_line.h"

namespace cutis {
namespace {

constexpr const char* inverted = "!invert!";

std::vector<std::string> op_order(const UsdPrim& prim) {
  const auto at = prim.attributes.find("xformOpOrder");
  return at == prim.attributes.end() ? std::vector<std::string>{} : at->second.value.words;
}

Mat4 turn(double degrees, int axis) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() =
      Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::Unit(axis)).toRotationMatrix();
  return m;
}

/// The matrix of one op, or false when it is not known or has another number of values.
bool op_matrix(const std::string& kind, const std::vector<double>& v, Mat4& m) {
  m.setIdentity();
  if (kind == "translate" && v.size() == 3) {
    m.topRightCorner<3, 1>() = Vec3(v.data());
  } else if (kind == "scale" && v.size() == 3) {
    m.topLeftCorner<3, 3>() = Vec3(v.data()).asDiagonal();
  } else if (kind == "transform" && v.size() == 16) {
    m = Eigen::Map<const Mat4>(v.data());  // USD multiplies rows: its rows are our columns
  } else if (kind == "orient" && v.size() == 4) {
    const Quat q(v[0], v[1], v[2], v[3]);
    if (!(q.norm() > 1e-6)) return false;
    m.topLeftCorner<3, 3>() = q.normalized().toRotationMatrix();
  } else if (kind.size() == 7 && kind.starts_with("rotate") && v.size() == 1) {
    const int axis = kind[6] - 'X';
    if (axis < 0 || axis > 2) return false;
    m = turn(v[0], axis);
  } else if (kind.size() == 9 && kind.starts_with("rotate") && v.size() == 3) {
    for (std::size_t i = 6; i < 9; ++i) {  // rotateXYZ turns about x first
      const int axis = kind[i] - 'X';
      if (axis < 0 || axis > 2) return false;
      m = turn(v[static_cast<std::size_t>(axis)], axis) * m;
    }
  } else {
    return false;
  }
  return m.allFinite();
}

Mat4 local_matrix(const UsdPrim& prim, const std::vector<std::string>& order, double code,
                  const std::string& file) {
  Mat4 result = Mat4::Identity();
  for (const std::string& entry : order) {
    if (entry == "!resetXformStack!") continue;
    const bool invert = entry.starts_with(inverted);
    const std::string name = invert ? entry.substr(8) : entry;
    const auto attribute = prim.attributes.find(name);
    const std::string after = name.starts_with("xformOp:") ? name.substr(8) : "";
    const std::string kind = after.substr(0, after.find(':'));
    Mat4 m;
    if (attribute == prim.attributes.end() || !op_matrix(kind, usd_value_at(attribute->second, code), m))
      throw InputError(
          fmt::format("{}:{}: prim \"{}\": its transform {} cannot be understood; export it with "
                      "translate, rotate, scale, orient or a matrix",
                      file, prim.line, one_line(prim.name), one_line(entry)));
    result = result * (invert ? Mat4(m.inverse()) : m);
  }
  return result;
}

}  // namespace

std::vector<double> usd_value_at(const UsdAttribute& attribute, double code) {
  const auto& samples = attribute.samples;
  if (samples.empty()) return attribute.value.numbers;
  const auto after = samples.upper_bound(code);
  if (after == samples.begin()) return after->second.numbers;
  const auto before = std::prev(after);
  std::vector<double> result = before->second.numbers;
  if (after == samples.end() || before->first == code || after->second.numbers.size() != result.size())
    return result;
  const double share = (code - before->first) / (after->first - before->first);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += share * (after->second.numbers[i] - result[i]);
  return result;
}

void add_xform_times(const UsdPrim& prim, std::set<double>& codes) {
  for (const std::string& entry : op_order(prim)) {
    const auto at = prim.attributes.find(entry.starts_with(inverted) ? entry.substr(8) : entry);
    if (at == prim.attributes.end()) continue;
    for (const auto& [code, sample] : at->second.samples) codes.insert(code);
  }
}

Mat4 usd_placement(const std::vector<const UsdPrim*>& prims, double code, const std::string& file) {
  Mat4 result = Mat4::Identity();
  for (const UsdPrim* prim : prims) {
    const std::vector<std::string> order = op_order(*prim);
    if (!order.empty() && order[0] == "!resetXformStack!") result.setIdentity();
    result = result * local_matrix(*prim, order, code, file);
  }
  return result;
}

}  // namespace cutis
