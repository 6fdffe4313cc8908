#include "cutis/body/procedural/organic/unwrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "cutis/surface/mesh/topology.h"

namespace cutis {
namespace {

constexpr double kGap = 0.006;       // between charts, in parts of the square
constexpr double kLeastArea = 0.25;  // of a face that a projection may leave
constexpr double kGoodArea = 0.55;   // of a face that a label keeps when there is a choice
constexpr int kTidyRounds = 12;

/// Ways to lay a face flat: label 0 unrolls it, 1..6 look at it along an axis of the part's frame.
constexpr int kWays = 7;

struct Chart {
  int way = 0;
  int part = 0;
  std::vector<FaceId> faces;
  double radius = 0;  ///< of a label
  Vec2 low = Vec2::Zero(), high = Vec2::Zero(), place = Vec2::Zero();
};

class Unwrapper {
 public:
  Unwrapper(Mesh& mesh, std::span<const UnwrapPart> parts, const IdVector<FaceId, int>& part)
      : mesh_(mesh), topology_(mesh), parts_(parts), part_(part), way_(mesh.face_count(), 0) {
    for (const UnwrapPart& p : parts) {
      // Columns: across the seam, the other way across, along.
      const Vec3 along = (p.to - p.from).normalized();
      const Vec3 seam = (p.seam - along * p.seam.dot(along)).normalized();
      Mat3 frame;
      frame << seam, along.cross(seam), along;
      frames_.push_back(frame);
    }
  }

  void run() {
    for (FaceId f : ids<FaceId>(mesh_.face_count())) way_[f] = best_way(f);
    for (int round = 0; round < kTidyRounds && tidy(); ++round) {
    }
    collect();
    for (int round = 0; round < kTidyRounds && absorb(); ++round) collect();
    for (Chart& chart : charts_) measure(chart);
    pack();
    write();
  }

 private:
  Vec3 local(int part, const Vec3& p) const { return frames_[part].transpose() * (p - parts_[part].from); }

  /// Places of a face's corners when laid flat. A label is `radius` wide a radian; 0 means the face's own.
  std::vector<Vec2> flat(FaceId f, int part, int way, double radius) const {
    std::vector<Vec3> points;
    Vec3 middle = Vec3::Zero();
    for (VertexId v : mesh_.face(f)) {
      points.push_back(local(part, mesh_.positions[v]));
      middle += points.back() / mesh_.face_size(f);
    }
    std::vector<Vec2> result;
    const double own = std::hypot(middle.x(), middle.y());
    if (radius == 0) radius = own;
    // The seam is at angle ±pi of this one.
    const double centre = std::atan2(-middle.y(), -middle.x());
    for (const Vec3& p : points) {
      if (way == 0) {
        double turn = std::atan2(-p.y(), -p.x()) - centre;
        turn -= 2 * pi * std::round(turn / (2 * pi));
        result.push_back(Vec2(radius * (centre + turn), p.z()));
      } else {
        const int axis = (way - 1) % 3, sign = way <= 3 ? 1 : -1;
        result.push_back(Vec2(sign * p[(axis + 1) % 3], p[(axis + 2) % 3]));
      }
    }
    return result;
  }

  static double area(const std::vector<Vec2>& uv) {
    double sum = 0;
    for (std::size_t i = 0; i < uv.size(); ++i) {
      const Vec2 &a = uv[i], &b = uv[(i + 1) % uv.size()];
      sum += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    return sum;
  }

  double true_area(FaceId f) const {
    Vec3 sum = Vec3::Zero();
    const auto face = mesh_.face(f);
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum += 0.5 * (mesh_.positions[face[i]] - mesh_.positions[face[0]])
                       .cross(mesh_.positions[face[i + 1]] - mesh_.positions[face[0]]);
    return sum.norm();
  }

  double kept(FaceId f, int part, int way) const { return area(flat(f, part, way, 0)) / true_area(f); }

  /// Unrolled where that keeps its shape, else a cap along the axis where that does, else the best.
  int best_way(FaceId f) const {
    const double label = kept(f, part_[f], 0);
    if (label > kGoodArea) return 0;
    int best = 0;
    double most = label;
    for (int way : {3, 6, 1, 2, 4, 5}) {
      const double keeps = kept(f, part_[f], way);
      // Caps first: more ways than needed make a patchwork.
      if (keeps > kGoodArea && (way == 3 || way == 6)) return way;
      if (keeps > most) {
        most = keeps;
        best = way;
      }
    }
    return best;
  }

  /// Faces join the chart that most of their neighbours are in, when they can.
  bool tidy() {
    bool changed = false;
    const IdVector<FaceId, int> before = way_;
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      std::array<int, kWays> votes{};
      int own = 0, size = 0;
      const HalfedgeId first = topology_.halfedge(f);
      HalfedgeId h = first;
      do {
        const FaceId g = topology_.face(topology_.twin(h));
        if (part_[g] == part_[f]) ++votes[before[g]];
        ++size;
        h = topology_.next(h);
      } while (h != first);
      own = votes[before[f]];
      const int way = static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
      if (way == before[f] || votes[way] <= own || 2 * votes[way] < size ||
          kept(f, part_[f], way) < kLeastArea)
        continue;
      way_[f] = way;
      changed = true;
    }
    return changed;
  }

