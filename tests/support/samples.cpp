#include "support/samples.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "cutis/io/array/npz.h"
#include "cutis/io/bytes.h"
#include "cutis/io/cache/mdd.h"
#include "cutis/io/cache/pc2.h"
#include "cutis/io/image/exr.h"
#include "cutis/io/image/png.h"
#include "cutis/io/image/png_read.h"
#include "cutis/io/usd/usda_writer.h"
#include "cutis/run/summary.h"
#include "support/gltf_builder.h"
#include "support/support.h"

namespace cutis::test {
namespace {

using Samples = std::vector<Bytes>;

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

Samples gltf() {
  GltfBuilder strip = gltf_square(), sparse = gltf_puppet();
  strip.root["meshes"][0]["primitives"][0]["mode"] = 5;
  const int where = sparse.view(std::vector<std::uint8_t>{1, 3});
  const int what = sparse.view(std::vector<float>{7, 8, 9, 10, 11, 12});
  const int target = sparse.root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"];
  sparse.root["accessors"][target]["sparse"] = {{"count", 2},
                                                {"indices", {{"bufferView", where}, {"componentType", 5121}}},
                                                {"values", {{"bufferView", what}}}};
  nlohmann::json beside = gltf_square().root;
  beside["buffers"] = {{{"byteLength", 60}, {"uri", "../folder/data.bin"}}};
  beside["images"] = {{{"uri", "skin.png"}}, {{"bufferView", 0}, {"mimeType", "image/png"}}};
  return {bytes_of(gltf_square().glb()), bytes_of(gltf_puppet().glb()), bytes_of(gltf_puppet().gltf()),
          bytes_of(strip.glb()),         bytes_of(sparse.glb()),        bytes_of(beside.dump())};
}

Samples obj() {
  return {
      bytes_of("# a comment\no square\nv 0 0 0\nv 1 0 0\nv 1 1 0 1\nv 0 1 0 0.5 0.5 0.5\nvt 0 0\nvt 1\n"
               "vn 0 0 1\nf 1/1/1 2/2/1 3/-1/-1 \\\n 4/1/1\nf -4 -3 -2\nf 1//1 3//1 4//1\n"),
      bytes_of(
          "\xEF\xBB\xBFv 1e-3 -2.5E+2 +3\r\nv .5 1. 0\r\nv 0 0 1\r\nusemtl skin\r\ns off\r\nf 3 2 1\r\n")};
}

SourcePoints points(int frame) {
  SourcePoints result;
  for (int v = 0; v < 3; ++v) result.push_back(Vec3(frame, v, 0.25));
  return result;
}

template <class Writer, class Times>
Bytes cache(const char* name, const Times& times) {
  TemporaryFolder folder;
  Writer writer(folder / name, 3, times);
  for (int i = 0; i < 2; ++i) writer.add(points(i));
  writer.finish();
  return read_file(folder / name);
}

Npz arrays() {
  Npz arrays;
  arrays["points"] = npy_array(std::vector<double>{0, 1, 2, 3, 4, 5}.data(), 6, {2, 3});
  arrays["faces"] = npy_array(std::vector<std::int32_t>{0, 1, 2});
  arrays["time"] = npy_scalar(0.5);
  arrays["gender"] = npy_text("female");
  return arrays;
}

Samples npz() { return {encode_npz(arrays()), encode_npz(arrays(), Compression::Deflated), encode_npz({})}; }

Samples npy() {
  Samples all;
  for (const auto& [name, array] : arrays()) all.push_back(encode_npy(array));
  return all;
}

/// Arrays one after another, each as an NPY file with its length in front: without the checksums of an NPZ,
/// which would refuse nearly every change before it is looked at.
Bytes joined(std::initializer_list<NpyArray> arrays) {
  Bytes all;
  for (const NpyArray& array : arrays) {
    const Bytes npy = encode_npy(array);
    append(all, static_cast<std::uint32_t>(npy.size()), std::endian::little);
    all.insert(all.end(), npy.begin(), npy.end());
  }
  return all;
}

NpyArray ramp(std::vector<std::size_t> shape) {
  std::size_t count = 1;
  for (std::size_t n : shape) count *= n;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 0.01 * static_cast<double>(i % 17);
  return npy_array(values.data(), count, std::move(shape));
}

/// Four vertices on two joints, posed by matrices and, as STAR does, by quaternions.
Samples smpl_model() {
  const std::vector<std::int32_t> faces{0, 1, 2, 0, 2, 3};
  const std::vector<std::uint32_t> tree{0xffffffff, 0, 0, 1};
  const std::vector<double> weights{1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75};
  Samples all;
  for (std::size_t features : {9, 5})
    all.push_back(
        joined({ramp({4, 3}), npy_array(faces.data(), 6, {2, 3}), ramp({4, 3, 2}), ramp({4, 3, features}),
                ramp({2, 4}), npy_array(weights.data(), 8, {4, 2}), npy_array(tree.data(), 4, {2, 2})}));
  return all;
}

Samples amass() {
  return {joined({ramp({2, 66}), ramp({2, 3}), ramp({4}), npy_text("female"), npy_scalar(120.0)}),
          joined({ramp({3, 72}), ramp({3, 3}), ramp({3, 2}), npy_text("male"), npy_scalar(30)})};
}

Samples png() {
  Raster rgb(3, 2), rgba(2, 2, 4);
  for (std::size_t i = 0; i < rgb.data.size(); ++i) rgb.data[i] = static_cast<unsigned char>(40 * i);
  return {encode_png(rgb), encode_png(rgba)};
}

Samples shot() {
  return {
      bytes_of("[(body]\n"),

      bytes_of("[body]\nmake = \"arm\"\nresolution = \"8 mm\"\n[time]\nfps = \"24 fps\"\nend = \"1 s\"\n"),
      bytes_of(
          "body.file = \"fox.glb\"\n[skin]\nmethod = \"none\"\nthickness = \"1.5 mm\"\n"
          "slide_limit = { map = \"slide.png\", low = 0, high = \"1 cm\" }\n[[skin.region]]\nname = \"a\"\n"
          "faces = [1, 2]\n[[skin.constraint]]\nkind = \"fixed\"\nregion = \"a\"\n"
          "[[scene.force]]\ntimes = [0]\nforces = [[0, 1, 2]]\n"
          "[[figure]]\nname = \"f\"\nmeasure = \"travel\"\nframes = \"last\"\nat_most = 0.5\n")};
}

Summary small_summary() {
  Summary s;
  s.versions = {{"cutis", "0.1.0"}};
  s.shot = "[body]\nmake = \"arm\"\n";
  s.inputs = {{"fox.glb", std::string(64, 'a')}};
  s.machine = {"a processor", 2, 2};
  s.fps = 24;
  s.frames = s.frames_written = 1;
  s.times = {0.25};
  s.stages = {{"slide", 0.5}};
  s.frame_times.add(0.25);
  s.peak_memory = 1 << 20;
  s.figures = {{"a", "travel", "all", 0.25, "size", {}, 0.5, true}};
  return s;
}

Samples summary() { return {bytes_of(to_json(small_summary()))}; }

/// The arrays of a mesh of one quad with two joints and of its frame, as positions and as a map.
Samples result() {
  const std::vector<double> rest{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, uvs{0, 0, 1, 0, 1, 1, 0, 1};
  const std::vector<std::int32_t> quad{0, 1, 2, 3}, triangles{0, 1, 2, 0, 2, 3}, faces{0, 0}, offsets{0, 4},
      differences{1, -1, 0, 1}, parents{-1, 0}, influences{0, 1, 2, 3, 4}, joints{0, 0, 1, 1};
  const std::vector<double> weights{1, 1, 1, 1};
  const std::vector<std::uint16_t> barycentrics{0, 0, 16383, 0, 0, 16383, 5461, 5461};
  return {joined({npy_array(rest.data(), rest.size(), {4, 3}),
                  npy_array(offsets),
                  npy_array(quad),
                  npy_array(uvs.data(), uvs.size(), {4, 2}),
                  npy_array(quad),
                  npy_array(triangles.data(), triangles.size(), {2, 3}),
                  npy_array(faces),
                  npy_array(rest.data(), 6, {2, 3}),
                  npy_array(faces),
                  npy_array(rest.data(), 6, {2, 3}),
                  npy_array(bytes_of("hip\nknee\n")),
                  npy_array(parents),
                  npy_array(rest.data(), 6, {2, 3}),
                  npy_array(influences),
                  npy_array(joints),
                  npy_array(weights),
                  npy_array(bytes_of("skin\n")),
                  npy_array(std::vector<std::int32_t>{0}),
                  npy_scalar(1),
                  npy_scalar(0.0),
                  npy_scalar(0.0),
                  npy_array(rest.data(), rest.size(), {4, 3}),
                  npy_array(differences),
                  npy_array(barycentrics.data(), barycentrics.size(), {4, 2}),
                  npy_text("skin_to_body"),
                  npy_array(rest.data(), 6, {2, 3}),
                  npy_scalar(std::int64_t(7)),
                  ramp({4, 3}),
                  ramp({2, 3, 4}),
                  ramp({2, 3, 4})})};
}

Samples ply() {
  Bytes binary = bytes_of(
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty double y\n"
      "property short z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n");
  for (int v = 0; v < 3; ++v) {
    append(binary, static_cast<float>(v), std::endian::little);
    append(binary, 0.5 * v * v, std::endian::little);
    append(binary, static_cast<std::int16_t>(v - 1), std::endian::little);
  }
  binary.push_back(3);
  for (std::int32_t v = 0; v < 3; ++v) append(binary, v, std::endian::little);
  return {
      binary,
      bytes_of(
          "ply\nformat ascii 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty float y\n"
          "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 2\n"
          "property list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n"
          "0 1 0 9 9 9\n3 0 1 2\n3 0 2 3\n")};
}

/// What the writers make of a triangle that moves, and one on a skeleton.
Samples usda() {
  TemporaryFolder folder;
  SourceMesh mesh;
  mesh.positions = points(0);
  mesh.add_face(std::array{SourceVertexId(0), SourceVertexId(1), SourceVertexId(2)});
  UsdaWriter writer(folder / "a.usda", mesh, {0, 1}, 24);
  for (int i = 0; i < 2; ++i) writer.add(points(i));
  writer.finish();
  return {read_file(folder / "a.usda"), bytes_of(R"(#usda 1.0
(
    upAxis = "Z"
    timeCodesPerSecond = 30
)
def SkelRoot "Rig" {
    rel skel:skeleton = </Rig/Bones>
    def Skeleton "Bones" {
        rel skel:animationSource = </Rig/Walk>
        uniform token[] joints = ["hip", "hip/knee"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 2, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 2, 0, 1))]
    }
    def SkelAnimation "Walk" {
        uniform token[] joints = ["hip/knee"]
        float3[] translations = [(0, 2, 0)]
        quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 15: [(0.7, 0.7, 0, 0)] }
        half3[] scales = [(1, 1, 1)]
    }
    def Mesh "Leg" {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 1, 0), (0, 3, 0)]
        matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
        uniform token[] skel:joints = ["hip", "hip/knee"]
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1] ( elementSize = 2 interpolation = "vertex" )
        float[] primvars:skel:jointWeights = [1, 0, 0.5, 0.5, 0, 1] ( elementSize = 2 interpolation = "vertex" )
    }
}
)")};
}

