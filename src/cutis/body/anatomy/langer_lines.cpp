#include "cutis/body/anatomy/langer_lines.h"

#include <cmath>
#include <numbers>
#include <string>

namespace cutis {
namespace {

/// Along the bone, and angle around it in degrees.
struct Mark {
  double along, angle;
};
using Marks = std::vector<Mark>;

/// Collects strokes. A stroke of few marks becomes a smooth curve through them.
class Drawing {
 public:
  std::vector<Stroke> strokes;

  /// Once, from the right over the middle to the left: the marks run from the middle (0 or 180) outwards.
  void across(const std::string& bone, const Marks& half) {
    Marks whole;
    const double middle = half.front().angle;
    for (std::size_t i = half.size(); i-- > 1;) whole.push_back({half[i].along, 2 * middle - half[i].angle});
    whole.insert(whole.end(), half.begin(), half.end());
    add(bone, whole);
  }
  /// On the left and on the right of trunk, neck or head.
  void both(const std::string& bone, const Marks& marks) {
    add(bone, marks);
    add(bone, mirrored(marks));
  }
  /// On both limbs, whose angles mirror each other by themselves.
  void limbs(const std::string& bone, const Marks& marks) {
    add("left_" + bone, marks);
    add("right_" + bone, marks);
  }
  /// Around a place of trunk or head and its mirror image.
  void circles(const std::string& bone, const Mark& centre, const Mark& radius) {
    Marks marks;
    for (int i = 0; i <= 24; ++i) {
      const double t = 2 * std::numbers::pi * i / 24;
      marks.push_back({centre.along + radius.along * std::cos(t), centre.angle + radius.angle * std::sin(t)});
    }
    both(bone, marks);
  }
  /// A ring around a limb.
  void rings(const std::string& bone, double along) {
    limbs(bone, {{along, -180}, {along, -90}, {along, 0}, {along, 90}, {along, 180}});
  }

 private:
  static Marks mirrored(Marks marks) {
    for (Mark& m : marks) m.angle = -m.angle;
    return marks;
  }
  /// Catmull-Rom through the marks, so that a stroke has no kinks.
  void add(const std::string& bone, const Marks& marks) {
    Stroke stroke;
    stroke.bone = bone;
    const auto at = [&](std::size_t i) { return Vec2(marks[i].along, marks[i].angle * kDegree); };
    constexpr int kPieces = 8;
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      const Vec2 p1 = at(i), p2 = at(i + 1);
      const Vec2 p0 = i > 0 ? at(i - 1) : Vec2(2 * p1 - p2);
      const Vec2 p3 = i + 2 < marks.size() ? at(i + 2) : Vec2(2 * p2 - p1);
      for (int k = 0; k < kPieces; ++k) {
        const double t = double(k) / kPieces;
        stroke.around.push_back(
            p1 + 0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0))));
      }
    }
    stroke.around.push_back(at(marks.size() - 1));
    strokes.push_back(std::move(stroke));
  }
};

/// Belts that fall from the back over the flank to the front, as the ribs do. The trunk runs from between the
/// hips (0) to between the shoulders (1); the navel lies at 0.25, the nipples at 0.72.
void draw_trunk(Drawing& d) {
  d.across("trunk", {{0.09, 0}, {0.13, 35}, {0.20, 70}, {0.24, 100}, {0.26, 140}, {0.27, 180}});
  d.across("trunk", {{0.25, 0}, {0.27, 40}, {0.31, 75}, {0.34, 100}, {0.38, 140}, {0.40, 180}});
  d.across("trunk", {{0.39, 0}, {0.41, 40}, {0.47, 80}, {0.51, 110}, {0.54, 145}, {0.56, 180}});
  // Shoulder blades, and the upper back.
  d.across("trunk", {{0.72, 180}, {0.71, 150}, {0.67, 115}, {0.62, 90}});
  d.across("trunk", {{0.87, 180}, {0.86, 150}, {0.81, 125}});
  d.across("trunk", {{1.01, 180}, {1.00, 155}, {0.95, 130}});
  // Buttocks, down and outwards from the small of the back.
  d.both("trunk", {{0.13, 172}, {0.10, 150}, {0.04, 125}});
  // Below the collar bones.
  d.across("trunk", {{0.93, 0}, {0.97, 25}, {1.04, 45}});
}

void draw_male_chest(Drawing& d) {
  d.across("trunk", {{0.54, 0}, {0.56, 45}, {0.62, 85}});
  d.across("trunk", {{0.68, 0}, {0.71, 35}, {0.80, 68}});
  d.across("trunk", {{0.80, 0}, {0.84, 30}, {0.93, 58}});
}

void draw_female_chest(Drawing& d) {
  d.across("trunk", {{0.51, 0}, {0.53, 45}, {0.59, 85}});
  d.circles("trunk", {0.715, 31}, {0.115, 23});
  d.circles("trunk", {0.715, 31}, {0.055, 11});
  d.across("trunk", {{0.84, 0}, {0.89, 30}, {0.96, 55}});
}