  /// Crumbs go to the largest chart beside them that they can be laid into.
  bool absorb() {
    IdVector<FaceId, int> size(mesh_.face_count(), 0);
    for (const Chart& chart : charts_)
      for (FaceId f : chart.faces) size[f] = static_cast<int>(chart.faces.size());
    const IdVector<FaceId, int> part = part_, way = way_;
    const int crumb = std::max(4, static_cast<int>(mesh_.face_count() / 200));
    bool changed = false;
    for (FaceId f : ids<FaceId>(mesh_.face_count())) {
      if (size[f] > crumb) continue;
      int largest = size[f];
      const HalfedgeId first = topology_.halfedge(f);
      HalfedgeId h = first;
      do {
        const FaceId g = topology_.face(topology_.twin(h));
        if (size[g] > largest && kept(f, part[g], way[g]) >= kLeastArea) {
          largest = size[g];
          part_[f] = part[g];
          way_[f] = way[g];
          changed = true;
        }
        h = topology_.next(h);
      } while (h != first);
    }
    return changed;
  }

  void collect() {
    charts_.clear();
    IdVector<FaceId, char> seen(mesh_.face_count(), 0);
    for (FaceId start : ids<FaceId>(mesh_.face_count())) {
      if (seen[start]) continue;
      Chart chart;
      chart.way = way_[start];
      chart.part = part_[start];
      chart.faces.push_back(start);
      seen[start] = 1;
      for (std::size_t i = 0; i < chart.faces.size(); ++i) {
        const HalfedgeId first = topology_.halfedge(chart.faces[i]);
        HalfedgeId h = first;
        do {
          const FaceId g = topology_.face(topology_.twin(h));
          if (!seen[g] && way_[g] == chart.way && part_[g] == chart.part) {
            seen[g] = 1;
            chart.faces.push_back(g);
          }
          h = topology_.next(h);
        } while (h != first);
      }
      charts_.push_back(std::move(chart));
    }
  }

  void measure(Chart& chart) const {
    double weight = 0;
    for (FaceId f : chart.faces)
      for (VertexId v : mesh_.face(f)) {
        const Vec3 p = local(chart.part, mesh_.positions[v]);
        chart.radius += std::hypot(p.x(), p.y());
        ++weight;
      }
    chart.radius /= weight;
    chart.low.setConstant(1e9);
    chart.high = -chart.low;
    for (FaceId f : chart.faces)
      for (const Vec2& uv : flat(f, chart.part, chart.way, chart.radius)) {
        chart.low = chart.low.cwiseMin(uv);
        chart.high = chart.high.cwiseMax(uv);
      }
  }

  /// Shelves: charts by falling height, each row as wide as the square will be. Returns the height filled.
  double shelve(const std::vector<int>& order, double width, double gap) {
    double x = gap, y = gap, row = 0;
    for (int c : order) {
      const Vec2 size = charts_[c].high - charts_[c].low;
      if (x + size.x() + gap > width && x > gap) {
        x = gap;
        y += row + gap;
        row = 0;
      }
      charts_[c].place = Vec2(x, y);
      x += size.x() + gap;
      row = std::max(row, size.y());
    }
    return y + row + gap;
  }

  void pack() {
    std::vector<int> order(charts_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto height = [&](int c) { return charts_[c].high.y() - charts_[c].low.y(); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return height(a) > height(b); });
    double total = 0, widest = 0;
    for (const Chart& chart : charts_) {
      total += (chart.high - chart.low).prod();
      widest = std::max(widest, chart.high.x() - chart.low.x());
    }
    // The smallest square, of sides that grow by 2 %, that holds the rows.
    side_ = std::max(widest, std::sqrt(total));
    while (widest + 2 * kGap * side_ > side_ || shelve(order, side_, kGap * side_) > side_) side_ *= 1.02;
  }

  void write() {
    mesh_.uvs = IdVector<CornerId, Vec2>(mesh_.corner_count());
    for (const Chart& chart : charts_)
      for (FaceId f : chart.faces) {
        CornerId c = mesh_.first_corner(f);
        for (const Vec2& uv : flat(f, chart.part, chart.way, chart.radius)) {
          mesh_.uvs[c] = (uv - chart.low + chart.place) / side_;
          c = CornerId(c.index() + 1);
        }
      }
  }

  Mesh& mesh_;
  Topology topology_;
  std::span<const UnwrapPart> parts_;
  IdVector<FaceId, int> part_;
  std::vector<Mat3> frames_;
  IdVector<FaceId, int> way_;
  std::vector<Chart> charts_;
  double side_ = 1;
};

}  // namespace

void unwrap(Mesh& mesh, std::span<const UnwrapPart> parts, const IdVector<FaceId, int>& part) {
  Unwrapper(mesh, parts, part).run();
}

}  // namespace cutis