template <class Write>
Samples image(const char* name, const Write& write) {
  TemporaryFolder folder;
  Samples samples;
  for (int channels : {1, 3}) {
    FloatImage picture(3, 2, channels);
    for (std::size_t i = 0; i < picture.data.size(); ++i) picture.data[i] = 0.05f * static_cast<float>(i);
    write(folder / name, picture);
    samples.push_back(read_file(folder / name));
    std::filesystem::remove(folder / name);
  }
  return samples;
}

Samples strokes() {
  return {
      bytes_of("{\"body\": \"hero.glb\", \"strokes\": [{\"points\": [[0, 1, 2], [3.5, 4, 5]]}, "
               "{\"bone\": \"left_thigh\", \"around\": [[0.1, 20], [0.9, -45]]}]}")};
}

Samples morph_table() { return {bytes_of("time,smile,brow_left\n0,0,0.5\n0.5,1,0\n1.5,0,-1\n")}; }

Samples stretch_test() {
  return {bytes_of("# Xlam,PX [MPa],Ylam,PY\n1,0,1,0\n1.1,2e-3,1.2,3e-3\n1.2,0.004,1.3,0.005\n"),
          bytes_of("lambda;P [kPa];angle (deg)\n1;0;90\n# pause\n1.1;2;90\n1.2;5;90\n")};
}

