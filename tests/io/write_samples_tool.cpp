// write_samples FOLDER: small moving meshes through every writer, with the positions that were given to them
// as raw float64 (NAME.f64: frames x vertices x 3), for other programs to read back, and the fields beside
// them (NAME.fields.npz: each field, frame after frame). Prints a line a sample: name, frames, vertices.
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cutis/core/atomic_file.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/pc2.h"
#include "cutis/io/gltf/glb_writer.h"
#include "cutis/io/mesh/obj.h"
#include "cutis/io/mesh/obj_sequence.h"
#include "cutis/io/mesh/vtk_writer.h"
#include "cutis/io/usd/usda_writer.h"

namespace {

using namespace cutis;
using std::numbers::pi;

constexpr double fps = 24;
constexpr std::size_t frame_count = 7;

struct Sample {
  std::string name;
  SourceMesh mesh;
  std::function<Vec3(const Vec3&, double)> motion;  ///< of a rest position at a time [s]
  bool plain = false;                               ///< no fields, one set of texture coordinates
};

/// A tube of quads with texture coordinates that start anew at the seam: vertices there have two of them.
SourceMesh tube(int around, int along) {
  SourceMesh mesh;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * pi * i / around;
      mesh.positions.push_back(Vec3(0.1 * std::cos(angle), 0.5 * j / along, 0.1 * std::sin(angle)));
    }
  const auto at = [&](int i, int j) { return SourceVertexId(j * around + i % around); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      mesh.add_face(std::vector{at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
      for (auto [a, b] : {std::pair{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}})
        mesh.uvs.push_back(Vec2(double(a) / around, double(b) / along));
    }
  return mesh;
}

/// A sheet of triangles, perhaps with one texture coordinate per vertex.
SourceMesh sheet(int n, bool with_uvs) {
  SourceMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      mesh.positions.push_back(Vec3(double(i) / n, 0.02 * std::sin(i + j), double(j) / n));
  const auto at = [&](int i, int j) { return SourceVertexId(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      mesh.add_face(std::vector{at(i, j), at(i, j + 1), at(i + 1, j)});
      mesh.add_face(std::vector{at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
    }
  if (with_uvs)
    for (SourceVertexId v : mesh.corners)
      mesh.uvs.push_back(Vec2(mesh.positions[v].x(), mesh.positions[v].z()));
  return mesh;
}

/// A concave hexagon with a quad and a triangle at its sides.
SourceMesh polygons() {
  SourceMesh mesh;
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 2, 0), Vec3(1, 0.5, 0), Vec3(0, 2, 0),
                        Vec3(-1, 1, 0), Vec3(0, -1, 0.5), Vec3(2, -1, 0.5), Vec3(3, 1, -0.5)})
    mesh.positions.push_back(p);
  const auto add = [&](std::initializer_list<int> vertices) {
    std::vector<SourceVertexId> face;
    for (int v : vertices) face.emplace_back(v);
    mesh.add_face(face);
  };
  add({0, 1, 2, 3, 4, 5});
  add({0, 6, 7, 1});
  add({1, 8, 2});
  return mesh;
}

/// What real meshes bring along: a face without area, one that names a vertex twice, a vertex without a face.
SourceMesh defects() {
  SourceMesh mesh = polygons();
  mesh.positions.push_back(mesh.positions[SourceVertexId(0)] + Vec3(5, 5, 5));
  mesh.positions.push_back(mesh.positions[SourceVertexId(0)] + Vec3(6, 6, 6));
  mesh.positions.push_back(mesh.positions[SourceVertexId(0)] + Vec3(7, 7, 7));
  mesh.add_face(std::vector{SourceVertexId(9), SourceVertexId(10), SourceVertexId(11)});
  mesh.add_face(std::vector{SourceVertexId(0), SourceVertexId(1), SourceVertexId(1)});
  mesh.positions.push_back(Vec3(1, 1, 1));
  return mesh;
}

Vec3 bend(const Vec3& p, double t) {
  const Vec3 waved =
      p + 0.05 * Vec3(std::sin(9 * t + 7 * p.y()), std::cos(8 * t + 3 * p.x()), std::sin(5 * t * p.z()));
  return Eigen::AngleAxisd(1.5 * t, Vec3(1, 2, 3).normalized()) * waved + Vec3(0.3 * t, 0, -0.2);
}
Vec3 hold(const Vec3& p, double) { return p + Vec3(0.1, 0.2, 0.3); }
/// Shrinks into a point.
Vec3 vanish(const Vec3& p, double t) { return (1 - t * fps / (frame_count - 1)) * p; }
/// Stands, moves, stands, and comes back to where it began.
Vec3 stop_and_go(const Vec3& p, double t) {
  const int frame = static_cast<int>(std::lround(t * fps));
  return frame == 2 || frame == 3 ? bend(p, 0.3) : frame == 4 ? bend(p, 0.4) : p;
}

/// Fields of every kind that writers know: on vertices and faces, one number and several, both precisions,
/// and moving texture coordinates where there are any.
Npz fields_at(const SourceMesh& mesh, double t) {
  std::vector<double> strain, tensor;
  std::vector<float> direction;
  std::vector<std::int32_t> patch;
  std::vector<double> uvs;
  for (const Vec3& p : mesh.positions) {
    strain.push_back(std::sin(3 * p.x() + t) / 3);
    for (int i = 0; i < 3; ++i) direction.push_back(static_cast<float>(std::cos(p[i] + i * t)));
    for (int i = 0; i < 6; ++i) tensor.push_back(p.y() * i - t / 7);
  }
  for (std::size_t f = 0; f < mesh.face_count(); ++f) patch.push_back(static_cast<int>(f % 5) - 1);
  for (const Vec2& uv : mesh.uvs)
    for (double x : {uv.x() + 0.1 * std::sin(t + uv.y()), uv.y() + t / 9}) uvs.push_back(x);
  Npz fields{{"strain", npy_array(strain)},
             {"direction", npy_array(direction.data(), direction.size(), {mesh.vertex_count(), 3})},
             {"tensor", npy_array(tensor.data(), tensor.size(), {mesh.vertex_count(), 6})},
             {"face_patch", npy_array(patch)}};
  if (mesh.has_uvs()) fields["uvs"] = npy_array(uvs.data(), uvs.size(), {mesh.corner_count(), 2});
  return fields;
}

/// Appends a frame's fields to those of all frames before it.
void collect(const Npz& fields, Npz& all) {
  for (const auto& [name, array] : fields) {
    NpyArray& to = all.try_emplace(name, NpyArray{array.type, array.shape, {}}).first->second;
    if (to.bytes.empty()) to.shape.insert(to.shape.begin(), frame_count);
    to.bytes.insert(to.bytes.end(), array.bytes.begin(), array.bytes.end());
  }
}

void write(const std::filesystem::path& folder, const Sample& sample) {
  const auto file = [&](const char* ending) { return folder / (sample.name + ending); };
  const std::size_t n = sample.mesh.vertex_count();
  std::vector<double> times;
  for (std::size_t i = 0; i < frame_count; ++i) times.push_back(double(i) / fps);
  Pc2Writer pc2(file(".pc2"), n, frame_count);
  MddWriter mdd(file(".mdd"), n, times);
  GlbWriter glb(file(".glb"), sample.mesh, times, sample.name);
  UsdaWriter usda(file(".usda"), sample.mesh, times, fps);
  ObjSequenceWriter objs(file(".objs"), sample.mesh, frame_count);
  VtkWriter vtk(file(".vtk"), sample.mesh, times);
  const std::vector<FrameWriter*> writers{&pc2, &mdd, &glb, &usda, &objs, &vtk};
  AtomicFile expected(file(".f64"));
  Npz all;
  for (double t : times) {
    SourcePoints points;
    Bytes bytes;
    for (const Vec3& p : sample.mesh.positions) points.push_back(sample.motion(p, t));
    for (const Vec3& p : points)
      for (int i = 0; i < 3; ++i) append(bytes, p[i], std::endian::little);
    const Npz fields = sample.plain ? Npz() : fields_at(sample.mesh, t);
    for (FrameWriter* writer : writers) writer->add(points, fields);
    collect(fields, all);
    expected.write(bytes);
  }
  for (FrameWriter* writer : writers) writer->finish();
  write_npz(file(".fields.npz"), all);
  expected.commit();
  write_obj(file(".obj"), sample.mesh);
  fmt::print("{} {} {}\n", sample.name, frame_count, n);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: write_samples FOLDER");
  const std::vector<Sample> samples{{"tube_with_seam", tube(12, 8), bend},
                                    {"sheet_with_uvs", sheet(6, true), bend},
                                    {"sheet_without_uvs", sheet(6, false), bend},
                                    {"polygons", polygons(), bend},
                                    {"still", tube(12, 8), hold, true},
                                    {"tube_plain", tube(12, 8), bend, true},
                                    {"defects", defects(), bend},
                                    {"vanish", tube(12, 8), vanish},
                                    {"stop_and_go", sheet(6, true), stop_and_go}};
  for (const Sample& sample : samples) write(argv[1], sample);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