/// From the base of the neck (0) to the skull (1).
void draw_neck(Drawing& d) {
  d.across("neck", {{0.02, 0}, {0.10, 60}, {0.22, 120}, {0.28, 180}});
  d.across("neck", {{0.32, 0}, {0.40, 60}, {0.50, 120}, {0.55, 180}});
  d.across("neck", {{0.90, 180}, {0.85, 120}});
}

/// From the tip of the nose (0) to the top of the head (1): the eyes lie at 0.15, the mouth at -0.26.
void draw_head(Drawing& d) {
  d.across("head", {{0.42, 0}, {0.42, 30}, {0.40, 60}});
  d.across("head", {{0.66, 0}, {0.66, 40}, {0.62, 80}, {0.58, 130}, {0.56, 180}});
  d.across("head", {{0.90, 0}, {0.90, 90}, {0.88, 180}});
  d.across("head", {{0.20, 180}, {0.22, 125}});
  d.across("head", {{-0.15, 180}, {-0.10, 130}});
  // Around the eyes, fanning out beside them.
  d.circles("head", {0.15, 20}, {0.15, 14});
  d.both("head", {{0.20, 42}, {0.26, 62}});
  d.both("head", {{0.08, 42}, {0.04, 62}});
  // Down beside the nose and the mouth, over the cheeks to the jaw.
  d.both("head", {{-0.07, 17}, {-0.16, 24}, {-0.28, 29}, {-0.38, 29}});
  d.both("head", {{-0.02, 36}, {-0.18, 46}, {-0.38, 48}});
  d.both("head", {{0.00, 72}, {-0.30, 72}});
  // Out from the mouth, and across the chin.
  d.both("head", {{-0.21, 6}, {-0.13, 7}});
  d.both("head", {{-0.33, 6}, {-0.40, 7}});
  d.across("head", {{-0.50, 0}, {-0.48, 20}});
}

void draw_arms(Drawing& d) {
  for (double angle : {0.0, 60.0, 120.0, 180.0})
    d.limbs("upper_arm", {{0.12, angle + 12}, {0.50, angle}, {0.84, angle - 12}});
  for (double angle : {-60.0, -120.0}) d.limbs("upper_arm", {{0.40, angle + 3}, {0.84, angle - 12}});
  d.limbs("upper_arm", {{0.97, -55}, {0.98, 0}, {0.97, 55}});
  d.limbs("upper_arm", {{1.00, 135}, {1.02, 180}, {1.00, 225}});
  for (double angle : {0.0, 60.0, 120.0, 180.0, -60.0, -120.0})
    d.limbs("forearm", {{0.16, angle + 15}, {0.50, angle}, {0.82, angle - 15}});
  d.rings("forearm", 0.97);
  d.limbs("hand", {{0.26, 50}, {0.30, 90}, {0.34, 130}});
  d.limbs("hand", {{0.34, -130}, {0.30, -90}, {0.26, -50}});
  d.limbs("hand", {{0.50, 90}, {0.80, 90}});
  d.limbs("hand", {{0.50, -90}, {0.80, -90}});
}

void draw_legs(Drawing& d) {
  // In the groin and under the buttock.
  d.limbs("thigh", {{0.10, -35}, {0.04, 0}, {-0.08, 45}});
  d.limbs("thigh", {{0.14, 145}, {0.16, 180}, {0.16, 215}});
  d.limbs("thigh", {{0.12, 70}, {0.50, 48}, {0.84, 36}});
  d.limbs("thigh", {{0.20, 18}, {0.50, -4}, {0.84, -18}});
  d.limbs("thigh", {{0.08, 115}, {0.50, 98}, {0.84, 90}});
  d.limbs("thigh", {{0.28, 160}, {0.84, 145}});
  d.limbs("thigh", {{0.28, 208}, {0.84, 205}});
  d.limbs("thigh", {{0.34, -60}, {0.84, -70}});
  d.limbs("thigh", {{0.34, -108}, {0.84, -112}});
  // Around the knee cap, and in the hollow of the knee.
  d.limbs("thigh", {{0.97, -58}, {0.935, 0}, {0.97, 58}});
  d.limbs("shin", {{0.05, -58}, {0.11, 0}, {0.05, 58}});
  d.limbs("thigh", {{1.00, 140}, {1.00, 180}, {1.00, 220}});
  for (double angle : {0.0, 60.0, 120.0, 180.0, -60.0, -120.0})
    d.limbs("shin", {{0.22, angle + 8}, {0.50, angle}, {0.82, angle - 8}});
  d.limbs("shin", {{0.94, -75}, {0.95, 0}, {0.94, 75}});
  d.limbs("shin", {{0.95, 135}, {0.95, 180}, {0.95, 225}});
  d.limbs("foot", {{0.50, 8}, {0.70, 0}, {0.95, -5}});
  d.limbs("foot", {{0.10, 180}, {0.55, 180}, {0.95, 180}});
}

}  // namespace

std::vector<Stroke> langer_strokes(LangerSet set) {
  Drawing drawing;
  draw_trunk(drawing);
  set == LangerSet::Male ? draw_male_chest(drawing) : draw_female_chest(drawing);
  draw_neck(drawing);
  draw_head(drawing);
  draw_arms(drawing);
  draw_legs(drawing);
  return std::move(drawing.strokes);
}

}  // namespace cutis