const std::map<std::string, std::function<Samples()>>& makers() {
  static const std::map<std::string, std::function<Samples()>> all = {
      {"gltf", gltf},
      {"obj", obj},
      {"pc2", [] { return Samples{cache<Pc2Writer>("a.pc2", 2u)}; }},
      {"mdd",
       [] {
         return Samples{cache<MddWriter>("a.mdd", std::vector<double>{0, 1})};
       }},
      {"npz", npz},
      {"npy", npy},
      {"smpl_model", smpl_model},
      {"amass", amass},
      {"png", png},
      {"shot", shot},
      {"summary", summary},
      {"result", result},
      {"ply", ply},
      {"usda", usda},
      {"exr", [] { return image("a.exr", [](const auto& path, const auto& p) { write_exr(path, p); }); }},
      {"png_map",
       [] { return image("a.png", [](const auto& path, const auto& p) { write_png_map(path, p); }); }},
      {"morph_table", morph_table},
      {"stretch_test", stretch_test},
      {"strokes", strokes}};
  return all;
}

}  // namespace

std::vector<Bytes> samples(const std::string& target) {
  const auto maker = makers().find(target);
  if (maker == makers().end())
    throw std::runtime_error(target + ": has no samples; add some to support/samples.cpp");
  return maker->second();
}

std::vector<std::string> sample_targets() {
  std::vector<std::string> names;
  for (const auto& [name, maker] : makers()) names.push_back(name);
  return names;
}

}  // namespace cutis::test
